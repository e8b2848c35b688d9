"""``pbem replay``: game records checked by the rules."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import BinaryIO

import click

from pbem.bootstrap.games import find_games
from pbem.bootstrap.wording import make_wording
from pbem.cli.output import FAILED, records_in, size_of, with_progress
from pbem.config import Settings
from pbem.usecases.rankings import replay_line


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
def replay(file: BinaryIO) -> None:
    """Check game records by the rules, and print what each comes to.

    Reads JSON lines from FILE or, without one, from the standard input: a record of the format pbem-game/1 each. Prints
    one JSON object a line: game, ok, error (turn, reason), result (winner, reason), turns, and the last position.

    The exit code is 0 if all records are sound, 1 if some are not.
    """
    sys.exit(0 if replay_records(file) else FAILED)


def replay_records(source: BinaryIO) -> bool:
    """Print the result of each record; return True if all of them were sound."""
    games, wording, all_sound = find_games(), make_wording(Settings()), True
    for _, line in with_progress(records_in(source), "replaying", size_of(source), prints=True):
        report = replay_line(line, games, datetime.now(UTC), wording.reason_line)
        click.echo(json.dumps(report))
        all_sound &= report["ok"]
    return all_sound
