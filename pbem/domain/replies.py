"""Signed reply addresses and Message-IDs: what a mail of ours proves when it is answered.

A token is 23 bytes in lower-case base32, 37 letters, because local parts are not
reliably kept in case: era and purpose (1), player or nonce (4), board or question (4), event (2),
last day of validity (2), and HMAC-SHA256 over all of that cut to 80 bits. Two bytes count the days
of 179 years; the era says which of them are meant, and is 1 for those from 2020.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import IntEnum
from typing import TypeAlias

from pbem.games.game import Seat
from pbem.ids import BoardNumber, ConfirmationId, PlayerId

_LAYOUT = struct.Struct(">BIIHH")
_MAC = 10
_EPOCH = date(2020, 1, 1)
_ERA = 2**16
"""Days."""
_LAST = 15 * _ERA - 1
"""The last day that can be written, in the year 4711; whatever ends later, or has ended earlier, ends at the edge."""


def packed_day(day: date) -> tuple[int, int]:
    """The number of an era, from 0, and of a day in it: 4 bits and 16, of tokens and of Message-IDs."""
    return divmod(max(0, min((day - _EPOCH).days, _LAST)), _ERA)


def unpacked_day(era: int, day: int) -> date:
    """The day that `packed_day` has numbered."""
    return _EPOCH + timedelta(days=era * _ERA + day)


class Purpose(IntEnum):
    """What a reply to a mail is good for."""

    BOARD = 1
    CONFIRM = 2
    BOUNCE = 3
    QUIET = 4
    CHAT = 5
    MESSAGE = 6
    PUZZLE = 7
    DIGEST = 8


@dataclass(frozen=True, slots=True)
class BoardReply:
    """Whoever answers is this player, answering this event of this board."""

    player: PlayerId
    board: BoardNumber
    event: int
    expires: date
    is_chat: bool = False
    """Whether the mail passes on words, so that its answer is words, too."""


@dataclass(frozen=True, slots=True)
class ConfirmReply:
    """Whoever answers has read the question with this number and this nonce (32 bits)."""

    confirmation: ConfirmationId
    nonce: int
    expires: date


@dataclass(frozen=True, slots=True)
class BounceReply:
    """A mail to this player has come back; ``mark`` (32 bits) says from which of his addresses."""

    player: PlayerId
    mark: int
    expires: date


@dataclass(frozen=True, slots=True)
class QuietReply:
    """This player wants less mail of this board; good for nothing else."""

    player: PlayerId
    board: BoardNumber
    expires: date


@dataclass(frozen=True, slots=True)
class TopicReply:
    """Whoever answers is this player, and has read a mail of no single board."""

    kind: Purpose
    player: PlayerId
    """0 if it went to a stranger, whose answer proves nothing."""
    number: int
    """`MESSAGE`: the player who has written; `PUZZLE`: its number; `DIGEST`: when, in minutes since 1970."""
    expires: date


TOPICS = (Purpose.MESSAGE, Purpose.PUZZLE, Purpose.DIGEST)

Reply: TypeAlias = BoardReply | ConfirmReply | BounceReply | QuietReply | TopicReply


def address_mark(address_key: str) -> int:
    """What tells the addresses of one player apart, in 32 bits."""
    return int.from_bytes(hashlib.sha256(address_key.encode()).digest()[:4])


def _fields(reply: Reply) -> tuple[Purpose, int, int, int]:
    """Purpose, player, number and event as a token has them."""
    match reply:
        case BoardReply(player, board, event):
            return Purpose.CHAT if reply.is_chat else Purpose.BOARD, player, board, event
        case ConfirmReply(confirmation, nonce):
            return Purpose.CONFIRM, nonce, confirmation, 0
        case BounceReply(player, mark):
            return Purpose.BOUNCE, player, mark, 0
        case QuietReply(player, board):
            return Purpose.QUIET, player, board, 0
        case TopicReply(kind, player, topic):
            return kind, player, topic, 0


def _reply(purpose: int, player: int, number: int, event: int, expires: date) -> Reply | None:
    match purpose:
        case Purpose.BOARD | Purpose.CHAT:
            return BoardReply(PlayerId(player), BoardNumber(number), event, expires, purpose == Purpose.CHAT)
        case Purpose.CONFIRM:
            return ConfirmReply(ConfirmationId(number), player, expires)
        case Purpose.BOUNCE:
            return BounceReply(PlayerId(player), number, expires)
        case Purpose.QUIET:
            return QuietReply(PlayerId(player), BoardNumber(number), expires)
        case Purpose.MESSAGE | Purpose.PUZZLE | Purpose.DIGEST:
            return TopicReply(Purpose(purpose), PlayerId(player), number, expires)
    return None


_TOKEN_IN_WORDS = re.compile(r"\+[a-z2-7]{37}(?![a-z0-9])", re.IGNORECASE)


def without_tokens(words: str) -> str:
    """What a mail system says, without the tokens of the addresses that it quotes."""
    return _TOKEN_IN_WORDS.sub("+...", words)


class Signer:
    """Signs tokens with the first of its keys and believes those of all of them."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = tuple(key.encode() for key in keys)

    def _mac(self, key: bytes, purpose: str, content: bytes) -> bytes:
        return hmac.digest(key, purpose.encode() + b"\0" + content, "sha256")[:_MAC]

    def sign(self, reply: Reply) -> str:
        """The token of a reply address, 37 letters."""
        purpose, player, number, event = _fields(reply)
        era, day = packed_day(reply.expires)
        content = _LAYOUT.pack(era + 1 << 4 | purpose, player, number, event, day)
        token = content + self._mac(self._keys[0], "reply", content)
        return base64.b32encode(token).decode().rstrip("=").lower()

    def read(self, token: str, now: datetime) -> Reply | None:
        """What a token proves, or None: not ours, tampered with, or expired.

        An answer to a question that comes too late is recognised all the same, to be told so: questions have a time
        of their own.
        """
        content = self._content(token)
        if content is None:
            return None
        kind, player, number, event, day = _LAYOUT.unpack(content)
        if kind >> 4 == 0:
            return None
        expires = unpacked_day((kind >> 4) - 1, day)
        if now.astimezone(UTC).date() > expires and kind & 15 != Purpose.CONFIRM:
            return None
        return _reply(kind & 15, player, number, event, expires)

    def has_signed(self, token: str) -> bool:
        """Whether a token is ours, good or not any more."""
        return self._content(token) is not None

    def _content(self, token: str) -> bytes | None:
        """What a token says, if it is ours and whole."""
        padded = token.upper() + "=" * (-len(token) % 8)
        try:
            raw = base64.b32decode(padded)
        except (binascii.Error, ValueError):
            return None
        if len(raw) != _LAYOUT.size + _MAC:
            return None
        if base64.b32encode(raw).decode().rstrip("=") != token.upper():
            return None  # the last letter has a bit to spare
        content, mac = raw[: _LAYOUT.size], raw[_LAYOUT.size :]
        expected = [self._mac(key, "reply", content) for key in self._keys]
        return content if sum(hmac.compare_digest(mac, each) for each in expected) else None

    def tag(self, *parts: object) -> str:
        """Sixteen letters that only we can make for these parts; marks a Message-ID as ours."""
        return self.tags(*parts)[0]

    def tags(self, *parts: object) -> tuple[str, ...]:
        """The same with each of our keys: what of ours may bear, whichever key we had when it was made."""
        content = "\0".join(map(str, parts)).encode()
        macs = [self._mac(key, "message-id", content) for key in self._keys]
        return tuple(base64.b32encode(mac).decode().lower() for mac in macs)

    def draw_lots(self, board: BoardNumber, players: int) -> Seat:
        """Who of so many players begins at a board; nobody can foresee it, and who has the key can draw it again."""
        mac = self._mac(self._keys[0], "lot", str(board).encode())
        return int.from_bytes(mac) % players
