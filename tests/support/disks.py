"""Small disks of a test's own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

_NEARLY = 2 * 1024 * 1024
"""The bytes left free at first: the system needs some of the room for the bookkeeping."""


class Disk:
    """A small file system."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    def fill(self) -> None:
        """Leave no byte free."""
        with suppress(OSError), self._filler.open("ab", buffering=0) as filler:
            free = os.statvfs(self.path).f_bavail * os.statvfs(self.path).f_frsize
            if free > _NEARLY:
                os.posix_fallocate(filler.fileno(), 0, free - _NEARLY)
                filler.seek(0, os.SEEK_END)
            while True:
                filler.write(b"x" * 4096)

    def free(self) -> None:
        """Take away what filled it."""
        self._filler.unlink()

    def remount(self, option: str) -> None:
        """Make it read-only (``ro``) or writable again (``rw``)."""
        subprocess.run(["mount", "-o", f"remount,{option}", self.path], check=True, capture_output=True)


@contextmanager
def small_disk(path: Path, mebibytes: int, image: Path | None = None) -> Iterator[Disk]:
    """Mount a small disk; without the right to do so the test skips.

    Args:
        path: where.
        mebibytes: its size.
        image: the file that it lies in, so that who writes waits for a real disk; None: in memory.
    """
    path.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    if image is None:
        source = ["-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs"]
    else:
        with image.open("wb") as file:
            file.truncate(mebibytes * 1024 * 1024)
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", image], check=True, capture_output=True)
        source = ["-o", "loop", str(image)]
    mounted = subprocess.run(["mount", *source, path], check=False, capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", path], check=True, capture_output=True)
