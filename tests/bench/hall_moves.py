"""The processor time of a move of each game of the hall against one of Superbo, and a long board made anew.

Random games are played by letters in one process, as in `one_move`, each in turns with the recorded game of Superbo.
Counted are this process and the one in which OpenSpiel runs. Then the records of long random games are played again as
if their boards were opened for the first time; the floor is the recorded game of Superbo, of 26 turns. Besides the
figures there is a table of both. This needs the extra ``hall``.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import func, select

from pbem.games.game import Game, TurnRecord
from pbem.games.hextile.superbo import SUPERBO
from pbem.hall import games as hall
from pbem.hall import positions
from pbem.hall.engine import ENGINE
from pbem.hall.game import HallGame
from pbem.hall.positions import Step
from pbem.storage.engine import reading
from pbem.storage.models import BoardRow
from tests.bench.figures import Extent, Figure
from tests.bench.one_move import Bench
from tests.bench.play import PICTURE, PREFERENCES, moves, recorded_turns
from tests.bench.processes import Processes

_PLAYERS = ("alice", "bob")
_SUPERBO = [(number % 2, words) for number, words in enumerate(moves())]
_MOST_MS = 50
"""For a board that is opened at move 200."""
_LONG = 200
_SEEDS = 4
"""Random games of which the longest is made anew."""


@dataclass(frozen=True)
class RandomGame:
    """Turns of a game at random."""

    turns: Sequence[tuple[int, str]]
    """The seat that plays and the words of the turn."""
    records: Sequence[TurnRecord]


@dataclass(frozen=True)
class GameCosts:
    """Two figures of a game."""

    title: str
    move: Figure
    anew: Figure


def measure(extent: Extent) -> Iterator[Figure]:
    """Two figures for each game: a move, and a board made anew."""
    bench = _bench(extent)
    _played(bench, SUPERBO, _SUPERBO)
    found = [_costs(bench, game, extent) for game in vars(hall).values() if isinstance(game, HallGame)]
    bench.server.close()
    print(*_table(sorted(found, key=lambda each: -each.move.ratio)), "", sep="\n", flush=True)
    for each in found:
        yield from (each.move, each.anew)


def _bench(extent: Extent) -> Bench:
    folder = extent.folder / "hall"
    folder.mkdir()
    extent.check(folder)
    bench = Bench(folder)
    for player in _PLAYERS:
        bench.letter(player, f"signup {player} secret")
        bench.letter(player, f"set {player} secret {PREFERENCES[PICTURE]}")
    return bench


def _costs(bench: Bench, game: HallGame, extent: Extent) -> GameCosts:
    most = extent.pick(_LONG, _LONG, 10)
    short = random_game(game, extent.pick(20, 40, 4), 1)
    longest = max((random_game(game, most, seed).records for seed in range(_SEEDS)), key=len)
    floor, ours, base, anew = (list[float]() for _ in range(4))
    for _ in range(extent.pick(1, 3, 1)):
        floor.append(_played(bench, SUPERBO, _SUPERBO))
        ours.append(_played(bench, game, short.turns))
        base.append(_made_anew(SUPERBO, recorded_turns()))
        anew.append(_made_anew(game, longest))
    facts = {"turns": float(len(longest))}
    name = f"a board of {game.title} made anew"
    return GameCosts(
        game.title,
        Figure(f"a move of {game.title}", PICTURE, "ms", ours, floor, 1, at_most=True),
        Figure(name, "", "ms", anew, base, _MOST_MS, at_most=True, of_ratio=False, facts=facts),
    )


def random_game(game: HallGame, most: int, seed: int) -> RandomGame:
    """A game that ends after so many turns at the latest."""
    position, lots = game.begin({}, 2), random.Random(seed)
    turns, records = list[tuple[int, str]](), list[TurnRecord]()
    while position.to_act is not None and len(turns) < most:
        before, steps, seat = position, list[Step](), position.to_act
        while position.ply == before.ply and position.outcome is None:
            steps.append(lots.choice(position.legal()))
            position = position.play(steps[-1])
        turns.append((seat, game.input_text(position, steps).move))
        records.append(game.input_record(before, steps))
    return RandomGame(turns, records)


def _played(bench: Bench, game: Game[Any, Any], turns: Sequence[tuple[int, str]]) -> float:
    """Play turns by letters on a new board; return the ms of processor time that each took."""
    _forget()
    bench.letter(_PLAYERS[0], f"{game.name} challenge {' '.join(_PLAYERS)} -unrated")
    with reading(bench.server.engine) as connection:
        number = connection.scalar(select(func.max(BoardRow.number)))
    processes = Processes([os.getpid()])
    begun = processes.computed()
    for seat, words in turns:
        bench.letter(_PLAYERS[seat], f"move {number} {_PLAYERS[seat]} secret {words}")
    took = processes.computed() - begun
    with reading(bench.server.engine) as connection:
        made = connection.scalar(select(BoardRow.event_number).where(BoardRow.number == number))
    assert made == len(turns), f"{made} of {len(turns)} moves of {game.name} were made"
    return 1000 * took / len(turns)


def _made_anew(game: Game[Any, Any], records: Sequence[TurnRecord]) -> float:
    """The ms that it takes to play some turns again, of which nothing is known but that OpenSpiel is running."""
    _forget()
    ENGINE.state("tic_tac_toe", ())
    begun = time.perf_counter()
    position = game.begin({}, 2)
    game.expect(position, records)
    for record in records:
        position = game.play_input(position, game.input_steps(position, record))
    return 1000 * (time.perf_counter() - begun)


def _forget() -> None:
    """End OpenSpiel, and forget all states."""
    ENGINE.close()
    positions.forget()


def _table(found: Sequence[GameCosts]) -> Iterator[str]:
    yield "| game | ms of a move | ÷ Superbo | turns | ms to make them anew |"
    yield "|---|---|---|---|---|"
    for each in found:
        moves, anew = median(each.move.ours), median(each.anew.ours)
        yield f"| {each.title} | {moves:.1f} | {each.move.ratio:.2f} | {each.anew.facts['turns']:.0f} | {anew:.0f} |"
