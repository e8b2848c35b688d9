"""Our Message-IDs: what a letter proves that answers one of our mails."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.replies import BoardMail, ConfirmReply, MessageIds, OtherMail, QuestionMail, Signer
from pbem.ids import BoardNumber, ConfirmationId

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LAST_DAY = date(2026, 7, 30)
ALICE, BOB = "alice@example.org", "bob@example.org"
IDS = MessageIds(Signer(["a key of sixteen letters"]), "Games.example.org")
OF_EVENT = IDS.of_event(101, 23, "7-1", ALICE, LAST_DAY)
OF_ROOT = IDS.of_root(101, ALICE)
OF_QUESTION = IDS.of_question(ConfirmReply(ConfirmationId(5), 4711, LAST_DAY), "7-2", ALICE)
OF_ANYTHING = IDS.of_anything("failed-3-1", ALICE)
ALL = [OF_EVENT, OF_ROOT, OF_QUESTION, OF_ANYTHING]
MEANT = [
    BoardMail(BoardNumber(101), 23, LAST_DAY),
    BoardMail(BoardNumber(101), 0, None),
    QuestionMail(ConfirmationId(5), 4711, LAST_DAY),
    OtherMail(),
]


@pytest.mark.parametrize(("message_id", "mail"), list(zip(ALL, MEANT, strict=True)))
def test_a_message_id_is_read_as_it_was_made(message_id: str, mail: object) -> None:
    assert IDS.read(message_id, ALICE, NOW) == mail
    assert IDS.read(message_id.lower().strip("<>"), "Alice@Example.ORG", NOW) == mail
    assert re.fullmatch(r"<[a-z0-9.-]{20,90}@Games.example.org>", message_id)


@pytest.mark.parametrize("message_id", ALL)
def test_a_message_id_proves_nothing_of_anybody_else(message_id: str) -> None:
    assert IDS.read(message_id, BOB, NOW) is None
    assert not IDS.is_ours(message_id, [BOB, ""])
    assert IDS.is_ours(message_id, [BOB, ALICE])


@pytest.mark.parametrize("message_id", ALL)
def test_no_letter_of_a_message_id_can_be_changed(message_id: str) -> None:
    end = message_id.index("@")
    for place in range(1, end):
        for other in "abcdz017.-":
            changed = message_id[:place] + other + message_id[place + 1 :]
            assert changed == message_id or IDS.read(changed, ALICE, NOW) is None
    for changed in (message_id[: end - 1] + message_id[end:], message_id.replace("@", "a@"), message_id.upper()):
        assert IDS.read(changed, ALICE, NOW) is None
    assert IDS.read(message_id.replace("Games.", ""), ALICE, NOW) is None


def test_that_of_a_question_is_known_for_ever_since_the_question_has_a_time_of_its_own() -> None:
    assert IDS.read(OF_QUESTION, ALICE, datetime(2027, 7, 31, tzinfo=UTC)) == IDS.read(OF_QUESTION, ALICE, NOW)


@pytest.mark.parametrize("message_id", [OF_EVENT])
def test_a_message_id_is_good_to_the_end_of_its_last_day_in_utc(message_id: str) -> None:
    assert IDS.read(message_id, ALICE, datetime(2026, 7, 30, 23, 59, tzinfo=UTC)) is not None
    assert IDS.read(message_id, ALICE, datetime(2026, 7, 31, tzinfo=UTC)) is None
    assert IDS.read(message_id, ALICE, datetime(2026, 7, 30, 23, tzinfo=timezone(timedelta(hours=-5)))) is None
    assert IDS.is_ours(message_id, [ALICE])


@pytest.mark.parametrize("message_id", ALL)
def test_keys_can_be_rotated_and_old_message_ids_stay_ours(message_id: str) -> None:
    rotated = MessageIds(Signer(["a new key of the server", "a key of sixteen letters"]), "games.example.org")
    assert rotated.read(message_id, ALICE, NOW) == IDS.read(message_id, ALICE, NOW)
    assert MessageIds(Signer(["a new key of the server"]), "games.example.org").read(message_id, ALICE, NOW) is None
    assert IDS.read(rotated.of_root(101, ALICE), ALICE, NOW) is None


def test_message_ids_differ_by_every_part() -> None:
    made = {
        IDS.of_event(board, event, key, to, day)
        for board in (101, 102)
        for event in (1, 2)
        for key in ("7-1", "7-2")
        for to in (ALICE, BOB)
        for day in (LAST_DAY, LAST_DAY + timedelta(days=1))
    }
    tags = {each.partition("@")[0][-16:] for each in made}
    assert len(made) == len(tags) == 32


@given(st.text(max_size=80) | st.from_regex(r"<[gqm][0-9.]{0,12}[a-z0-9.-]{0,40}@games.example.org>", fullmatch=True))
def test_any_text_is_read_without_complaint_and_proves_nothing(message_id: str) -> None:
    assert IDS.read(message_id, ALICE, NOW) is None


def test_a_message_id_of_the_present_is_what_it_was_before_days_were_counted_beyond_2199() -> None:
    assert OF_EVENT == "<g101.23.7-1.bfrauqqolvgkmokarlux@Games.example.org>"
    assert OF_QUESTION == "<q5.7-2.bfraaaabezywuhtdya2dtouiyky@Games.example.org>"


@pytest.mark.parametrize("year", [2199, 2200, 2226, 2379, 3000, 4700])
def test_a_message_id_can_be_made_in_any_year_and_is_good_in_no_other(year: int) -> None:
    last = date(year, 7, 30)
    message_id = IDS.of_event(101, 23, "7-1", ALICE, last)
    assert IDS.read(message_id, ALICE, datetime(year, 7, 30, tzinfo=UTC)) == BoardMail(BoardNumber(101), 23, last)
    assert IDS.read(message_id, ALICE, datetime(year + 180, 7, 1, tzinfo=UTC)) is None
    question = IDS.of_question(ConfirmReply(ConfirmationId(5), 4711, last), "7-2", ALICE)
    assert IDS.read(question, ALICE, NOW) == QuestionMail(ConfirmationId(5), 4711, last)
