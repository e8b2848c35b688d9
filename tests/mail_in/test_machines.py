"""Letters that no person wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.machines import machine_in, why_machine_made

OURS = OwnAddress("pbem@localhost")
LETTERS = Path(__file__).parent / "letters"
TO = ("pbem@localhost",)


def why(head: str, sender: str = "alice@example.org") -> str | None:
    return why_machine_made(machine_in(f"{head}\n\nhelp".encode()), Envelope(sender, TO), OURS)


@pytest.mark.parametrize(
    ("head", "sender", "sign"),
    [
        ("Subject: x", "", "null sender"),
        ("Subject: x", "<>", "null sender"),
        ("Subject: x", "pbem@localhost", "our own sender"),
        ("Subject: x", "PBEM+abc@LOCALHOST", "our own sender"),
        ("Subject: x", "MAILER-DAEMON@example.org", "robot sender"),
        ("Subject: x", "no-reply@example.org", "robot sender"),
        ("Auto-Submitted: auto-replied", "a@b", "auto-submitted"),
        ("auto-submitted: Auto-Generated; x=y", "a@b", "auto-submitted"),
        ("Precedence: BULK", "a@b", "precedence"),
        ("Precedence: junk", "a@b", "precedence"),
        ("Precedence: auto_reply", "a@b", "precedence"),
        ("X-Autoreply: yes", "a@b", "auto-reply"),
        ("x-autorespond: Out of office", "a@b", "auto-reply"),
        ("X-AutoResponse: 1", "a@b", "auto-reply"),
        ("List-Id: <x.example.org>", "a@b", "list"),
        ("List-Id:", "a@b", "list"),
        ("Auto-Submitted: no\nAuto-Submitted: auto-replied", "a@b", "auto-submitted"),
        ("Auto-Submitted : auto-replied", "a@b", "auto-submitted"),
        ("Auto-Submitted: (no) auto-replied (no)", "a@b", "auto-submitted"),
        ("this is no field\nAuto-Submitted: auto-replied", "a@b", "auto-submitted"),
        ("Precedence: first-class\nPrecedence: bulk", "a@b", "precedence"),
        ("Precedence:\n list (of friends)", "a@b", "precedence"),
        ("X-Autoreply:\nX-Autoreply: yes", "a@b", "auto-reply"),
        ('Content-Type: text/plain\nContent-Type: multipart/report; boundary="x"', "a@b", "report"),
        ("From: a@b\nFrom: Mail <MAILER-DAEMON@b>", "a@b", "robot"),
        ('Content-Type: multipart/report; boundary="x"', "a@b", "report"),
        ("Subject: Automatic reply: superbo Board 101 bob", "a@b", "subject"),
        ("Subject: =?utf-8?q?R=C3=A9ponse_automatique_:_superbo?=", "a@b", "subject"),
    ],
)
def test_each_sign_of_a_machine_is_seen(head: str, sender: str, sign: str) -> None:
    assert why(head, sender) == sign


@pytest.mark.parametrize(
    "head",
    [
        "Subject: x",
        "Auto-Submitted: no",
        "Auto-Submitted: NO; x",
        "Auto-Submitted: no (a person (me) wrote this)",
        "Auto-Submitted:",
        "Auto-Submitted: no\nAuto-Submitted: no",
        "Precedence: normal",
        "X-Autoreply:",
        "Content-Type: multipart/mixed",
    ],
)
def test_a_persons_letter_has_none(head: str) -> None:
    assert why(head) is None


def test_a_player_may_live_in_our_domain() -> None:
    assert why("Subject: x", "bob@localhost") is None


@pytest.mark.parametrize(
    ("name", "sign"), [("vacation", "auto-submitted"), ("bounce", "report"), ("list", "precedence"), ("gmail", None)]
)
def test_letters_of_machines_and_people_are_told_apart(name: str, sign: str | None) -> None:
    raw = (LETTERS / f"{name}.eml").read_bytes()
    assert why_machine_made(machine_in(raw), Envelope("somebody@example.org", TO), OURS) == sign


@pytest.mark.parametrize(
    ("raw", "sign"),
    [
        (b"Auto-Submitted: auto-replied\nX: " + b"x" * 200_000 + b"\n\nhelp", "auto-submitted"),
        (b"Content-Type: multipart/report\n\n" + b"--b\n" * 50_000, "report"),
        (b"Subject: x\n\nList-Id: <l>\n", None),
        (b"\x00" * 200_000, None),
        (b"", None),
    ],
    ids=["long", "many parts", "in the body", "no letter", "nothing"],
)
def test_a_machine_is_seen_in_a_letter_that_cannot_be_read(raw: bytes, sign: str | None) -> None:
    assert machine_in(raw) == sign
