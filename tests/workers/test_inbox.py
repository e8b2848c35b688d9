from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, update
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from pbem.commands.challenges import Challenge
from pbem.commands.playing import MakeMove
from pbem.commands.server import Help
from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import Notice
from pbem.mail_in.mime import ReadLetter
from pbem.mail_in.parts import READER_DIED, TOO_SLOW, UnreadableLetter
from pbem.mail_in.reading import ReaderBroken
from pbem.storage.engine import writing
from pbem.storage.inbox import LeasedLetter
from pbem.storage.models import BoardRow, EventRow, LetterRow, MailRow
from pbem.storage.shunted import retry_letters
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import HANDLERS
from pbem.workers.failures import MOST_ATTEMPTS, MOST_DEATHS
from tests.storage.stock import rows
from tests.support.stepped_server import SteppedServer

HELP = ("alice@example.org", "pbem help")
SORRY = ("alice@example.org", "pbem could not handle your letter")
PASSWORD = "hunter2-and-more"
UNREADABLE = b"From: alice@example.org\nX-Endless: " + b"x" * 9000 + b"\n\nhelp\n"


class StumblingHandler:
    """A handler that fails some times before it does its work."""

    def __init__(self, command: type[Any], times: int) -> None:
        self._handler: Callable[[Any, Context], list[Notice]] = HANDLERS[command]
        self._times = times
        self.calls = 0

    def __call__(self, command: Any, context: Context) -> list[Notice]:
        self.calls += 1
        notices = self._handler(command, context)
        if self.calls <= self._times:
            raise RuntimeError(f"stumbled over {command} {context.evidence} {PASSWORD}")
        return notices


@pytest.fixture
def players(stepped: SteppedServer) -> SteppedServer:
    """An office where alice and bob have signed up, their letters and mails included."""
    stepped.gets(f"signup alice {PASSWORD}")
    stepped.gets("signup bob", sender="bob@example.org")
    assert stepped.works() == 2
    return stepped


def count(stepped: SteppedServer, robots: Any) -> int:
    return rows(stepped.server.engine, robots)


def test_a_letter_is_answered_and_done(stepped: SteppedServer) -> None:
    stepped.gets("help")
    assert stepped.works() == 1
    assert stepped.told() == [HELP]
    assert stepped.states() == [("done", 1)]


def test_without_letters_there_is_nothing_to_do(stepped: SteppedServer) -> None:
    assert not stepped.worker.step()


def test_a_letter_that_stumbles_twice_is_carried_out_and_answered_once(
    players: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, Challenge, StumblingHandler(Challenge, 2))
    players.gets("superbo challenge bob")
    assert players.works() == 3
    assert players.states()[2:] == [("done", 3)]
    assert [recipient for recipient, _ in players.told()[2:]] == ["alice@example.org", "bob@example.org"]
    assert count(players, BoardRow) == 1


def test_a_letter_that_stumbles_three_times_is_shunted_and_the_queue_goes_on(
    players: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stumbles = StumblingHandler(Challenge, 99)
    monkeypatch.setitem(HANDLERS, Challenge, stumbles)
    players.gets("superbo challenge bob")
    players.gets("help")
    players.gets("help", sender="bob@example.org")
    assert players.works() == 5
    assert stumbles.calls == 3
    assert players.states()[2:] == [("shunted", 3), ("done", 1), ("done", 1)]
    assert sorted(players.told()[2:]) == sorted(
        [SORRY, ("operator@example.org", "pbem shunted letter 3"), HELP, ("bob@example.org", "pbem help")]
    )
    assert count(players, BoardRow) == 0


def test_a_letter_that_somebody_is_always_quicker_than_is_shunted_and_the_queue_goes_on(players: SteppedServer) -> None:
    players.gets("superbo challenge alice bob")
    assert players.works() == 1
    with writing(players.server.engine) as connection:  # the name of its answer is taken for good
        connection.execute(update(MailRow).where(MailRow.key == "1-1").values(key="4-1"))
    players.gets(f"superbo move 101 alice {PASSWORD} b3")
    players.gets("help")
    assert players.works() == 4
    assert players.states()[3:] == [("shunted", 3), ("done", 1)]
    assert SORRY in players.told()
    assert count(players, EventRow) == 0


def test_while_the_database_is_out_of_order_no_attempt_counts(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    help_, calls = HANDLERS[Help], []

    def out_of_order(command: Help, context: Context) -> list[Notice]:
        calls.append(command)
        if len(calls) <= 2 * MOST_ATTEMPTS:
            raise OperationalError("SELECT 1", {}, OSError("disk full"))
        return help_(command, context)

    monkeypatch.setitem(HANDLERS, Help, out_of_order)
    stepped.gets("help")
    assert stepped.worker.step()
    assert stepped.states() == [("waiting", 0)]
    assert stepped.works() == 2 * MOST_ATTEMPTS
    assert stepped.states() == [("done", 1)]
    assert stepped.told() == [HELP]


def test_a_letter_that_cannot_even_be_given_back_is_tried_again_by_the_same_worker_before_its_lease_ends(
    two_at_a_board: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepped, inbox = two_at_a_board, two_at_a_board.server.inbox
    before = len(stepped.states())
    for subject in ("show 101", "show 102", "help"):
        stepped.gets(subject)

    def out_of_order(*_: object, **__: object) -> None:
        raise OperationalError("SELECT 1", {}, OSError("disk full"))

    with monkeypatch.context() as trouble:
        trouble.setattr(inbox, "finish", out_of_order)
        trouble.setattr(inbox, "give_back", out_of_order)
        for _ in range(2 * MOST_DEATHS):
            with pytest.raises(OperationalError):
                stepped.works()
    stepped.works()
    assert stepped.states()[before:] == [("done", 1)] * 3
    assert [subject for _, subject in stepped.told()][-1] == HELP[1], "in their order"


def test_a_trouble_of_the_database_makes_no_bug_forgotten(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [RuntimeError(), OperationalError("x", {}, OSError()), RuntimeError(), RuntimeError()]

    def faulty(_command: Help, _context: Context) -> list[Notice]:
        raise faults.pop(0)

    monkeypatch.setitem(HANDLERS, Help, faulty)
    stepped.gets("help")
    assert stepped.works() == 4
    assert stepped.states() == [("shunted", 3)]


def test_who_hears_of_a_shunted_letter_hears_it_from_the_null_sender(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, Help, StumblingHandler(Help, 99))
    stepped.gets("help")
    stepped.works()
    assert [mail.sender for mail in stepped.mails()] == ["", ""]


def test_a_crash_while_everything_is_written_leaves_nothing(
    players: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox = players.server.outbox
    add = outbox.add
    crashes = [True, False]

    def crash(*args: Any, **facts: Any) -> None:
        add(*args, **facts)
        if crashes.pop(0):
            raise OSError("disk full")

    monkeypatch.setattr(outbox, "add", crash)
    players.gets("superbo challenge bob")
    assert players.worker.step()
    assert (count(players, BoardRow), len(players.mails()), players.states()[2:]) == (0, 2, [("waiting", 1)])
    assert players.works() == 1
    assert (count(players, BoardRow), len(players.mails()), players.states()[2:]) == (1, 4, [("done", 2)])


def retry(stepped: SteppedServer, *letters: int) -> None:
    """Have letters handled anew, as the operator does."""
    with writing(stepped.server.engine) as connection:
        assert retry_letters(connection, letters, _now()) == list(letters)


def test_a_letter_that_was_shunted_can_be_tried_again_and_is_answered(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, Help, StumblingHandler(Help, 3))
    stepped.gets("help")
    stepped.gets("help")
    assert stepped.works() == 4
    retry(stepped, 1)
    assert stepped.works() == 1
    assert stepped.states() == [("done", 1), ("done", 1)]
    assert stepped.told() == [SORRY, ("operator@example.org", "pbem shunted letter 1"), HELP, HELP]


def test_a_letter_can_be_shunted_again_and_again(stepped: SteppedServer) -> None:
    stepped.gets_bytes(UNREADABLE, "alice@example.org")
    assert stepped.works() == 1
    for _ in range(2):
        retry(stepped, 1)
        assert stepped.works() == 1
        assert stepped.states() == [("shunted", 1)]
    assert stepped.told() == 3 * [SORRY, ("operator@example.org", "pbem shunted letter 1")]


def test_a_letter_is_shunted_even_if_its_mails_cannot_be_stored(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    compose = stepped.server.parts.composer.compose

    def twice(*args: Any) -> list[OutgoingMail]:
        return 2 * compose(*args)

    monkeypatch.setattr(stepped.server.parts.composer, "compose", twice)
    stepped.gets_bytes(UNREADABLE, "alice@example.org")
    assert stepped.works() == 1
    assert (stepped.states(), stepped.told()) == ([("shunted", 1)], [])


def killed(stepped: SteppedServer, times: int) -> None:
    """The server is killed with the letter in its hands, and started again; each time long enough passes."""
    for number in range(times):
        at = _now() + number * timedelta(hours=1)
        assert stepped.server.inbox.lease(at)
        stepped.server.inbox.take_over(at - timedelta(days=1))


def test_a_letter_whose_worker_was_killed_again_and_again_is_shunted_untried(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stumbles = StumblingHandler(Help, 0)
    monkeypatch.setitem(HANDLERS, Help, stumbles)
    stepped.gets("help")
    killed(stepped, MOST_DEATHS)
    assert stepped.works() == 1
    assert stumbles.calls == 0
    assert stepped.states() == [("shunted", MOST_DEATHS + 1)]
    assert stepped.told() == [SORRY, ("operator@example.org", "pbem shunted letter 1")]


def test_a_letter_whose_worker_was_killed_less_often_is_tried_once_more(stepped: SteppedServer) -> None:
    stepped.gets("help")
    killed(stepped, MOST_DEATHS - 1)
    assert stepped.works() == 1
    assert (stepped.states(), stepped.told()) == ([("done", MOST_DEATHS)], [HELP])


def test_a_letter_waits_while_nothing_reads_it_and_plain_ones_are_handled(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ReaderBroken

    stepped.gets("help", headers={"Content-Disposition": "inline"})
    stepped.gets("help", sender="bob@example.org")
    with monkeypatch.context() as patched:
        patched.setattr(stepped.worker._reader, "be_ready", broken)
        for _ in range(5):
            stepped.worker.step()
    assert stepped.states() == [("waiting", 0), ("done", 1)]
    stepped.works()
    assert stepped.states() == [("done", 1), ("done", 1)]


def test_a_letter_whose_reader_was_ended_rests_longer_each_time(stepped: SteppedServer) -> None:
    letter_failures = stepped.worker._letter_failures
    letter_failures._retry_after = timedelta(seconds=5)
    stepped.gets("help")
    rests = []
    for _ in range(3):
        (letter,) = stepped.server.inbox.lease(_now())
        rests.append(letter_failures._rest(letter, UnreadableLetter(error=READER_DIED)))
        assert letter_failures._rest(letter, RuntimeError()) == rests[0]
        stepped.server.inbox.retry(letter, "why", _now())
    assert rests == sorted(set(rests))


MACHINE_MADE = {
    "null sender": ("", {}),
    "mailer-daemon": ("MAILER-DAEMON@example.org", {}),
    "our own envelope sender": ("pbem+token@localhost", {}),
    "auto-submitted": ("alice@example.org", {"Auto-Submitted": "auto-replied; why=vacation"}),
    "bulk": ("alice@example.org", {"Precedence": "bulk"}),
    "list": ("alice@example.org", {"List-Id": "<list.example.org>"}),
    "report": ("alice@example.org", {"Content-Type": 'multipart/report; report-type=delivery-status; boundary="x"'}),
    "from ourselves": ("alice@example.org", {"From": "pbem@localhost"}),
}


@pytest.mark.parametrize(("envelope_sender", "headers"), MACHINE_MADE.values(), ids=MACHINE_MADE.keys())
def test_a_letter_that_a_machine_made_is_neither_carried_out_nor_answered(
    players: SteppedServer, envelope_sender: str, headers: dict[str, str]
) -> None:
    players.gets("superbo challenge bob", envelope_sender=envelope_sender, headers=headers)
    assert players.works() == 1
    assert players.states()[2:] == [("done", 1)]
    assert (count(players, BoardRow), len(players.mails())) == (0, 2)


LETTER = b"From: alice@example.org\nTo: pbem@localhost\nSubject: help\nMessage-ID: <1@example.org>\n\n"


@pytest.mark.parametrize(
    ("copy", "sender"),
    [
        (b"List-Id: <l.example.org>\n" + LETTER, "alice@example.org"),
        (b"Precedence: list\n" + LETTER, "l-bounces@example.org"),
        (LETTER, "noreply@example.org"),
        (LETTER, ""),
    ],
    ids=["list", "precedence", "robot", "nobody"],
)
def test_a_letter_is_not_lost_because_a_machine_has_brought_it_before(
    stepped: SteppedServer, copy: bytes, sender: str
) -> None:
    stepped.gets_bytes(copy, sender)
    assert stepped.works() == 1
    assert stepped.told() == []
    stepped.gets_bytes(LETTER, "alice@example.org")
    assert stepped.works() == 1
    assert stepped.told() == [HELP]


def test_a_letter_is_not_lost_while_the_copy_of_a_list_still_waits(stepped: SteppedServer) -> None:
    stepped.gets_bytes(b"List-Id: <l.example.org>\n" + LETTER, "l-bounces@example.org")
    stepped.gets_bytes(LETTER, "alice@example.org")
    assert stepped.works() == 2
    assert stepped.told() == [HELP]


@pytest.mark.parametrize(
    ("limit", "subject"),
    [("max_unread_in_a_row", "Good morning"), ("max_answers_per_day", "help"), ("max_answers_per_hour", "help")],
)
def test_the_log_says_which_limit_keeps_a_letter_from_being_answered(
    database_url: str, tmp_path: Path, limit: str, subject: str
) -> None:
    roomy = {"PBEM_MAX_UNREAD_IN_A_ROW": "99"}
    stepped = SteppedServer(database_url, tmp_path, **(roomy | {f"PBEM_{limit.upper()}": "2"}))
    with closing(stepped.server), capture_logs() as logged:
        for number in range(4):
            stepped.gets(subject, f"for the {number}. time")
        stepped.works()
    kept = [each for each in logged if each["event"] in ("letter answered", "letter not answered")]
    assert [each["event"] for each in kept if each.get("because") == limit] == ["letter not answered"] * 2
    assert [each["mails"] for each in kept if not each["mails"]] == [[], []]


@pytest.mark.parametrize("envelope_sender", ["", "mailer-daemon@example.org", "pbem@localhost"])
def test_of_an_unreadable_letter_from_a_machine_only_the_operator_hears(
    stepped: SteppedServer, envelope_sender: str
) -> None:
    stepped.gets_bytes(UNREADABLE, envelope_sender)
    assert stepped.works() == 1
    assert stepped.told() == [("operator@example.org", "pbem shunted letter 1")]


@pytest.mark.parametrize("field", [b"Auto-Submitted: auto-replied", b"List-Id: <l.example.org>", b"Precedence: bulk"])
def test_what_a_machine_wrote_is_not_answered_though_it_cannot_be_read(stepped: SteppedServer, field: bytes) -> None:
    stepped.gets_bytes(field + b"\n" + UNREADABLE, "alice@example.org")
    assert stepped.works() == 1
    assert stepped.told() == [("operator@example.org", "pbem shunted letter 1")]


def said(stepped: SteppedServer) -> list[str]:
    """The words of the mails in the outbox, on one line each."""
    letters = (message_from_bytes(mail.raw, policy=policy.default) for mail in stepped.mails())
    return [" ".join(letter.get_content().split()) for letter in letters]


MANY_PARTS = b"Content-Type: multipart/mixed; boundary=b\n\n" + 99 * b"--b\n\nhelp\n" + b"--b--\n"
DEEP = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (each, each) for each in range(20))


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (UNREADABLE, "One of its header fields is too long (more than 8192 bytes)"),
        (300 * b"X: y\n" + b"\nhelp\n", "It has too many header fields (more than 200)"),
        (60 * (b"X: " + b"y" * 2000 + b"\n") + b"\nhelp\n", "Its header fields are too long (more than 65536 bytes"),
        (MANY_PARTS, "It has too many parts (more than 50)"),
        (DEEP, "Its parts are nested too deeply (more than 10 levels)"),
    ],
    ids=["header", "fields", "head", "parts", "depth"],
)
def test_who_sent_a_letter_over_a_limit_hears_which(stepped: SteppedServer, raw: bytes, why: str) -> None:
    stepped.gets_bytes(raw, "alice@example.org")
    assert stepped.works() == 1
    for words in said(stepped):
        assert why in words
        assert not any(wrong in words for wrong in ("three", "attempts", "several times", "robots"))


def test_the_operator_hears_after_how_many_attempts_and_what_to_type(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, Help, StumblingHandler(Help, 99))
    stepped.gets("help")
    stepped.works()
    sorry, to_operator = said(stepped)
    assert "I could not handle your letter, although I tried several times." in sorry
    assert "I could not handle letter 1 and have set it aside after 3 attempts." in to_operator
    assert "pbem admin shunted show 1 pbem admin shunted retry 1" in to_operator
    assert "robots" not in to_operator


def test_a_letter_that_cannot_be_read_is_shunted_at_once_and_its_sender_told(stepped: SteppedServer) -> None:
    stepped.gets_bytes(UNREADABLE, "alice@example.org")
    stepped.gets("help", sender="bob@example.org")
    assert stepped.works() == 2
    assert stepped.states() == [("shunted", 1), ("done", 1)]
    assert stepped.told() == [
        SORRY,
        ("operator@example.org", "pbem shunted letter 1"),
        ("bob@example.org", "pbem help"),
    ]


@pytest.mark.parametrize("error", [TOO_SLOW, READER_DIED])
def test_a_letter_whose_reader_was_ended_is_tried_thrice(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise UnreadableLetter(error=error)

    monkeypatch.setattr(stepped.worker._reader, "read", give_up)
    stepped.gets("help")
    assert stepped.works() == 3
    assert stepped.states() == [("shunted", 3)]
    assert stepped.told() == [SORRY, ("operator@example.org", "pbem shunted letter 1")]


def moved_meanwhile(stepped: SteppedServer, times: int) -> Callable[[MakeMove, Context], list[Notice]]:
    """A handler of moves that is overtaken: before it commits, the same move comes in from elsewhere."""
    handler = HANDLERS[MakeMove]
    calls: list[int] = []

    def overtaken(command: MakeMove, context: Context) -> list[Notice]:
        notices = handler(command, context)
        calls.append(1)
        if len(calls) <= times:
            with stepped.server.unit_of_work() as uow:
                board = uow.boards.find(command.board)
                mine = context.uow.boards.find(command.board)
                assert board is not None
                assert mine is not None
                uow.boards.save(board.with_event(mine.events[-1].kind, 0, _now(), mine.events[-1].record))
                uow.commit()
        return notices

    return overtaken


def test_a_letter_overtaken_while_it_was_decided_is_decided_anew(
    players: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    players.gets("superbo challenge bob")
    players.works()
    before = len(players.mails())
    monkeypatch.setitem(HANDLERS, MakeMove, moved_meanwhile(players, 1))
    players.gets(f"move 101 alice {PASSWORD} B3")
    assert players.works() == 1
    assert players.states()[3:] == [("done", 1)]
    assert count(players, EventRow) == 1
    (answer,) = players.mails()[before:]
    assert (answer.recipient, answer.subject) == ("alice@example.org", "superbo Board 101 Error")
    assert b"bob's move" in answer.raw


def test_a_letter_that_lost_its_lease_writes_nothing(players: SteppedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker slept, another has carried it out meanwhile: there is one board, and everybody hears of it once."""
    handler = HANDLERS[Challenge]
    rival = players.rival()
    asleep = [True]

    def sleeps(command: Challenge, context: Context) -> list[Notice]:
        notices = handler(command, context)
        if asleep.pop() if asleep else False:
            players.server.inbox.take_over(_now())
            assert rival.step()
        return notices

    monkeypatch.setitem(HANDLERS, Challenge, sleeps)
    players.gets("superbo challenge bob")
    with capture_logs() as logged:
        assert players.works() == 1
    assert "lease lost" in [entry["event"] for entry in logged]
    assert players.states()[2:] == [("done", 2)]
    assert (count(players, BoardRow), len(players.mails())) == (1, 4)


LETTERS_WITH_A_PASSWORD = [
    (f"signup carol {PASSWORD}", ""),
    (f"signup alice {PASSWORD}x", ""),
    (f"move 101 alice {PASSWORD} B3", ""),
    (f"move 101 alice wrong-{PASSWORD} B3", ""),
    (f"move 101 alice {PASSWORD} garbage", ""),
    (f"mvoe alice {PASSWORD} 101 B3", ""),
    (f"resign 101 alice {PASSWORD}", ""),
    ("", f"move 101 alice {PASSWORD} B3\n"),
    ("multiple", f"move 101 alice {PASSWORD} B3\nmove 101 bob {PASSWORD} B3\nresing 101 alice {PASSWORD}\n"),
    (f"frobnicate alice {PASSWORD}", ""),
]


@pytest.mark.parametrize("stumbles", [False, True])
def test_a_password_is_in_no_log_and_nothing_kept_of_a_letter_that_is_done(
    players: SteppedServer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], stumbles: bool
) -> None:
    players.gets("superbo challenge bob")
    players.works()
    if stumbles:
        for command in list(HANDLERS):
            monkeypatch.setitem(HANDLERS, command, StumblingHandler(command, 2))
    with capture_logs() as logged:
        for subject, body in LETTERS_WITH_A_PASSWORD:
            players.gets(subject, body)
        players.works()
    assert {state for state, _ in players.states()} == {"done"}
    assert logged
    assert PASSWORD not in str(logged)
    assert PASSWORD not in players.all_it_keeps()
    assert PASSWORD not in "".join(capfd.readouterr())


def test_a_password_is_in_no_file_once_there_is_no_letter_left(stepped: SteppedServer, tmp_path: Path) -> None:
    """A database keeps deleted data in its log for a while; on PostgreSQL that is the disk's business."""
    if stepped.server._lock is None:
        pytest.skip("only SQLite's log is in our hands")
    stepped.gets(f"signup alice {PASSWORD}")
    assert any(PASSWORD.encode() in file.read_bytes() for file in tmp_path.glob("pbem.db*"))
    stepped.works()
    assert not any(PASSWORD.encode() in file.read_bytes() for file in tmp_path.glob("pbem.db*"))


def test_a_log_that_was_in_use_is_trimmed_later(stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = [False, True]
    monkeypatch.setattr(stepped.server.inbox, "trim_log", lambda: busy.pop(0))
    for _ in range(4):
        stepped.worker._trimmed_at = -1000.0
        stepped.works()
    assert busy == []


def test_nothing_but_the_bytes_of_a_shunted_letter_shows_its_password(
    players: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    players.gets("superbo challenge bob")
    players.works()
    monkeypatch.setitem(HANDLERS, MakeMove, StumblingHandler(MakeMove, 99))
    players.gets(f"move 101 alice {PASSWORD} B3")
    with capture_logs() as logged:
        assert players.works() == 3
    assert PASSWORD not in str(logged)
    assert players.all_it_keeps().count(PASSWORD) == 1


def _now() -> datetime:
    return datetime.now(UTC)


def test_letters_that_were_taken_and_not_begun_are_given_back_when_the_worker_ends(stepped: SteppedServer) -> None:
    for number in range(3):
        stepped.gets("help", sender=f"s{number}@example.org")
    assert stepped.worker.step()
    stepped.worker.end()
    assert stepped.states() == [("done", 1), ("waiting", 0), ("waiting", 0)]
    assert stepped.works() == 2


def test_a_letter_whose_lease_ran_out_before_it_was_begun_is_taken_again(stepped: SteppedServer) -> None:
    for number in range(2):
        stepped.gets("help", sender=f"s{number}@example.org")
    assert stepped.worker.step()
    stepped.worker._settle(0)
    stepped.server.inbox.take_over(_now())
    stepped.worker._held[0] = replace(stepped.worker._held[0], until=_now())
    assert stepped.works() == 1
    assert stepped.states() == [("done", 1), ("done", 2)]


@pytest.fixture
def two_at_a_board(stepped: SteppedServer) -> SteppedServer:
    for player in ("alice", "bob", "carol", "dave"):
        stepped.gets(f"signup {player} {PASSWORD}", sender=f"{player}@example.org")
    stepped.gets("superbo challenge bob")
    stepped.gets("superbo challenge dave", sender="carol@example.org")
    stepped.works()
    return stepped


MOVED = ((101, "bob"), (102, "dave"), (101, "alice"), (102, "carol"))
"""Players on turn at their boards, one move after the other."""


def test_who_answers_a_move_that_is_not_written_yet_answers_it_all_the_same(two_at_a_board: SteppedServer) -> None:
    stepped, since = two_at_a_board, len(two_at_a_board.mails())
    moves = (("alice", 101, "b3"), ("carol", 102, "b3"), ("bob", 101, "c4,k5"), ("dave", 102, "c4,k5"))
    for player, board, words in moves:
        stepped.gets(f"superbo move {board} {player} {PASSWORD} {words}", sender=f"{player}@example.org")
    stepped.works()
    subjects = [each.subject for each in stepped.mails(since)]
    assert sorted(subjects) == sorted(f"superbo Board {board} {who}" for board, who in MOVED for _ in range(2))


def test_no_move_with_a_comment_is_waited_for_while_more_letters_may_wait(two_at_a_board: SteppedServer) -> None:
    stepped, may_go_on = two_at_a_board, Event()

    def takes_long(_connection: Connection) -> None:
        may_go_on.wait(10)

    for player, board in (("alice", 101), ("carol", 102)):
        words = f"superbo move {board} {player} {PASSWORD} b3"
        stepped.gets(words, "Your turn, and good luck!", sender=f"{player}@example.org")
    stepped.gets("help", sender="eve@example.org")
    stepped.worker._at_once = 2
    assert stepped.worker.step()
    stepped.worker._settle(0)
    stepped.server._commits.submit(takes_long)
    assert stepped.worker.step()
    under_way = [each.letter.envelope.sender for each in stepped.worker._under_way]
    may_go_on.set()
    assert under_way == ["carol@example.org"]
    assert stepped.works() == 1
    assert {state for state, _ in stepped.states()} == {"done"}


def test_no_other_is_under_way_while_a_letter_is_handled_that_was_tried_before(
    two_at_a_board: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepped, worker, happened = two_at_a_board, two_at_a_board.worker, list[tuple[str, int]]()
    settle, read = worker._settle, worker._read

    def settles(most: int) -> None:
        happened.append(("settled but for", most))
        settle(most)

    def reads(letter: LeasedLetter) -> ReadLetter:
        happened.append(("attempt", letter.attempts))
        return read(letter)

    monkeypatch.setattr(worker, "_settle", settles)
    monkeypatch.setattr(worker, "_read", reads)
    stepped.gets(f"superbo move 101 alice {PASSWORD} b3")
    stepped.gets("help", sender="eve@example.org")
    with writing(stepped.server.engine) as connection:
        connection.execute(update(LetterRow).where(LetterRow.sender == "eve@example.org").values(attempts=1))
    worker._at_once = 1
    assert stepped.works() == 2
    assert happened[:4] == [("attempt", 1), ("settled but for", 1), ("settled but for", 0), ("attempt", 2)]


def test_a_letter_whose_commit_fails_does_not_take_those_beside_it_along(
    two_at_a_board: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepped, finish = two_at_a_board, two_at_a_board.server.inbox.finish

    def stumbles(connection: Connection, letter: LeasedLetter, now: datetime) -> None:
        finish(connection, letter, now)
        if letter.envelope.sender.startswith("alice") and letter.attempts == 1:
            raise RuntimeError("a bug")

    monkeypatch.setattr(stepped.server.inbox, "finish", stumbles)
    before = len(stepped.states())
    for player in ("carol", "alice", "bob"):
        stepped.gets(f"show {101 + (player == 'carol')}", sender=f"{player}@example.org")
    stepped.works()
    assert stepped.states()[before:] == [("done", 1), ("done", 2), ("done", 1)]


def test_at_the_end_what_is_under_way_is_waited_for_and_the_rest_given_back(two_at_a_board: SteppedServer) -> None:
    stepped = two_at_a_board
    before = len(stepped.states())
    for player in ("alice", "carol", "bob"):
        stepped.gets(f"show {101 + (player == 'carol')}", sender=f"{player}@example.org")
    stepped.worker.step()
    stepped.worker.end()
    assert stepped.states()[before:] == [("done", 1), ("waiting", 0), ("waiting", 0)]


def test_all_is_given_back_at_the_end_even_if_what_is_under_way_can_neither_be_written_nor_given_back_at_first(
    two_at_a_board: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepped, inbox = two_at_a_board, two_at_a_board.server.inbox

    def out_of_order(*_: object, **__: object) -> None:
        raise OperationalError("SELECT 1", {}, OSError("disk full"))

    monkeypatch.setattr(inbox, "finish", out_of_order)
    monkeypatch.setattr(inbox, "give_back", out_of_order)
    before = len(stepped.states())
    for player in ("alice", "carol", "bob"):
        stepped.gets(f"show {101 + (player == 'carol')}", sender=f"{player}@example.org")
    # Decided upon, and no more: what comes of it is awaited at the end.
    monkeypatch.setattr(stepped.worker, "_settle", lambda _most: None)
    stepped.worker.step()
    monkeypatch.undo()
    monkeypatch.setattr(inbox, "give_back", out_of_order)
    stepped.worker.end()
    assert stepped.states()[before:] == [("waiting", 0)] * 3
