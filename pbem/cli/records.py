"""``pbem replay``, ``pbem export`` and ``pbem import``: game records in and out, a line each."""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import click

from pbem.bootstrap import find_games, make_wording, open_archive, using_database
from pbem.config import Settings
from pbem.errors import PlayerError
from pbem.usecases.records import replay_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pbem.ids import BoardNumber
    from pbem.usecases.imports import Imported
    from pbem.wording.templates import Wording

RecordT = TypeVar("RecordT", "str", "tuple[int, bytes]")
"""What stands for one record: the line to print, or the number and the bytes of one that was read."""


def replay_records(source: BinaryIO) -> bool:
    """Print what each record comes to; whether all of them were sound."""
    games, wording, all_sound = find_games(), make_wording(Settings()), True
    for _, line in _shown(_records_in(source), "replaying", _size(source), prints=True):
        report = replay_line(line, games, datetime.now(UTC), lambda error: _said(wording, error))
        click.echo(json.dumps(report))
        all_sound &= report["ok"]
    return all_sound


def export_records(settings: Settings, numbers: Sequence[BoardNumber], game: str | None) -> bool:
    """Print the records of these boards, or of all if there are no numbers; whether all could be printed.

    Raises:
        BadSetting: the database cannot be used.
    """
    wording, complete = make_wording(settings), True
    with using_database(), closing(open_archive(settings, make=False)) as archive:
        for number in numbers:
            try:
                click.echo(archive.record(number, game), nl=False)
            except PlayerError as wrong:
                _complain(f"board {number}", wording, wrong)
                complete = False
        for line in () if numbers else _shown(archive.records(game), "exporting", prints=True):
            click.echo(line, nl=False)
    return complete


def import_records(settings: Settings, source: BinaryIO) -> bool:
    """Make boards of records, each for itself, and print what became of them; whether all of them are here now.

    Raises:
        BadSetting: the database cannot be used.
    """
    wording, tally = make_wording(settings), _Tally()
    with using_database(), closing(open_archive(settings, make=True)) as archive:
        for number, line in _shown(_records_in(source), "importing", _size(source)):
            try:
                tally.count(archive.take_in(line, datetime.now(UTC)))
            except PlayerError as wrong:
                _complain(f"line {number}", wording, wrong)
                tally.refused += 1
    click.echo("\n".join(tally.lines()))
    return not tally.refused


class _Tally:
    """What became of the records of an import."""

    def __init__(self) -> None:
        self.new: list[BoardNumber] = []
        self.known: list[BoardNumber] = []
        self.going_on: list[BoardNumber] = []
        self.opened: list[str] = []
        self.refused = 0

    def count(self, imported: Imported) -> None:
        """Count a record that is here now."""
        alike = self.new if imported.is_new else self.going_on if imported.goes_on else self.known
        alike.append(imported.board.number)
        self.opened += imported.opened

    def lines(self) -> Iterator[str]:
        """The report."""
        yield f"imported: {len(self.new)}{_listed(self.new)}"
        if self.known:
            yield f"here already: {len(self.known)}{_listed(self.known)}"
        if self.going_on:
            yield f"goes on here already: {_listed(self.going_on).removeprefix(', ')}"
        if self.refused:
            yield f"refused: {self.refused}"
        if self.opened:
            yield f"accounts opened that nobody can use: {', '.join(self.opened)}"


def _listed(numbers: Sequence[int]) -> str:
    """Numbers of boards, those that follow each other taken together: ``, boards 101-103 105``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f", board{'s' if len(numbers) > 1 else ''} {' '.join(said)}" if numbers else ""


def _said(wording: Wording, error: PlayerError) -> str:
    """A refusal on one line."""
    return " ".join(wording.reason(error).split())


def _complain(place: str, wording: Wording, error: PlayerError) -> None:
    """Tell what is wrong where; not by `click.echo`, which would write into the line that shows the progress."""
    sys.stderr.write(f"pbem: {place}: {_said(wording, error)}\n")


def _records_in(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers."""
    return ((number, line) for number, line in enumerate(source, start=1) if line.strip())


def _size(source: BinaryIO) -> int | None:
    """Bytes of a file; None for a pipe or a terminal."""
    try:
        about = os.fstat(source.fileno())
    except OSError:
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


def _shown(
    records: Iterable[RecordT], doing: str, size: int | None = None, *, prints: bool = False
) -> Iterator[RecordT]:
    """Records as they are worked through, with the progress on a terminal unless something is printed there for each.

    Args:
        records: lines, perhaps with their numbers.
        doing: what is being done, in a word.
        size: of all records in bytes, if that is known.
        prints: whether each record leads to something on the standard output.
    """
    from rich.console import Console  # loaded where there is something to show
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal or (prints and sys.stdout.isatty()):
        yield from records
        return
    # what is printed is for a file: it must not be led to the terminal
    with Progress(console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(doing, total=size)
        for record in records:
            yield record
            progress.advance(task, len(record if isinstance(record, str) else record[1]))
