"""``pbem send``: a small mail client for trying the server out."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Collection, Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path

import click

from pbem.cli.output import FAILED, MISUSE, TRY_LATER, end, read_settings
from pbem.config import Settings

_PERMANENT = 500
"""SMTP replies from here on are final refusals (RFC 5321 s 4.2.1)."""
_PATIENCE, _LOOK, _QUIET = 60, 0.05, 0.4
"""Seconds: the longest wait for an answer; the time between two looks; the quiet after which all mails have come."""


@click.command()
@click.argument("command")
@click.option("--as", "sender", required=True, help="Sender address of the letter.")
@click.option("--body", default="", help="Text below the command, for the opponent if there is one.")
@click.option("--to", "recipient", help="Another address of the server, such as the Reply-To of a mail.")
@click.option(
    "--reply",
    is_flag=True,
    help="Answer the newest mail to this sender in the server's Maildir with COMMAND.",
)
@click.option("--wait", is_flag=True, help="Wait for the server's answer in its Maildir, and print it.")
def send(command: str, sender: str, body: str, recipient: str | None, *, reply: bool, wait: bool) -> None:
    """Mail COMMAND to a running server, as any mail program would."""
    if reply and recipient:
        raise click.UsageError("--reply and --to exclude each other: an answer goes to the address in the mail.")
    given = read_settings()
    try:
        maildir = _maildir(given) if reply or wait else None
        before = _mails(maildir) if maildir else {}
        if reply:
            message_id = answer_newest(given, sender, "\n".join(filter(None, [command, body])), before)
        else:
            message_id = send_letter(given, sender, recipient or given.address, command, body)
        click.echo("sent")
        if maildir is not None and wait:
            click.echo(f"\n{_as_read(_answer(message_id, sender, maildir, before))}")
    except ValueError as wrong:
        end(f"this is not a valid letter: {wrong}", MISUSE)
    except LetterRefused as refused:
        end(f"the letter was not accepted: {refused}", FAILED if refused.for_good else TRY_LATER)
    except OSError as failed:
        end(f"the letter was not accepted: {failed}", TRY_LATER)
    except LookupError as nothing:
        end(str(nothing.args[0]))
    except NoAnswer:
        end(f"the letter was accepted, but no answer came within {_PATIENCE} seconds", TRY_LATER)


class NoAnswer(Exception):
    """The server has answered nothing in time."""


class LetterRefused(Exception):
    """The server has refused a letter; ``for_good`` is True if trying again is of no use."""

    def __init__(self, code: int, text: bytes | str) -> None:
        said = text.decode(errors="replace") if isinstance(text, bytes) else text
        super().__init__(f"{code} {said}")
        self.for_good = code >= _PERMANENT


def send_letter(
    settings: Settings, sender: str, recipient: str, subject: str, body: str, answers: str | None = None
) -> str:
    """Mail one letter to the running server; return its Message-ID.

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
    letter["Message-ID"] = message_id = make_msgid(domain=address.rpartition("@")[2] or "localhost")
    if answers is not None:
        letter["In-Reply-To"] = answers
    letter.set_content(body + "\n")
    if settings.smtp_listen is None:
        raise LookupError("the letter cannot be sent: PBEM_SMTP_LISTEN is off")
    with smtplib.SMTP(settings.smtp_listen.host, settings.smtp_listen.port, timeout=30) as client:
        try:
            client.send_message(letter, address, [recipient])
        except smtplib.SMTPRecipientsRefused as refused:
            raise LetterRefused(*refused.recipients[recipient]) from None
        except smtplib.SMTPResponseException as refused:
            raise LetterRefused(refused.smtp_code, refused.smtp_error) from None
    return message_id


def answer_newest(settings: Settings, sender: str, body: str, mails: Mapping[str, Path]) -> str:
    """Answer the newest mail to ``sender``; return the Message-ID of the answer.

    Raises:
        LookupError: there is no such mail, or no server would listen.
        ValueError, LetterRefused, OSError: as for `send_letter`.
    """
    for name in sorted(mails, reverse=True):
        mail = _read(mails[name])
        if mail is not None and _is_to(sender, mail):
            recipient = parseaddr(str(mail["Reply-To"] or mail["From"]))[1]
            return send_letter(settings, sender, recipient, f"Re: {mail['Subject']}", body, str(mail["Message-ID"]))
    raise LookupError(f"there is no mail to {sender} in the server's Maildir")


def _maildir(settings: Settings) -> Path:
    """The Maildir that the server delivers to.

    Raises:
        LookupError: it delivers to no Maildir.
    """
    if not settings.relay_url.startswith("maildir:"):
        raise LookupError("--reply and --wait read the server's Maildir, but PBEM_RELAY_URL does not name one")
    return Path(settings.relay_url.removeprefix("maildir:"))


def _mails(maildir: Path) -> dict[str, Path]:
    """The mails of a Maildir, including those that a reader has seen, by their names without flags."""
    places = [place for place in (maildir / "new", maildir / "cur") if place.is_dir()]
    return {file.name.partition(":")[0]: file for place in places for file in place.iterdir()}


def _read(file: Path) -> EmailMessage | None:
    """A mail; None if a reader has just moved it."""
    try:
        return message_from_bytes(file.read_bytes(), policy=policy.default)
    except FileNotFoundError:
        return None


def _answer(message_id: str, sender: str, maildir: Path, before: Collection[str]) -> EmailMessage:
    """The answer to a letter, once it has come together with the mails to others.

    Questions refer to no letter, so a new mail to the sender also counts as an answer.

    Raises:
        NoAnswer: none has come in time.
    """
    seen, to_sender, answer = set(before), None, None
    last = time.monotonic()
    deadline = last + _PATIENCE
    while (answer or to_sender) is None or time.monotonic() < last + _QUIET:
        if time.monotonic() > deadline:
            break
        time.sleep(_LOOK)
        for name, file in _mails(maildir).items():
            mail = None if name in seen else _read(file)
            if mail is None:
                continue
            seen.add(name)
            last = time.monotonic()
            to_sender = mail if _is_to(sender, mail) else to_sender
            answer = mail if message_id in f"{mail['In-Reply-To']} {mail['References']}" else answer
    found = answer or to_sender
    if found is None:
        raise NoAnswer
    return found


def _is_to(sender: str, mail: EmailMessage) -> bool:
    return parseaddr(str(mail["To"]))[1].lower() == (parseaddr(sender)[1] or sender).lower()


def _as_read(mail: EmailMessage) -> str:
    """The Subject and the text of a mail."""
    text = mail.get_body(("plain",))
    return f"Subject: {mail['Subject']}\n\n{text.get_content() if text else ''}".rstrip()
