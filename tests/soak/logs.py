"""The logs of senders, receivers and troublemakers: all that the auditor needs, except for the last look."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

QUESTION = "Please confirm"
"""The beginning of the Subjects of questions; they refer to no letter, but there is one for each that leads to one."""
GUEST, CARELESS, REFUSED = "guest", "careless", "refused"
"""The beginnings of addresses: of strangers; of those who do not send a letter again; and of those whom some mood
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
    """The fate of a letter, as far as its sender knows in the end."""

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
    """The beginning of the Subject of the answer; empty if anything will do."""
    fate: Fate
    broken: tuple[str, ...] = ()
    """The ways in which earlier tries ended."""
    rival: str = ""
    """The thing that several letters ask for and one gets; the others are refused, and only their authors are told."""

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
    """The receiver's answer; empty if the connection broke before it was given."""
    is_kept: bool
    """True if the receiver has the mail."""


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
