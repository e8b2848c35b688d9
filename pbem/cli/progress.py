"""How far long work has come, shown on the terminal; game records as lines of a file, worked through so."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, TypeVar

from pbem.games.json_lines import LONGEST_LINE

RecordT = TypeVar("RecordT", "str", "tuple[int, bytes]")
"""What stands for one record: the line to print, or the number and the bytes of one that was read."""


def records_in(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers; of one that is too long for a record only the beginning."""
    number = 0
    while line := source.readline(LONGEST_LINE + 1):
        number += 1
        read = line
        while len(read) > LONGEST_LINE and not read.endswith(b"\n"):
            read = source.readline(LONGEST_LINE + 1)
        if line.strip():
            yield number, line


def size_of(source: BinaryIO) -> int | None:
    """Bytes of a file; None for a pipe or a terminal."""
    try:
        about = os.fstat(source.fileno())
    except OSError:
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


@contextmanager
def progress_of(doing: str, *, hidden: bool = False) -> Iterator[Callable[[int, int | None], None]]:
    """What may be told again and again how much has been done of how much, to be shown on a terminal.

    Args:
        doing: what is being done, in a word.
        hidden: whether it is not to be shown after all.
    """
    from rich.console import Console  # loaded where there is something to show
    from rich.progress import Progress

    console = Console(stderr=True)
    if hidden or not console.is_terminal:
        yield lambda _done, _total: None
        return
    # what is printed is for a file: it must not be led to the terminal
    with Progress(console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(doing, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def with_progress(
    records: Iterable[RecordT], doing: str, size: int | None = None, *, prints: bool = False
) -> Iterator[RecordT]:
    """Records as they are worked through, with the progress on a terminal unless something is printed there for each.

    Args:
        records: lines, perhaps with their numbers.
        doing: what is being done, in a word.
        size: of all records in bytes, if that is known.
        prints: whether each record leads to something on the standard output.
    """
    done = 0
    with progress_of(doing, hidden=prints and sys.stdout.isatty()) as told:
        for record in records:
            yield record
            done += len(record if isinstance(record, str) else record[1])
            told(done, size)
