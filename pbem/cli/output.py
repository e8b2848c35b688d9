"""Output: lines, tables, JSON, progress, and exit codes."""

from __future__ import annotations

import io
import json
import os
import resource
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.bootstrap import find_games
from pbem.config import BadSetting, Settings
from pbem.games.records import LONGEST_LINE

if TYPE_CHECKING:  # known to type checkers alone; Python has it from 3.12 on
    from _typeshed import ReadableBuffer


class OutputLostError(Exception):
    """The standard output cannot be written; the argument is the system's message."""


class _Output(io.FileIO):
    """Reports the first failed write; later output is dropped, so that the program can end."""

    _is_lost = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write; raise only `BrokenPipeError` and `OutputLostError`."""
        if self._is_lost:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except BrokenPipeError:
            self._is_lost = True
            raise
        except OSError as failed:
            self._is_lost = True
            raise OutputLostError(failed.strerror) from failed


class _LastingOutput(io.FileIO):
    """Drops lines that cannot be written, and tries again with the next."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, and never raise an exception."""
        try:
            written: int | None = super().write(data)
        except OSError:
            written = None
        return memoryview(data).nbytes if written is None else written


@contextmanager
def guarded_output() -> Iterator[None]:
    """Ensure that all output is written at the end; otherwise an exception is raised.

    Raises:
        OutputLostError: some could not be written. It is no `OSError`, which might come from any other file.
        BrokenPipeError: nobody reads any more.
    """
    with _written_by(_Output):
        yield


@contextmanager
def lasting_output() -> Iterator[None]:
    """Print the log of a program that goes on, even while the output cannot be written."""
    with _written_by(_LastingOutput):
        yield


@contextmanager
def _written_by(kind: type[io.FileIO]) -> Iterator[None]:
    """Write output in one of the two ways, unless it goes nowhere, or to no file of the system."""
    output = _output_of(kind, sys.stdout)
    if output is None:
        yield
        return
    with redirect_stdout(output):
        try:
            yield
        finally:
            output.flush()


def _output_of(kind: type[io.FileIO], plain: object) -> io.TextIOWrapper | None:
    """The same output, written in another way; None if it is closed, or no file of the system."""
    if not isinstance(plain, io.TextIOWrapper):
        return None
    try:
        raw = io.BufferedWriter(kind(plain.fileno(), "wb", closefd=False))
    except io.UnsupportedOperation:
        return None
    return io.TextIOWrapper(raw, plain.encoding, plain.errors, line_buffering=plain.line_buffering)


_NARROWEST = 120
"""Least width, in columns, of a table that goes into a file."""


def safe(text: object) -> str:
    """A text on one line that cannot control a terminal."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(text))


def show(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], *, as_json: bool, nothing: str = "There is nothing."
) -> None:
    """Print rows as a table, or as a JSON list of objects."""
    if as_json:
        click.echo(json.dumps(rows, default=_plain))
        return
    if not rows:
        click.echo(nothing)
        return
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*(Text(_cell(row[column])) for column in columns))
    print_table(table)


def print_table(table: Table) -> None:
    """Print a table, wide enough if it goes into a file."""
    console = Console()
    Console(width=max(console.width, _NARROWEST) if not console.is_terminal else None).print(table)


def show_one(facts: dict[str, Any], *, as_json: bool) -> None:
    """Print the facts of one thing, one on each line, or as a JSON object."""
    if as_json:
        click.echo(json.dumps(facts, default=_plain))
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        lines = [_cell(each) for each in value] if isinstance(value, list | tuple) else _cell(value).split("\n")
        for number, line in enumerate(lines or [""]):
            click.echo(f"{name if number == 0 else '':{width}}  {line}".rstrip())


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return "  ".join(_cell(each) for each in value.values() if each not in (None, ""))
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(safe(line) for line in str(value).split("\n"))


def _plain(value: object) -> Any:
    return value.isoformat() if isinstance(value, datetime) else str(value)


_LONGEST_QUOTE = 40


class Number(click.IntRange):
    """A number within bounds; other input is refused in plain words, and only quoted in part if it is long."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number."""
        if isinstance(value, str) and len(value) > _LONGEST_QUOTE:
            self.fail(f"{value[:_LONGEST_QUOTE]!r}... is not a valid number.", param, ctx)
        return super().convert(value, param, ctx)


OWN_FILES = 256
"""Files for the database, those of the process itself, and connections that are just being refused."""


def most_files() -> int:
    """Raise the limit of open files as far as the system allows; return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def room_for_web(files: int, wanted: int, for_mail: int) -> int:
    """The number of connections that the web may have, so that letters always come in.

    Args:
        files: the limit of open files.
        wanted: connections, by the settings.
        for_mail: the most connections of the doors for letters.
    """
    return max(1, min(wanted, files - for_mail - OWN_FILES))


FAILED, MISUSE, TRY_LATER = 1, 2, 75
"""Exit codes; the last is EX_TEMPFAIL of sysexits.h."""
OVERTAKEN = "the server kept changing the data first; please try again"


def read_settings(*, serving: bool = False) -> Settings:
    """The settings of the environment, with those a server needs if one is to run; a wrong one ends the program."""
    try:
        return Settings.read(os.environ, serving=serving)
    except BadSetting as wrong:
        end(str(wrong), MISUSE)


def end(sentence: str, code: int = FAILED) -> NoReturn:
    """End the program with a sentence on the standard error, or one line for each of several problems."""
    for line in sentence.splitlines():
        click.echo(f"pbem: {line}", err=True)
    sys.exit(code)


RecordT = TypeVar("RecordT", "str", "tuple[int, bytes]")
"""A record: the line to print, or the number and the bytes of one that was read."""


def records_in(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers; a line too long for a record is cut off."""
    number = 0
    while line := source.readline(LONGEST_LINE + 1):
        number += 1
        read = line
        while len(read) > LONGEST_LINE and not read.endswith(b"\n"):
            read = source.readline(LONGEST_LINE + 1)
        if line.strip():
            yield number, line


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


def known_game(_context: click.Context, _option: click.Parameter, word: str | None) -> str | None:
    """The name of a game of this server, however it was written."""
    games = sorted(find_games())
    if word is not None and word.lower() not in games:
        raise click.BadParameter(f"{word[:40]!r} is not a game of this server: {', '.join(games)}.")
    return word and word.lower()
