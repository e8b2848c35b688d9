"""``pbem export``, ``pbem import`` and ``pbem replay``: game records from the database, into it, and checked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import BinaryIO

import click

from pbem.bootstrap import find_games
from pbem.bootstrap.database import using_database
from pbem.bootstrap.upkeep import open_archive
from pbem.bootstrap.wording import make_wording
from pbem.cli.arguments import Number, known_game
from pbem.cli.output import FAILED, OVERTAKEN, TRY_LATER, end, read_settings
from pbem.cli.progress import records_in, size_of, with_progress
from pbem.cli.settings import log_beside
from pbem.config import Settings
from pbem.errors import PlayerError
from pbem.executor import TooManyConflicts
from pbem.ids import HIGHEST_NUMBER, BoardNumber
from pbem.usecases.imports import Imported
from pbem.usecases.rankings import replay_line
from pbem.wording.templates import Wording


def _known_format(_context: click.Context, _option: click.Parameter, word: str | None) -> str:
    """The name of a format in which games of this server are written; empty for our own."""
    names = sorted({game.file_format.name for game in find_games().values() if game.file_format is not None})
    if word is not None and word.lower() not in ("json", *names):
        known = ", ".join(("json", *names))
        raise click.BadParameter(f"{word[:40]!r} is not a format of the games of this server: {known}.")
    return "" if word is None or word.lower() == "json" else word.lower()


@click.command()
@click.argument("board", type=Number(1, HIGHEST_NUMBER), nargs=-1)
@click.option("--game", callback=known_game, help="Only boards of this game.")
@click.option("--format", "file_format", callback=_known_format, help="A format of some games, such as pgn for chess.")
def export(board: tuple[int, ...], game: str | None, file_format: str) -> None:
    """Print the game records of these boards, or of all boards.

    Each record is a line of JSON. With --format, records are in that format, and other games are left out. Declined
    challenges are always left out.
    """
    complete = export_records(read_settings(), [BoardNumber(number) for number in board], game, file_format)
    sys.exit(0 if complete else FAILED)


@click.command(name="import")
@click.argument("file", type=click.File("rb"), default="-")
def import_(file: BinaryIO) -> None:
    """Create boards from game records.

    Reads JSON lines from FILE, or from standard input if there is none; each is a record in the format pbem-game/1. If
    the games are installed here, files in their own formats are read, too, such as PGN for chess. There, a player's
    name becomes a userid, as "Anderssen, Adolf" becomes anderssen-adolf.

    Each record is checked as by `pbem replay` and imported separately: a bad one does not stop the others. Nothing is
    rated, and nobody is mailed.

    A game that is already here is not imported again, so you can repeat an import. The same holds for the beginning of
    an imported game that is still in play. Equal records in one import are different games. A game without a turn
    counts as already here only if it was imported.

    Players of finished games who have no account get one that nobody can use; their userids are then taken. Games in
    play are imported only if all their players have accounts.

    The exit code is 0 if all games are here now, 1 if some were refused, 75 if you should try again.
    """
    try:
        complete = import_records(read_settings(), file)
    except TooManyConflicts:
        end(OVERTAKEN, TRY_LATER)
    sys.exit(0 if complete else FAILED)


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
def replay(file: BinaryIO) -> None:
    """Check game records against the rules; print each result.

    Reads JSON lines from FILE, or from standard input if there is none; each is a record in the format pbem-game/1.
    Files in the formats of games, such as PGN for chess, are read, too.

    Prints one JSON object for each record: game, ok, error (turn, reason), result (winner, reason), turns, and the last
    position.

    The exit code is 0 if all records are sound, 1 if some are not.
    """
    sys.exit(0 if replay_records(file) else FAILED)


def export_records(settings: Settings, numbers: Sequence[BoardNumber], game: str | None, file_format: str = "") -> bool:
    """Print the records of these boards, or of all if there are no numbers; return True if all could be printed.

    Raises:
        BadSetting: the database cannot be used.
    """
    log_beside(settings)
    wording, complete = make_wording(settings), True
    with using_database(), closing(open_archive(settings, make=False)) as archive:
        for number in numbers:
            try:
                click.echo(archive.record(number, game, file_format), nl=False)
            except PlayerError as wrong:
                _complain(wording, wrong)
                complete = False
        for line in () if numbers else with_progress(archive.records(game, file_format), "exporting", prints=True):
            click.echo(line, nl=False)
    return complete


def import_records(settings: Settings, source: BinaryIO) -> bool:
    """Make a board of each record by itself, and print the results; return True if all of them are here now.

    Raises:
        BadSetting: the database cannot be used.
        TooManyConflicts: a running server was always quicker; the games taken in before remain.
    """
    log_beside(settings)
    wording, tally = make_wording(settings), _Tally()
    with using_database(), closing(open_archive(settings, make=True)) as archive:
        for number, line in with_progress(records_in(source, find_games()), "importing", size_of(source)):
            try:
                tally.count(archive.take_in(line, datetime.now(UTC)))
            except PlayerError as wrong:
                _complain(wording, wrong, f"line {number}: ")
                tally.refused += 1
    click.echo("\n".join(tally.lines()))
    return not tally.refused


def replay_records(source: BinaryIO) -> bool:
    """Print the result of each record; return True if all of them were sound."""
    games, wording, all_sound = find_games(), make_wording(Settings()), True
    for _, line in with_progress(records_in(source, games), "replaying", size_of(source), prints=True):
        report = replay_line(line, games, datetime.now(UTC), wording.reason_line)
        click.echo(json.dumps(report))
        all_sound &= report["ok"]
    return all_sound


class _Tally:
    """The results of an import."""

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
            yield f"already here: {len(self.known)}{_listed(self.known)}"
        if self.going_on:
            yield f"already in play here: {_listed(self.going_on).removeprefix(', ')}"
        if self.refused:
            yield f"refused: {self.refused}"
        if self.opened:
            yield f"unusable accounts created for: {', '.join(self.opened)}"


def _listed(numbers: Sequence[int]) -> str:
    """Numbers of boards, with consecutive ones joined: ``, boards 101-103 105``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f", board{'s' if len(numbers) > 1 else ''} {' '.join(said)}" if numbers else ""


def _complain(wording: Wording, error: PlayerError, place: str = "") -> None:
    """Print an error, with its place if the error does not name it.

    Not by `click.echo`, which would write into the line that shows the progress.
    """
    sys.stderr.write(f"pbem: {place}{wording.reason_line(error)}\n")
