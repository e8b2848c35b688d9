"""``pbem send``: a small mail client for trying the server out."""

from __future__ import annotations

import mailbox
import smtplib
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.config import Settings


def send_letter(
    settings: Settings, sender: str, recipient: str, subject: str, body: str, answers: str | None = None
) -> None:
    """Mail one letter to the running server.

    Raises:
        OSError: the server is not there, or did not take it.
    """
    letter = EmailMessage()
    letter["From"] = sender
    letter["To"] = recipient
    letter["Subject"] = subject
    letter["Date"] = formatdate(localtime=True)
    letter["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2] or "localhost")
    if answers is not None:
        letter["In-Reply-To"] = answers
    letter.set_content(body + "\n")
    if settings.smtp_listen is None:
        raise ConnectionError("PBEM_SMTP_LISTEN is off")
    with smtplib.SMTP(settings.smtp_listen.host, settings.smtp_listen.port, timeout=30) as client:
        client.send_message(letter, sender, [recipient])


def answer_newest(settings: Settings, sender: str, body: str) -> None:
    """Answer the newest mail to ``sender`` in the Maildir that the server delivers to.

    Raises:
        LookupError: there is no such mail.
        OSError: the server is not there, or did not take the letter.
    """
    if not settings.relay_url.startswith("maildir:"):
        raise LookupError("--reply reads the server's Maildir, and PBEM_RELAY_URL names none")
    folder = Path(settings.relay_url.removeprefix("maildir:"))
    if not folder.is_dir():
        raise LookupError(f"there is no Maildir {folder}")
    mails = mailbox.Maildir(folder, create=False)
    for name in sorted(mails.keys(), reverse=True):
        mail = mails[name]
        if parseaddr(str(mail["To"]))[1].lower() == sender.lower():
            recipient = parseaddr(str(mail["Reply-To"] or mail["From"]))[1]
            send_letter(settings, sender, recipient, f"Re: {mail['Subject']}", body, str(mail["Message-ID"]))
            return
    raise LookupError(f"there is no mail to {sender} in {folder}")
