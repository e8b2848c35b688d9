"""Delivery reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail_in.machines import Failures, failures_in
from pbem.mail_in.mime import read_letter_bytes
from pbem.mail_in.parts import parse
from tests.support.readers import OURS

LETTERS = Path(__file__).parent / "letters"

DSN = """\
From: MAILER-DAEMON@mx.example.org
Subject: Undelivered
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Sorry.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

{blocks}
--b
Content-Type: {returned}

From: pbem@localhost
Message-ID: <g101.5.7.abcdef@localhost>
Subject: superbo Board 101 bob

--b--
"""
FAILED = """\
Final-Recipient: rfc822; bob@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <bob@example.org>:
    no such user
"""
DELAYED = """\
Final-Recipient: rfc822; carol@example.org
Action: delayed
Status: 4.4.1
Diagnostic-Code: smtp; 451 busy
"""
OURS_CAME_BACK = ("<g101.5.7.abcdef@localhost>",)


def failures(text: str) -> Failures:
    return failures_in(parse(text.encode()))


def report(*blocks: str, returned: str = "message/rfc822") -> Failures:
    return failures(DSN.format(blocks="\n".join(blocks), returned=returned))


@pytest.mark.parametrize("returned", ["message/rfc822", "text/rfc822-headers"])
def test_a_report_says_who_failed_and_why_and_which_mail_came_back(returned: str) -> None:
    assert report(FAILED, returned=returned) == Failures(
        permanent=("bob@example.org",),
        status="5.1.1",
        diagnosis="smtp; 550 5.1.1 <bob@example.org>: no such user",
        message_ids=OURS_CAME_BACK,
    )


def test_a_delay_is_no_permanent_failure() -> None:
    assert report(DELAYED) == Failures(
        temporary=("carol@example.org",), status="4.4.1", diagnosis="smtp; 451 busy", message_ids=OURS_CAME_BACK
    )


def test_of_several_recipients_the_reason_is_of_one_who_failed() -> None:
    both = report(DELAYED, FAILED)
    assert (both.permanent, both.temporary) == (("bob@example.org",), ("carol@example.org",))
    assert (both.status, both.diagnosis[:9]) == ("5.1.1", "smtp; 550")


def test_a_report_of_success_has_no_failures() -> None:
    assert report(FAILED.replace("failed", "delivered")).permanent == ()


def test_an_old_fashioned_bounce_gives_its_reason_and_the_mail_that_came_back() -> None:
    text = (
        "From: MAILER-DAEMON@example.org\n\nHi. This is the qmail-send program at example.org.\n\n"
        "<bob@example.org>:\n192.0.2.1 said: 550 no mailbox here by that name\n\n"
        "--- Below this line is a copy of the message.\n\nMessage-ID: <g1.2.3.x@localhost>\n"
    )
    found = failures(text)
    assert found.permanent == ("bob@example.org",)
    assert found.diagnosis.endswith("550 no mailbox here by that name")
    assert found.message_ids == ("<g1.2.3.x@localhost>",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Subject: hello\n\nI shall move tomorrow.",
        "From: nobody\nContent-Type: multipart/report\n\nx",
        "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n--b--\n",
        "Content-Type: message/delivery-status\n\nAction: failed\n\nFinal-Recipient: rfc822;\n",
        "From: =?utf-8?q?=FF?= <\n\n" + "> \n" * 200_000,
    ],
    ids=range(6),
)
def test_what_nothing_can_be_made_of_has_no_failures(text: str) -> None:
    assert failures(text) == Failures()


def test_what_a_report_says_is_cut_to_a_line_and_to_size() -> None:
    found = report(FAILED.replace("no such user", "no\x00such\x1b[2Juser " * 100))
    assert len(found.diagnosis) == 200
    assert found.diagnosis.isprintable()
    ids = "".join(f"Message-ID: <{number}@localhost>\n" for number in range(100))
    assert len(failures(f"Subject: x\n\n{ids}").message_ids) == 5


def test_only_what_may_be_a_report_is_read_as_one() -> None:
    bounce = (LETTERS / "bounce.eml").read_bytes()
    assert read_letter_bytes(bounce, OURS).failures is not None
    letter = b"From: alice@example.org\nSubject: help\n\nx"
    assert read_letter_bytes(letter, OURS).failures is None
    assert read_letter_bytes(letter, OURS, may_be_bounce=True).failures == Failures()
