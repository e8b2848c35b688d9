"""Signed reply addresses and Message-IDs: what a mail of ours proves when it is answered.

A token is 23 bytes in lower-case base32, 37 letters, because local parts are not
reliably kept in case: version and purpose (1), player (4), board or question (4),
event (2), last day of validity (2), and HMAC-SHA256 over all of that cut to 80 bits.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import struct
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING

from pbem.ids import BoardNumber, ConfirmationId, PlayerId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games.game import Seat

_VERSION = 1
_LAYOUT = struct.Struct(">BIIHH")
_MAC = 10
_EPOCH = date(2020, 1, 1)


class Purpose(IntEnum):
    """What a reply to a mail is good for."""

    BOARD = 1
    CONFIRM = 2


@dataclass(frozen=True, slots=True)
class BoardReply:
    """Whoever answers is this player, answering this event of this board."""

    player: PlayerId
    board: BoardNumber
    event: int
    expires: date


@dataclass(frozen=True, slots=True)
class ConfirmReply:
    """Whoever answers has read the question with this number."""

    confirmation: ConfirmationId
    expires: date


class Signer:
    """Signs tokens with the first of its keys and believes those of all of them."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = tuple(key.encode() for key in keys)

    def _mac(self, key: bytes, purpose: str, content: bytes) -> bytes:
        return hmac.new(key, purpose.encode() + b"\0" + content, hashlib.sha256).digest()[:_MAC]

    def sign(self, reply: BoardReply | ConfirmReply) -> str:
        """The token of a reply address, 37 letters."""
        days = (reply.expires - _EPOCH).days
        if isinstance(reply, BoardReply):
            content = _LAYOUT.pack(_VERSION << 4 | Purpose.BOARD, reply.player, reply.board, reply.event, days)
        else:
            content = _LAYOUT.pack(_VERSION << 4 | Purpose.CONFIRM, 0, reply.confirmation, 0, days)
        token = content + self._mac(self._keys[0], "reply", content)
        return base64.b32encode(token).decode().rstrip("=").lower()

    def read(self, token: str, now: datetime) -> BoardReply | ConfirmReply | None:
        """What a token proves, or None: not ours, tampered with, or expired."""
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
        if sum(hmac.compare_digest(mac, each) for each in expected) == 0:
            return None
        kind, player, number, event, days = _LAYOUT.unpack(content)
        expires = _EPOCH + timedelta(days=days)
        if now.astimezone(UTC).date() > expires:
            return None
        if kind == _VERSION << 4 | Purpose.BOARD:
            return BoardReply(PlayerId(player), BoardNumber(number), event, expires)
        if kind == _VERSION << 4 | Purpose.CONFIRM:
            return ConfirmReply(ConfirmationId(number), expires)
        return None

    def tag(self, *parts: object) -> str:
        """Sixteen letters that only we can make for these parts; marks a Message-ID as ours."""
        mac = self._mac(self._keys[0], "message-id", "\0".join(map(str, parts)).encode())
        return base64.b32encode(mac).decode().lower()

    def draw_lots(self, board: BoardNumber, players: int) -> Seat:
        """Who of so many players begins at a board; nobody can foresee it, and who has the key can draw it again."""
        mac = self._mac(self._keys[0], "lot", str(board).encode())
        return int.from_bytes(mac) % players
