"""Whole games with Postfix before the server and behind it: what is mailed arrives, as it was written."""

from __future__ import annotations

import smtplib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.cli.demo import TURNS
from pbem.storage.packed_mails import without_pictures
from tests.reliability.behind_postfix import ServerBehindPostfix, running_behind_postfix
from tests.reliability.postfix_doors import without_received
from tests.support.kept_mails import words_of_kept
from tests.support.mail import PATIENCE, Mail, Person
from tests.support.postfix import ADDRESS, DOMAIN


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerBehindPostfix]:
    with running_behind_postfix(tmp_path_factory.mktemp("behind")) as behind:
        yield behind


def check_all_arrived_unchanged(behind: ServerBehindPostfix) -> None:
    """Hold what came at the players' mail server against the outbox, byte for byte."""
    behind.wait_until_idle()
    rows = behind.ledger.rows("SELECT message_id, recipient, sender, packed, state FROM outbox")
    assert {row[4] for row in rows} == {"sent"}
    came = [(str(mail.parsed["Message-ID"]), mail) for mail in behind.postbox.mails]
    assert Counter(message_id for message_id, _ in came) == Counter(row[0] for row in rows)
    written = {row[0]: row[1:4] for row in rows}
    for message_id, mail in came:
        sender, (recipient, its_sender, packed) = mail.envelope_sender.removeprefix("<>"), written[message_id]
        raw = without_received(mail.raw)
        assert (mail.recipient, sender, without_pictures(raw)) == (recipient, its_sender, words_of_kept(packed))
        check_form(raw)


def check_form(raw: bytes) -> None:
    """Check that no MTA has a reason to change a mail."""
    head, _, body = raw.partition(b"\r\n\r\n")
    assert raw.isascii()
    assert b"8bit" not in raw.lower()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    for line in body.split(b"\r\n"):
        assert line not in (b"--", b"-- ")
        assert not line.startswith((b"From ", b">From "))
        assert line == line.rstrip(b" \t")
    assert head.count(b"\r\nMessage-ID: ") == 1


def userid(person: Person) -> str:
    return person.address.partition("@")[0]


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def play_to_the_win(behind: ServerBehindPostfix) -> tuple[Person, list[Mail]]:
    """The game of `pbem demo`, its winner, and the winner's mails of the board."""
    alice, bob = behind.player("alice"), behind.player("bob")
    alice.says("superbo challenge bob", "Good luck!")
    board = alice.hears()
    bob.hears()
    mails = [board]
    for ply, turn in enumerate(TURNS):
        mover, other = (alice, bob) if ply % 2 == 0 else (bob, alice)
        mover.answers(board, turn)
        heard = {person.address: person.hears() for person in (mover, other)}
        board = heard[other.address]
        mails.append(heard[alice.address])
    return alice, mails


@pytest.mark.parametrize("tcp", [False, True], ids=["unix", "tcp"])
def test_a_whole_game_goes_through_postfix_both_ways(tmp_path: Path, tcp: bool) -> None:
    with running_behind_postfix(tmp_path, tcp=tcp) as behind:
        alice, mails = play_to_the_win(behind)
        assert "\n\nYou won! You played " in mails[-1].text
        check_all_arrived_unchanged(behind)
        check_thread(alice, mails)
        assert behind.ledger.rows("SELECT state, count(*) FROM inbox GROUP BY state") == [("done", 10)]


def check_thread(alice: Person, mails: list[Mail]) -> None:
    """All mails of a board refer to the first, and those that answer a letter of alice to that letter."""
    root = str(mails[0].parsed["Message-ID"])
    moves = alice.sent[-3:]
    for number, mail in enumerate(mails[1:]):
        answered = [moves[number // 2]] if number % 2 == 0 else []
        references = [root, *answered]
        assert str(mail.parsed["References"]).split() == references
        assert str(mail.parsed["In-Reply-To"]) == references[-1]
    assert {str(mail.parsed["List-Id"]) for mail in mails} == {f"superbo board 101 <101.boards.{DOMAIN}>"}
    assert len({str(mail.parsed["Message-ID"]) for mail in mails}) == len(mails)


@pytest.fixture
def players(behind: ServerBehindPostfix) -> tuple[Person, Person]:
    """Two new players, so that no test reads the mails of another."""
    ((number,),) = behind.ledger.rows("SELECT count(*) FROM players")
    return behind.player(f"carol{number}"), behind.player(f"dave{number}")


@pytest.mark.parametrize("game", ["superbo", "mambo", "lambo", "palago", "mamba"])
def test_boards_of_every_game_arrive_as_they_were_drawn(
    behind: ServerBehindPostfix, players: tuple[Person, Person], game: str
) -> None:
    carol, dave = players
    carol.says(f"{game} challenge {userid(dave)}")
    begun = carol.hears(), dave.hears()
    carol.answers(begun[0], "chat\n\nHello!\n\nFrom here on we play.\n.\n..\n-- \n")
    said = carol.hears(), dave.hears()
    assert all(f"{game} Board" in mail.subject for mail in begun)
    assert all("From here on we play.\n.\n..\n" in mail.text for mail in said)
    check_all_arrived_unchanged(behind)


def test_a_comment_in_any_language_survives(behind: ServerBehindPostfix, players: tuple[Person, Person]) -> None:
    carol, dave = players
    said = "Schön gespielt - größer kann man's nicht: Ω, Привет, 日本!"
    carol.says(f"superbo challenge {userid(dave)}")
    begun, _ = carol.hears(), dave.hears()
    carol.answers(begun, f"chat\n\n{said}")
    carol.hears()
    mail = dave.hears()
    assert said in mail.text
    assert b"quoted-printable" in mail.raw
    check_all_arrived_unchanged(behind)


def test_a_letter_to_two_addresses_of_ours_is_carried_out_once(
    behind: ServerBehindPostfix, players: tuple[Person, Person]
) -> None:
    carol, dave = players
    (before,) = behind.ledger.rows("SELECT (SELECT count(*) FROM boards), (SELECT count(*) FROM inbox)")
    letter = f"From: {carol.address}\r\nTo: {ADDRESS}\r\nMessage-ID: <two@example.org>\r\n"
    letter += f"Subject: superbo challenge {userid(dave)}\r\n\r\nHello!\r\n"
    with smtplib.SMTP("127.0.0.1", behind.postfix.port, timeout=PATIENCE) as client:
        assert client.sendmail(carol.address, [ADDRESS, f"pbem+abcd@{DOMAIN}"], letter.encode()) == {}
    carol.hears()
    behind.wait_until_idle()
    (after,) = behind.ledger.rows("SELECT (SELECT count(*) FROM boards), (SELECT count(*) FROM inbox)")
    assert (after[0] - before[0], after[1] - before[1]) == (1, 1)
    assert not behind.postbox.unread_for(carol.address)


def test_mails_wait_while_their_next_hop_puts_them_off(
    behind: ServerBehindPostfix, players: tuple[Person, Person]
) -> None:
    carol, dave = players
    put_off: list[str] = []

    def not_now(mail: Mail) -> str:
        put_off.append(mail.recipient)
        return "451 4.2.0 Not now"

    take, behind.postbox.answer = behind.postbox.answer, not_now
    carol.says(f"superbo challenge {userid(dave)}")
    wait_for(lambda: {carol.address, dave.address} <= set(put_off))
    behind.postbox.answer = take
    assert carol.hears().subject == dave.hears().subject
    check_all_arrived_unchanged(behind)


def test_mails_wait_while_the_relay_is_down(behind: ServerBehindPostfix, players: tuple[Person, Person]) -> None:
    carol, dave = players
    behind.wait_until_idle()  # what was sent is noted, and so comes but once though the server is killed
    behind.postfix.stop()
    direct = Person(carol.address, behind.postbox, behind.server.port, ADDRESS)
    for _ in range(3):
        direct.says(f"superbo challenge {userid(dave)}")
    wait_for(lambda: any("mail deferred" in line for line in behind.server.lines))
    behind.server.kill()
    behind.server.start()
    behind.postfix.start()
    boards = {person.address: {person.hears().subject for _ in range(3)} for person in players}
    assert boards[carol.address] == boards[dave.address]
    assert len(boards[carol.address]) == 3
    check_all_arrived_unchanged(behind)


def test_what_comes_back_comes_to_the_server(behind: ServerBehindPostfix, players: tuple[Person, Person]) -> None:
    carol, dave = players
    take = behind.postbox.answer
    behind.postbox.answer = lambda mail: "550 5.1.1 Gone" if mail.recipient == dave.address else take(mail)
    carol.says(f"superbo challenge {userid(dave)}")
    carol.hears()
    behind.wait_until_idle()
    behind.postbox.answer = take
    ((reports,),) = behind.ledger.rows("SELECT count(*) FROM inbox WHERE sender = ''")
    assert reports == 1
