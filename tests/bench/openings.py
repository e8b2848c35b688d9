"""The opening explorer among 100,000 finished games: the position that most of them begin with, and a frequent one.

The rows are made up, but for those of the positions asked about: their turns are legal, and said in words.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Engine, insert

from pbem.domain.openings import MOST_TURNS, key_of, turn_said
from pbem.games.game import TurnRecord
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from pbem.storage.engine import make_engine, reading, writing
from pbem.storage.models import OpeningTurnRow
from pbem.storage.openings import OpeningRepository
from pbem.storage.schema import upgrade
from pbem.usecases.explorer import MOST_SHOWN
from tests.bench.figures import Extent, Figure

_AT_ONCE = 10_000
_ANY: list[TurnRecord] = [[[0, 0, 1], [1, 0, 2]]]


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for each of the two positions; the floor is that of `sum(range(10**7))`."""
    folder, games, rounds = extent.folder / "openings", extent.pick(10_000, 100_000, 100), extent.pick(5, 20, 2)
    folder.mkdir()
    extent.check(folder)
    engine = make_engine(f"sqlite:///{folder}/pbem.db")
    try:
        upgrade(engine)
        begun = SUPERBO.begin({}, 2)
        behind = SUPERBO.read_input(begun, "B3").position
        _fill(engine, games, [(begun, extent.pick(100, 100, 20)), (behind, extent.pick(500, 3_000, 20))])
        for name, position in (("the first turn", begun), ("the second turn", behind)):
            found = [_asked(engine, position) for _ in range(rounds)]
            floor = [_floor() for _ in range(rounds)]
            yield Figure(f"openings: {name}", "", "ms", found, floor, 20, at_most=True, of_ratio=False)
    finally:
        engine.dispose()


def _asked(engine: Engine, position: Position) -> float:
    """The ms of processor time for what was played in a position, in words."""
    begun = time.process_time()
    with reading(engine) as connection:
        turns, _, _ = OpeningRepository(lambda: connection).after(key_of(SUPERBO, {}, position), MOST_SHOWN)
    for each in turns:
        turn_said(SUPERBO, position, each.record)
    return 1000 * (time.process_time() - begun)


def _fill(engine: Engine, games: int, positions: Sequence[tuple[Position, int]]) -> None:
    lot = random.Random(31)
    rows = [
        _row(key_of(SUPERBO, {}, position), lot.randbytes(16), [SUPERBO.canonical(position).record(steps)], lot)
        for position, most in positions
        for steps in islice(_turns(position), most)
    ]
    others = max(0, games * MOST_TURNS - len(rows))
    with writing(engine) as connection:
        connection.execute(insert(OpeningTurnRow), rows)
        for _ in range(0, others, _AT_ONCE):
            made_up = (_row(lot.randbytes(16), lot.randbytes(16), _ANY, lot) for _ in range(_AT_ONCE))
            connection.execute(insert(OpeningTurnRow), list(made_up))


def _turns(position: Position) -> Iterator[Sequence[Any]]:
    for first in position.legal():
        half = position.play(first)
        if not half.mid_turn:
            yield (first,)
            continue
        for second in half.legal():
            yield first, second


def _row(before: bytes, after: bytes, record: list[TurnRecord], lot: random.Random) -> dict[str, object]:
    games = lot.randrange(1, 40)
    counts = {"games": games, "won": games // 2, "tied": 0, "rated": games, "ratings": 1600 * games}
    return {"before": before, "after": after, "with_robots": False, "record": record, **counts}


def _floor() -> float:
    begun = time.process_time()
    sum(range(10**7))
    return 1000 * (time.process_time() - begun)
