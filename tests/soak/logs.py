"""What senders, receivers and whoever made trouble write down: all that the auditor needs, but for his last look."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

QUESTION = "Please confirm"
"""What the Subjects of questions begin with; they refer to no letter, but there is one for each that leads to one."""
GUEST, CARELESS, REFUSED = "guest", "careless", "refused"
"""What the addresses of strangers begin with; of those who do not send a letter again; and of those whom some mood
refuses for good: they write, and may get no answer."""
STRANGERS = tuple(f"{kind}-" for kind in (GUEST, CARELESS, REFUSED))


def cause(message_id: str, author: str, answered: str) -> str:
    """By what the answer to a letter is known: by its Message-ID, or a question by whom it is for and its Subject.

    Answers to strangers refer to no letter, so that nothing can be said through them; each stranger writes only once.

    Args:
        message_id: of the letter.
        author: who wrote it.
        answered: the Subject of the answer, as far as it matters.
    """
    if author.startswith(STRANGERS):
        return author
    return f"{author} {answered}" if answered.startswith(QUESTION) else message_id


class Fate(StrEnum):
    """What the sender of a letter knows in the end."""

    ACCEPTED = "accepted"
    """It was answered 250."""
    UNKNOWN = "unknown"
    """The connection broke behind its end and before the answer, and it was not sent again."""


@dataclass(frozen=True)
class Sent:
    """A letter."""

    message_id: str
    author: str
    """The address that its answer goes to."""
    told: tuple[str, ...]
    """The addresses of all who must be mailed because of it, once each."""
    subject: str
    """What the Subject of the answer begins with; empty if anything will do."""
    fate: Fate
    broken: tuple[str, ...] = ()
    """How earlier tries ended."""
    rival: str = ""
    """What several letters want of which one can have it; the others are refused, and only their authors are told."""

    @property
    def cause(self) -> str:
        """By what its answer is known."""
        return cause(self.message_id, self.author, self.subject)


@dataclass(frozen=True)
class Arrived:
    """A mail that was handed over, as its receiver saw it."""

    at: float
    recipient: str
    message_id: str
    answers: str
    """The letter that it answers by itself, as `cause` says; empty for other mails."""
    subject: str
    digest: str
    """Of its bytes."""
    reply: str
    """What the receiver answered; empty if the connection broke before that was said."""
    is_kept: bool
    """Whether the receiver has the mail."""


@dataclass(frozen=True)
class Fault:
    """Trouble that was made."""

    kind: str
    what: str
    begin: float
    end: float


@dataclass
class Logs:
    """All of them; moments are seconds of the one clock that shows no faults."""

    sent: list[Sent] = field(default_factory=list)
    arrived: list[Arrived] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    """Of people who waited in vain, or were answered what they cannot have been."""

    def write(self, folder: Path) -> None:
        """Keep them as files, one JSON object a line."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, entries in (("sent", self.sent), ("arrived", self.arrived), ("faults", self.faults)):
            lines = [json.dumps(asdict(entry)) + "\n" for entry in entries]
            (folder / f"{name}.jsonl").write_text("".join(lines))
