"""Clocks by mail: a whole server, whose machine's clock is made to pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.conversations.mamba import begin_with_decision
from tests.conversations.playing import begin
from tests.support.in_process import in_process_server
from tests.support.mail import Mail
from tests.support.server import GameServer, RunningServer, running_server

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[GameServer]:
    """A server whose clock can be made to pass."""
    with in_process_server(tmp_path, timedelta(0), clock_seconds="1") as server:
        yield server


def moment(mail: Mail, zone: str) -> datetime:
    """When the game is forfeited, as a nag says it."""
    found = re.search(r"by \w{3} (\d+ \w{3} \d{4}, \d\d:\d\d) (\w+),", mail.words)
    assert found, mail.text
    return datetime.strptime(found[1], "%d %b %Y, %H:%M").replace(tzinfo=ZoneInfo(zone))


def test_who_does_not_move_is_reminded_and_told_when_he_forfeits_and_then_he_does(slow: GameServer) -> None:
    table = begin(slow, "ann", "ben")
    table.other.says("set ben secret timezone=Asia/Kolkata")
    table.other.hears()
    table.play("b3", "c4,k5", "g2,h7")
    moved = datetime.now(UTC)
    slow.passes(7 * DAY)
    nag = table.other.hears()
    assert nag.subject == f"Nag: superbo Board {table.number} ben"
    assert re.fullmatch(r"(?:Nag: )?(New\s+)?(\S+)\s+Board\s+(\S+).*", nag.subject)
    assert "ann has been waiting for your move since" in nag.words
    assert "you forfeit the game." in nag.words
    assert " IST" in nag.words
    assert abs(moment(nag, "Asia/Kolkata") - moved - 21 * DAY) < 3 * MINUTE
    assert "Answer this mail with your move, for example: " in nag.words
    for day in (8, 20):
        slow.passes(day * DAY + HOUR)
        assert table.other.hears().subject == nag.subject
    assert table.one.hears_nothing()
    slow.passes(21 * DAY + MINUTE)
    table.hear()
    assert table.one_mail.subject == table.other_mail.subject == f"superbo Board {table.number}"
    assert "\n\nYou won! ben ran out of time and forfeited the game.\n" in table.one_mail.text
    assert "\n\nann won. You ran out of time and forfeited the game.\n" in table.other_mail.text


def test_a_challenge_that_is_not_answered_is_off_after_the_time_of_the_server_whatever_its_clock(
    slow: GameServer,
) -> None:
    ann, ben = slow.player("ann"), slow.player("ben")
    ann.says("superbo challenge --forfeittime=10m ann ben")
    ann.answers(ann.hears(), "b3")
    begun = ben.hears()
    said = "It starts for each player with their first move. Whoever takes more than 21 days for it declines the"
    assert f"and a loss after 10 minutes without a move. {said} challenge." in begun.words
    for each in (ann, ben):
        each.hears()
    for day in (7, 20):
        slow.passes(day * DAY + HOUR)
        nag = ben.hears()
        assert nag.subject == "Nag: superbo Board 101 ben"
        assert "the challenge counts as declined and nothing is rated." in nag.words
    slow.passes(21 * DAY + MINUTE)
    over = "did not make a first move in time, so the challenge counts as declined."
    over += " The board has been taken off the lists"
    assert f"You {over}, and no ratings change." in ben.hears().words
    assert f"ben {over}, and no ratings change." in ann.hears().words
    ann.says("who ben")
    assert "Finished games: none" in ann.hears().words


def test_a_board_against_the_computer_is_closed_and_no_challenge_is_declined(slow: GameServer) -> None:
    kim = slow.player("kim")
    kim.says("superbo challenge --forfeittime=10m kim robot1")
    begun = kim.hears()
    assert "with their first move. A board without one is closed after 21 days." in begun.words
    slow.passes(7 * DAY + HOUR)
    nag = kim.hears()
    assert "this board is closed and nothing is rated." in nag.words
    slow.passes(21 * DAY + MINUTE)
    over = kim.hears()
    while over.subject.startswith("Nag: "):
        over = kim.hears()
    assert "You did not make a first move in time, so the board was closed." in over.words
    for mail in (begun, nag, over):
        assert "challenge counts" not in mail.words
        assert "declines the challenge" not in mail.words.replace("this only declines the challenge", "")


def test_a_nag_is_answered_with_a_move(slow: GameServer) -> None:
    table = begin(slow, "carl", "cora")
    slow.passes(7 * DAY)
    table.one.answers(table.one.hears(), "b3")
    table.hear()
    assert table.one_mail.subject == f"superbo Board {table.number} cora"
    slow.passes(13 * DAY)
    assert table.other.hears_nothing()
    slow.passes(14 * DAY + HOUR)
    assert table.other.hears().subject.startswith("Nag: ")


def test_a_decision_is_waited_for_like_a_turn(slow: GameServer) -> None:
    table = begin_with_decision(slow, "dan", "dora")
    slow.passes(7 * DAY + HOUR)
    nag = table.people[1].hears()
    assert nag.subject == f"Nag: mamba Board {table.number} dora"
    assert "dan has been waiting for your decision since" in nag.words
    for day in (8, 20):
        slow.passes(day * DAY + HOUR)
        table.people[1].hears()
    slow.passes(21 * DAY + MINUTE)
    table.hear()
    assert "\n\nYou won! dora ran out of time and forfeited the game.\n" in table.mails[0].text
    assert "\n\ndan won. You ran out of time and forfeited the game.\n" in table.mails[1].text


def test_after_a_long_sleep_of_the_server_everybody_is_told_before_anything_is_lost(slow: GameServer) -> None:
    table = begin(slow, "eve", "emil")
    slow.stop()
    slow.passes(100 * DAY)
    slow.start()
    woken = datetime.now(UTC) + 100 * DAY
    nag = table.one.hears()
    assert nag.subject == f"Nag: superbo Board {table.number} eve"
    assert abs(moment(nag, "UTC") - woken - DAY) < 3 * MINUTE
    assert table.other.hears_nothing()
    slow.passes(101 * DAY + MINUTE)
    table.hear()
    assert "You did not make a first move in time, so the challenge counts as declined." in table.one_mail.words


def test_on_vacation_nobody_is_reminded_and_the_opponents_see_it(slow: GameServer) -> None:
    table = begin(slow, "fay", "finn")
    back = datetime.now(UTC).date() + 20 * DAY
    table.one.says(f"vacation fay secret {back}")
    told = table.one.hears()
    assert told.subject == "fay is on vacation"
    assert f"on vacation through {back};" in told.words
    table.other.says(f"show {table.number}")
    assert "fay is on vacation until" in table.other.hears().words
    slow.passes(20 * DAY)
    assert table.one.hears_nothing()
    table.one.says("vacation fay secret off")
    ended = table.one.hears()
    assert ended.subject == "Vacation of fay"
    assert "Welcome back." in ended.words
    slow.passes(27 * DAY + HOUR)
    assert table.one.hears().subject == f"Nag: superbo Board {table.number} fay"


@pytest.mark.parametrize(
    ("userid", "words", "reason"),
    [
        ("gus", "2020-01-01", "2020-01-01 is over"),
        ("guy", "2099-12-31", "for at most 30 days of any 365, so 2099-12-31 is too late. You can be away until"),
        ("gabe", "off", "You are not on vacation."),
        ("gil", "tomorrow", " is not a date."),
        ("gwen", "2099-12-31 off", "off"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused(shared: GameServer, userid: str, words: str, reason: str) -> None:
    gus = shared.player(userid)
    gus.says(f"vacation {userid} secret {words}")
    refusal = gus.hears()
    assert reason in refusal.words
    gus.says("vacation")
    shown = gus.hears()
    assert shown.subject == f"Vacation of {userid}"
    assert "You are not on vacation." in shown.words
    assert "If you leave today, you can stay away until the end of" in shown.words


def test_vacation_needs_more_than_a_from_address(shared: GameServer) -> None:
    hal = shared.player("hal")
    until = datetime.now(UTC).date() + 3 * DAY
    hal.says(f"vacation {until}")
    question = hal.hears()
    assert question.subject.startswith("Please confirm, hal")
    hal.answers(question, "yes")
    assert hal.hears().subject == "hal is on vacation"
    table_of = shared.player("hugo")
    table_of.says("superbo challenge hugo hal")
    assert "hal is on vacation until" in table_of.hears().words
    assert "You are on vacation until" in hal.hears().words


def test_a_finished_board_leaves_the_lists_after_two_weeks_and_is_found_by_its_number(slow: GameServer) -> None:
    table = begin(slow, "ida", "ivo")
    table.play("b3", "c4,k5")
    table.one.says(f"resign {table.number} ida secret")
    table.hear()
    table.one.says("games ida all")
    assert f"\n   {table.number}  superbo" in table.one.hears().text
    slow.passes(15 * DAY)
    table.one.says("games ida all")
    later = table.one.hears()
    assert f"\n   {table.number}  superbo" not in later.text
    assert "history ida" in later.text
    table.one.says(f"show {table.number}")
    assert "ivo won. You resigned." in table.one.hears().text
    table.one.says("history ida")
    assert table.number in table.one.hears().text


def test_a_board_with_its_own_clock_says_what_was_used_and_ends_by_it(slow: GameServer) -> None:
    jan, jo = slow.player("jan"), slow.player("jo")
    jan.says("superbo challenge --nagtime=2h --forfeittime=6h --totaltime=8h jan jo")
    begun = jan.hears()
    jo.hears()
    jan.answers(begun, "b3")
    jan.hears()
    jo.answers(jo.hears(), "c4,k5")
    turn = jan.hears()
    jo.hears()
    slow.passes(5 * HOUR)
    assert jan.hears().subject == "Nag: superbo Board 101 jan"
    jan.answers(turn, "g2,h7")
    mail = jo.hears()
    jan.hears()
    assert re.search(r"Time used, of 8 hours each: jan 5 hours( \d+ seconds?)?, jo \d+ seconds?", mail.words)
    jo.answers(mail, "d8,r10")
    turn = jan.hears()
    jo.hears()
    assert turn.subject == "superbo Board 101 jan"
    slow.passes(6 * HOUR + MINUTE)  # three hours were left to jan, and two before the end that jan is told
    nag = jan.hears()
    assert nag.subject == "Nag: superbo Board 101 jan"
    assert "left for all your moves together." in nag.words
    assert "Time used" not in nag.words
    slow.passes(8 * HOUR + 4 * MINUTE)
    assert "\n\njo won. You ran out of time and forfeited the game.\n" in jan.hears().text
    assert "\n\nYou won! jan ran out of time and forfeited the game.\n" in jo.hears().text


def test_a_total_time_is_a_limit_and_the_mail_that_gives_the_turn_names_the_moment(slow: GameServer) -> None:
    ned, nan = slow.player("ned"), slow.player("nan")
    ned.says("set ned secret timezone=Asia/Kolkata")
    ned.hears()
    ned.says("superbo challenge --totaltime=8h ned nan")
    begun = ned.hears()
    clock = "a reminder after 6 hours, and a loss after 8 hours in all. It starts"
    assert f"This board has its own clock: {clock}" in begun.words
    assert begun.words.count("8 hours") == 1
    assert "all your moves" not in begun.words + nan.hears().words
    ned.answers(begun, "b3")
    ned.hears()
    nan.answers(nan.hears(), "c4,k5")
    nan.hears()
    given, since = ned.hears(), datetime.now(UTC)
    assert "it is used up and you forfeit the game." in given.words
    assert abs(moment(given, "Asia/Kolkata") - since - 8 * HOUR) < 3 * MINUTE
    slow.passes(6 * HOUR + MINUTE)
    nag = ned.hears()
    assert nag.subject == "Nag: superbo Board 101 ned"
    assert nag.words.count("all your moves together") == 1  # how much is left of it
    assert nag.words.count("IST") == 2  # since when, and before when
    slow.passes(7 * HOUR)
    ned.answers(nag, "g2,h7")
    mail = nan.hears()
    ned.hears()
    assert "You have 8 hours for all your moves together." in mail.words
    nan.answers(mail, "d8,r10")
    turn = ned.hears()
    nan.hears()
    assert abs(moment(turn, "Asia/Kolkata") - since - 8 * HOUR) < 3 * MINUTE
    slow.passes(8 * HOUR + 4 * MINUTE)  # an hour was left: the mail was all that announced it
    over = ned.hears()
    assert "\n\nnan won. You ran out of time" in over.text
    assert "all your moves together" not in over.words
    assert re.search(r"Time used, of 8 hours each: ned (8 hours \d minutes?|7 hours 59 minutes)", over.words)


def test_a_board_of_a_tournament_says_what_clock_it_has_and_what_was_used(slow: GameServer) -> None:
    ola, ole = slow.player("ola"), slow.player("ole")
    ola.says("superbo tournament create ola secret cup")
    ola.hears()
    for person, userid in ((ola, "ola"), (ole, "ole")):
        person.says(f"superbo tournament join {userid} secret cup")
        person.hears()
    ola.says("superbo tournament start ola secret cup")
    heard = [[person.hears(), person.hears()] for person in (ola, ole)]
    mails = [next(mail for mail in both if mail.subject.startswith("New ")) for both in heard]
    for mail in mails:
        said = "This board has its own clock: a reminder after 1 day, and a loss after 7 days without a move."
        assert said in mail.words
    first = mails[0].subject.split()[-1]
    person, mail = {"ola": (ola, mails[0]), "ole": (ole, mails[1])}[first]
    slow.passes(2 * HOUR)
    person.answers(mail, "b3")
    assert re.search(rf"Time used: .*{first} 2 hours", person.hears().words)


def test_a_draw_that_nobody_answers_is_agreed_upon_and_a_request_to_take_back_refused(slow: GameServer) -> None:
    drawn, undone = begin(slow, "kit", "kay"), begin(slow, "lea", "lou")
    drawn.play("b3", "c4,k5")
    undone.play("b3")
    drawn.one.says(f"propose {drawn.number} kit secret")
    undone.one.says(f"undo {undone.number} lea secret")
    drawn.hear()
    undone.hear()
    for day in (7, 20):
        slow.passes(day * DAY + HOUR)
        nag, other = drawn.other.hears(), undone.other.hears()
        assert nag.subject == f"Nag: superbo Board {drawn.number} kay"
        assert "kit offers a draw and has been waiting for your answer since" in nag.words
        assert re.search(r"by [^.]* UTC, that counts as a yes", nag.words)
        assert "lea has been waiting for your answer since" in other.words
        assert "lea asks to take back B3 (move 1). Please answer." in other.words
        for mail in (nag, other):
            assert mail.words.count("kit offers a draw") + mail.words.count("lea asks") == 1
            assert "without an answer" not in mail.words.lower()
        assert re.search(r"by [^.]* UTC, that counts as a no\.", other.words)
    slow.passes(21 * DAY + MINUTE)
    drawn.hear()
    undone.hear()
    for mail in (drawn.one_mail, drawn.other_mail):
        assert "The game is a draw: nobody refused it in time." in mail.words
    assert "It's lou's move." in undone.one_mail.text
    assert "so it counts as refused. The game goes on." in undone.other_mail.words
    undone.play("c4,k5")
    assert "Your move, lea. lou played C4,K5." in undone.one_mail.text


@pytest.mark.system
def test_a_server_that_is_killed_nags_nobody_twice_and_forgets_no_nag(tmp_path: Path) -> None:
    with running_server(tmp_path, timedelta(0), clock_seconds="1") as slow:
        _killed_while_it_nags(slow)


def _killed_while_it_nags(slow: RunningServer) -> None:
    table = begin(slow, "mia", "max")
    slow.passes(7 * DAY)
    slow.kill()
    slow.start()
    nag = table.one.hears()
    while not nag.subject.startswith("Nag: "):  # what was not noted as handed over goes again
        nag = table.one.hears()
    slow.kill()
    slow.start()
    slow.person("bystander").says("help")
    slow.person("bystander").hears()
    nags = [mail for mail in slow.postbox.mails if mail.subject.startswith("Nag: ")]
    assert {(mail.recipient, mail.parsed["Message-ID"]) for mail in nags} == {
        ("mia@example.org", nag.parsed["Message-ID"])
    }


def test_a_mail_that_gives_the_turn_says_by_when_to_move(slow: GameServer) -> None:
    table = begin(slow, "mia", "noel")
    table.play("b3", "c4,k5")
    until = datetime.now(UTC) + 21 * DAY
    assert f"\nMove by:  {until:%a %-d %b %Y}, " in table.one_mail.text
    assert "Move by: " in table.one_mail.html
    assert "Move by:" not in table.other_mail.text, "it is not their move"
    table.one.says(f"submit {table.number} mia secret g2,h7")
    assert "Move by:" not in table.one.hears().text, "the board is shown as it would be"
    table.other.says(f"propose {table.number} noel secret")
    table.hear()
    assert "Move by:" not in table.one_mail.text, "the clock is stopped while an offer is open"
