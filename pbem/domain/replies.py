"""Signed addresses and Message-IDs, by which replies are recognised."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import IntEnum
from typing import TypeAlias

from pbem.domain.players import address_key
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
    """The purposes of a reply to a mail."""

    BOARD = 1
    CONFIRM = 2
    BOUNCE = 3
    QUIET = 4
    CHAT = 5
    MESSAGE = 6
    PUZZLE = 7
    DIGEST = 8
    STOP = 9


@dataclass(frozen=True, slots=True)
class BoardReply:
    """Whoever answers is this player, answering this event of this board."""

    player: PlayerId
    board: BoardNumber
    event: int
    expires: date
    is_chat: bool = False
    """The mail passes on words, so its answer is words, too."""


@dataclass(frozen=True, slots=True)
class ConfirmReply:
    """Whoever answers has read the question with this number and this nonce (32 bits)."""

    confirmation: ConfirmationId
    nonce: int
    expires: date


@dataclass(frozen=True, slots=True)
class BounceReply:
    """A mail to this player has come back; ``mark`` (32 bits) tells from which of their addresses."""

    player: PlayerId
    mark: int
    expires: date


@dataclass(frozen=True, slots=True)
class QuietReply:
    """This player wants less mail of this board; good for nothing else."""

    player: PlayerId
    board: BoardNumber
    expires: date


STOPPABLE = ("digest", "broadcast")
"""Preferences that end mails of a kind when they are off. Tokens have their places here: append only."""


@dataclass(frozen=True, slots=True)
class StopReply:
    """This player wants this preference, one of `STOPPABLE`, to be off; good for nothing else."""

    player: PlayerId
    preference: str
    expires: date


UnsubscribeReply: TypeAlias = QuietReply | StopReply
"""The contents of the link to unsubscribe in a mail."""


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

Reply: TypeAlias = BoardReply | ConfirmReply | BounceReply | UnsubscribeReply | TopicReply


def address_mark(address_key: str) -> int:
    """The mark that tells the addresses of one player apart, in 32 bits."""
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
        case StopReply(player, preference):
            return Purpose.STOP, player, STOPPABLE.index(preference), 0
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
        case Purpose.STOP if number < len(STOPPABLE):
            return StopReply(PlayerId(player), STOPPABLE[number], expires)
        case Purpose.MESSAGE | Purpose.PUZZLE | Purpose.DIGEST:
            return TopicReply(Purpose(purpose), PlayerId(player), number, expires)
    return None


_TOKEN_IN_WORDS = re.compile(r"\+[a-z2-7]{37}(?![a-z0-9])", re.IGNORECASE)


def without_tokens(words: str) -> str:
    """The words of a mail system, without the tokens of the addresses that it quotes."""
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
        """The proof in a token, or None: not ours, tampered with, or expired.

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
        """Return True if a token is ours, expired or not."""
        return self._content(token) is not None

    def _content(self, token: str) -> bytes | None:
        """The content of a token, if it is ours and whole."""
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
        """The first player among so many at a board; unpredictable, but whoever has the key can draw it again."""
        mac = self._mac(self._keys[0], "lot", str(board).encode())
        return int.from_bytes(mac) % players


_NONCE = struct.Struct(">I")
_OF_EVENT = re.compile(r"g(c?)([0-9]{1,9})\.([0-9]{1,5})\.([a-z0-9-]{1,64})\.([a-z2-7]{4})([a-z2-7]{16})")
_BOARD_MAILS = {"": "board mail", "c": "chat mail"}
_OF_ROOT = re.compile(r"g([0-9]{1,9})\.0\.([a-z2-7]{16})")
_OF_TOPIC = re.compile(r"q([mpd])([0-9]{1,10})\.([a-z0-9-]{1,64})\.([a-z2-7]{4})([a-z2-7]{16})")
_TOPICS = dict(zip("mpd", TOPICS, strict=True))
_OF_QUESTION = re.compile(r"q([0-9]{1,9})\.([a-z0-9-]{1,64})\.([a-z2-7]{4})([a-z2-7]{7})([a-z2-7]{16})")
_OF_ANYTHING = re.compile(r"m\.([a-z0-9-]{1,64})\.([a-z2-7]{16})")


@dataclass(frozen=True, slots=True)
class BoardMail:
    """A mail of a board, as it was after ``event``."""

    board: BoardNumber
    event: int
    expires: date | None
    """The last day on which answering it proves anything; None for the first mail of a board, whose own age says so."""
    is_chat: bool = False
    """It passes on words."""


@dataclass(frozen=True, slots=True)
class QuestionMail:
    """A mail that asks something."""

    confirmation: ConfirmationId
    nonce: int
    expires: date
    """The last day on which it can be answered."""


@dataclass(frozen=True, slots=True)
class TopicMail:
    """A mail of no single board, as `TopicReply` has it."""

    kind: Purpose
    number: int
    expires: date


@dataclass(frozen=True, slots=True)
class OtherMail:
    """A mail of ours whose answer proves nothing."""


AnsweredMail: TypeAlias = BoardMail | QuestionMail | TopicMail | OtherMail


class MessageIds:
    """Makes our Message-IDs, and reads those that come back."""

    def __init__(self, signer: Signer, domain: str) -> None:
        self._signer = signer
        self._domain = domain

    def of_event(
        self, board: int, event: int, key: str, recipient: str, expires: date, *, is_chat: bool = False
    ) -> str:
        """Of a mail that shows a board as it is after an event; ``key`` is what the outbox knows it by."""
        day, kind = _day_letters(expires), "c" if is_chat else ""
        tag = self._signer.tag(_BOARD_MAILS[kind], board, event, key, day, address_key(recipient))
        return f"<g{kind}{board}.{event}.{key}.{day}{tag}@{self._domain}>"

    def of_topic(self, reply: TopicReply, key: str, recipient: str) -> str:
        """Of a mail of no single board."""
        kind = next(letter for letter, kind in _TOPICS.items() if kind == reply.kind)
        day = _day_letters(reply.expires)
        tag = self._signer.tag("topic", kind, reply.number, key, day, address_key(recipient))
        return f"<q{kind}{reply.number}.{key}.{day}{tag}@{self._domain}>"

    def of_root(self, board: int, recipient: str) -> str:
        """Of the first mail of a board; always the same for one recipient."""
        return f"<g{board}.0.{self._signer.tag('root', board, address_key(recipient))}@{self._domain}>"

    def of_question(self, reply: ConfirmReply, key: str, recipient: str) -> str:
        """Of a mail that asks something."""
        number, nonce = reply.confirmation, _letters(_NONCE, reply.nonce)
        day = _day_letters(reply.expires)
        tag = self._signer.tag("question", number, key, day, nonce, address_key(recipient))
        return f"<q{number}.{key}.{day}{nonce}{tag}@{self._domain}>"

    def of_anything(self, key: str, recipient: str) -> str:
        """Of any other mail."""
        return f"<m.{key}.{self._signer.tag('mail', key, address_key(recipient))}@{self._domain}>"

    def read(self, message_id: str, recipient: str, now: datetime) -> AnsweredMail | None:
        """The mail with this Message-ID, if it is one that we have sent to this recipient and is still good.

        A question is recognised after its last day too, to say that it is too old.
        """
        mail = self._read(message_id, recipient)
        expires = mail.expires if isinstance(mail, BoardMail | TopicMail) else None
        return None if expires is not None and now.astimezone(UTC).date() > expires else mail

    def is_ours(self, message_id: str, to: Iterable[str]) -> bool:
        """Return True if a letter is one of our mails: its Message-ID is ours, made for an address that it goes to."""
        return any(self._read(message_id, each) is not None for each in to)

    def _read(self, message_id: str, recipient: str) -> AnsweredMail | None:
        local, _, domain = message_id.strip().removeprefix("<").removesuffix(">").rpartition("@")
        if domain.lower() != self._domain.lower():
            return None
        key = address_key(recipient)
        return self._of_board(local, key) or self._of_other(local, key)

    def _of_board(self, local: str, recipient_key: str) -> AnsweredMail | None:
        if found := _OF_EVENT.fullmatch(local):
            kind, board, event, key, day, tag = found.groups()
            known = self._is_tag(tag, _BOARD_MAILS[kind], int(board), int(event), key, day, recipient_key)
            return BoardMail(BoardNumber(int(board)), int(event), _day(day), bool(kind)) if known else None
        if found := _OF_ROOT.fullmatch(local):
            known = self._is_tag(found[2], "root", int(found[1]), recipient_key)
            return BoardMail(BoardNumber(int(found[1])), 0, None) if known else None
        return None

    def _of_other(self, local: str, recipient_key: str) -> AnsweredMail | None:
        if found := _OF_QUESTION.fullmatch(local):
            question, key, day, nonce, tag = found.groups()
            known = self._is_tag(tag, "question", int(question), key, day, nonce, recipient_key)
            bits = _number(_NONCE, nonce)
            return QuestionMail(ConfirmationId(int(question)), bits, _day(day)) if known and bits is not None else None
        if found := _OF_TOPIC.fullmatch(local):
            kind, number, key, day, tag = found.groups()
            known = self._is_tag(tag, "topic", kind, int(number), key, day, recipient_key)
            return TopicMail(_TOPICS[kind], int(number), _day(day)) if known else None
        if found := _OF_ANYTHING.fullmatch(local):
            return OtherMail() if self._is_tag(found[2], "mail", found[1], recipient_key) else None
        return None

    def _is_tag(self, tag: str, *parts: object) -> bool:
        """Return True if a tag is ours for these parts, made with any of our keys."""
        return sum(hmac.compare_digest(tag, each) for each in self._signer.tags(*parts)) > 0


def _letters(layout: struct.Struct, number: int) -> str:
    return base64.b32encode(layout.pack(number)).decode().rstrip("=").lower()


def _number(layout: struct.Struct, letters: str) -> int | None:
    try:
        (number,) = layout.unpack(base64.b32decode(letters.upper() + "=" * (-len(letters) % 8)))
    except (binascii.Error, struct.error):
        return None
    return int(number)


def _day_letters(expires: date) -> str:
    """A day in four letters: its number in 16 bits, and in the 4 that are to spare behind them its era."""
    era, day = packed_day(expires)
    return base64.b32encode((day << 8 | era << 4).to_bytes(3)).decode()[:4].lower()


def _day(letters: str) -> date:
    bits = int.from_bytes(base64.b32decode(letters.upper() + "A==="))
    return unpacked_day(bits >> 4 & 15, bits >> 8)
