from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.domain.correspondents import AnswerVerdict, Correspondent, Limits, mailbox_of, site_of

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LIMITS = Limits(answers_per_day=6, answers_per_hour=4, unread_in_a_row=3, questions_per_day=2)
HOUR = timedelta(hours=1)


def verdicts(*said: str | None, understood: bool = True, since: Correspondent | None = None) -> list[AnswerVerdict]:
    known, found = since or Correspondent.new("a@example.org", NOW), []
    for each in said:
        known = known.heard(each, understood=understood and each is not None)
        found.append(known.verdict(LIMITS))
    return found


def test_letters_without_a_command_are_answered_until_there_are_too_many_in_a_row() -> None:
    assert verdicts(None, None, None, None) == [
        AnswerVerdict.ANSWER,
        AnswerVerdict.ANSWER,
        AnswerVerdict.LAST,
        AnswerVerdict.SILENCE,
    ]


def test_a_command_ends_the_row() -> None:
    assert verdicts(None, None, "help", None, understood=True)[-1] is AnswerVerdict.LAST  # the fourth of the hour
    known = Correspondent.new("a@example.org", NOW)
    for said in (None, None, "help"):
        known = known.heard(said, understood=said is not None)
    assert known.unread == 0


def test_the_same_command_again_and_again_is_no_better() -> None:
    assert [each.unread for each in _heard("show 101", "show 101", "show 101", "show 102", "show 101")] == [
        0,
        1,
        2,
        0,
        0,
    ]


def _heard(*said: str) -> list[Correspondent]:
    known, all_of_them = Correspondent.new("a@example.org", NOW), []
    for each in said:
        known = known.heard(each, understood=True)
        all_of_them.append(known)
    return all_of_them


def test_what_may_hold_a_password_is_never_the_same_again() -> None:
    known = Correspondent.new("a@example.org", NOW)
    for _ in range(3):
        known = known.heard(None, understood=True)
    assert known.unread == 0


def test_a_letter_that_changes_a_board_is_not_counted_and_ends_the_row() -> None:
    known = Correspondent.new("a@example.org", NOW).heard(None, understood=False)
    moved = known.played()
    assert (moved.answers, moved.lately, moved.unread) == (1, 1, 0)


def test_an_hour_and_a_day_begin_with_their_first_letter_and_are_forgotten_when_they_are_over() -> None:
    known = Correspondent.new("a@example.org", NOW)
    for number in range(4):
        known = known.heard(f"show {number}", understood=True)
    assert known.verdict(LIMITS) is AnswerVerdict.LAST
    assert known.at(NOW + HOUR - timedelta(seconds=1)) == known
    later = known.at(NOW + HOUR)
    assert (later.answers, later.lately, later.said) == (4, 0, None)
    assert later.heard("list", understood=True).verdict(LIMITS) is AnswerVerdict.ANSWER
    next_day = known.asked().at(NOW + 24 * HOUR)
    assert (next_day.answers, next_day.lately, next_day.questions, next_day.day) == (0, 0, 0, NOW + 24 * HOUR)


def test_the_limit_that_silences_is_named() -> None:
    known = Correspondent.new("a@example.org", NOW)
    named = []
    for _ in range(5):
        known = known.heard("help", understood=True, mails=1)
        named.append(known.silenced_by(LIMITS))
    assert named == [None, None, None, None, "answers_per_hour"]


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Ann@Example.org", "ann@example.org"),
        ("ann+news@example.org", "ann@example.org"),
        ("ann+a+b@example.org.", "ann@example.org"),
        ('"ann"@example.org', "ann@example.org"),
        ("a.n.n+x@gmail.com", "ann@gmail.com"),
        ("ANN@googlemail.com", "ann@gmail.com"),
        ("a.nn@example.org", "a.nn@example.org"),
        ("+@example.org", "+@example.org"),
        ("+x@example.org", "+x@example.org"),
        ("#7", "#7"),
        ("", ""),
    ],
)
def test_addresses_of_one_mailbox_are_counted_as_one(address: str, mailbox: str) -> None:
    assert mailbox_of(address) == mailbox


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("ann@example.org", "example.org"),
        ("ann@mail.x.example.org", "example.org"),
        ("ann@Uni.ac.uk", "uni.ac.uk"),
        ("ann@mx.club.com.br", "club.com.br"),
        ("ann@a.b.example.de", "example.de"),
        ("ann@localhost", "localhost"),
        ("", ""),
    ],
)
def test_all_names_below_a_domain_are_one_site(address: str, site: str) -> None:
    assert site_of(address) == site


def test_answers_of_too_many_bytes_silence_too() -> None:
    known = Correspondent.new("a@example.org", NOW).answered(4_000_000)
    assert known.heard("help", understood=True).silenced_by(LIMITS) is None
    known = known.answered(1_000_000)
    assert known.heard("help", understood=True).silenced_by(LIMITS) == "answer_bytes_per_day"
    assert known.at(NOW + 24 * HOUR).octets == 0
