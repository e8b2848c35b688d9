"""Mail programs that do not give up."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Iterable
from contextlib import suppress
from threading import Condition, Thread

from tests.reliability.ledger import Ledger
from tests.reliability.posts import LONG, PlayingPair, Post
from tests.support.server import RunningServer


class Mailers:
    """One thread for each list of letters; sends the same bytes again until it hears 250, as an MTA does."""

    rest = 0.01
    """Seconds until a letter is tried again."""

    def __init__(self, server: RunningServer, work: Iterable[Iterable[Post]]) -> None:
        self.accepted: list[Post] = []
        self._server = server
        self._is_up = True
        self._given_up = False
        self._changed = Condition()
        self._threads = [Thread(target=self._send_all, args=(letters,)) for letters in work]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wait_for(self, accepted: int) -> None:
        """Wait until so many letters have been answered 250."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.accepted) >= accepted, LONG), "letters are not accepted"

    def server_is(self, up: bool) -> None:
        with self._changed:
            self._is_up = up
            self._changed.notify_all()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(LONG)
            assert not thread.is_alive()

    def give_up(self) -> None:
        """Send no more; whatever is not accepted now is not tried again."""
        self._given_up = True
        self.server_is(True)
        self.join()

    def _send_all(self, letters: Iterable[Post]) -> None:
        client: smtplib.SMTP | None = None
        for letter in letters:
            while not self._given_up:
                try:
                    client = client or smtplib.SMTP("127.0.0.1", self._server.port, timeout=LONG)
                    self._hand_over(client, letter)
                except (OSError, smtplib.SMTPException) as failed:
                    _hang_up(client)
                    client = None
                    if not self._tries_again(letter, failed):
                        break
                    with self._changed:
                        self._changed.wait_for(lambda: self._is_up, LONG)
                    time.sleep(self.rest)
                    continue
                with self._changed:
                    self.accepted.append(letter)
                    self._changed.notify_all()
                break
        _hang_up(client)

    def _hand_over(self, client: smtplib.SMTP, letter: Post) -> None:
        """Try once; on return it has been answered 250."""
        client.sendmail(letter.sender, [letter.to], letter.raw)

    def _tries_again(self, _letter: Post, _failed: Exception) -> bool:
        """Return True to send a letter that has failed again."""
        return True


def _hang_up(client: smtplib.SMTP | None) -> None:
    if client is not None:
        with suppress(OSError, smtplib.SMTPException):
            client.quit()
        client.close()


def begun(server: RunningServer, pair: PlayingPair) -> list[Post]:
    """The letters by which a pair has begun its board, once they are handled: before that nobody knows its number."""
    mailers = Mailers(server, [[*pair.signups(), pair.challenge()]])
    mailers.start()
    mailers.join()
    Ledger(server.database).wait_until_idle()
    return mailers.accepted
