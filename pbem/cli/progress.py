"""Records read from files, and progress shown on a terminal."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from pbem.games.game import Game
from pbem.games.records import LONGEST_LINE, format_of

if TYPE_CHECKING:  # a type of click that has no public name
    from click._termui_impl import ProgressBar

RecordT = TypeVar("RecordT", "str", "tuple[int, bytes]")
"""A record: the line to print, or the number and the bytes of one that was read."""


def records_in(source: BinaryIO, games: Mapping[str, Game[Any, Any]]) -> Iterator[tuple[int, bytes]]:
    """The records of a file, with the numbers of the lines where they begin.

    These are lines that are not empty, unless the file begins as one in the format of a game. What is too long for a
    record is cut off.
    """
    lines = _lines_of(source)
    empty = list[bytes]()
    for line in lines:
        empty.append(line)
        if line.strip(b"\xef\xbb\xbf \t\r\n"):
            break
    file_format = format_of(empty[-1], games) if empty else None
    if file_format is not None:
        yield from file_format.split(chain(empty, lines))
        return
    for number, line in enumerate(chain(empty, lines), 1):
        if line.strip():
            yield number, line


def _lines_of(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; one too long for a record is cut off."""
    while line := source.readline(LONGEST_LINE + 1):
        read = line
        while len(read) > LONGEST_LINE and not read.endswith(b"\n"):
            read = source.readline(LONGEST_LINE + 1)
        yield line


def size_of(source: BinaryIO) -> int | None:
    """The size of a file in bytes; None for a pipe or a terminal."""
    try:
        about = os.fstat(source.fileno())
    except OSError:
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


@contextmanager
def progress_of(doing: str, *, hidden: bool = False) -> Iterator[Callable[[int, int | None], None]]:
    """A function to call with the work done so far and the total, which are shown on a terminal.

    Args:
        doing: the kind of work, in a word.
        hidden: True if nothing is to be shown after all.
    """
    if hidden or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    with ExitStack() as stack:
        bar: ProgressBar[int] | None = None

        def told(done: int, total: int | None) -> None:
            nonlocal bar
            if bar is None:  # how much there is to do is known with the first step alone
                bar = stack.enter_context(click.progressbar(length=total, label=doing, file=sys.stderr))
            bar.length = total
            bar.update(done - bar.pos)

        yield told


def with_progress(
    records: Iterable[RecordT], doing: str, size: int | None = None, *, prints: bool = False
) -> Iterator[RecordT]:
    """Records as they are worked through, with the progress on a terminal unless something is printed there for each.

    Args:
        records: lines, perhaps with their numbers.
        doing: the kind of work, in a word.
        size: of all records in bytes, if known.
        prints: True if each record leads to output on the standard output.
    """
    done = 0
    with progress_of(doing, hidden=prints and sys.stdout.isatty()) as told:
        for record in records:
            yield record
            done += len(record if isinstance(record, str) else record[1])
            told(done, size)
