"""To be imported first: lets atheris see which code a letter reaches, if atheris is there."""

from __future__ import annotations

import importlib
import importlib.util

HAS_ATHERIS = importlib.util.find_spec("atheris") is not None
_SEEN = ("pbem.mail_in", "pbem.commands", "email", "flufl.bounce", "inscriptis")

if HAS_ATHERIS:
    import atheris

    with atheris.instrument_imports(include=list(_SEEN)):
        for module in ("pbem.mail_in.mime", "pbem.commands.reading"):
            importlib.import_module(module)
