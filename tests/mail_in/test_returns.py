"""A letter that brings one of our mails back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from pbem.commands.internal import TakeBackMail
from pbem.domain.letters import Envelope
from pbem.domain.replies import BoardReply, BounceReply, QuietReply, Reply, Signer, StopReply
from pbem.ids import BoardNumber, PlayerId
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.machines import Failures
from pbem.mail_in.mime import ReadLetter, read_letter_bytes
from pbem.mail_in.returns import returned_mail
from tests.support import reports
from tests.support.mail import Mail

NOW = datetime(2026, 5, 2, 12, 0, tzinfo=UTC)
OURS = OwnAddress("pbem@localhost")
SIGNER = Signer(["a key of sixteen letters"])
BOUNCE = BounceReply(PlayerId(7), 12345, date(2026, 7, 30))
FAILED = Failures(("bob@example.org",), (), "5.1.1", "no such user", ("<m.1-1.x@localhost>",))


def address(reply: Reply) -> str:
    return f"pbem+{SIGNER.sign(reply)}@localhost"


def returned(read: ReadLetter, *recipients: str) -> TakeBackMail | None:
    return returned_mail(read, Envelope("", recipients or (address(BOUNCE),)), OURS, SIGNER, NOW)


def letter(failures: Failures | None, sender: str | None = "mailer-daemon@example.org") -> ReadLetter:
    return ReadLetter("failure notice", (), from_address=sender, failures=failures)


def test_a_report_says_whose_mail_came_back_why_and_for_how_long() -> None:
    whose = (BOUNCE.player, BOUNCE.mark, ("<m.1-1.x@localhost>",))
    expected = TakeBackMail(True, "5.1.1", "no such user", *whose, reporter="mailer-daemon@example.org")
    assert returned(letter(FAILED)) == expected
    for_now = replace(FAILED, permanent=(), temporary=FAILED.permanent)
    assert returned(letter(for_now)) == replace(expected, permanent=False, is_delayed=True)


def test_without_an_address_of_ours_only_the_mail_in_it_tells() -> None:
    found = returned(letter(FAILED), "pbem@localhost")
    assert found is not None
    assert (found.player, found.message_ids) == (None, ("<m.1-1.x@localhost>",))


@pytest.mark.parametrize(
    "recipients",
    [
        ("pbem+aaaa@localhost",),
        (address(replace(BOUNCE, expires=date(2026, 5, 1))),),
        (address(BoardReply(PlayerId(7), BoardNumber(101), 1, date(2026, 7, 30))),),
        (address(QuietReply(PlayerId(7), BoardNumber(101), date(2026, 7, 30))),),
        (address(StopReply(PlayerId(7), "digest", date(2026, 7, 30))),),
        (address(BOUNCE), address(replace(BOUNCE, player=PlayerId(8)))),
    ],
)
def test_addresses_that_are_forged_stale_of_another_purpose_or_differ_bring_nothing_back(
    recipients: tuple[str, ...],
) -> None:
    assert returned(letter(FAILED), *recipients) is None


@pytest.mark.parametrize(
    ("failures", "sender", "permanent"),
    [
        (Failures(status="5.2.2"), "x@example.org", True),
        (Failures(status="4.2.2"), "x@example.org", False),
        (Failures(status="2.1.5"), "mailer-daemon@example.org", None),
        (Failures(diagnosis="421 busy"), "MAILER-DAEMON@example.org", False),
        (Failures(message_ids=("<m.1-1.x@localhost>",)), None, False),
        (Failures(message_ids=("<m.1-1.x@localhost>",)), "bob@example.org", None),
        (Failures(), "mailer-daemon@example.org", None),
        (None, "mailer-daemon@example.org", None),
    ],
)
def test_what_is_not_clear_is_for_now_and_what_is_no_failure_nothing(
    failures: Failures | None, sender: str | None, permanent: bool | None
) -> None:
    found = returned(letter(failures, sender))
    assert (None if found is None else found.permanent) is permanent


MAIL = Mail(
    address(BOUNCE),
    "bob@example.org",
    b"From: pbem@localhost\r\nTo: bob@example.org\r\nSubject: superbo Board 101 bob\r\n"
    b"Message-ID: <g101.1.7-2.abcdabcdefghijklmnop@localhost>\r\n\r\nbody\r\n",
)


@pytest.mark.parametrize(
    ("report", "permanent", "status"),
    [
        (reports.by_postfix, True, "5.1.1"),
        (lambda mail: reports.by_postfix(mail, delayed=True), False, "4.4.1"),
        (reports.by_exim, True, "5.0.0"),
        (reports.by_exchange, True, "5.1.10"),
        (reports.by_qmail, True, ""),
    ],
)
def test_reports_of_all_kinds_of_mail_systems_are_read(
    report: Callable[[Mail], bytes], permanent: bool, status: str
) -> None:
    found = returned(read_letter_bytes(report(MAIL), OURS, may_be_bounce=True))
    assert found is not None
    assert (found.permanent, found.status) == (permanent, status)
    assert (found.player, found.mark) == (BOUNCE.player, BOUNCE.mark)
    assert found.message_ids == ("<g101.1.7-2.abcdabcdefghijklmnop@localhost>",)


@pytest.mark.parametrize("harmless", [reports.vacation, reports.receipt, reports.delivered])
def test_vacation_notices_and_receipts_bring_nothing_back(harmless: Callable[[Mail], bytes]) -> None:
    assert returned(read_letter_bytes(harmless(MAIL), OURS, may_be_bounce=True)) is None
