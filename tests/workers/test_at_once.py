"""Two letters about one board at the same moment, which two workers decide upon without knowing of each other.

The one that is overtaken must be decided anew, so that what comes of both is what comes of one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache

import pytest

from pbem.bootstrap import find_games
from pbem.commands.command import Command
from pbem.commands.grammar import parse
from pbem.domain.mails import Notice
from pbem.ids import BoardNumber
from pbem.storage.models import MailRow
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import HANDLERS
from tests.storage.stock import rows
from tests.support.databases import model_on, put_sqlite
from tests.support.parsing import parsed
from tests.support.stepped_server import SteppedServer, StoredMail

PASSWORD = "hunter2-and-more"
PLAYERS = ("alice", "bob", "carol")
PATIENT = {
    f"PBEM_MAX_{what}": "1000"
    for what in ("ANSWERS_PER_DAY", "ANSWERS_PER_HOUR", "UNREAD_IN_A_ROW", "UNPROVEN_CHALLENGES_PER_DAY")
}
SUPERBO, SWAP = "superbo challenge -unrated alice bob", "superbo challenge -unrated -swap alice bob"
MAMBA = "mamba challenge -unrated -inorder alice bob carol"
MOVED = ("alice: move b3",)
BOTH_MOVED = (*MOVED, "bob: move c4,k5")
DRAW_OFFERED = (*BOTH_MOVED, "alice: propose")
UNDO_ASKED = (*BOTH_MOVED, "bob: undo")
SUBMITTED = (*BOTH_MOVED, "alice: submit g2,h7")
QUEUED = (*BOTH_MOVED, "bob: queue d8,r10")
PASSED = ("alice: pass", "alice: undo")


@dataclass(frozen=True)
class SimultaneousLetters:
    """A case: the events at a board, and two letters that come at once; each is a line behind its writer's name."""

    letters: tuple[str, str]
    before: tuple[str, ...] = BOTH_MOVED
    challenge: str = SUPERBO


CASES = [
    SimultaneousLetters(("alice: propose", "bob: propose")),
    SimultaneousLetters(("alice: propose", "bob: undo")),
    SimultaneousLetters(("alice: undo", "bob: undo")),
    SimultaneousLetters(("alice: propose", "bob: resign")),
    SimultaneousLetters(("bob: reject", "alice: reject"), DRAW_OFFERED),
    SimultaneousLetters(("bob: accept", "alice: reject"), DRAW_OFFERED),
    SimultaneousLetters(("bob: accept", "alice: move g2,h7"), DRAW_OFFERED),
    SimultaneousLetters(("bob: reject", "alice: move g2,h7"), DRAW_OFFERED),
    SimultaneousLetters(("bob: accept", "alice: resign"), DRAW_OFFERED),
    SimultaneousLetters(("alice: accept", "bob: reject"), UNDO_ASKED),
    SimultaneousLetters(("alice: accept", "bob: resign"), UNDO_ASKED),
    SimultaneousLetters(("alice: accept", "bob: queue d8,r10"), UNDO_ASKED),
    SimultaneousLetters(("alice: resign", "bob: resign")),
    SimultaneousLetters(("alice: resign", "bob: resign"), ()),
    SimultaneousLetters(("alice: resign", "bob: undo")),
    SimultaneousLetters(("alice: confirm", "bob: undo"), SUBMITTED),
    SimultaneousLetters(("alice: confirm", "bob: propose"), SUBMITTED),
    SimultaneousLetters(("alice: confirm", "bob: resign"), SUBMITTED),
    SimultaneousLetters(("alice: confirm", "bob: queue d8,r10"), SUBMITTED),
    SimultaneousLetters(("alice: submit g2,h7", "bob: undo")),
    SimultaneousLetters(("alice: move g2,h7", "bob: queue d8,r10")),
    SimultaneousLetters(("alice: move g2,h7", "bob: queue cancel"), QUEUED),
    SimultaneousLetters(("alice: resign", "bob: queue d8,r10")),
    SimultaneousLetters(("bob: swap", "alice: undo"), MOVED, SWAP),
    SimultaneousLetters(("bob: accept", "carol: accept"), PASSED, MAMBA),
    SimultaneousLetters(("bob: accept", "carol: reject"), PASSED, MAMBA),
    SimultaneousLetters(("bob: pass", "carol: accept"), PASSED, MAMBA),
]
VERBS = {"accept", "confirm", "move", "pass", "propose", "queue", "reject", "resign", "submit", "swap", "undo"}


RUNS = [
    *(("sqlite", case, place % 2) for place, case in enumerate(CASES)),
    *(("postgresql", case, place % 2) for place, case in enumerate(CASES[::3])),
]
"""Every case, each second one the other way round; the other engine, which finds out otherwise that it was overtaken,
takes a third of them."""
OTHER_RUNS = [("sqlite", case, 1 - place % 2) for place, case in enumerate(CASES)]
"""The cases the other way round."""


def name_of(run: tuple[str, SimultaneousLetters, int]) -> str:
    engine, case, slower = run
    return f"{engine}: {' - '.join(case.letters)} ({len(case.before)}), {('first', 'second')[slower]} overtaken"


@pytest.fixture(scope="module")
def stepped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SteppedServer]:
    """A server for all tests, where everybody has signed up."""
    folder = tmp_path_factory.mktemp("stepped")
    with ExitStack() as stack:
        if request.param == "postgresql":
            server = request.getfixturevalue("postgresql_server")
            url = stack.enter_context(server.fresh_database(model_on(server)))
        else:
            url = put_sqlite(folder / "pbem.db")
        stepped = SteppedServer(url, folder, **PATIENT)
        stepped.worker._at_once = 1  # the other letter is for the rival
        stack.callback(stepped.server.close)
        for userid in PLAYERS:
            stepped.gets(f"signup {userid} {PASSWORD}", sender=f"{userid}@example.org")
        stepped.works()
        for userid in PLAYERS:
            stepped.gets(f"set {userid} {PASSWORD} mail=text legend=off", sender=f"{userid}@example.org")
        stepped.works()
        yield stepped


def written(line: str, board: int) -> tuple[str, str]:
    """The sender of a line, and the line with the board and the sender's password."""
    userid, _, words = line.partition(": ")
    verb, *rest = words.split()
    return userid, " ".join((verb, str(board), userid, PASSWORD, *rest))


def gets(stepped: SteppedServer, line: str, board: int) -> None:
    userid, words = written(line, board)
    stepped.gets(words, sender=f"{userid}@example.org")


def begin(stepped: SteppedServer, case: SimultaneousLetters) -> int:
    """A new board at which everything has happened that has happened before."""
    before = rows(stepped.server.engine, MailRow)
    stepped.gets(case.challenge)
    stepped.works()
    board = int(stepped.mails(before)[-1].subject.split()[3])
    for line in case.before:
        gets(stepped, line, board)
        stepped.works()
    return board


def what_came(stepped: SteppedServer, number: int, before: int) -> tuple[object, ...]:
    """A board, and what everybody was told of it, but for the time and for what makes a mail one of its own."""
    with stepped.server.unit_of_work() as uow:
        board = uow.boards.find(BoardNumber(number))
        assert board is not None
    events = [(event.number, event.kind, event.seat, event.record) for event in board.events]
    pauses = [(each.player, each.why, each.ended_at is None) for each in board.pauses]
    return events, board.seats, pauses, sorted(told(mail, number) for mail in stepped.mails(before))


def told(mail: StoredMail, number: int) -> tuple[str, str, str]:
    body = parsed(mail.raw).get_body(("plain",))
    assert body is not None
    text = re.sub(r"\d\d:\d\d|\d+ seconds?", "(a time)", str(body.get_content()))
    board = re.compile(rf"\b{number}\b")
    return mail.recipient, board.sub("(n)", mail.subject), board.sub("(n)", text)


@cache
def what_may_come(stepped: SteppedServer, case: SimultaneousLetters) -> list[tuple[object, ...]]:
    """The results of the two letters in the one order and in the other."""
    return [one_after_the_other(stepped, case, order) for order in (case.letters, case.letters[::-1])]


def one_after_the_other(
    stepped: SteppedServer, case: SimultaneousLetters, letters: Sequence[str]
) -> tuple[object, ...]:
    """The result of the letters in this order, at a board of their own."""
    board = begin(stepped, case)
    before = rows(stepped.server.engine, MailRow)
    for line in letters:
        gets(stepped, line, board)
        stepped.works()
    return what_came(stepped, board, before)


def overtaken(stepped: SteppedServer, line: str, patch: pytest.MonkeyPatch) -> list[str]:
    """Let a rival handle a letter when the worker has decided upon this one; return a list of how that went."""
    rival, went = stepped.rival(), list[str]()
    kind = type(parse(written(line, 1)[1], find_games()))
    handler: Callable[[Command, Context], list[Notice]] = HANDLERS[kind]

    def slow(command: Command, context: Context) -> list[Notice]:
        went.append("decided")
        try:
            return handler(command, context)
        finally:
            if went == ["decided"]:
                went.append("overtaken")
                assert rival.step()

    patch.setitem(HANDLERS, kind, slow)
    return went


@pytest.mark.parametrize(
    ("stepped", "case", "slower"),
    [
        *(pytest.param(*run, id=name_of(run)) for run in RUNS),
        *(pytest.param(*run, id=name_of(run), marks=pytest.mark.slow) for run in OTHER_RUNS),
    ],
    indirect=["stepped"],
)
def test_of_two_letters_at_once_comes_what_comes_of_one_after_the_other(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch, case: SimultaneousLetters, slower: int
) -> None:
    late, soon = case.letters[slower], case.letters[1 - slower]
    possible = what_may_come(stepped, case)
    board = begin(stepped, case)
    before = rows(stepped.server.engine, MailRow)
    for line in (late, soon):
        gets(stepped, line, board)
    went = overtaken(stepped, late, monkeypatch)
    stepped.works()
    assert went[:2] == ["decided", "overtaken"]
    assert {state for state, _ in stepped.states()} == {"done"}
    assert what_came(stepped, board, before) in possible
    told_of_it = {mail.recipient.partition("@")[0] for mail in stepped.mails(before)}
    assert told_of_it == set(case.challenge.split()) & set(PLAYERS)


def test_every_command_that_changes_a_board_stands_in_a_case() -> None:
    assert {line.split()[1] for case in CASES for line in case.letters} == VERBS
