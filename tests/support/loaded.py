"""All that a server loads and compiles in the course of its life, done at once; never imported by tests themselves."""

from __future__ import annotations

import psycopg  # noqa: F401 - its compiled part looks how large a moment is

from tests.support import ahead

ahead.put()  # before anything else has seen the other clock

from pbem.bootstrap.wording import make_wording  # noqa: E402
from pbem.cli.serve import serve  # noqa: E402
from pbem.config import Settings  # noqa: E402

assert serve.name == "serve"

_environment = make_wording(Settings()).environment
for _name in _environment.list_templates(extensions=["txt", "html"]):
    _environment.get_template(_name)
