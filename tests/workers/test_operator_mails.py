"""Notices of mails that were given up."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes

import pytest

from pbem.bootstrap.wording import make_wording
from pbem.config import Settings
from pbem.domain.replies import Signer
from pbem.mail_out.headers import Headers
from pbem.mail_out.message import Composer
from pbem.storage.outbox import DueMail
from pbem.workers.alarms import OperatorMails

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
KEY = "a key that somebody else has made"
OPERATOR = "operator@example.org"


def given_up(recipient: str) -> DueMail:
    return DueMail(7, "12-1", "<m@localhost>", "", recipient, b"Subject: x\r\n\r\nto alice alone\r\n", AT, 4, AT)


def told_of(recipient: str, operator: str | None) -> list[tuple[str, str, str]]:
    """Sender, recipient and bytes of what is said about a mail that was given up."""
    given = Settings()
    composer = Composer(make_wording(given), Headers(given.address, Signer((KEY,))))
    mails = OperatorMails(composer, operator).mail_failed(given_up(recipient), "550 no such user", AT)
    return [(mail.sender, mail.recipient, mail.raw.decode()) for mail in mails]


def test_the_operator_hears_of_a_mail_that_was_given_up_but_not_what_it_said() -> None:
    ((sender, recipient, text),) = told_of("alice@example.org", OPERATOR)
    assert (sender, recipient) == ("", OPERATOR)
    assert message_from_bytes(text.encode())["Subject"] == "pbem could not deliver a mail"
    assert "550 no such user" in text
    assert "to alice alone" not in text


@pytest.mark.parametrize("recipient", ["operator@example.org", "operator@EXAMPLE.ORG"])
def test_of_mails_to_himself_the_operator_hears_nothing(recipient: str) -> None:
    assert told_of(recipient, OPERATOR) == []


def test_without_an_operator_nobody_hears() -> None:
    assert told_of("alice@example.org", None) == []
