"""Memory of a server in one process without robots, at rest and after many letters.

The floor is the memory of the server that does nothing, after as many. What a thousand letters add is that of the
second half, when all that is kept to be quick is full.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.client import SESSIONS, letter, send
from tests.bench.figures import Extent, Figure
from tests.bench.floor import Floor
from tests.bench.play import PICTURE, Play, mixed
from tests.bench.server import BenchServer

ROLES = "smtp,web,worker,delivery,clock"
TARGET = 120
_BOARDS, _PLIES = 16, 26


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure at rest, and one afterwards."""
    boards, plies = extent.pick(8, _BOARDS), extent.pick(3, _PLIES)
    letters = extent.pick(2 * boards * plies, extent.letters)
    with Floor(extent.folder) as floor, Floor(extent.folder) as receiver:
        relay = f"smtp://127.0.0.1:{receiver.port}"
        with BenchServer(extent.folder / "memory", [ROLES], relay_url=relay, web_listen="127.0.0.1:0") as bench:
            yield _figure("at rest", bench, floor, {})
            play = Play(bench, boards)
            play.choose(PICTURE)
            sent = [(0, bench.processes.memory())]
            while sent[-1][0] < letters:
                send(bench.port, mixed(play.begin(plies)))
                bench.wait_for_mails()
                play.made_of(boards * plies)
                sent.append((sent[-1][0] + boards * plies, bench.processes.memory()))
            send(floor.port, [[letter("p0a", "help")] * (letters // SESSIONS)] * SESSIONS)
            (half, then), (whole, now) = sent[len(sent) // 2], sent[-1]
            facts = {"letters": whole, "MB a thousand letters of the last half": 1000 * (now - then) / (whole - half)}
            yield _figure("afterwards", bench, floor, facts)


def _figure(when: str, bench: BenchServer, floor: Floor, facts: dict[str, float]) -> Figure:
    ours, nothing = [bench.processes.memory()], [floor.processes.memory()]
    mails = PICTURE if facts else ""
    name = f"memory of a process, {when}"
    return Figure(name, mails, "MB", ours, nothing, TARGET, at_most=True, of_ratio=False, facts=facts)
