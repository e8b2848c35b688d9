"""Letters that no person wrote: never carried out, never answered (RFC 3834)."""

from __future__ import annotations

import re
from email.message import Message

from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.keys import split_letter
from pbem.mail_in.parts import LONGEST_HEAD
from pbem.mail_in.subjects import is_automatic, subject_of

_AUTO_REPLY = ("X-Autoreply", "X-Autorespond", "X-Autoresponse")
_BULK = ("bulk", "list", "junk", "auto_reply")
_REMARK = re.compile(r"\([^()]*\)")
_DEEPEST_REMARK = 5
_WRITTEN_BY_ROBOT = re.compile(r"(?:^|[<\s])mailer-daemon@")
_ROBOTS = ("mailer-daemon", "postmaster", "noreply", "no-reply")


def machine_in(raw: bytes) -> str | None:
    """Which header shows that a letter was made by a machine, even if it cannot be read; None if none does.

    Its head is looked at line by line, whatever stands between its fields; of a header that stands twice both count.
    """
    try:
        return _machine_in(_head(raw))
    except Exception:  # noqa: BLE001 - the head may be what cannot be read
        return None


def _head(raw: bytes) -> Message:
    head = Message()
    for field in split_letter(raw[:LONGEST_HEAD])[0]:
        name, colon, value = field.decode("ascii", "surrogateescape").partition(":")
        if colon:
            head.set_raw(name.strip(), value.lstrip(" \t"))
    return head


def _machine_in(head: Message) -> str | None:
    def says(header: str) -> list[str]:
        return [_plain(str(value)) for value in head.get_all(header, [])]

    signs = {
        "auto-submitted": any(each.partition(";")[0].strip() not in ("", "no") for each in says("Auto-Submitted")),
        "precedence": any(each in _BULK for each in says("Precedence")),
        "auto-reply": any(any(says(header)) for header in _AUTO_REPLY),
        "list": "List-Id" in head,
        "report": any(each.partition(";")[0].strip() == "multipart/report" for each in says("Content-Type")),
        "subject": is_automatic(subject_of(head)),
        "robot": any(_WRITTEN_BY_ROBOT.search(each) for each in says("From")),
    }
    return next((sign for sign, shows in signs.items() if shows), None)


def _plain(value: str) -> str:
    """A header on one line, without remarks (RFC 5322 s 3.2.2)."""
    for _ in range(_DEEPEST_REMARK):
        value = _REMARK.sub(" ", value)
    return " ".join(value.split()).lower()


def why_machine_made(machine: str | None, envelope: Envelope, ours: OwnAddress) -> str | None:
    """What shows that a letter was made by a machine, its envelope or else its head; None if nothing does.

    Args:
        machine: what `machine_in` has found in the head.
        envelope: the letter's.
        ours: our own addresses.
    """
    sender = envelope.sender.lower()
    signs = {
        "null sender": sender in ("", "<>"),
        "our own sender": ours.token(sender) is not None,
        "robot sender": sender.partition("@")[0] in _ROBOTS,
    }
    return next((sign for sign, shows in signs.items() if shows), machine)
