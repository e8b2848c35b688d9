"""The time of a turn of Mamba: ``python -m tests.bench.mamba_turns [games] [boards] [seed]``.

That is to bring the board to rest after its layings and its move, and to find out which choices matter: over
random games, over boards as dense as play never makes them, and over the worst that were found by changing such
boards piece by piece. A turn should take 50 ms at most, and 5 ms in the median. Also told is how often that
was too much to find out within ``MOST_CHOICES``, and somebody was asked to be safe.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass, field
from statistics import median

from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import look_at
from pbem.games.mamba.steps import MOST_CHOICES, Move, Step
from tests.bench.mamba_games import random_step
from tests.games.mamba.playing import dense, standing

GAMES = 20

BOARDS = 300

SEED = 1

MOST_MS = 50

MOST_MS_MEDIAN = 5

WORST = (
    (3, 0, Move(52, 42), ".A..B.....A.AA.CAB.AC.B.BC.C...B.A.C..BAAC..C..C..ABAB..B...C..CB.CCBC.AB.C..BC.."),
    (4, 3, Move(38, 29), ".....B........B.D..CBDDDC...B..B.A.A.ADABBBA..BDB...BB.B......D.C....C.C.CCB....."),
    (2, 1, Move(52, 60), "B......B....BB.BAB...BB.B..BAB.BAA....A..AA....AB..BB.A.AABB...A.B.A.AB....A...AA"),
    (4, 3, Move(50, 40), ".....BADCCA.B.B.......AACC.BBBBC.D.....B.CCCA..C..D...AD.CD..C...D..D..DCA.AA.D.."),
    (3, 1, Move(64, 55), "C.A...A....A.CAB..BBA.B.B.AB.AB....AA.C..C..CA.BA.ABB.B.A.AAC.C.B........CCACA..B"),
)
"""Players, who is on turn, the move, and the board before it."""


@dataclass(slots=True)
class TurnTimes:
    """The times measured."""

    name: str
    turns: list[float] = field(default_factory=list)
    """In ms."""
    asked: int = 0
    uncertain: int = 0

    def play(self, position: Position, step: Step) -> tuple[Position, float]:
        """The position after a step, and how many ms of the processor that took."""
        look_at.cache_clear()
        began = time.process_time()
        after = position.play(step)
        took = 1000 * (time.process_time() - began)
        self.asked += after.pending is not None
        self.uncertain += after.pending is not None and not after.pending.certain
        return after, took

    def report(self) -> bool:
        """Print a line; tells whether some turn took too long."""
        times = sorted(self.turns)
        usual, most = median(times), times[-1]
        centile = times[int(0.99 * (len(times) - 1))]
        print(
            f"{self.name:14}{len(times):7} turns, median {usual:6.2f}, 99 % {centile:7.2f}, longest {most:7.2f} ms;"
            f" {self.asked} asked, {self.uncertain} to be safe"
        )
        return usual > MOST_MS_MEDIAN or most > MOST_MS


def over_games(games: int, chance: random.Random) -> TurnTimes:
    """Random games of two to four players."""
    times = TurnTimes("random games")
    for game in range(games):
        position, spent = MAMBA.begin({}, 2 + game % 3), 0.0
        while position.outcome is None:
            ply = position.ply
            position, took = times.play(position, random_step(position, chance))
            spent += took
            if position.ply != ply:
                times.turns.append(spent)
                spent = 0.0
    return times


def over_boards(boards: int, chance: random.Random) -> TurnTimes:
    """One move on each of many boards as `dense` makes them."""
    times = TurnTimes("dense boards")
    while len(times.turns) < boards:
        position = dense(chance, Ruleset(chance.randint(2, 4), chance.choice((9, 11))), chance.randint(25, 39))
        moves = [step for step in position.legal() if isinstance(step, Move)]
        if moves:
            times.turns.append(times.play(position, chance.choice(moves))[1])
    return times


def over_worst() -> TurnTimes:
    """The moves of `WORST`."""
    times = TurnTimes("worst boards")
    for players, on_turn, move, squares in WORST:
        times.turns.append(times.play(standing(squares, on_turn, Ruleset(players)), move)[1])
    return times


def main(games: int = GAMES, boards: int = BOARDS, seed: int = SEED) -> int:
    """Measure and print; 1 if a turn took too long."""
    began = time.perf_counter()
    sum(range(10**7))
    print(f"sum(range(10**7)): {time.perf_counter() - began:.3f} s; at most {MOST_CHOICES} choices are gone through")
    chance = random.Random(seed)
    measured = [over_games(games, chance), over_boards(boards, chance), over_worst()]
    return int(max([times.report() for times in measured]))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
