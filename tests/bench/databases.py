"""PostgreSQL against SQLite, and two and four workers against one.

Each is what `accepting` measures. Of the first figure the server is one process (smtp and worker); of the others one
process smtp and, beside it, one worker, two or four, on PostgreSQL. Both databases lie on a disk and wait for it at
each commit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import median

from tests.bench.accepting import run
from tests.bench.figures import Extent, Figure
from tests.bench.play import HTML, Play
from tests.bench.server import BenchServer
from tests.support.databases import model_on
from tests.support.postgresql import LASTING, Server, running_server

_TOGETHER = ["smtp,worker"]
_APART = ["smtp", "worker"]
_SEVERAL = {"two workers": (["smtp", *["worker"] * 2], 1.3), "four workers": (["smtp", *["worker"] * 4], 1)}
"""Their processes, and how many times as fast as one worker they are to be, on two processors."""


def measure(extent: Extent) -> Iterator[Figure]:
    """All figures, one after the other."""
    with running_server(LASTING) as server:
        extent.check(server.folder)
        with ExitStack() as stack:
            name = "PostgreSQL ÷ SQLite, one process"
            sqlite = stack.enter_context(BenchServer(extent.folder / "sqlite", _TOGETHER, processes="1"))
            yield _compare(name, 0.85, _on(server, stack, extent, "postgresql", _TOGETHER), sqlite, extent)
        for several, (roles, target) in _SEVERAL.items():
            with ExitStack() as stack:
                one = _on(server, stack, extent, f"one beside {several}", _APART)
                ours = _on(server, stack, extent, several, roles)
                yield _compare(f"{several} ÷ one, PostgreSQL", target, ours, one, extent)


def _on(server: Server, stack: ExitStack, extent: Extent, name: str, roles: Sequence[str]) -> BenchServer:
    url = stack.enter_context(server.fresh_database(model_on(server)))
    return stack.enter_context(BenchServer(extent.folder / name, roles, url, processes="1"))


def _compare(name: str, target: float, ours: BenchServer, floor: BenchServer, extent: Extent) -> Figure:
    boards, plies = extent.pick(16, 32, 8), extent.pick(3, 13, 2)
    plays = {bench: Play(bench, boards) for bench in (ours, floor)}
    rates: dict[BenchServer, list[float]] = {ours: [], floor: []}
    computed: dict[BenchServer, list[float]] = {ours: [], floor: []}
    for bench, play in plays.items():
        play.choose(HTML)
        run(bench, play, 1)
    for _ in range(extent.pick(1, 3)):
        for bench, play in plays.items():
            _accepted, rate, cost = run(bench, play, plies)
            rates[bench].append(rate)
            computed[bench].append(cost)
    facts = {
        "computed, ms a letter": median(computed[ours]),
        "by the floor": median(computed[floor]),
        "version of PostgreSQL": int(ours.rows("SHOW server_version_num")[0][0]) // 10_000,
    }
    return Figure(name, HTML, "letters/s", rates[ours], rates[floor], target, facts=facts)
