"""The time of a letter late in a long game of Mamba: ``python -m tests.bench.long_game``.

A game of four is played by lot for a thousand inputs and stored. Then letters with password bring the next ones through
the real inbox worker on SQLite (``synchronous=FULL``), as in `one_move`; the first of them comes after a restart, when
the game must be played through from its beginning.
"""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.games.game import Seat
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.steps import Lay
from pbem.ids import BoardNumber
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import GameStateCache
from tests.bench.one_move import Bench

INPUTS, LETTERS = 1000, 40
USERIDS = ("alice", "bob", "carol", "dave")


def played(seed: int) -> list[tuple[Seat, str]]:
    """The seats and their lines in a random game, a step in each input; a laying is taken half of the time."""
    chance = Random(seed)
    position, inputs = MAMBA.begin({}, len(USERIDS)), list[tuple[int, str]]()
    while position.to_act is not None and len(inputs) < INPUTS + LETTERS:
        steps = position.legal()
        layings = [step for step in steps if isinstance(step, Lay)]
        step = chance.choice(layings if layings and chance.random() < 1 / 2 else steps)
        inputs.append((position.to_act, MAMBA.input_text(position, (step,)).move))
        position = position.play(step)
    return inputs


def long_game() -> list[tuple[Seat, str]]:
    """The first game by lot that lasts long enough."""
    return next(inputs for seed in range(1000) if len(inputs := played(seed)) == INPUTS + LETTERS)


def stored(bench: Bench, inputs: list[tuple[Seat, str]]) -> BoardNumber:
    """Store a board with these inputs as its events."""
    now = datetime.now(UTC)
    with UnitOfWork(bench.server.engine, GameStateCache({"mamba": MAMBA})) as uow:
        players = [uow.players.by_userid(userid) for userid in USERIDS]
        seats = tuple(SeatHolder(each.id, each.userid) for each in players if each is not None)
        number = uow.boards.next_number()
        board = Board(number, "mamba", {}, 1, 0, seats, now)
        for seat, line in inputs:
            board = board.with_event(EventKind.MOVE, seat, now, {"input": line})
        uow.boards.save(board)
        uow.commit()
    return number


def main() -> int:
    """Play, and print the times of the first letter and of those after it."""
    start = time.perf_counter()
    sum(range(10**7))
    print(f"sum(range(10**7)): {time.perf_counter() - start:.3f} s")
    inputs = long_game()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for userid in USERIDS:
            bench.letter(userid, f"signup {userid} secret")
            bench.letter(userid, f"set {userid} secret mail=text")
        number = stored(bench, inputs[:INPUTS])
        first, *others = (
            bench.letter(USERIDS[seat], f"move {number} {USERIDS[seat]} secret {line}")
            for seat, line in inputs[INPUTS:]
        )
        print(f"a letter: {1000 * median(others):.2f} ms (the first {1000 * first:.2f})")
        bench.server.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
