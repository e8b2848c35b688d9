"""A Postfix between strangers and what stands behind its doors."""

from __future__ import annotations

import smtplib
from typing import NamedTuple

from tests.support.mail import PATIENCE, Mail, Postbox
from tests.support.postfix import OUTSIDE, LmtpBox, Postfix


class Doors(NamedTuple):
    """A Postfix, what stands behind its front door, and what stands behind its back door."""

    postfix: Postfix
    pbem: LmtpBox
    world: Postbox


def outsider(doors: Doors) -> smtplib.SMTP:
    """A connection from a host that Postfix does not know."""
    client = smtplib.SMTP("127.0.0.1", doors.postfix.port, timeout=PATIENCE, source_address=(OUTSIDE, 0))
    client.ehlo("mail.example.org")
    return client


def letters_that_came(doors: Doors) -> list[Mail]:
    """Take out the letters that have come by LMTP, so that each test sees its own."""
    doors.postfix.wait_until_empty()
    came = list(doors.pbem.mails)
    doors.pbem.mails.clear()
    return came


def without_received(raw: bytes) -> bytes:
    """A mail without the lines that MTAs have put on top of it."""
    lines = raw.splitlines(keepends=True)
    while lines and lines[0].lower().startswith((b"received:", b"return-path:")):
        lines.pop(0)
        while lines[0][:1] in (b" ", b"\t"):
            lines.pop(0)
    return b"".join(lines)
