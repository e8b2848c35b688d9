"""Mail programs whose connections break, and what they know in the end of each letter."""

from __future__ import annotations

import re
import smtplib
import socket
import struct
import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from tests.reliability.mailers import Mailers
from tests.reliability.posts import Post
from tests.soak.logs import CARELESS, Fate, Logs, Sent
from tests.soak.people import People
from tests.support.server import RunningServer

_BREAKS = 0.06
"""The share of the tries that break off."""
_REFUSAL = 400
"""SMTP replies from here on say no."""
_RESET = struct.pack("ii", 1, 0)


class RoughMailers(Mailers):
    """Mail programs whose connections break in DATA now and then, before the end of the letter or behind it."""

    rest = 0.1

    def __init__(self, server: RunningServer, people: Sequence[People], logs: Logs, chance: Random) -> None:
        super().__init__(server, [each.letters() for each in people])
        self._logs = logs
        self._chance = chance
        self._broken: dict[str, list[str]] = {}

    def _hand_over(self, client: smtplib.SMTP, letter: Post) -> None:
        is_careless = letter.author.startswith(CARELESS)
        chance = self._chance.random()
        if is_careless or chance < _BREAKS:
            rest = self._chance.uniform(0, 0.015) if is_careless or chance < _BREAKS / 2 else None
            _break_off(client, letter, rest)
        super()._hand_over(client, letter)
        self._note(letter, Fate.ACCEPTED)

    def _tries_again(self, letter: Post, failed: Exception) -> bool:
        broken = self._broken.setdefault(letter.message_id, [])
        broken.append(str(failed) if isinstance(failed, BrokenOff) else type(failed).__name__)
        if letter.author.startswith(CARELESS) and isinstance(failed, BrokenOff):
            self._note(letter, Fate.UNKNOWN)
            return False
        return True

    def _note(self, letter: Post, fate: Fate) -> None:
        broken = tuple(self._broken.pop(letter.message_id, ()))
        sent = Sent(letter.message_id, letter.author, letter.told, letter.subject, fate, broken, letter.rival)
        self._logs.sent.append(sent)


class BrokenOff(smtplib.SMTPServerDisconnected):
    """A connection was broken off on purpose."""


def _break_off(client: smtplib.SMTP, letter: Post, behind: float | None) -> None:
    """Begin to hand a letter over, and reset the connection.

    Args:
        client: to whom.
        letter: the letter.
        behind: how many seconds behind its end; None: in the middle of it.

    Raises:
        Broken: always, if the server has let it come to that.
    """
    client.ehlo_or_helo_if_needed()
    for code, _ in (client.mail(letter.sender), client.rcpt(letter.to), client.docmd("DATA")):
        if code >= _REFUSAL:
            raise smtplib.SMTPServerDisconnected(str(code))
    whole = re.sub(rb"(?m)^\.", b"..", letter.raw)
    client.send(whole[: len(whole) // 2] if behind is None else whole + b".\r\n")
    if behind is not None:
        time.sleep(behind)  # a reset at once would take the letter away from under the server
    assert client.sock is not None
    with suppress(OSError):
        client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    client.close()
    raise BrokenOff("in the letter" if behind is None else "behind the end")
