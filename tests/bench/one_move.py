"""The time of one letter, from its bytes to the opponent's: ``python -m tests.bench.one_move``.

A recorded game of 26 turns is played by letters with password through the real inbox
worker on SQLite (``synchronous=FULL``). Printed is the median time of each part, per
letter; a board mail is rendered twice for each, once for each player. The game is played
thrice, with mails of different kinds.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from pbem.bootstrap.server import Server
from pbem.cli.settings import configure_logs
from pbem.config import Settings
from pbem.domain.letters import Envelope
from pbem.games.hextile.superbo import SUPERBO

GAMES = (
    ("text, HTML and a picture, the first game after the start", "both"),
    ("text, HTML and a picture", "both"),
    ("text alone", "text"),
)
"""The parts of the mails of each game; the sprites of pictures are made when they are first needed."""

RECORDS = Path(__file__).parents[1] / "games/hextile/playthroughs/superbo.jsonl"


def moves(game: int = 0) -> list[str]:
    """A recorded game in the words of the notation."""
    record = json.loads(RECORDS.read_text().splitlines()[game])["record"]
    position, words = SUPERBO.begin({}, 2), []
    for turn in record["turns"]:
        position = SUPERBO.play_input(position, SUPERBO.input_steps(position, turn))
        words.append(SUPERBO.input_text(position, ()).move)
    return words


class Bench:
    """A server whose parts are timed as letters go through it by hand."""

    def __init__(self, folder: str) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        settings = {"PBEM_DATABASE_URL": f"sqlite:///{folder}/pbem.db", "PBEM_CONFIRM_SIGNUP": "false"}
        settings |= {"PBEM_PASSWORD_MEMORY_KIB": "8", "PBEM_PASSWORD_ROUNDS": "1", "PBEM_SMTP_LISTEN": "off"}
        self.server = Server(Settings.read(settings))
        self.server.prepare()
        worker = self.server.loops.workers[0]._step.__self__  # type: ignore[attr-defined]
        self._time(worker._executor.composer, "compose", "render and compose two mails")
        self._time(self.server.inbox, "lease", "lease (one commit)")
        self._time(worker, "_handle", "handle: read, prove, decide, render, one commit")
        self.worker = worker

    def _time(self, owner: Any, name: str, label: str) -> None:
        call: Callable[..., Any] = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                self.times[label].append(time.perf_counter() - start)

        setattr(owner, name, timed)

    def letter(self, sender: str, subject: str) -> None:
        """Accept a letter and have it handled."""
        raw = f"From: {sender}@example.org\r\nSubject: {subject}\r\nMessage-ID: <{time.monotonic_ns()}@x>\r\n\r\n"
        envelope = Envelope(f"{sender}@example.org", ("pbem@localhost",))
        self.server.accept(envelope, raw.encode(), datetime.now(UTC)).result()
        self.worker.step()

    def play(self, number: int, preference: str) -> None:
        """Play the game on a new board whose players have chosen their mails, and print the medians."""
        for player in ("alice", "bob"):
            self.letter(player, f"set {player} secret mail={preference}")
        self.letter("alice", "superbo challenge bob")
        self.times.clear()
        for ply, words in enumerate(moves()):
            player = ("alice", "bob")[ply % 2]
            self.letter(player, f"superbo move {number} {player} secret {words}")
        for label, times in self.times.items():
            print(f"  {label:50} {1000 * median(times):7.2f} ms  (n={len(times)}, most {1000 * max(times):.2f})")


def main() -> int:
    """Play, and print the medians."""
    start = time.perf_counter()
    sum(range(10**7))
    print(f"sum(range(10**7)): {time.perf_counter() - start:.3f} s")
    configure_logs("error")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        for player in ("alice", "bob"):
            bench.letter(player, f"signup {player} secret")
        for number, (mails, preference) in enumerate(GAMES, start=101):
            print(f"{mails}:")
            bench.play(number, preference)
        bench.server.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
