"""The start of programs: of the server until it is ready, and of small subcommands from beginning to end.

The server has all roles and an SQLite database that is there already; what counts are the seconds until it says that it
is ready. Of the subcommands what counts is their processor time: an MTA may start one for each letter. The floor is
the same Python, started to compute `sum(range(10**7))`, which takes 0.10 s on a usual machine; so targets are multiples
of that.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

from pbem.bootstrap.loops import ROLES
from tests.bench.client import letter
from tests.bench.figures import Extent, Figure
from tests.bench.server import BenchServer
from tests.support.databases import put_sqlite

READY, PROGRAM = 15, 2.5
"""The targets: 1.5 s and 0.25 s on a usual machine."""
_FLOOR = ["-c", "sum(range(10**7))"]


def measure(extent: Extent) -> Iterator[Figure]:
    """Four figures."""
    folder, rounds = extent.folder / "start_up", extent.pick(3, 7, least=1)
    folder.mkdir()
    extent.check(folder)
    url, number = put_sqlite(folder / "pbem.db"), count()

    def server() -> BenchServer:
        return BenchServer(folder / str(next(number)), [",".join(ROLES)], url, web_listen="127.0.0.1:0", thinkers="1")

    def until_ready() -> float:
        with server() as started:
            return started.ready_seconds

    yield _figure("`pbem serve` until it is ready", READY, rounds, until_ready, lambda: _seconds(_FLOOR))

    environ = server().environ

    def run(*words: str, given: bytes = b"") -> float:
        return _processor_time(["-m", "pbem", *words], environ, folder, given)

    calls: dict[str, Callable[[], float]] = {
        "--help": lambda: run("--help"),
        "send --help": lambda: run("send", "--help"),
        "deliver": lambda: run("deliver", given=letter("alice", "help").raw),
    }
    for words, call in calls.items():
        name = f"processor time of `pbem {words}`"
        yield _figure(name, PROGRAM, rounds, call, lambda: _processor_time(_FLOOR, environ, folder))


def _figure(name: str, target: float, rounds: int, measured: Callable[[], float], floor: Callable[[], float]) -> Figure:
    pairs = [(floor(), measured()) for _ in range(rounds)]
    return Figure(name, "", "s", [ours for _, ours in pairs], [least for least, _ in pairs], target, at_most=True)


def _seconds(call: Sequence[str]) -> float:
    """The seconds that a run of Python takes."""
    begun = time.monotonic()
    subprocess.run([sys.executable, *call], check=True)
    return time.monotonic() - begun


def _processor_time(call: Sequence[str], environ: Mapping[str, str], folder: Path, given: bytes = b"") -> float:
    """The processor seconds that a run of Python takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *call], check=True, input=given, stdout=subprocess.DEVNULL, env=dict(environ), cwd=folder
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
