"""Letters accepted and moves made, the answers to both players stored, against a server that does nothing.

Eight sessions send moves of eight or more boards to one process (roles smtp and worker) on SQLite with
``synchronous=FULL``, whose file lies on a disk. The clock runs from the first letter to the commit of the last answer;
only moves that were made count.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from tests.bench.client import SESSIONS, letter, send
from tests.bench.figures import Extent, Figure
from tests.bench.floor import Floor
from tests.bench.play import HTML, PICTURE, TEXT, BenchBoard, Play, mixed
from tests.bench.server import BenchServer

TARGETS = {TEXT: 0.10, HTML: 0.08, PICTURE: 0.06}


class Rates:
    """The results for one kind of mails so far, a number a round."""

    def __init__(self) -> None:
        self.ours: list[float] = []
        self.floor: list[float] = []
        self.accepted: list[float] = []
        self.computed: list[float] = []
        self.computed_by_floor: list[float] = []

    def figure(self, name: str, mails: str, target: float) -> Figure:
        """All rounds together."""
        facts = {
            "letters accepted a second": median(self.accepted),
            "computed, ms a letter": median(self.computed),
            "by the floor": median(self.computed_by_floor),
        }
        return Figure(name, mails, "letters/s", self.ours, self.floor, target, facts=facts)


def measure(extent: Extent) -> Iterator[Figure]:
    """One figure for each kind of mails; the rounds of all kinds and those of the floor take turns."""
    boards, plies, rounds = extent.pick(8, 16), extent.pick(6, 26, 2), extent.pick(1, 3)
    rates = {mails: Rates() for mails in TARGETS}
    with Floor(extent.folder) as floor, BenchServer(extent.folder / "accepting", ["smtp,worker"]) as bench:
        play = Play(bench, boards)
        for mails in TARGETS:  # the first drawing is dearer
            play.choose(mails)
            run(bench, play, 1)
        for _ in range(rounds):
            for mails, rate in rates.items():
                play.choose(mails)
                with floor_around(floor, rate, extent.pick(400, 1600, 80)):
                    accepted, made, computed = run(bench, play, plies)
                rate.accepted.append(accepted)
                rate.ours.append(made)
                rate.computed.append(computed)
    for mails, rate in rates.items():
        yield rate.figure("moves made, answers stored, SQLite", mails, TARGETS[mails])


@contextmanager
def floor_around(floor: Floor, rate: Rates, letters: int) -> Iterator[None]:
    """Measure the letters a second that a server takes which does nothing with them, before a round and after it."""
    each = [letter("p0a", "superbo move 101 p0a secret a1") for _ in range(letters // SESSIONS)]
    before = floor.processes.computed()
    taken = send(floor.port, [each] * SESSIONS)
    computed = floor.processes.computed() - before
    yield
    before = floor.processes.computed()
    taken += send(floor.port, [each] * SESSIONS)
    computed += floor.processes.computed() - before
    rate.floor.append(2 * letters / taken)
    rate.computed_by_floor.append(1000 * computed / (2 * letters))


def run(bench: BenchBoard, play: Play, plies: int) -> tuple[float, float, float]:
    """Letters accepted a second, moves made a second, and what a letter had computed (ms)."""
    games = mixed(play.begin(plies))
    letters, computed, start = sum(map(len, games)), bench.processes.computed(), time.perf_counter()
    accepting = send(bench.port, games)
    bench.wait()
    taken = time.perf_counter() - start
    made = play.made_of(letters)
    return letters / accepting, made / taken, 1000 * (bench.processes.computed() - computed) / letters
