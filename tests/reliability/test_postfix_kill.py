"""Power cuts behind Postfix: it brings again what it was not thanked for, and nothing is done twice."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from tests.reliability.behind_postfix import ServerBehindPostfix, running_behind_postfix
from tests.reliability.ledger import check_exactly_once
from tests.reliability.posts import PASSWORD, PlayingPair, Post
from tests.support.mail import PATIENCE
from tests.support.postfix import ADDRESS

_LONG = 6 * PATIENCE


def _letters(pair: PlayingPair, count: int) -> list[Post]:
    """Letters whose order does not matter, as Postfix keeps none.

    Newcomers sign up and strangers ask for help; boards are opened; and an odd number of announcements to resign is
    made, each of which takes the one before back.
    """
    player, letters = pair.players[0], []
    for number in range(count):
        newcomer = f"{pair.name}-new{number}"
        if number % 4 == 0:
            letters.append(pair.letter(newcomer, f"signup {newcomer} {PASSWORD}"))
        elif number % 4 == 1:
            letters.append(pair.challenge())
        elif number % 4 == 2 and (number > 2 or count // 4 % 2):
            letters.append(pair.letter(player, f"resign {pair.board} {player} {PASSWORD}"))
        else:
            letters.append(pair.letter(newcomer, "help"))
    return letters


def _check_announcements(behind: ServerBehindPostfix, pairs: Sequence[PlayingPair], letters: Sequence[Post]) -> None:
    for pair in pairs:
        made = sum(b"Subject: resign %d " % pair.board in letter.raw for letter in letters)
        (seat,) = behind.ledger.rows(f"SELECT resigning FROM seats WHERE board_number = {pair.board} AND seat = 0")  # noqa: S608
        assert (made % 2, seat) == (1, (1,))


def _mail(port: int, letters: Sequence[Post]) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=_LONG) as client:
        for letter in letters:
            client.sendmail(letter.sender, [ADDRESS], letter.raw)


def _hang_up_before_the_reply(behind: ServerBehindPostfix, letters: Sequence[Post]) -> None:
    """Bring each letter by LMTP and be gone when the reply comes; then bring it until it is thanked for."""
    for letter in letters:
        with suppress(OSError, smtplib.SMTPException), smtplib.LMTP(str(behind.postfix.socket)) as client:
            client.ehlo("mx.example.org")
            client.mail(letter.sender)
            client.rcpt(ADDRESS)
            client.docmd("DATA")
            client.send(letter.raw + b".\r\n")
            client.close()
        deadline = time.monotonic() + _LONG
        while True:
            try:
                with smtplib.LMTP(str(behind.postfix.socket)) as client:
                    client.sendmail(letter.sender, [ADDRESS], letter.raw)
                break
            except (OSError, smtplib.SMTPException):
                assert time.monotonic() < deadline
                time.sleep(0.05)


def _kill_when_something_was_stored(behind: ServerBehindPostfix, random: Random, letters: int) -> None:
    """Kill the server as soon as it has stored a certain number of letters, or a moment later."""
    deadline = time.monotonic() + _LONG
    while behind.ledger.rows("SELECT count(*) FROM inbox")[0][0] < letters:
        assert time.monotonic() < deadline, behind.postfix.log[-2000:]
        time.sleep(0.001)
    time.sleep(random.choice([0, 0, 0.01, 0.05]))
    behind.server.kill()
    behind.server.start()


def _kill_again_and_again(folder: Path, seed: int, pairs: int, each: int, kills: int) -> None:
    random = Random(seed)
    settings = {"confirm_signup": "false", "max_answers_per_day": "100000"}
    with running_behind_postfix(folder, tcp=False, through_relay=False, **settings) as behind:
        couples = [PlayingPair(f"p{number}", 101 + number) for number in range(pairs)]
        beginning = [post for pair in couples for post in (*pair.signups(), pair.challenge())]
        beginning += [post for pair in couples for post in pair.moves(seed, 1)]
        _mail(behind.server.port, beginning)
        behind.ledger.wait_until_idle()

        work = [_letters(pair, each) for pair in couples]
        letters = [letter for part in work for letter in part]
        by_hand = pairs // 4
        threads = [Thread(target=_hang_up_before_the_reply, args=(behind, part)) for part in work[:by_hand]]
        threads += [Thread(target=_mail, args=(behind.postfix.port, part)) for part in work[by_hand:]]
        for thread in threads:
            thread.start()
        first = len(beginning) + 1
        done = 0
        for stored in sorted(random.sample(range(first, first + len(letters) - 10), kills)):
            # A letter that three servers in succession died of would be shunted, as it should be.
            done = behind.ledger.wait_until_more_is_done_than(done)
            _kill_when_something_was_stored(behind, random, stored)
        for thread in threads:
            thread.join(_LONG)
            assert not thread.is_alive()
        behind.wait_until_idle()
        behind.server.stop()
        check_exactly_once(behind.server, [*beginning, *letters], ())
        _check_announcements(behind, couples, letters)
        again = sum("letter seen before" in line for line in behind.server.lines)
        assert again >= by_hand * each // 2, "hardly a letter came twice"


def test_letters_behind_postfix_are_handled_exactly_once_whenever_the_power_is_cut(tmp_path: Path) -> None:
    _kill_again_and_again(tmp_path, seed=1, pairs=8, each=13, kills=4)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_same_with_a_thousand_letters(tmp_path: Path) -> None:
    _kill_again_and_again(tmp_path, seed=2, pairs=20, each=50, kills=25)
