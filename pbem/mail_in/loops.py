"""Letters that no person wrote: never carried out, never answered (RFC 3834)."""

from __future__ import annotations

import re
from email.parser import BytesHeaderParser
from typing import TYPE_CHECKING

from pbem.mail_in.subjects import is_automatic, subject_of

if TYPE_CHECKING:
    from email.message import Message

    from pbem.domain.letters import Envelope
    from pbem.mail_in.addresses import OwnAddress

_AUTO_REPLY = ("X-Autoreply", "X-Autorespond", "X-Autoresponse")
_LONGEST_HEAD = 65536
_WRITTEN_BY_ROBOT = re.compile(r"(?:^|[<\s])mailer-daemon@")
_ROBOTS = ("mailer-daemon", "postmaster", "noreply", "no-reply")


def machine_in(head: Message) -> str | None:
    """Which header shows that a letter was made by a machine; None if none does."""

    def says(header: str) -> str:
        return " ".join(str(head.get(header, "")).split()).lower()

    signs = {
        "auto-submitted": says("Auto-Submitted").partition(";")[0].strip() not in ("", "no"),
        "precedence": says("Precedence") in ("bulk", "list", "junk", "auto_reply"),
        "auto-reply": any(says(header) for header in _AUTO_REPLY),
        "list": bool(says("List-Id")),
        "report": head.get_content_type() == "multipart/report",
        "subject": is_automatic(subject_of(head)),
        "robot": _WRITTEN_BY_ROBOT.search(says("From")) is not None,
    }
    return next((sign for sign, shows in signs.items() if shows), None)


def machine_in_bytes(raw: bytes) -> str | None:
    """The same of a letter that cannot be read; nothing but its head is looked at, line by line."""
    try:
        return machine_in(BytesHeaderParser().parsebytes(raw[:_LONGEST_HEAD]))
    except Exception:  # noqa: BLE001 - the head may be what cannot be read
        return None


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
