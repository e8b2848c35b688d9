"""Small disks of a test's own."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Disk:
    """A file system in memory, of a few MiB."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    def fill(self) -> None:
        """Leave no byte free."""
        with suppress(OSError), self._filler.open("ab", buffering=0) as filler:
            while True:
                filler.write(b"x" * 4096)

    def free(self) -> None:
        """Take away what filled it."""
        self._filler.unlink()

    def remount(self, option: str) -> None:
        """Make it read-only (``ro``) or writable again (``rw``)."""
        subprocess.run(["mount", "-o", f"remount,{option}", self.path], check=True, capture_output=True)


@contextmanager
def small_disk(path: Path, mebibytes: int) -> Iterator[Disk]:
    """Mount a small disk; without the right to do so the test skips."""
    path.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", path], check=False, capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", path], check=True, capture_output=True)
