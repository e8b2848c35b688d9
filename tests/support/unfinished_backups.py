"""A backup that is never finished: what a child process does that is to be ended meanwhile."""

from __future__ import annotations

import os
import time
from pathlib import Path


def begin_backup(to: Path) -> str:
    """Begin one, and say in a file by which process."""
    to.with_name(to.name + ".new").touch()
    aside = to.with_name("begun.aside")
    aside.write_text(str(os.getpid()))
    aside.replace(to.with_name("begun"))
    while True:
        time.sleep(60)
