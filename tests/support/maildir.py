"""The Maildir that a server delivers into, for tests that read it."""

from __future__ import annotations

import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from tests.support.mail import PATIENCE


def mails_in(maildir: Path) -> list[EmailMessage]:
    """The mails, oldest first."""
    files = sorted((maildir / "new").iterdir(), key=lambda path: path.name) if (maildir / "new").is_dir() else []
    return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in files]


def text_of(mail: EmailMessage) -> str:
    """The text of a mail, which may have HTML beside it."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def nth_mail(maildir: Path, number: int) -> EmailMessage:
    """The mail with this number from 1, waiting for it if need be."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        mails = mails_in(maildir)
        if len(mails) >= number:
            return mails[number - 1]
        time.sleep(0.02)
    raise AssertionError(f"there are only {len(mails)} mails in {maildir}")
