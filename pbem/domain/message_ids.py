"""Our Message-IDs: what a letter proves that answers a mail of ours by In-Reply-To.

They prove what the reply address proves, where some mail system has stripped that off:
each bears a tag that only we can make for its recipient, who alone has seen it.

=================================  ======================================================
``<g101.23.<key>.<tag>@host>``     board 101 as it was after event 23; the tag begins
                                   with the last day on which it is good
``<g101.0.<tag>@host>``            the first mail of board 101, and the root of its
                                   thread: made again for every mail that refers to it,
                                   so it can bear no day
``<gc101.23.<key>.<tag>@host>``    words that were passed on at that board
``<qm7.<key>.<tag>@host>``         a message of player 7; a puzzle (``qp``), a daily mail (``qd``)
``<q5.<key>.<tag>@host>``          question 5; the tag begins likewise, and with its nonce
``<m.<key>.<tag>@host>``           anything else; to be known as ours
=================================  ======================================================
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TypeAlias

from pbem.domain.players import address_key
from pbem.domain.replies import TOPICS, ConfirmReply, Purpose, Signer, TopicReply, packed_day, unpacked_day
from pbem.ids import BoardNumber, ConfirmationId

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
    """Whether it passes on words."""


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
        """Whether a letter is one of our own mails: its Message-ID is ours, made for an address that it goes to."""
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
        """Whether a tag is ours for these parts, made with any of our keys."""
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
