"""Letters made by machines, and the contents of delivery reports."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message

from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import OwnAddress, split_letter
from pbem.mail_in.bodies import is_automatic, subject_of
from pbem.mail_in.parts import LONGEST_HEAD

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
    """Return the evidence, in its envelope or head, that a machine made a letter; None if there is none.

    Args:
        machine: the finding of `machine_in`.
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


_MOST_LINES = 4000
"""Of a report; each is looked at again and again. The longest letter has as many if they are of usual length."""
_MOST_ADDRESSES = 50
_MOST_MESSAGE_IDS = 5
_LONGEST_DIAGNOSIS = 200
_STATUS = re.compile(r"[245]\.[0-9]{1,3}\.[0-9]{1,3}")
"""RFC 3463 s 2."""
_MESSAGE_ID = re.compile(r"^[>\s]{0,8}Message-ID:\s{0,80}(<[!-;=?-~]{3,200}>)", re.IGNORECASE | re.MULTILINE)
_REASON = re.compile(r"^.{0,80}?\b[45][0-9]{2}[ -].{3,}$", re.MULTILINE)
"""A line in which an old mail system shows the reply it was given (RFC 5321 s 4.2)."""


@dataclass(frozen=True, slots=True)
class Failures:
    """The contents of a delivery report."""

    permanent: tuple[str, ...] = ()
    """Addresses that cannot be delivered to."""
    temporary: tuple[str, ...] = ()
    """Addresses for which delivery is still tried."""
    status: str = ""
    """As ``5.1.1`` (RFC 3463); empty if the report has none."""
    diagnosis: str = ""
    """The message of the failing system, one line."""
    message_ids: tuple[str, ...] = ()
    """Message-IDs in the returned part: which mail came back."""


def failures_in(report: Message) -> Failures:
    """Read a report; one that nothing can be made of has no failures."""
    temporary, permanent = _failed(report)
    blocks = list(_status_blocks(report))
    texts = list(_texts(report))
    status = next((found[0] for block in blocks if (found := _STATUS.search(_value(block, "Status")))), "")
    return Failures(
        permanent=permanent,
        temporary=temporary,
        status=status,
        diagnosis=_diagnosis(blocks, texts),
        message_ids=_message_ids(report, texts),
    )


def _failed(report: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    said = [str(part.get_payload()) for part in report.walk() if not part.is_multipart()]
    if sum(text.count("\n") + text.count("\r") - text.count("\r\n") for text in said) > _MOST_LINES:
        return (), ()
    from flufl.bounce import all_failures  # only who reads letters need load it

    try:
        temporary, permanent = all_failures(report)
    except Exception:  # noqa: BLE001 - a guess at what some mail system wrote may fail in any way
        return (), ()
    return _readable(temporary - permanent), _readable(permanent)


def _readable(addresses: Iterable[bytes]) -> tuple[str, ...]:
    texts = sorted({address.decode("ascii", "ignore").strip() for address in addresses})
    return tuple(text for text in texts if "@" in text and text.isprintable())[:_MOST_ADDRESSES]


def _status_blocks(report: Message) -> Iterator[Message]:
    """The blocks of fields of a DSN (RFC 3464 s 2), those of failed recipients first."""
    blocks = [
        block
        for part in report.walk()
        if part.get_content_type() == "message/delivery-status"
        for block in part.get_payload() or ()
        if isinstance(block, Message)
    ]
    return iter(sorted(blocks, key=lambda block: not _value(block, "Action").lower().startswith("fail")))


def _value(block: Message, name: str) -> str:
    return str(block.get(name, ""))


def _texts(report: Message) -> Iterator[str]:
    for part in report.walk():
        if part.get_content_type() in ("text/plain", "text/rfc822-headers"):
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                yield payload.decode("utf-8", "replace").replace("\r\n", "\n")


def _diagnosis(blocks: list[Message], texts: list[str]) -> str:
    codes = (_value(block, "Diagnostic-Code") for block in blocks)
    reasons = (found[0] for text in texts if (found := _REASON.search(text)))
    said = next((each for each in (*codes, *reasons) if each.strip()), "")
    spaced = "".join(each if unicodedata.category(each)[0] != "C" else " " for each in said)
    return " ".join(spaced.split())[:_LONGEST_DIAGNOSIS]


def _message_ids(report: Message, texts: list[str]) -> tuple[str, ...]:
    returned = [part for part in report.walk() if part is not report and part.get("Message-ID")]
    heads = [f"Message-ID: {part['Message-ID']}" for part in returned]
    found = [each[1] for text in (*heads, *texts) for each in _MESSAGE_ID.finditer(text)]
    return tuple(dict.fromkeys(found))[:_MOST_MESSAGE_IDS]
