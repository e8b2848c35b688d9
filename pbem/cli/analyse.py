"""``pbem analyse``: the analysis of a game record by the strongest computer opponent."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import BinaryIO

import click

from pbem.bootstrap import find_games
from pbem.bootstrap.wording import make_wording
from pbem.bots.analysis import analyse as look_at
from pbem.bots.analysis import playouts_in_all
from pbem.cli.arguments import Number
from pbem.cli.output import end
from pbem.cli.progress import progress_of, records_in
from pbem.config import Settings
from pbem.domain.mails import Notice
from pbem.domain.records import Replay, replay
from pbem.errors import PlayerError
from pbem.usecases.opponents import facts_of_looks, inputs_of, most_playouts
from pbem.usecases.rankings import read_line


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--move", "moveno", type=Number(1), metavar="N", help="Analyse only move N, in more detail.")
@click.option("--playouts", type=Number(1), metavar="N", help="Number of playouts for each position.")
@click.option("--seed", type=Number(0), metavar="N", default=1, help="Seed of the random numbers.")
def analyse(file: BinaryIO, moveno: int | None, playouts: int | None, seed: int) -> None:
    """Show what each move of a game was worth, and where it turned.

    Reads a line of JSON from FILE, or from standard input if there is none: a record in the format pbem-game/1. The
    worth of a move is the share of points that its player gets, on average, in random games from there to the end
    (playouts).

    The default is 2,000 playouts for each position, or 16,384 with --move. Without the compiler (the extra "robots")
    that takes minutes, so ask for fewer.
    """
    games, wording = find_games(), make_wording(Settings())
    line = next((line for _, line in records_in(file, games)), b"")
    if not line:
        end("there is no game record to analyse")
    try:
        record, game = read_line(line, games)
        played = replay(record, game, datetime.now(UTC))
    except PlayerError as wrong:
        end(wording.reason_line(wrong))
    if played.error is not None:
        end(wording.reason_line(played.error))
    inputs = inputs_of(played, moveno)
    if not inputs:
        end("this game has no moves" if moveno is None else f"this game has no move {moveno}")
    each = playouts or most_playouts(moveno)
    total = playouts_in_all(len(inputs), each)
    with progress_of("analysing") as told:
        looks = look_at(game, inputs, playouts=each, seed=seed, told=lambda made: told(made, total))
    facts = {**_facts(played), "game": game, **facts_of_looks(looks, played, game, moveno, each)}
    click.echo(wording.page_text(Notice("analysis", "", facts))[1], nl=False)


def _facts(played: Replay) -> dict[str, object]:
    return {"board": played.board, "course": played.last, "reader": None}
