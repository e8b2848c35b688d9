"""One mail a day instead of one for each move: two days of it, and what comes at once all the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conversations.playing import MailBoard, begin
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer, RunningServer, running_server

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    """A server whose clock can be made to pass."""
    with in_process_server(tmp_path, timedelta(0), clock_seconds="1") as server:
        yield server


def noon() -> str:
    """A timezone in which it is noon, so that seven is far away."""
    hours = 12 - datetime.now(UTC).hour
    return f"Etc/GMT{-hours:+}"


def wants_digest(person: Person, value: str = "daily") -> None:
    userid = person.address.partition("@")[0]
    person.says(f"set {userid} secret digest={value} timezone={noon()}")
    assert f"  digest={value}" in person.hears().text


def heard_daily(server: GameServer, person: Person, days: int) -> Mail:
    """The daily mail of the next morning."""
    server.passes(days * DAY)
    digest = person.hears()
    assert digest.subject.startswith("Your boards: ")
    return digest


def two_boards(server: GameServer) -> tuple[MailBoard, MailBoard]:
    """Bob plays at both, and wants one mail a day."""
    one = begin(server, "ann", "bob")
    wants_digest(one.other)
    other = seat_quietly(server, server.player("carl"), one.other)
    return one, other


def seat_quietly(server: GameServer, one: Person, other: Person) -> MailBoard:
    """Start a board of which only the one who starts it is told."""
    userids = [person.address.partition("@")[0] for person in (one, other)]
    one.says(f"superbo challenge {' '.join(userids)}")
    mail = one.hears()
    return MailBoard(mail.subject.split()[3], one, other, mail, mail)


def test_a_new_board_on_which_it_is_the_readers_move_says_how_to_decline(server: GameServer) -> None:
    _, second = two_boards(server)
    second.one.answers(second.one_mail, "b3")
    second.one.hears()
    digest = heard_daily(server, second.other, 1)
    assert (
        "If you would rather not play, answer this mail with:  resign\n"
        "(Before your first move, this only declines the challenge.)\n"
    ) in digest.text
    assert "answer this mail with: resign<br>" in " ".join(digest.html.split())
    assert "(Before your first move, this only declines the challenge.)</span>" in digest.html


@pytest.mark.postgresql
def test_two_days_in_two_mails(server: GameServer) -> None:
    first, second = two_boards(server)
    bob = first.other
    first.one.answers(first.one_mail, "b3\n\nGood luck, bob!")
    first.one.hears()
    assert bob.hears_nothing()
    monday = heard_daily(server, bob, 1)
    assert monday.subject == "Your boards: 1 waits for you"
    assert f"Summary of superbo Board {first.number}\n" in monday.text
    assert "Your move, bob. ann played B3." in monday.text
    assert "Your move against ann" in monday.html
    assert "Your move, bob" not in monday.html
    assert "ann writes:\n\n  Good luck, bob!\n" in monday.text
    assert "Answer this mail with your move, for example:" in monday.text
    assert f"superbo Board {second.number}: carl - bob. This board is new. It's carl's move.\n" in monday.text
    assert f"Summary of superbo Board {second.number}" not in monday.text
    bob.answers(monday, "c4,k5")
    assert bob.hears().subject == f"superbo Board {first.number} ann"  # bob's own letter is answered at once
    first.one_mail = first.one.hears()

    second.one.answers(second.one_mail, "b3")
    second.one.hears()
    first.one.answers(first.one_mail, "g2,h7\nYour turn")
    first.one.hears()
    assert bob.hears_nothing()
    tuesday = heard_daily(server, bob, 2)
    assert tuesday.subject == "Your boards: 2 wait for you"
    assert tuesday.text.index(f"superbo Board {first.number}\n") < tuesday.text.index(
        f"superbo Board {second.number}\n"
    )
    for table in (first, second):
        assert f"Answer this mail with your move, for example:  {table.number} " in tuesday.text
    assert "Good luck" not in tuesday.text
    assert tuesday.text.count("ann writes:") == 1
    server.passes(3 * DAY)
    assert bob.hears_nothing()


def test_boards_that_wait_are_counted_though_nothing_is_new_there(server: GameServer) -> None:
    first, second = two_boards(server)
    bob = first.other
    first.one.answers(first.one_mail, "b3")
    first.one.hears()
    assert heard_daily(server, bob, 1).subject == "Your boards: 1 waits for you"
    second.one.answers(second.one_mail, "b3")
    second.one.hears()
    tuesday = heard_daily(server, bob, 2)
    assert tuesday.subject == "Your boards: 2 wait for you"
    assert "One more board is waiting for you, but has no news" in tuesday.words
    assert f"Answer this mail with your move, for example:  {second.number} " in tuesday.text
    third = seat_quietly(server, second.one, bob)
    wednesday = heard_daily(server, bob, 3)
    assert wednesday.subject == "Your boards: 2 wait for you"
    assert f"superbo Board {third.number}: carl - bob. This board is new. It's carl's move." in wednesday.words
    for table, name in ((first, "ann"), (second, "carl")):
        assert f"- superbo Board {table.number}: {name} - bob; your turn since " in wednesday.words
    assert "None of your boards" not in wednesday.text


@pytest.mark.parametrize("before", [True, False], ids=["blocked before", "blocked afterwards"])
def test_what_somebody_writes_who_is_blocked_is_left_out(server: GameServer, before: bool) -> None:
    table = begin(server, "ann", "bob")
    wants_digest(table.other)
    if before:
        blocked(table.other, "ann")
    table.one.answers(table.one_mail, "b3\n\nGood luck, bob!")
    table.one.hears()
    if not before:
        blocked(table.other, "ann")
    digest = heard_daily(server, table.other, 1)
    assert f"Summary of superbo Board {table.number}\n" in digest.text
    assert "Good luck" not in digest.raw.decode()
    assert "writes" not in digest.text


def blocked(person: Person, other: str) -> None:
    person.says(f"block to {other}")
    person.answers(person.hears(), "yes")
    assert f"Done: {other} can no longer challenge you" in person.hears().words


def test_what_is_over_is_told_with_how_it_went(server: GameServer) -> None:
    first, second = two_boards(server)
    bob = first.other
    first.one.answers(first.one_mail, "b3")
    first.one.hears()
    bob.says(f"move {first.number} bob secret c4,k5")
    bob.hears()
    first.one.answers(first.one.hears(), "resign")
    first.one.hears()
    second.one.answers(second.one_mail, "resign\nSorry, no time.")
    second.one.hears()
    digest = heard_daily(server, bob, 1)
    assert digest.subject == "Your boards: none waits for you"
    _, over, lines = digest.text.split(f"\n{'=' * 78}\n")
    assert over.startswith(f"\nSummary of superbo Board {first.number}\n\nYou won! ann resigned.\n")
    assert "Your rating is" in over
    assert "Time used:" in over
    assert "Summary" not in lines
    assert f"superbo Board {second.number}: carl - bob. This board is new. Declined by carl." in digest.words
    assert "carl writes:\n\n  Sorry, no time.\n" in digest.text


def test_what_was_offered_and_answered_is_told(server: GameServer) -> None:
    table = begin(server, "ann", "bob")
    ann, bob, n = table.one, table.other, table.number
    table.play("b3", "c4,k5")
    for each in (ann, bob):
        wants_digest(each)
    ann.says(f"propose {n} ann secret")
    ann.hears()
    bob.says(f"reject {n} bob secret")
    bob.hears()
    bob.says(f"undo {n} bob secret")
    bob.hears()
    ann.says(f"accept {n} ann secret")
    ann.hears()
    digest = heard_daily(server, ann, 1)
    assert "bob refused your offer of a draw." in digest.words
    told = heard_daily(server, bob, 0)
    assert "ann agreed that you take a move back." in told.words


def test_words_and_refusals_come_at_once(server: GameServer) -> None:
    first, _ = two_boards(server)
    bob = first.other
    first.one.says(f"chat {first.number} ann secret", "Are you there?")
    assert bob.hears().subject == f"superbo chat {first.number} ann"
    first.one.says("message ann secret bob", "Hello")
    assert bob.hears().subject == "ann has written to you"
    bob.says(f"move {first.number} bob secret c4")
    assert bob.hears().subject == f"superbo Board {first.number} Error"


def test_who_watches_is_told_in_his_daily_mail_too(server: GameServer) -> None:
    table, eve = begin(server, "ann", "bob"), server.player("eve")
    wants_digest(eve)
    eve.says(f"subscribe {table.number} eve secret")
    eve.hears()
    table.play("b3", "c4,k5")
    assert eve.hears_nothing()
    digest = heard_daily(server, eve, 1)
    assert f"superbo Board {table.number}: ann - bob (watched). 2 new moves. It's ann's move." in digest.words
    assert digest.reply_to == "pbem@localhost"


def test_who_has_enough_of_it_gets_what_was_kept_at_once(server: GameServer) -> None:
    first, _ = two_boards(server)
    bob = first.other
    first.one.answers(first.one_mail, "b3")
    first.one.hears()
    assert bob.hears_nothing()
    wants_digest(bob, "off")
    assert bob.hears().subject == "Your boards: 1 waits for you"
    first.one.says(f"chat {first.number} ann secret", "Hi")
    bob.hears()
    bob.says(f"move {first.number} bob secret c4,k5")
    bob.hears()
    first.one.hears()
    first.one.answers(first.one.hears(), "g2,h7")
    assert bob.hears().subject == f"superbo Board {first.number} bob"


@pytest.mark.system
def test_killed_in_the_night_it_tells_once_in_the_morning(tmp_path: Path) -> None:
    with running_server(tmp_path, timedelta(0), clock_seconds="1") as server:
        _killed_in_the_night(server)


def _killed_in_the_night(server: RunningServer) -> None:
    first, _ = two_boards(server)
    bob = first.other
    first.one.answers(first.one_mail, "b3")
    first.one.hears()
    assert bob.hears_nothing()
    server.kill()
    server.passes(DAY + HOUR)
    server.start()
    told = bob.hears()
    assert told.subject == "Your boards: 1 waits for you"
    server.kill()
    server.start()
    bob.port = server.port
    bob.hears_nothing()
    # what the relay had taken when the power was cut may come once more; it is the same mail
    again = bob.postbox.unread_for(bob.address)
    assert {mail.parsed["Message-ID"] for mail in again} <= {told.parsed["Message-ID"]}
