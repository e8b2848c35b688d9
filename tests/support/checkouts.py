"""Copies of this checkout, and programs that are run as whoever has one would."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.support.tools import require_tool

CHECKOUT = Path(__file__).parents[2]


def run(*command: str | Path, folder: Path) -> str:
    """Run a program that must succeed; what it prints."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "PYTHON", "PIP_"))}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_checkout(to: Path) -> None:
    """Copy what a clone would have, and what is not committed yet."""
    git = require_tool("git")
    names = run(git, "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=CHECKOUT)
    for name in filter(None, names.split("\0")):
        if (CHECKOUT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(CHECKOUT / name, to / name)
