"""Letters as they come in, what they show of their sender, and mails as they go out."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.domain.message_ids import AnsweredMail
from pbem.domain.replies import Reply
from pbem.errors import PbemError
from pbem.ids import BoardNumber, PlayerId


@dataclass(frozen=True, slots=True)
class Envelope:
    """MAIL FROM and RCPT TO, not the headers; the null sender is ``""``."""

    sender: str
    recipients: tuple[str, ...]
    client: str | None = None
    """The IP address of the host that handed the letter in, or that our own MTA had it from; None if unknown."""


class InboxFull(PbemError):
    """So many letters wait that one more cannot be taken now."""


CUT = "#\x04"
"""The last line of a body that was too long to be read whole.

No letter of a player brings such a character with it; among commands the line is a remark.
"""


@dataclass(frozen=True, slots=True)
class Letter:
    """An inbound mail, decoded."""

    subject: str
    """Decoded and on one line, reply marks still on it."""
    body: tuple[str, ...]
    """The sender's own lines: quotes and signature are taken off; `CUT` behind them if there were more."""
    message_id: str | None = None
    """To thread the answer; None where it is missing or malformed."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a letter shows of its sender. Evidence is weighed by `pbem.usecases.proof.speakers`."""

    answer_to: str
    """The address that an answer goes to when nobody on record is proven."""
    from_address: str | None = None
    """The single From address; None where there is none, or more than one."""
    reply: Reply | None = None
    """What the address that the letter came to proves."""
    stale_reply: bool = False
    """The letter came to a reply address that does not verify: expired, or not of our making."""
    answered_mail: AnsweredMail | None = None
    """The mail of ours, sent to this From address, that the letter answers by In-Reply-To; None if it came to a
    reply address, which goes first."""
    authenticated: bool = False
    """Our own front MTA says that the domain of the From address stands for it (DMARC)."""
    client: str | None = None
    """The IP address of the host that the letter or the request came from; None if unknown."""

    @property
    def domain(self) -> str:
        """Of the From address, or else of the envelope's sender."""
        return self.answer_to.rpartition("@")[2].casefold()


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail in its final bytes, for one recipient."""

    key: str
    """What caused it, and which of that one's mails it is: a second copy cannot be stored."""
    message_id: str
    sender: str
    """The envelope's; ``""`` is the null sender."""
    recipient: str
    """Empty if no mail reaches the player: then it is only noted, without bytes."""
    raw: bytes = field(repr=False)
    player: PlayerId | None = None
    board: BoardNumber | None = None
    name: str | None = None
    """Of the notice that it says: ``board``, ``welcome``."""
    subject: str | None = None
    answers: bool = False
    """Whether it goes to the sender of the letter that it answers."""
