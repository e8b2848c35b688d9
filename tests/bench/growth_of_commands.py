"""What every command costs among many players and boards, against what it costs among few.

Both servers are in this process, on SQLite, and get the same letters in turn; measured is what the processor did from
the letter's bytes to the stored answer, the least of the rounds. Lists of boards are cut at ten lines and those of
players at a hundred, so answers are as long among few as among many; where they are not, it is said.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pbem.cli.logs import configure_logs
from tests.bench.figures import Figure
from tests.bench.one_move import moves
from tests.bench.play import PICTURE
from tests.bench.town import OTHERS_BOARD, Town

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.figures import Extent

TARGET = 1.2
_EQUAL = 0.1
"""Answers whose lengths differ by less are equally long."""
LETTERS = (
    ("challenge", "alice", "superbo challenge bob"),
    ("move", "{a}", "superbo move {n} {a} secret {w[0]}"),
    ("preview", "{b}", "preview {n} {w[1]}"),
    ("submit", "{b}", "submit {n} {b} secret {w[1]}"),
    ("confirm", "{b}", "confirm {n} {b} secret"),
    ("propose", "{a}", "propose {n} {a} secret"),
    ("reject", "{b}", "reject {n} {b} secret"),
    ("undo", "{b}", "undo {n} {b} secret"),
    ("accept", "{a}", "accept {n} {a} secret"),
    ("queue", "{a}", "queue {n} {a} secret {w[2]}"),
    ("move that a queued one answers", "{b}", "move {n} {b} secret {w[1]}"),
    ("chat", "alice", "chat {n} alice secret"),
    ("message", "alice", "message alice secret bob"),
    ("show", "alice", "show {n}"),
    ("showas", "alice", "showas alice secret"),
    ("games", "alice", "games"),
    ("games of one", "alice", "superbo games"),
    ("list", "alice", "list"),
    ("who", "alice", "who"),
    ("help", "alice", "help"),
    ("standings", "alice", "superbo standings"),
    ("history", "alice", "history"),
    ("history of a game", "alice", "superbo history"),
    ("history of a player", "alice", "history alice"),
    ("tournament", "alice", "superbo tournament"),
    ("robot", "alice", "superbo robot"),
    ("puzzle", "alice", "puzzle superbo"),
    ("export", "alice", "export {n}"),
    ("mailed", "alice", "mailed {n} alice secret"),
    ("resend", "alice", "resend {n} alice secret"),
    ("subscribe", "alice", "subscribe alice secret {other}"),
    ("unsubscribe", "alice", "unsubscribe alice secret {other}"),
    ("notify", "alice", "notify alice secret {other}"),
    ("limit", "alice", "superbo limit alice secret"),
    ("seek", "alice", "superbo seek alice secret"),
    ("set", "alice", "set alice secret"),
    ("vacation", "alice", "vacation alice secret"),
    ("block", "alice", "block alice secret u1"),
    ("unblock", "alice", "unblock alice secret u1"),
    ("report", "alice", "report alice secret u1"),
    ("data", "alice", "data alice secret"),
    ("forgot", "bob", "forgot bob"),
    ("resign", "{a}", "resign {n} {a} secret"),
    ("signup", "new{n}", "signup new{n} secret"),
)
"""The names of commands, who sends them, and what he writes; ``a`` has the first move, ``w`` are the moves."""


class Visit:
    """A round of letters to a town, about a new board of two of its players."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._values: dict[str, Any] = {"w": moves(), "other": OTHERS_BOARD}

    def send(self, name: str, sender: str, subject: str) -> tuple[float, int, str]:
        """Send one; return the milliseconds, and the bytes and the name of what was answered."""
        before = self._town.last_mail()
        taken = self._town.handle(sender.format(**self._values), subject.format(**self._values))
        if name == "challenge":
            board = self._town.newest_board()
            first = self._town.first_at(board)
            self._values |= {"n": board, "a": first, "b": "bob" if first == "alice" else "alice"}
        answered, written = self._town.answer(before)
        return taken, written, answered


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for each command, the one that has grown most first."""
    configure_logs("error")
    players, boards, rounds = extent.pick(1_000, 10_000), extent.pick(10_000, 100_000), extent.pick(2, 7)
    times: dict[str, list[list[float]]] = {name: [[], []] for name, _, _ in LETTERS}
    written: dict[str, list[int]] = {}
    with ExitStack() as stack:
        towns = [Town(extent.folder / "many", players, boards), Town(extent.folder / "few", 100, 100)]
        for town in towns:
            stack.callback(town.close)
        for _ in range(rounds):
            visits = [Visit(town) for town in towns]
            for name, sender, subject in LETTERS:
                answers = [visit.send(name, sender, subject) for visit in visits]
                assert answers[0][2] == answers[1][2], (name, answers)
                written[name] = [answer[1] for answer in answers]
                for of, answer in zip(times[name], answers, strict=True):
                    of.append(answer[0])
    of_size = f"{players:,} players and {boards:,} boards ÷ 100 and 100"
    figures = [_figure(f"{name}, {of_size}", times[name], written[name]) for name in times]
    yield from sorted(figures, key=lambda figure: -figure.ratio)


def _figure(name: str, times: list[list[float]], written: list[int]) -> Figure:
    many, few = written
    facts = {} if abs(many - few) < _EQUAL * few else {"bytes of the answers ÷ bytes": many / few}
    return Figure(name, PICTURE, "ms", [min(times[0])], [min(times[1])], TARGET, at_most=True, facts=facts)
