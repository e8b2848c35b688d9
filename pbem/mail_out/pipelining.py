"""SMTP in two round trips instead of four: commands whose answers can wait go out together (RFC 2920)."""

from __future__ import annotations

import re
import smtplib

_TAKEN = 250
_FORWARDED = 251
_GO_ON = 354
_DOT = re.compile(rb"(?m)^\.")


def send(connection: smtplib.SMTP, sender: str, recipient: str, raw: bytes) -> None:
    """Hand a mail to one recipient over; the connection is of no use any more if that fails.

    Without the extension it takes as many turns as ever. Nothing may stand in the addresses that ends a command.

    Raises:
        SMTPException, OSError: as `smtplib.SMTP.sendmail`.
    """
    connection.ehlo_or_helo_if_needed()
    if not connection.has_extn("pipelining"):
        connection.sendmail(sender, [recipient], raw)
        return
    size = f" size={len(raw)}" if connection.has_extn("size") else ""
    commands = [f"mail FROM:<{sender}>{size}", f"rcpt TO:<{recipient}>", "data"]
    connection.send("".join(f"{each}\r\n" for each in commands).encode("ascii"))
    _await_all(connection, sender, recipient)
    connection.send(_DOT.sub(b"..", raw) + (b"" if raw.endswith(b"\r\n") else b"\r\n") + b".\r\n")
    code, answer = connection.getreply()
    if code != _TAKEN:
        raise smtplib.SMTPDataError(code, answer)


def _await_all(connection: smtplib.SMTP, sender: str, recipient: str) -> None:
    """Read the answers to the three commands.

    Who has refused the one recipient may still say that the words may come: then nothing is to be said any more, and
    when the connection is closed nothing has been.
    """
    code, answer = connection.getreply()
    if code != _TAKEN:
        raise smtplib.SMTPSenderRefused(code, answer, sender)
    code, answer = connection.getreply()
    if code not in (_TAKEN, _FORWARDED):
        raise smtplib.SMTPRecipientsRefused({recipient: (code, answer)})
    code, answer = connection.getreply()
    if code != _GO_ON:
        raise smtplib.SMTPDataError(code, answer)
