"""A notice → the final bytes of a mail for each of its addresses."""

from __future__ import annotations

import hashlib
import unicodedata
from email import policy
from email.message import EmailMessage, MIMEPart
from email.utils import format_datetime, formataddr
from typing import TYPE_CHECKING

from pbem.domain.letters import OutgoingMail
from pbem.domain.players import Player, is_mailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from pbem.domain.notices import Attachment, Notice
    from pbem.mail_out.headers import Headers
    from pbem.wording.mails import Picture, Words
    from pbem.wording.templates import Wording

_LONGEST_LINE = 998
"""Characters of a line (RFC 5322 s 2.1.1)."""

# Python folds long References into encoded words, which breaks threads: our headers stay on one line.
_POLICY = policy.SMTP.clone(max_line_length=_LONGEST_LINE)


class Composer:
    """Renders notices and wraps them in mails."""

    def __init__(self, wording: Wording, headers: Headers) -> None:
        self._wording = wording
        self._headers = headers

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
        for notice in notices:
            reply_to = None if notice.reply is None else self._headers.reply_to(notice.reply)
            words = self._wording.render(notice, reply_to)
            for recipient in _addresses(notice):
                key = f"{origin}-{len(mails) + 1}"
                mails.append(self._mail(notice, words, recipient, key, now, letter))
        return mails

    def _mail(
        self, notice: Notice, words: Words, recipient: str, key: str, now: datetime, letter: str | None
    ) -> OutgoingMail:
        message_id = self._headers.message_id(notice, recipient, key)
        message = EmailMessage(policy=_POLICY)
        message["From"] = formataddr(("pbem", self._headers.address))
        message["To"] = recipient
        message["Subject"] = words.subject.replace("=?", "= ?")
        message["Date"] = format_datetime(now)
        message["Message-ID"] = message_id
        if references := self._headers.references(notice, recipient, letter):
            message["In-Reply-To"] = references[-1]
            message["References"] = " ".join(references)
        if notice.reply is not None:
            message["Reply-To"] = formataddr(("pbem", self._headers.reply_to(notice.reply)))
        if notice.thread is not None:
            message["List-Id"] = self._headers.list_id(notice.thread)
        message["Auto-Submitted"] = "auto-replied" if notice.answers else "auto-generated"
        message["X-Auto-Response-Suppress"] = "All"
        _write(words, message)
        if notice.attachment is not None:
            _attach(notice.attachment, message)
        _settle_parts(message, message_id)
        _check_headers(message)
        return OutgoingMail(
            key=key,
            message_id=message_id,
            sender="" if notice.from_nobody else self._headers.address,
            recipient=recipient,
            raw=message.as_bytes(),
            player=notice.to.id if isinstance(notice.to, Player) else None,
            board=notice.thread.board if notice.thread else None,
        )


def _write(words: Words, message: EmailMessage) -> None:
    """The text, and beside it the HTML with its pictures (MIME's alternatives, RFC 2046 s 5.1.4), or one of them."""
    if words.html is None:
        _set_text(message, words.body)
    elif words.html_alone:
        _set_html(message, words.html, words.pictures)
    else:
        _set_text(message, words.body)
        message.make_alternative()
        page = EmailMessage(policy=_POLICY)
        _set_html(page, words.html, words.pictures)
        message.attach(page)


def _set_html(message: MIMEPart, html: str, pictures: Sequence[Picture]) -> None:
    _set_text(message, html, "html")
    for picture in pictures:
        message.add_related(picture.content, "image", "png", cid=f"<{picture.cid}>", disposition="inline")


def _set_text(message: MIMEPart, text: str, subtype: str = "plain") -> None:
    if text.isascii() and max(map(len, text.split("\n"))) <= _LONGEST_LINE:
        message.set_content(text, subtype=subtype, charset="us-ascii", cte="7bit")
    else:
        message.set_content(text, subtype=subtype, charset="utf-8", cte="quoted-printable")


def _settle_parts(message: EmailMessage, message_id: str) -> None:
    """Give the parts boundaries of our own, and no headers that belong to the whole mail."""
    for number, part in enumerate(message.walk()):
        if part is not message:
            del part["MIME-Version"]
        if part.is_multipart():
            part.set_boundary(f"{_boundary(message_id)}.{number}")


def _attach(attachment: Attachment, message: EmailMessage) -> None:
    maintype, _, subtype = attachment.content_type.partition("/")
    message.add_attachment(attachment.content, maintype=maintype, subtype=subtype, filename=attachment.name)


def _boundary(message_id: str) -> str:
    """What parts a mail: the same whenever it is made again, and nothing that a player could have written in it."""
    return f"=_{hashlib.sha256(message_id.encode()).hexdigest()[:24]}"


def _addresses(notice: Notice) -> tuple[str, ...]:
    """Where a notice goes; nowhere if a letter has given an address that cannot be written to."""
    addresses = notice.to.confirmed if isinstance(notice.to, Player) else (notice.to,)
    return tuple(address for address in addresses if is_mailable(address))


def _check_headers(message: EmailMessage) -> None:
    """Let no mail out in which a header could go on as another one: `email` decodes words and breaks in them."""
    for name, value in message.items():
        if any(unicodedata.category(letter) == "Cc" for letter in str(value)):
            raise ValueError(f"a control character in {name}")
