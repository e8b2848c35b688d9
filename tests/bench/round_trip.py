"""Letter in, both players' mails handed to a receiving SMTP server, against a server that does nothing.

As `accepting`, with the role delivery in the same process. The clock runs from the first letter until the receiving
server, a process of its own on uvloop, has taken the last mail.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench.accepting import Rates, floor_around
from tests.bench.client import send
from tests.bench.figures import Extent, Figure
from tests.bench.floor import Floor
from tests.bench.play import HTML, PICTURE, Play, mixed
from tests.bench.server import BenchServer

ROLES = "smtp,worker,delivery"
TARGET = 0.10


def measure(extent: Extent) -> Iterator[Figure]:
    """One figure for mails with HTML, one with a picture besides."""
    boards, plies, rounds = extent.pick(8, 16), extent.pick(5, 26, 2), extent.pick(1, 3)
    rates = {mails: Rates() for mails in (HTML, PICTURE)}
    with Floor(extent.folder) as floor, Floor(extent.folder, keeps_log=True) as receiver:
        relay = f"smtp://127.0.0.1:{receiver.port}"
        with BenchServer(extent.folder / "round_trip", [ROLES], relay_url=relay) as bench:
            play = Play(bench, boards)
            run(bench, play, receiver, 1)
            for _ in range(rounds):
                for mails, rate in rates.items():
                    play.choose(mails)
                    with floor_around(floor, rate, extent.pick(400, 1600, 80)):
                        accepted, handed_over, computed = run(bench, play, receiver, plies)
                    rate.accepted.append(accepted)
                    rate.ours.append(handed_over)
                    rate.computed.append(computed)
    for mails, rate in rates.items():
        yield rate.figure("round trip, both mails handed over, SQLite", mails, TARGET)


def run(bench: BenchServer, play: Play, receiver: Floor, plies: int) -> tuple[float, float, float]:
    """Letters accepted a second, round trips a second, and what a letter had computed (ms)."""
    games = mixed(play.begin(plies))
    bench.wait_for_mails()
    letters, before = sum(map(len, games)), len(receiver.arrivals())
    computed, start = bench.processes.computed(), time.monotonic()
    accepting = send(bench.port, games)
    bench.wait_for_mails()
    arrivals = receiver.arrivals()[before:]
    made = play.made_of(letters)
    assert len(arrivals) >= 2 * made
    taken = arrivals[-1][0] - start
    return letters / accepting, made / taken, 1000 * (bench.processes.computed() - computed) / letters
