"""The machine that figures were measured on, and the versions."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

_LIBRARIES = ("pbem", "aiosmtpd", "uvloop", "sqlalchemy", "psycopg", "jinja2", "pillow")
_SYNCS = 20


class NotOnDisk(Exception):
    """The folder lies in memory, where a commit costs nothing; the text names it."""


def refuse_memory(folder: Path) -> None:
    """Raise NotOnDisk if a folder is part of the memory; where that cannot be found out, believe it."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return
    kinds = dict(line.split()[1:3] for line in mounts.read_text().splitlines())
    places = (str(place) for place in (folder.resolve(), *folder.resolve().parents))
    if next((kinds[place] for place in places if place in kinds), "") in ("tmpfs", "ramfs"):
        raise NotOnDisk(str(folder))


def machine(folder: Path) -> dict[str, Any]:
    """The facts for comparing figures: the machine, its load now, the versions."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "processors": os.cpu_count(),
        "processor": _processor(),
        "load": os.getloadavg()[0],
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "sum(range(10**7)), s": _loop(),
        "fdatasync, ms": _sync(folder),
    } | {name: version(name) for name in _LIBRARIES}


def _commit() -> str:
    call = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    asked = subprocess.run(call, check=False, capture_output=True, text=True, cwd=Path(__file__).parent)
    return asked.stdout.strip()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _loop() -> float:
    start = time.perf_counter()
    sum(range(10**7))
    return time.perf_counter() - start


def _sync(folder: Path) -> float:
    """The time for writing a few bytes to the disk; the median of some tries."""
    taken = []
    with (folder / "written").open("wb", buffering=0) as file:
        for _ in range(_SYNCS):
            file.write(b"x" * 4096)
            start = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append(1000 * (time.perf_counter() - start))
    (folder / "written").unlink()
    return median(taken)
