"""Signed reply addresses."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.preferences import Preferences
from pbem.domain.replies import (
    STOPPABLE,
    BoardReply,
    ConfirmReply,
    QuietReply,
    Reply,
    Signer,
    StopReply,
    without_tokens,
)
from pbem.ids import BoardNumber, ConfirmationId, PlayerId

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
REPLY = BoardReply(PlayerId(7), BoardNumber(101), 23, date(2026, 7, 30))
QUESTION = ConfirmReply(ConfirmationId(101), 4711, date(2026, 5, 8))
SIGNER = Signer(["a key of sixteen letters"])
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

DAYS = st.dates(date(2026, 5, 1), date(4711, 1, 1))
NUMBERS = st.integers(0, 2**32 - 1)
REPLIES = st.builds(BoardReply, NUMBERS.map(PlayerId), NUMBERS.map(BoardNumber), st.integers(0, 2**16 - 1), DAYS)
QUESTIONS = st.builds(ConfirmReply, NUMBERS.map(ConfirmationId), NUMBERS, DAYS)


@given(REPLIES | QUESTIONS)
def test_what_is_signed_can_be_read_and_fits_a_local_part(reply: BoardReply | ConfirmReply) -> None:
    token = SIGNER.sign(reply)
    assert SIGNER.read(token, NOW) == reply
    assert len(token) <= 40
    assert set(token) <= set(LETTERS)


def test_a_token_survives_a_mail_system_that_writes_it_in_capitals() -> None:
    assert SIGNER.read(SIGNER.sign(REPLY).upper(), NOW) == REPLY


@pytest.mark.parametrize("reply", [REPLY, QUESTION])
def test_no_letter_of_a_token_can_be_changed(reply: BoardReply | ConfirmReply) -> None:
    token = SIGNER.sign(reply)
    for place, letter in enumerate(token):
        for other in LETTERS:
            if other != letter:
                assert SIGNER.read(token[:place] + other + token[place + 1 :], NOW) is None


def test_a_token_that_is_cut_or_longer_proves_nothing() -> None:
    token = SIGNER.sign(REPLY)
    for other in (token[:-1], token[1:], token + "a", token + "=", token * 2, "", "===", token + "\u0131"):
        assert SIGNER.read(other, NOW) is None


@given(st.text(max_size=60) | st.text(alphabet=LETTERS, min_size=37, max_size=37))
def test_any_text_is_read_without_complaint_and_proves_nothing(token: str) -> None:
    assert SIGNER.read(token, NOW) is None


def test_a_token_is_good_to_the_end_of_its_last_day_in_utc() -> None:
    token = SIGNER.sign(REPLY)
    assert SIGNER.read(token, datetime(2026, 7, 30, 23, 59, tzinfo=UTC)) == REPLY
    assert SIGNER.read(token, datetime(2026, 7, 31, tzinfo=UTC)) is None
    west = timezone(timedelta(hours=-5))
    assert SIGNER.read(token, datetime(2026, 7, 30, 23, tzinfo=west)) is None


def test_that_of_a_question_is_known_for_ever_since_the_question_has_a_time_of_its_own() -> None:
    assert SIGNER.read(SIGNER.sign(QUESTION), datetime(2027, 7, 31, tzinfo=UTC)) == QUESTION


def test_keys_can_be_rotated_first_signs_the_others_still_verify() -> None:
    rotated = Signer(["a new key of the server", "a key of sixteen letters"])
    assert rotated.read(SIGNER.sign(REPLY), NOW) == REPLY
    assert SIGNER.read(rotated.sign(REPLY), NOW) is None
    assert rotated.sign(REPLY) == Signer(["a new key of the server"]).sign(REPLY)


def test_a_token_of_one_purpose_is_not_one_of_another() -> None:
    board, question = SIGNER.sign(REPLY), SIGNER.sign(QUESTION)
    assert isinstance(SIGNER.read(board, NOW), BoardReply)
    assert isinstance(SIGNER.read(question, NOW), ConfirmReply)
    assert SIGNER.read(question[:2] + board[2:], NOW) is None
    assert SIGNER.read(board[:2] + question[2:], NOW) is None


def test_the_tag_of_a_message_id_differs_by_every_part_and_by_key() -> None:
    tags = {SIGNER.tag(*parts) for parts in [("a", "b"), ("ab",), ("b", "a"), ("a", "b", ""), (101, 2), (10, 12)]}
    tags.add(Signer(["another key of the server"]).tag("a", "b"))
    assert len(tags) == 7
    assert all(len(tag) == 16 and set(tag) <= set(LETTERS) for tag in tags)
    assert SIGNER.tag("a", "b") == SIGNER.tag("a", "b")


def test_what_was_tagged_with_an_old_key_is_among_the_tags_of_all_keys() -> None:
    old, rotated = Signer(["an old key of the server"]), Signer(["a new key of the server", "an old key of the server"])
    assert rotated.tags("letter", 1) == (rotated.tag("letter", 1), old.tag("letter", 1))
    assert rotated.tags("letter", 1)[0] == Signer(["a new key of the server"]).tag("letter", 1)


def test_a_tag_is_no_token_and_no_beginning_of_one() -> None:
    assert SIGNER.read(SIGNER.tag("reply", REPLY), NOW) is None


@given(NUMBERS.map(BoardNumber), st.integers(1, 4))
def test_a_lot_falls_on_one_of_the_players_and_always_on_the_same(board: BoardNumber, players: int) -> None:
    lot = SIGNER.draw_lots(board, players)
    assert lot in range(players)
    assert Signer(["a key of sixteen letters", "an older key"]).draw_lots(board, players) == lot


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lots_fall_on_everybody_equally_often(players: int) -> None:
    lots = [SIGNER.draw_lots(BoardNumber(number), players) for number in range(101, 101 + 400 * players)]
    assert all(abs(lots.count(seat) - 400) < 80 for seat in range(players))


def test_nobody_can_foresee_a_lot_without_the_key() -> None:
    other = Signer(["another key of letters"])
    boards = [BoardNumber(number) for number in range(101, 141)]
    assert [SIGNER.draw_lots(each, 2) for each in boards] != [other.draw_lots(each, 2) for each in boards]


def test_what_a_mail_system_says_is_kept_without_our_tokens() -> None:
    token = SIGNER.sign(QUESTION)
    said = f"550 5.1.0 <pbem+{token.upper()}@example.org>: sender rejected; pbem+{token}@example.org"
    assert without_tokens(said) == "550 5.1.0 <pbem+...@example.org>: sender rejected; pbem+...@example.org"
    assert (
        without_tokens("452 4.2.2 alice+games@example.org over quota") == "452 4.2.2 alice+games@example.org over quota"
    )


def test_a_token_of_the_present_is_what_it_was_before_days_were_counted_beyond_2199() -> None:
    assert SIGNER.sign(REPLY) == "ceaaaaahaaaaaziac4ewezyuvvwjx3ninophq"


def test_links_to_unsubscribe_in_mails_that_were_sent_long_ago_can_still_be_read() -> None:
    day = date(2026, 7, 30)
    known: dict[str, Reply] = {
        "cqaaaaahaaaaaziaaaewfxz4k7cvz6vnj5yxo": QuietReply(PlayerId(7), BoardNumber(101), day),
        "deaaaaahaaaaaaaaaaewf4bvrbai3ionhu5oq": StopReply(PlayerId(7), "digest", day),
        "deaaaaahaaaaaaiaaaewenp2qidikexizvuyi": StopReply(PlayerId(7), "broadcast", day),
    }
    assert {token: SIGNER.read(token, NOW) for token in known} == known
    assert [SIGNER.sign(reply) for reply in known.values()] == list(known)


def test_every_preference_that_a_link_turns_off_can_be_turned_off() -> None:
    for key in STOPPABLE:
        assert Preferences.read(key, "off") == "off"


@pytest.mark.parametrize("year", [2199, 2200, 2226, 2378, 2379, 3000, 4700])
def test_a_token_can_be_made_in_any_year_and_is_good_in_no_other(year: int) -> None:
    reply = BoardReply(PlayerId(7), BoardNumber(101), 23, date(year, 7, 30))
    token = SIGNER.sign(reply)
    assert SIGNER.read(token, datetime(year, 7, 30, 23, tzinfo=UTC)) == reply
    assert SIGNER.read(token, datetime(year, 7, 31, tzinfo=UTC)) is None
    for later in (179, 180, 1000):
        assert SIGNER.read(token, datetime(year + later, 7, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    ("day", "kept"), [(date(1970, 1, 1), date(2020, 1, 1)), (date(9999, 12, 31), date(4711, 6, 22))]
)
def test_the_token_of_a_machine_whose_clock_is_far_off_can_still_be_made(day: date, kept: date) -> None:
    token = SIGNER.sign(BoardReply(PlayerId(7), BoardNumber(101), 23, day))
    assert SIGNER.read(token, datetime(2019, 1, 1, tzinfo=UTC)) == BoardReply(PlayerId(7), BoardNumber(101), 23, kept)
