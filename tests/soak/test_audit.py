"""The auditor finds what must not be, and nothing else."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from tests.soak.audit import audit
from tests.soak.last_look import look
from tests.soak.logs import Arrived, Fate, Fault, Logs, Sent, cause
from tests.soak.server import OPERATOR
from tests.support.databases import Database, put_sqlite

ANN, BEN, CAT = (f"{name}@example.org" for name in ("ann", "ben", "cat"))
MOVE = Sent("<1@example.org>", ANN, (ANN, BEN), "superbo Board 101 ben", Fate.ACCEPTED)
GUESS = Sent("<2@example.org>", CAT, (CAT,), "", Fate.UNKNOWN)
QUESTION = Sent("<3@example.org>", CAT, (CAT,), "Please confirm your pbem account cat", Fate.ACCEPTED)


def mail(at: float, to: str, name: str, answers: str = "", subject: str = "superbo Board 101 ben") -> Arrived:
    return Arrived(at, to, f"<{name}@localhost>", answers, subject, name, "250 OK", is_kept=True)


TO_ANN = mail(1, ANN, "g101.1.7-1.aaaa", MOVE.message_id)
TO_BEN = mail(2, BEN, "g101.1.7-2.bbbb")
ASKED = mail(3, CAT, "q1.9-1.cccc", f"{CAT} {QUESTION.subject}", QUESTION.subject)
GUESSED = mail(4, CAT, "m.8-1.dddd", GUESS.message_id, "pbem help")


@pytest.fixture
def logs() -> Logs:
    return deepcopy(Logs([MOVE, GUESS, QUESTION], [TO_ANN, TO_BEN, ASKED]))


def test_a_letter_of_unknown_fate_may_be_handled_or_not(logs: Logs) -> None:
    assert not audit(logs).wrong
    logs.arrived.append(GUESSED)
    findings = audit(logs)
    assert (findings.wrong, findings.unknown_handled) == ([], 1)
    logs.arrived.append(replace(GUESSED, message_id="<m.18-1.eeee@localhost>"))
    assert audit(logs).wrong == [f"{GUESS.message_id} of {CAT} was answered 2 times"]


def test_the_answer_to_a_stranger_is_known_by_whom_it_is_for(logs: Logs) -> None:
    guest = "guest-s-1@example.org"
    known = cause("<s.1@example.org>", guest, "")
    assert known == cause("None", guest, "superbo Standings")
    logs.sent.append(Sent("<s.1@example.org>", guest, (guest,), "", Fate.ACCEPTED))
    logs.arrived.append(mail(5, guest, "m.10-1.ffff", known, "superbo Standings"))
    assert audit(logs).wrong == []
    logs.arrived.pop()
    assert audit(logs).wrong == [f"<s.1@example.org> of {guest} was accepted and not answered"]


@pytest.mark.parametrize("name", ["gc101.2.7-2.bbbb", "qm3.7-2.bbbb", "qp3.7-2.bbbb", "qd3.7-2.bbbb"])
def test_mails_of_words_and_of_no_single_board_are_known_by_their_letter(logs: Logs, name: str) -> None:
    logs.arrived.remove(TO_BEN)
    logs.arrived.append(mail(2, BEN, name))
    assert audit(logs).wrong == []


def test_a_letter_that_was_lost_is_found(logs: Logs) -> None:
    logs.arrived = [ASKED]
    assert audit(logs).wrong == [f"{MOVE.message_id} of {ANN} was accepted and not answered"]


def test_a_mail_that_is_withheld_is_found(logs: Logs) -> None:
    logs.arrived.remove(TO_BEN)
    assert audit(logs).wrong == [f"{MOVE.message_id} of {ANN} was to be told to {[ANN, BEN]} and was to {[ANN]}"]


def test_a_question_that_is_withheld_is_found(logs: Logs) -> None:
    logs.arrived.remove(ASKED)
    assert audit(logs).wrong == [f"{QUESTION.message_id} of {CAT} was accepted and not answered"]


def test_a_mail_that_nothing_has_caused_is_found(logs: Logs) -> None:
    logs.arrived.append(mail(5, BEN, "m.10-1.ffff"))
    assert audit(logs).wrong == ["mails of letter 10 that no letter has caused: ['superbo Board 101 ben']"]


def test_another_answer_than_was_due_is_found(logs: Logs) -> None:
    logs.arrived[0] = replace(TO_ANN, subject="superbo Board 101 Error")
    (wrong,) = audit(logs).wrong
    assert "was answered 'superbo Board 101 Error' and not 'superbo Board 101 ben'" in wrong


def test_of_rivals_one_has_what_they_want(logs: Logs) -> None:
    other = replace(MOVE, message_id="<4@example.org>", rival="a1#1")
    logs.sent = [replace(MOVE, rival="a1#1"), other, QUESTION]
    error = mail(5, ANN, "g101.1.11-1.aaaa", other.message_id, "superbo Board 101 Error")
    logs.arrived.append(error)
    findings = audit(logs)
    assert (findings.wrong, findings.refused) == ([], 1)
    logs.arrived[-1:] = [
        replace(error, subject=TO_ANN.subject),
        replace(TO_BEN, message_id="<g101.2.11-2.bbbb@localhost>"),
    ]
    assert audit(logs).wrong == ["a1#1 was had 2 times"]
    logs.arrived[:2] = [mail(5, ANN, "g101.1.7-1.aaaa", MOVE.message_id, "superbo Board 101 Error")]
    logs.arrived[-2:] = [error]
    assert audit(logs).wrong == ["nobody had a1#1"]


def test_a_mail_that_comes_again_wants_an_explanation(logs: Logs) -> None:
    logs.arrived.append(replace(TO_BEN, at=20))
    assert audit(logs).wrong == ["<g101.1.7-2.bbbb@localhost> came again without a reason: superbo Board 101 ben"]
    logs.faults += [Fault("stop", "", 10, 11), Fault("kill", "", 30, 31), Fault("kill", "worker", 10, 11)]
    assert audit(logs).wrong
    logs.faults.append(Fault("kill", "", 12, 13))
    findings = audit(logs)
    assert (findings.wrong, findings.repeated) == ([], {"kill": 1})


def test_kills_explain_only_what_nothing_else_explains(logs: Logs) -> None:
    logs.arrived += [replace(TO_BEN, at=2 + again) for again in range(1, 13)]
    logs.faults = [Fault("kill", "delivery", 1, 20)]
    assert audit(logs).wrong == ["12 mails came again after 1 were killed that deliver"]
    logs.faults.append(Fault("clock set", "", 1, 7))
    findings = audit(logs)
    assert (findings.wrong, findings.repeated) == ([], {"clock set": 7, "kill": 5})


@pytest.mark.parametrize(("name", "again", "wrong"), [("relay", 5, 0), ("relay", 15, 1), ("letters-not-stored", 5, 1)])
def test_two_processes_may_tell_of_the_same_trouble_together(logs: Logs, name: str, again: float, wrong: int) -> None:
    told = mail(4, OPERATOR, f"alarm-{name}-out-of-order-20261128170000000000-1.aaaa", subject="pbem: mails again")
    logs.arrived += [told, replace(told, at=told.at + again)]
    assert len(audit(logs).wrong) == wrong


def test_a_full_disk_explains_a_mail_that_comes_again_if_it_ends_something(logs: Logs) -> None:
    logs.arrived.append(replace(TO_BEN, at=20))
    full, before, meanwhile = Fault("disk full", "", 10, 12), Fault("stop", "", 7, 9), Fault("stop", "", 11, 13)
    logs.faults = [full, before]
    assert audit(logs).wrong
    for others in ([before, meanwhile], [Fault("stop", "worker", 7, 9)]):
        logs.faults = [full, *others]
        assert audit(logs).repeated == {"disk full": 1}


def test_a_mail_that_comes_again_with_other_words_is_found_whatever_happened(logs: Logs) -> None:
    logs.faults.append(Fault("kill", "", 2, 20))
    logs.arrived.append(replace(TO_BEN, at=20, digest="other"))
    assert audit(logs).wrong == ["two different mails are called <g101.1.7-2.bbbb@localhost>: superbo Board 101 ben"]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = Database(put_sqlite(tmp_path / "pbem.db"))
    for number in (7, 9):
        database.change(
            "INSERT INTO inbox (id, received_at, sender, recipients, state, attempts, next_attempt_at)"
            " VALUES (:number, '2026-01-01', '', '[]', 'done', 1, '2026-01-01')",
            number=number,
        )
    for each in (TO_ANN, TO_BEN, ASKED):
        database.change(
            "INSERT INTO outbox (key, message_id, name, subject, sender, recipient, created_at, state, attempts,"
            " next_attempt_at) VALUES (:name, :name, '', '', '', :to, '2026-01-01', 'sent', 1, '2026-01-01')",
            name=each.message_id,
            to=each.recipient,
        )
    for number in (1, 2, 3):
        add_event(database, number, number)
    return database


def add_event(database: Database, number: int, record: int) -> None:
    database.change(
        "INSERT INTO events (board_number, number, kind, seat, at, record)"
        " VALUES (101, :number, 'move', 0, '2026-01-01', :record)",
        number=number,
        record=str(record),
    )


def test_the_last_look_finds_nothing_where_all_is_well(database: Database, logs: Logs) -> None:
    assert list(look(database, logs, {101: [1, 2, 3]})) == []


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("UPDATE inbox SET state = 'waiting' WHERE id = 9", "1 in inbox are left or leased"),
        ("UPDATE inbox SET lease_owner = 'somebody'", "2 in inbox are left or leased"),
        ("DELETE FROM inbox WHERE id = 9", "1 letters are stored, 2 were accepted, 1 perhaps"),
        ("DELETE FROM outbox WHERE key LIKE '<q1%'", "<q1.9-1.cccc@localhost> has arrived and is not stored"),
        ("DELETE FROM events WHERE number = 2", "the events of board 101 are [1, 3]"),
        ("UPDATE events SET record = '2' WHERE number = 3", "board 101 has other events than were written: "),
    ],
)
def test_the_last_look_finds_what_is_lost_or_left(database: Database, logs: Logs, change: str, wrong: str) -> None:
    database.change(change)
    assert any(said.startswith(wrong) for said in look(database, logs, {101: [1, 2, 3]}))


def test_the_last_look_finds_an_event_that_is_there_twice_and_a_mail_that_never_came(
    database: Database, logs: Logs
) -> None:
    add_event(database, 4, 3)
    logs.arrived.remove(TO_BEN)
    doubled, withheld = sorted(look(database, logs, {101: [1, 2, 3]}), reverse=True)
    assert doubled.startswith("board 101 has other events than were written: ")
    assert withheld == f"{TO_BEN.message_id} to {BEN} is sent and has not arrived"
