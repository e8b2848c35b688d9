"""Delivery reports: whose mail failed, for good or for now, and why."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message

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
    """What a delivery report tells."""

    permanent: tuple[str, ...] = ()
    """Addresses that cannot be delivered to."""
    temporary: tuple[str, ...] = ()
    """Addresses for which delivery is still tried."""
    status: str = ""
    """As ``5.1.1`` (RFC 3463); empty if the report has none."""
    diagnosis: str = ""
    """What the failing system said, one line."""
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
    return _plain(temporary - permanent), _plain(permanent)


def _plain(addresses: Iterable[bytes]) -> tuple[str, ...]:
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
