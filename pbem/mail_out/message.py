"""Mails as final bytes: words, pictures and attachments as MIME parts under their headers."""

from __future__ import annotations

import hashlib
import re
from binascii import b2a_base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from email.message import Message
from email.quoprimime import body_encode
from email.utils import format_datetime, formataddr
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import Attachment, Notice
from pbem.domain.players import Player, is_mailable
from pbem.domain.replies import BoardReply, QuietReply, StopReply, TopicReply, UnsubscribeReply
from pbem.mail_out.headers import LONGEST_LINE, Headers, copied, header_line, subject_of
from pbem.wording.mails import Picture, RenderedMail
from pbem.wording.templates import Wording


class MailPart(NamedTuple):
    """A part of a mail."""

    head: bytes
    """The lines that tell what it is."""
    body: bytes

    @property
    def whole(self) -> bytes:
        """As it stands between boundaries."""
        return self.head + _BREAK + self.body


_BREAK = b"\r\n"
_ANY_BREAK = re.compile("\r\n|\r|\n")
_LONGEST_ENCODED = 76
"""Characters of a line of quoted-printable (RFC 2045 s 6.7)."""
_MISTAKEN = re.compile(r"^(?:F(?=rom )|-(?=-$))", re.MULTILINE)
"""The first letter of a line that mail programs would take for something else."""

_PICTURES = 16
"""Pictures that are kept encoded: a board is mailed to all its players at once."""


def content(words: RenderedMail, attachments: Sequence[Attachment], boundary: str) -> MailPart:
    """All that stands below the headers of a mail.

    Args:
        words: the text, and perhaps HTML beside it or alone.
        attachments: files to go with it.
        boundary: what no line of the content is; a number is put behind it for each level.
    """
    number = count()

    def several(subtype: str, *parts: MailPart) -> MailPart:
        return _multipart(subtype, parts, f"{boundary}.{next(number)}")

    said = _said(words, several)
    return several("mixed", said, *map(_file, attachments)) if attachments else said


def _said(words: RenderedMail, several: Callable[..., MailPart]) -> MailPart:
    """The text, the HTML, or both: who reads mail chooses among alternatives (RFC 2046 s 5.1.4)."""
    if words.html is None:
        return _text(words.body, "plain")
    page = _text(words.html, "html")
    if words.pictures:
        page = several('related; type="text/html"', page, *map(_picture, words.pictures))  # RFC 2387 s 3.1
    return page if words.html_alone else several("alternative", _text(words.body, "plain"), page)


def _text(text: str, subtype: str) -> MailPart:
    if text.isascii() and max(map(len, text.split("\n"))) <= LONGEST_LINE:
        return _part(f'text/{subtype}; charset="us-ascii"', "7bit", text)
    return _part(f'text/{subtype}; charset="utf-8"', "quoted-printable", _quoted_printable(text))


def _quoted_printable(text: str) -> str:
    """The text encoded; the lines that folding makes are tidy too, as the text was before."""
    room_to_escape = 2
    as_characters = text.encode().decode("latin-1")  # the encoder wants a character for each byte
    encoded = body_encode(as_characters, _LONGEST_ENCODED - room_to_escape)
    return _MISTAKEN.sub(lambda first: f"={ord(first[0]):02X}", encoded)


@lru_cache(maxsize=_PICTURES)
def _picture(picture: Picture) -> MailPart:
    more = f"Content-ID: <{picture.cid}>", "Content-Disposition: inline"
    return MailPart(_head("image/png", "base64", *more), _encoded(picture.content))


@lru_cache(maxsize=_PICTURES)
def _encoded(content: bytes) -> bytes:
    """A picture as it stands in mails: each reader's has a name of its own."""
    return _base64(content)


def _file(attachment: Attachment) -> MailPart:
    named: Message[str, str] = Message()
    named.add_header("Content-Disposition", "attachment", filename=attachment.name)
    more = f"Content-Disposition: {named['Content-Disposition']}"
    return MailPart(_head(attachment.content_type, "base64", more), _base64(attachment.content))


def _base64(content: bytes) -> bytes:
    encoded = b2a_base64(content, newline=False)
    lines = (encoded[start : start + _LONGEST_ENCODED] + _BREAK for start in range(0, len(encoded), _LONGEST_ENCODED))
    return b"".join(lines)


def _multipart(subtype: str, parts: tuple[MailPart, ...], boundary: str) -> MailPart:
    mark = f"--{boundary}".encode()
    lines = [each for part in parts for each in (mark, part.whole)]
    return MailPart(
        f'Content-Type: multipart/{subtype}; boundary="{boundary}"\r\n'.encode(),
        _BREAK.join((*lines, mark + b"--", b"")),
    )


def _part(content_type: str, encoding: str, payload: str) -> MailPart:
    breaks = payload.replace("\n", "\r\n") if "\r" not in payload else _ANY_BREAK.sub("\r\n", payload)
    return MailPart(_head(content_type, encoding), breaks.encode("ascii"))


def _head(content_type: str, encoding: str, *more: str) -> bytes:
    lines = f"Content-Type: {content_type}", f"Content-Transfer-Encoding: {encoding}", *more
    return b"".join(line.encode("ascii") + _BREAK for line in lines)


_REPLY_FOR = timedelta(days=90)


def _no_bulletins(_now: datetime) -> Sequence[str]:
    return ()


class Composer:
    """Renders notices and wraps them in mails.

    Args:
        wording: the templates.
        headers: makes what is ours alone to make.
        reply_for: how long the addresses in a mail are good.
        bulletins: what the operator tells everybody at a moment: it stands below every mail to a player.
    """

    def __init__(
        self,
        wording: Wording,
        headers: Headers,
        reply_for: timedelta = _REPLY_FOR,
        bulletins: Callable[[datetime], Sequence[str]] = _no_bulletins,
    ) -> None:
        self._wording = wording
        self._headers = headers
        self._reply_for = reply_for
        self._bulletins = bulletins

    def compose(
        self, notices: Iterable[Notice], origin: str, now: datetime, letter: str | None = None
    ) -> list[OutgoingMail]:
        """The mails of some notices, one recipient each.

        Args:
            notices: what is to be told.
            origin: what caused them; with a number behind it, it is the mail's key in the outbox.
            now: when.
            letter: the Message-ID of the letter that some of them answer.
        """
        mails: list[OutgoingMail] = []
        notices = tuple(notices)
        bulletins = {False: (), True: self._bulletins(now) if any(map(_has_bulletins, notices)) else ()}
        for notice in notices:
            addresses = _addresses(notice)
            if not addresses and not _is_withheld(notice):
                continue
            proves = None if isinstance(notice.reply, TopicReply) else notice.reply  # which shows where to move
            reply_to = None if proves is None else self._headers.reply_to(proves)
            words = (
                None if notice.copy_of else self._wording.render(notice, reply_to, bulletins[_has_bulletins(notice)])
            )
            for recipient in addresses or ("",):
                key = f"{origin}-{len(mails) + 1}"
                mail = self._mail(notice, words, recipient, key, now, letter)
                if not notice.is_decoy:
                    mails.append(mail)
        return mails

    def _mail(
        self, notice: Notice, words: RenderedMail | None, recipient: str, key: str, now: datetime, letter: str | None
    ) -> OutgoingMail:
        message_id = self._headers.message_id(notice, recipient, key)
        if not recipient:
            raw = b""
        elif words is None:
            raw = self._copy(notice, recipient, message_id, now)
        else:
            raw = self._message(notice, words, recipient, message_id, now, letter)
        return OutgoingMail(
            key=key,
            message_id=message_id,
            sender=self._sender(notice, recipient, now),
            recipient=recipient,
            raw=raw,
            player=notice.to.id if isinstance(notice.to, Player) else None,
            board=notice.thread.board if notice.thread else None,
            name=notice.filed_as,
            subject=subject_of(raw) if words is None else words.subject,
            answers=notice.answers,
            leaves_at=notice.leaves_at,
            awaits_robot=notice.awaits_robot,
            supersedes=notice.supersedes,
        )

    def _sender(self, notice: Notice, recipient: str, now: datetime) -> str:
        """The envelope sender: what comes back is only of use if it was for a player."""
        if notice.from_nobody or not recipient or not isinstance(notice.to, Player):
            return ""
        return self._headers.bounces_to(notice.to.id, recipient, (now + self._reply_for).date())

    def _message(
        self, notice: Notice, words: RenderedMail, recipient: str, message_id: str, now: datetime, letter: str | None
    ) -> bytes:
        body = content(words, notice.attachments, _boundary(message_id))
        headers = self._headers_of(notice, words, recipient, message_id, now, letter)
        return b"".join((*(header_line(*each) for each in headers), body.head, b"\r\n", body.body))

    def _headers_of(
        self, notice: Notice, words: RenderedMail, recipient: str, message_id: str, now: datetime, letter: str | None
    ) -> Iterator[tuple[str, str]]:
        """The headers of a mail but for those of its content, in their order."""
        yield "From", _named(self._headers.address)
        yield "To", recipient
        yield "Subject", words.subject.replace("=?", "= ?")
        yield "Date", _date(now)
        yield "Message-ID", message_id
        if references := self._headers.references(notice, recipient, None if notice.is_brief else letter):
            yield "In-Reply-To", references[-1]
            yield "References", " ".join(references)
        if notice.reply is not None and self._headers.has_sub_addresses:
            yield "Reply-To", _named(self._headers.reply_to(notice.reply))
        if notice.thread is not None:
            yield "List-Id", self._headers.list_id(notice.thread)
        if (unsubscribes := _unsubscribe_reply(notice, (now + self._reply_for).date())) is not None:
            yield from self._headers.unsubscribe(unsubscribes)
        yield "Auto-Submitted", "auto-replied" if notice.answers else "auto-generated"
        yield "X-Auto-Response-Suppress", "All"
        yield "MIME-Version", "1.0"

    def _copy(self, notice: Notice, recipient: str, message_id: str, now: datetime) -> bytes:
        """A mail once more, as one of its own in the thread: the first of a thread is its root but once."""
        references = self._headers.references(replace(notice, answers=False), recipient, None)
        fresh = {"Date": format_datetime(now), "Message-ID": message_id}
        if references:
            fresh |= {"In-Reply-To": references[-1], "References": " ".join(references)}
        return copied(notice.copy_of or b"", fresh)


@lru_cache(maxsize=_PICTURES)
def _named(address: str) -> str:
    """An address of ours with our name."""
    return formataddr(("pbem", address))


@lru_cache(maxsize=1)
def _date(now: datetime) -> str:
    """A moment as headers have it: the mails of a letter have the same."""
    return format_datetime(now)


def _boundary(message_id: str) -> str:
    """The boundary between parts: the same each time the mail is made, and impossible for a player to write in it."""
    return f"=_{hashlib.sha256(message_id.encode()).hexdigest()[:24]}"


def _addresses(notice: Notice) -> tuple[str, ...]:
    """The addresses of a notice; none if a letter has given an address that cannot be written to."""
    if not isinstance(notice.to, Player):
        addresses: tuple[str, ...] = (notice.to,)
    elif notice.at is not None:
        addresses = (notice.at,)
    else:
        addresses = notice.to.reachable
    return tuple(address for address in addresses if is_mailable(address))


def _has_bulletins(notice: Notice) -> bool:
    """Return True if the operator's bulletins go below a notice, which is not so if it says nothing else."""
    return isinstance(notice.to, Player) and notice.name != "bulletin"


def _unsubscribe_reply(notice: Notice, expires: date) -> UnsubscribeReply | None:
    """The contents of the link to unsubscribe in a mail; None if its reader cannot ask for fewer of them."""
    if not isinstance(notice.to, Player):
        return None
    if notice.stopped_by is not None:
        return StopReply(notice.to.id, notice.stopped_by, expires)
    has_less = notice.unsubscribes or isinstance(notice.reply, BoardReply)
    return QuietReply(notice.to.id, notice.thread.board, expires) if notice.thread is not None and has_less else None


def _is_withheld(notice: Notice) -> bool:
    """Return True if a notice that went to nobody is to be noted: it was about a board, for a player there."""
    return notice.thread is not None and isinstance(notice.to, Player) and bool(notice.to.confirmed)
