"""Two letters at the same moment that cannot both be right."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from tests.reliability.ledger import Ledger
from tests.reliability.posts import PASSWORD, PlayingPair, address, random_turns
from tests.support.mail import Mail
from tests.support.server import RunningServer, running_server

ROUNDS = 15


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(tmp_path, confirm_signup="false", log_level="warning") as server:
        yield server


@pytest.fixture
def pair(server: RunningServer) -> PlayingPair:
    pair = PlayingPair("p", 101)
    for letter in (*pair.signups(), pair.challenge()):
        server.person("anybody").mails(letter.raw, sender=letter.sender)
    for userid in pair.players:
        assert server.person(userid).hears().subject == f"Welcome to pbem, {userid}"
    for userid in pair.players:
        assert server.person(userid).hears().subject == "New superbo Board 101 p-a"
    return pair


def both(server: RunningServer, pair: PlayingPair, player: str, *commands: str) -> None:
    """Mail these commands from different senders at once; on return all are accepted."""
    at_once = Barrier(len(commands))
    letters = [pair.letter(player, command) for command in commands]

    def mail(number: int) -> None:
        at_once.wait(20)
        server.person(player).mails(letters[number].raw, sender=f"way{number}@example.org")

    with ThreadPoolExecutor(len(commands)) as threads:
        list(threads.map(mail, range(len(commands))))


def subjects(mails: list[Mail]) -> set[str]:
    return {mail.subject for mail in mails}


@pytest.mark.parametrize("with_number", [True, False], ids=["with #moveno", "without"])
def test_of_two_letters_with_the_same_move_one_is_played_and_the_other_is_shown_the_board(
    server: RunningServer, pair: PlayingPair, with_number: bool
) -> None:
    turns = random_turns(1, ROUNDS)
    for ply, (text, _) in enumerate(turns):
        mover, other = pair.players[ply % 2], pair.players[1 - ply % 2]
        number = f"#{ply + 1}" if with_number else ""
        both(server, pair, mover, *[f"move 101 {mover} {PASSWORD} {text}{number}"] * 2)
        told = [server.person(mover).hears() for _ in range(2)]
        assert subjects(told) == {f"superbo Board 101 {other}", "superbo Board 101 Error"}
        (refusal,) = [mail for mail in told if mail.subject.endswith("Error")]
        assert f"It's {other}'s move" in refusal.text
        assert text in refusal.text
        assert server.person(other).hears().subject == f"superbo Board 101 {other}"
    events = Ledger(server.database).rows("SELECT number FROM events WHERE board_number = 101 ORDER BY number")
    assert events == [(number,) for number in range(1, len(turns) + 1)]
    assert not server.postbox.unread_for(address(pair.players[0]))
    assert not server.postbox.unread_for(address(pair.players[1]))


def test_of_two_different_moves_at_once_one_is_played(server: RunningServer, pair: PlayingPair) -> None:
    mover, other = pair.players
    both(server, pair, mover, *(f"move 101 {mover} {PASSWORD} {text}" for text in ("C3", "B3")))
    told = [server.person(mover).hears() for _ in range(2)]
    assert subjects(told) == {f"superbo Board 101 {other}", "superbo Board 101 Error"}
    assert Ledger(server.database).rows("SELECT count(*) FROM events") == [(1,)]


def test_a_userid_that_several_want_at_once_goes_to_one(server: RunningServer, pair: PlayingPair) -> None:
    for number in range(5):
        wanted = f"wanted{number}"
        both(server, pair, wanted, *(f"signup {wanted} {password}" for password in ("first1", "second2", "third3")))
        told = [server.person(wanted).hears() for _ in range(3)]
        assert [mail.subject for mail in told].count(f"Welcome to pbem, {wanted}") == 1
    assert Ledger(server.database).rows("SELECT count(*) FROM players WHERE userid_key LIKE 'wanted%'") == [(5,)]


def test_challenges_at_once_start_boards_with_different_numbers(server: RunningServer, pair: PlayingPair) -> None:
    both(server, pair, pair.players[0], *[f"superbo challenge {pair.players[1]}"] * 6)
    told = {server.person(player).hears().subject for player in pair.players for _ in range(6)}
    assert told == {f"New superbo Board {number} p-a" for number in range(102, 108)}
