"""Data that is kept, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, select

from pbem.storage.engine import reading
from pbem.storage.models import (
    BounceRow,
    BroadcastRow,
    ConfirmationRow,
    CorrespondentRow,
    LetterKeyRow,
    LetterRow,
    MailRow,
    ReportRow,
    SessionRow,
    TokenPostRow,
    TokenRow,
    WrongPasswordRow,
)
from pbem.storage.upkeep import AT_ONCE, forget, forgettable
from pbem.workers.retention import Retention
from tests.storage.stock import ALICE, AT, BOB, put, question, rows, stocked, work

DAY = timedelta(days=1)
KEEP_MAIL, KEEP_TRACES = 30 * DAY, 180 * DAY


def at(engine: Engine, moment: datetime) -> Retention:
    return Retention(engine, KEEP_MAIL, KEEP_TRACES, clock=lambda: moment)


def mail(number: int, state: str, finished_at: datetime | None = AT, **values: Any) -> dict[str, Any]:
    return {
        "key": str(number),
        "message_id": f"<{number}>",
        "sender": "",
        "recipient": "bob@example.org",
        "raw": b"bytes",
        "created_at": AT,
        "state": state,
        "attempts": 1,
        "next_attempt_at": AT,
        "finished_at": finished_at,
        **values,
    }


def letter(state: str, finished_at: datetime | None = AT) -> dict[str, Any]:
    return {
        "received_at": AT,
        "sender": "bob@example.org",
        "recipients": ["pbem@localhost"],
        "raw": b"bytes" if state in ("waiting", "shunted") else None,
        "state": state,
        "attempts": 1,
        "next_attempt_at": AT,
        "finished_at": finished_at,
    }


def kept(engine: Engine, *columns: Any) -> list[Any]:
    with reading(engine) as connection:
        return sorted(tuple(row) for row in connection.execute(select(*columns)))


def test_bytes_of_mails_go_before_their_rows_and_those_that_wait_stay(engine: Engine) -> None:
    states = ("waiting", "sent", "failed", "bounced", "withheld", "dropped")
    put(engine, MailRow, *(mail(number, state, None if number == 0 else AT) for number, state in enumerate(states)))
    assert at(engine, AT + KEEP_MAIL).tidy()["mail_bytes"] == 0
    tidied = at(engine, AT + KEEP_MAIL + DAY).tidy()
    assert (tidied["mail_bytes"], tidied["mails"]) == (5, 0)
    found = kept(engine, MailRow.state, MailRow.raw, MailRow.packed)
    has_bytes = {state for state, raw, packed in found if raw is not None or packed is not None}
    assert has_bytes == {"waiting"}
    assert at(engine, AT + KEEP_TRACES + DAY).tidy()["mails"] == 5
    assert kept(engine, MailRow.state) == [("waiting",)]


def test_letters_go_with_the_addresses_in_them_but_never_while_they_wait(engine: Engine) -> None:
    put(engine, LetterRow, letter("waiting", None), letter("done"), letter("shunted"), letter("dropped"))
    assert at(engine, AT + KEEP_TRACES).tidy()["letters"] == 0
    tidied = at(engine, AT + KEEP_TRACES + DAY).tidy()
    assert (tidied["letters"], tidied["letters_set_aside"]) == (2, 1)
    assert kept(engine, LetterRow.state) == [("waiting",)]


def test_letters_that_nobody_can_read_are_kept_for_two_weeks(engine: Engine) -> None:
    put(engine, LetterRow, letter("shunted") | {"unread_bytes": 5}, letter("shunted") | {"unread_bytes": None})
    assert at(engine, AT + 14 * DAY).tidy()["letters_set_aside"] == 0
    assert at(engine, AT + 15 * DAY).tidy()["letters_set_aside"] == 1
    assert kept(engine, LetterRow.unread_bytes) == [(None,)]


def test_letters_that_nobody_looked_after_are_told_once_a_run_with_their_numbers(engine: Engine) -> None:
    told: list[list[int]] = []
    put(engine, LetterRow, letter("shunted"), letter("done"), letter("shunted"))
    late = AT + KEEP_TRACES + DAY

    def tell(_connection: Connection, letters: Sequence[int], _now: datetime) -> None:
        told.append(list(letters))

    retention = Retention(engine, KEEP_MAIL, KEEP_TRACES, tell, lambda: late)
    retention.step()
    retention.step()
    assert told == [[1, 3]]


def test_a_question_loses_what_was_said_with_it_at_once_and_goes_later(engine: Engine) -> None:
    stocked(engine)
    uow = work(engine)
    for number, expires_at in ((1, AT + 7 * DAY), (2, AT + DAY), (3, AT + 300 * DAY)):
        uow.confirmations.save(replace(question(number, ALICE), password_hash="hash", expires_at=expires_at))
    uow.commit()
    assert at(engine, AT + 2 * DAY).tidy()["question_comments"] == 1
    said = kept(engine, ConfirmationRow.id, ConfirmationRow.comment, ConfirmationRow.password_hash)
    assert [(number, bool(comment), secret) for number, comment, secret in said] == [
        (1, True, "hash"),
        (2, False, None),
        (3, True, "hash"),
    ]
    assert at(engine, AT + 200 * DAY).tidy()["questions"] == 2
    assert kept(engine, ConfirmationRow.id) == [(3,)]


def test_the_newest_question_keeps_its_number_and_nothing_else(engine: Engine) -> None:
    stocked(engine)
    uow = work(engine)
    for number in (1, 2, 7):
        uow.confirmations.save(question(number, ALICE))
    uow.commit()
    tidied = at(engine, AT + 400 * DAY).tidy()
    assert (tidied["questions"], tidied["newest_question"]) == (2, 1)
    assert kept(engine, ConfirmationRow.id, ConfirmationRow.address, ConfirmationRow.line) == [(7, None, None)]
    assert at(engine, AT + 800 * DAY).tidy()["newest_question"] == 0
    with work(engine) as uow:
        assert uow.confirmations.next_id() == 8


@pytest.mark.parametrize(
    ("name", "table", "values", "keep"),
    [
        (
            "bounces",
            BounceRow,
            {"at": AT, "address_key": "b@x", "permanent": True, "status": "", "diagnosis": ""},
            KEEP_TRACES,
        ),
        ("wrong_passwords", WrongPasswordRow, {"at": AT, "userid": "u", "source": "s"}, DAY),
        (
            "correspondents",
            CorrespondentRow,
            {"address_key": "b@x", "day": AT, "hour": AT, "answers": 1, "lately": 1, "questions": 0, "unread": 0},
            2 * DAY,
        ),
        ("letter_keys", LetterKeyRow, {"key": "k", "accepted_at": AT}, 30 * DAY),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_traces_go_when_their_time_is_up(
    engine: Engine, name: str, table: Any, values: dict[str, Any], keep: timedelta
) -> None:
    put(engine, table, values)
    assert at(engine, AT + keep).tidy()[name] == 0
    assert rows(engine, table) == 1
    assert at(engine, AT + keep + timedelta(seconds=1)).tidy()[name] == 1
    assert rows(engine, table) == 0


def test_a_session_is_forgotten_when_it_has_run_out(engine: Engine) -> None:
    stocked(engine)
    session = {"player_id": ALICE.id, "began_at": AT}
    put(engine, SessionRow, *({**session, "secret_hash": f"{days}", "expires_at": AT + days * DAY} for days in (1, 2)))
    assert at(engine, AT + DAY).tidy()["sessions"] == 1
    assert kept(engine, SessionRow.secret_hash) == [("2",)]


def test_what_a_closed_report_said_goes_and_its_number_stays(engine: Engine) -> None:
    stocked(engine)
    report = {"at": AT, "player_id": ALICE.id, "about_id": BOB.id, "text": "Rude."}
    put(engine, ReportRow, {**report, "closed_at": AT}, {**report, "closed_at": None})
    assert at(engine, AT + KEEP_TRACES + DAY).tidy()["report_texts"] == 1
    assert kept(engine, ReportRow.id, ReportRow.text) == [(1, ""), (2, "Rude.")]


def test_what_players_told_everybody_goes_once_all_have_been_told(engine: Engine) -> None:
    stocked(engine)
    said = {"player_id": ALICE.id, "at": AT, "text": "Hello.", "sent_to": BOB.id}
    put(engine, BroadcastRow, *({**said, "id": number, "done_at": done} for number, done in ((1, AT), (2, None))))
    assert at(engine, AT + KEEP_TRACES).tidy()["broadcasts"] == 0
    assert at(engine, AT + KEEP_TRACES + DAY).tidy()["broadcasts"] == 1
    assert kept(engine, BroadcastRow.id) == [(2,)]


def test_what_programs_were_answered_goes_once_they_cannot_ask_it_again(engine: Engine) -> None:
    stocked(engine)
    token = {"player_id": ALICE.id, "made_at": AT, "posts": 1}
    put(engine, TokenRow, *({**token, "secret_hash": each, "name": each} for each in ("one", "other")))
    post = {"said": "hash", "status": 200, "answer": "{}"}
    old, late = AT, AT + timedelta(seconds=2)
    put(
        engine,
        TokenPostRow,
        *({**post, "token": name, "key": "k", "at": when} for name, when in (("one", old), ("other", late))),
    )
    assert at(engine, old + DAY).tidy()["token_posts"] == 0
    assert at(engine, late + DAY).tidy()["token_posts"] == 1
    assert kept(engine, TokenPostRow.token) == [("other",)]


def test_it_is_done_a_few_rows_at_a_time(engine: Engine) -> None:
    wrong = {"at": AT, "userid": "u", "source": "s"}
    put(engine, WrongPasswordRow, *([wrong] * (AT_ONCE + 1)))
    (what,) = (each for each in forgettable(AT + 3 * DAY, KEEP_MAIL, KEEP_TRACES) if each.name == "wrong_passwords")
    assert forget(engine, what, most=1) == 1
    retention = at(engine, AT + 3 * DAY)
    assert retention.step()
    assert rows(engine, WrongPasswordRow) == 0
    assert not retention.step()


def test_a_server_that_ends_forgets_nothing_more(engine: Engine) -> None:
    put(engine, WrongPasswordRow, {"at": AT, "userid": "u", "source": "s"})
    retention = at(engine, AT + 3 * DAY)
    retention.end_soon()
    assert not retention.step()
    assert rows(engine, WrongPasswordRow) == 1
