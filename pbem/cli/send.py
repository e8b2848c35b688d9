"""``pbem send``: a small mail client for trying the server out."""

from __future__ import annotations

import mailbox
import smtplib
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.exits import FAILED, MISUSE, TRY_LATER, end, read_settings

if TYPE_CHECKING:
    from pbem.config import Settings

_PERMANENT = 500
"""SMTP replies from here on say no for good (RFC 5321 s 4.2.1)."""


@click.command()
@click.argument("command")
@click.option("--as", "sender", required=True, help="The address that the letter comes from.")
@click.option("--body", default="", help="Text below the command; for the opponent where there is one.")
@click.option("--to", "recipient", help="Another address of the server, such as the Reply-To of a mail.")
@click.option(
    "--reply",
    is_flag=True,
    help="Answer the newest mail to this sender in the Maildir; COMMAND is the answer.",
)
def send(command: str, sender: str, body: str, recipient: str | None, *, reply: bool) -> None:
    """Mail COMMAND to a running server, as any mail program would."""
    given = read_settings()
    try:
        if reply:
            answer_newest(given, sender, "\n".join(filter(None, [command, body])))
        else:
            send_letter(given, sender, recipient or given.address, command, body)
    except ValueError as wrong:
        end(f"this is no letter: {wrong}", MISUSE)
    except LetterRefused as refused:
        end(f"the letter was not taken: {refused}", FAILED if refused.for_good else TRY_LATER)
    except OSError as failed:
        end(f"the letter was not taken: {failed}", TRY_LATER)
    except LookupError as nothing:
        end(str(nothing.args[0]))
    click.echo("sent")


class LetterRefused(Exception):
    """The server has said no to a letter; ``for_good`` tells whether trying again is of no use."""

    def __init__(self, code: int, text: bytes | str) -> None:
        said = text.decode(errors="replace") if isinstance(text, bytes) else text
        super().__init__(f"{code} {said}")
        self.for_good = code >= _PERMANENT


def send_letter(
    settings: Settings, sender: str, recipient: str, subject: str, body: str, answers: str | None = None
) -> None:
    """Mail one letter to the running server.

    Raises:
        ValueError: there is a line break in an address or in the Subject.
        LookupError: no server would listen.
        LetterRefused: the server did not take it.
        OSError: the server is not there.
    """
    address = parseaddr(sender)[1] or sender
    letter = EmailMessage()
    letter["From"] = sender
    letter["To"] = recipient
    letter["Subject"] = subject
    letter["Date"] = formatdate(localtime=True)
    letter["Message-ID"] = make_msgid(domain=address.rpartition("@")[2] or "localhost")
    if answers is not None:
        letter["In-Reply-To"] = answers
    letter.set_content(body + "\n")
    if settings.smtp_listen is None:
        raise LookupError("the letter has no way: PBEM_SMTP_LISTEN is off")
    with smtplib.SMTP(settings.smtp_listen.host, settings.smtp_listen.port, timeout=30) as client:
        try:
            client.send_message(letter, address, [recipient])
        except smtplib.SMTPRecipientsRefused as refused:
            raise LetterRefused(*refused.recipients[recipient]) from None
        except smtplib.SMTPResponseException as refused:
            raise LetterRefused(refused.smtp_code, refused.smtp_error) from None


def answer_newest(settings: Settings, sender: str, body: str) -> None:
    """Answer the newest mail to ``sender`` in the Maildir that the server delivers to.

    Raises:
        LookupError: there is no such mail, or no server would listen.
        ValueError, LetterRefused, OSError: as for `send_letter`.
    """
    if not settings.relay_url.startswith("maildir:"):
        raise LookupError("--reply reads the server's Maildir, and PBEM_RELAY_URL names none")
    folder = Path(settings.relay_url.removeprefix("maildir:"))
    if not folder.is_dir():
        raise LookupError(f"there is no Maildir {folder}")
    mails = mailbox.Maildir(folder, create=False)
    address = parseaddr(sender)[1] or sender
    for name in sorted(mails.keys(), reverse=True):
        mail = mails[name]
        if parseaddr(str(mail["To"]))[1].lower() == address.lower():
            recipient = parseaddr(str(mail["Reply-To"] or mail["From"]))[1]
            send_letter(settings, sender, recipient, f"Re: {mail['Subject']}", body, str(mail["Message-ID"]))
            return
    raise LookupError(f"there is no mail to {sender} in {folder}")
