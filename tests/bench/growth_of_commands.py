"""The cost of every command among many players and boards, against its cost among few.

Both servers are in this process and get the same letters in turn, first on SQLite, then on PostgreSQL; measured is
what the processor did from the letter's bytes to the stored answer, what the database's own processes did included,
the least of the rounds. Lists of boards are cut at ten lines and those of players at a hundred, so answers are as long
among few as among many; where they are not, it is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from pbem.cli.settings import configure_logs
from tests.bench.figures import Extent, Figure
from tests.bench.play import PICTURE, moves
from tests.bench.town import OTHERS_BOARD, BenchTown, Extents
from tests.support.databases import POSTGRESQL, SQLITE, model_on
from tests.support.postgresql import LASTING, Server, running_server

TARGET = 1.2
_EQUAL = 0.1
"""Answers whose lengths differ by less are equally long."""
YES = "yes"
"""The answer to the question that was mailed last."""
_BEGUN = {
    "challenge": ("n", "a", "b"),
    "challenge at Mamba": ("passed", "passes", "waits"),
    "challenge with a swap": ("swapped", "lays", "swaps"),
}
"""Letters by which a board begins: what its number, who has the first move, and the other are called below."""
LEAVES = 10
"""Boards of the player who leaves, after a move at each."""
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
    ("games with those that are over", "alice", "games all"),
    ("games that are over", "alice", "superbo games inactive"),
    ("games of a robot", "alice", "games robot1"),
    ("games that wait for a player", "alice", "games u5 next"),
    ("who is a player", "alice", "who u5"),
    ("who is a robot", "alice", "who robot1"),
    ("help", "alice", "help"),
    ("standings", "alice", "superbo standings"),
    ("history", "alice", "history"),
    ("history of a game", "alice", "superbo history"),
    ("history of a player", "alice", "history u0"),
    ("history of a robot", "alice", "history robot1"),
    ("challenge of a robot", "alice", "lambo challenge robot5"),
    ("analyse", "alice", "superbo analyse {over} alice secret"),
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
    ("report", "{leaver}", "report {leaver} secret u1"),  # a player may do so five times a day
    ("data", "alice", "data alice secret"),
    ("forgot", "bob", "forgot bob"),
    ("resign", "{a}", "resign {n} {a} secret"),
    ("challenge at Mamba", "alice", "mamba challenge -inorder bob"),
    ("pass", "{passes}", "pass {passed} {passes} secret"),
    ("challenge with a swap", "alice", "superbo challenge -swap bob"),
    ("move that the other may take over", "{lays}", "move {swapped} {lays} secret {w[0]}"),
    ("swap", "{swaps}", "swap {swapped} {swaps} secret"),
    ("signup", "new{n}", "signup new{n} secret"),
    ("broadcast", "new{n}", "broadcast new{n} secret"),
    ("add", "new{n}", "add new{n} secret also{n}@example.org"),
    ("add, confirmed", "new{n}", YES),
    ("change", "new{n}", "change password new{n} secret another"),
    ("change, confirmed", "new{n}", YES),
    ("signoff", "{leaver}", "signoff {leaver} secret"),
    ("signoff, confirmed", "{leaver}", YES),
)
"""The names of commands, their senders, and their words; ``a`` has the first move, ``w`` are the moves."""


class Visit:
    """A round of letters to a town, about new boards of two of its players, and a third who leaves theirs.

    Args:
        town: which one.
        number: of the round.
    """

    def __init__(self, town: BenchTown, number: int) -> None:
        self._town = town
        self._values: dict[str, Any] = {"w": moves(), "other": OTHERS_BOARD, "over": town.over}
        self._values["leaver"] = f"leaver{number}"
        self._settle_the_leaver()

    def _settle_the_leaver(self) -> None:
        """Have a player come who is at the second turn, or whose opponent is, at several boards."""
        leaver, (first, second) = self._values["leaver"], moves()[:2]
        self._town.handle(leaver, f"signup {leaver} secret")
        for _ in range(LEAVES):
            self._town.handle("alice", f"superbo challenge {leaver}")
            board = self._town.newest_board()
            begins = self._town.first_at(board)
            self._town.handle(begins, f"move {board} {begins} secret {first}")
            if begins != leaver:
                self._town.handle(leaver, f"move {board} {leaver} secret {second}")

    def send(self, name: str, sender: str, subject: str) -> tuple[float, int, str]:
        """Send one; return the milliseconds, and the bytes and the name of what was answered."""
        town, by, before = self._town, sender.format(**self._values), self._town.last_mail()
        refused = town.refused
        taken = town.confirm(by) if subject is YES else town.handle(by, subject.format(**self._values))
        assert town.refused == refused, name
        if name in _BEGUN:
            board = town.newest_board()
            first = town.first_at(board)
            called = zip(_BEGUN[name], (board, first, "bob" if first == "alice" else "alice"), strict=True)
            self._values |= dict(called)
        town.forget_tasks()
        answered, written = town.answer(before)
        return taken, written, answered


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for each command and database, the one that has grown most first."""
    configure_logs("error")
    with running_server(LASTING) as server:
        extent.check(server.folder)
        for database in (SQLITE, POSTGRESQL):
            with ExitStack() as stack:
                yield from sorted(_grown(database, server, stack, extent), key=lambda figure: -figure.ratio)


def _grown(database: str, server: Server, stack: ExitStack, extent: Extent) -> Iterator[Figure]:
    players, boards = extent.pick(1_000, 10_000, 300), extent.pick(10_000, 100_000, 1_000)
    towns = []
    for name, extents in (("many", Extents(players, boards)), ("few", Extents(100, 100))):
        url = stack.enter_context(server.fresh_database(model_on(server))) if database == POSTGRESQL else None
        towns.append(BenchTown(extent.folder / f"{database}-{name}", extents, url))
        stack.callback(towns[-1].close)
    of_size = f"{database}, {players:,} players and {boards:,} boards ÷ 100 and 100"
    for name, (times, written) in visited(towns, extent.pick(2, 7, 1)).items():
        yield _figure(f"{name}, {of_size}", times, written)


def visited(towns: Sequence[BenchTown], rounds: int) -> dict[str, tuple[list[list[float]], list[int]]]:
    """The milliseconds of each command in each round, and the bytes of its last answer; both by town."""
    found: dict[str, tuple[list[list[float]], list[int]]] = {name: ([[] for _ in towns], []) for name, _, _ in LETTERS}
    for number in range(rounds):
        visits = [Visit(town, number) for town in towns]
        for name, sender, subject in LETTERS:
            answers = [visit.send(name, sender, subject) for visit in visits]
            assert len({answer[2] for answer in answers}) == 1, (name, answers)
            assert all(answer[1] for answer in answers), (name, answers)
            times, written = found[name]
            written[:] = [answer[1] for answer in answers]
            for of, answer in zip(times, answers, strict=True):
                of.append(answer[0])
    return found


def _figure(name: str, times: list[list[float]], written: list[int]) -> Figure:
    many, few = written
    facts = {} if abs(many - few) < _EQUAL * few else {"bytes of the answers ÷ bytes": many / few}
    return Figure(name, PICTURE, "ms", [min(times[0])], [min(times[1])], TARGET, at_most=True, facts=facts)
