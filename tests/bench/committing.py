"""The number of letters that one commit accepts when commits are slow: eight sessions against one.

A commit of letters is made to last 20 ms longer, as on a slow disk. As a program (``python -m tests.bench.committing
serve …``) this is the server with such commits, which tells in a file how many there were.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from pbem.cli.main import main as pbem
from pbem.storage.inbox import Inbox
from tests.bench.client import SESSIONS, letter, send
from tests.bench.figures import Extent, Figure
from tests.bench.server import BenchServer

DELAY = 0.02
"""Seconds."""
TARGET = 3
_FILE = "commits"
"""The file with a sign for each commit, in the folder of the server, which works there."""


def measure(extent: Extent) -> Iterator[Figure]:
    """The figure; the floor is one session, which never has two letters to commit."""
    folder = extent.folder / "committing"
    commits = folder / _FILE
    bench = BenchServer(folder, ["smtp"])
    bench.program = ["-m", "tests.bench.committing"]
    ours, floor = [], []
    with bench:
        commits.touch()
        for _ in range(extent.pick(2, 5)):
            floor.append(_letters_per_commit(bench, commits, 1, extent.pick(10, 50)))
            ours.append(_letters_per_commit(bench, commits, SESSIONS, extent.pick(10, 50)))
    yield Figure("letters accepted per commit of 20 ms and more", "", "letters", ours, floor, TARGET, of_ratio=False)


def _letters_per_commit(bench: BenchServer, commits: Path, sessions: int, letters: int) -> float:
    before = commits.stat().st_size
    send(bench.port, [[letter(f"guest{number}", "help") for _ in range(letters)] for number in range(sessions)])
    return sessions * letters / (commits.stat().st_size - before)


def main() -> None:
    """Run the server with slow commits."""
    accept = Inbox.accept

    def accept_slowly(*arguments: object) -> object:
        time.sleep(DELAY)
        with Path(_FILE).open("a") as commits:
            commits.write(".")
        return accept(*arguments)  # type: ignore[arg-type]

    Inbox.accept = accept_slowly  # type: ignore[assignment, method-assign]
    pbem()


if __name__ == "__main__":
    main()
