"""What the operator tells everybody, below every mail and on the web."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.errors import Unreadable

LONGEST = 2000
"""Characters of a bulletin: it stands in every mail."""


class BadText(Unreadable):
    """The text is empty or too long, or holds characters that no mail should; ``reason`` names which.

    ``what`` is the text: the Subject, a reason.
    """

    reason: str
    longest: int
    what: str = "text"


@dataclass(frozen=True, slots=True)
class Bulletin:
    """A maintenance notice, for example."""

    id: int
    text: str
    posted_at: datetime
    ends_at: datetime | None = None
    """None: until it is taken down."""


def checked_text(text: str, longest: int = LONGEST, what: str = "text") -> str:
    """A text of the operator's as it goes into mails: line ends as ours are, nothing at its ends.

    Raises:
        BadText: it cannot be mailed.
    """
    said = text.replace("\r\n", "\n").strip()
    if not said:
        raise BadText("empty", longest, what)
    if len(said) > longest:
        raise BadText("long", longest, what)
    if not all(each == "\n" or each.isprintable() for each in said):
        raise BadText("control", longest, what)
    return said
