"""``pbem admin`` as an operator runs it beside a running server.

What needs no process of its own runs in the test's: to start one costs more than most of what it does.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pbem.cli.main import main
from tests.cli.running import environment, pbem
from tests.support.databases import settings_of

OPERATOR = "boss@example.org"


def admin(folder: Path, *words: str, **settings: str) -> Result:
    """Run a subcommand to its end."""
    own = {"operator": OPERATOR, "database_url": f"sqlite:///{folder / 'pbem.db'}"} | settings_of(folder)
    text = settings.pop("typed", None)
    return CliRunner(env=environment(own | settings)).invoke(main, ["admin", *words], input=text)


def in_a_process(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a subcommand in a process of its own."""
    return pbem(folder, "admin", *words, **({"operator": OPERATOR} | settings))


def done(folder: Path, *words: str, **settings: str) -> str:
    """Run a subcommand that is to succeed; return what it prints."""
    ended = admin(folder, *words, **settings)
    assert (ended.exit_code, ended.stderr) == (0, "")
    return ended.stdout


def refused(folder: Path, *words: str, **settings: str) -> str:
    """Run a subcommand that is to fail with one sentence; return that."""
    ended = admin(folder, *words, **settings)
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr.count("\n") == 1
    return ended.stderr.removeprefix("pbem: ").strip()


def told(folder: Path, *words: str, **settings: str) -> Any:
    """Run a subcommand and return the JSON that it prints."""
    return json.loads(done(folder, *words, "--json", **settings))
