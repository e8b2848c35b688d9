"""Memory of a server without robots: in one process at rest and after many letters, in several at rest.

The floor is the memory of the server that does nothing, after as many. What a thousand letters add is that of the
second half, when all that is kept to be quick is full.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench.client import SESSIONS, letter, send
from tests.bench.figures import Extent, Figure
from tests.bench.floor import Floor
from tests.bench.play import PICTURE, Play, mixed
from tests.bench.server import BenchServer

ROLES = "smtp,web,worker,delivery,clock"
TARGET = 120
TARGET_TOGETHER = 150
_TOGETHER = "memory of all processes together, two of which decide, at rest"
_SETTLED = 3.0
"""Seconds after which those that decide are ready, too."""
_BOARDS, _PLIES = 16, 26


def measure(extent: Extent) -> Iterator[Figure]:
    """Two figures at rest, and one afterwards."""
    boards, plies = extent.pick(8, _BOARDS), extent.pick(3, _PLIES)
    letters = extent.pick(2 * boards * plies, extent.letters)
    with Floor(extent.folder) as floor, Floor(extent.folder) as receiver:
        relay = f"smtp://127.0.0.1:{receiver.port}"
        settings = {"relay_url": relay, "web_listen": "127.0.0.1:0"}
        with BenchServer(extent.folder / "several", [ROLES], processes="2", **settings) as bench:
            time.sleep(_SETTLED)
            together = [bench.processes.memory_together()], [floor.processes.memory_together()]
            yield Figure(_TOGETHER, "", "MB", *together, TARGET_TOGETHER, at_most=True, of_ratio=False)
        with BenchServer(extent.folder / "memory", [ROLES], processes="1", **settings) as bench:
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
