"""What is to be told, to whom; `pbem.wording` says it and `pbem.mail_out` mails it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.domain.players import Player
from pbem.domain.replies import BoardReply, ConfirmReply, TopicReply
from pbem.ids import BoardNumber


@dataclass(frozen=True, slots=True)
class BoardThread:
    """The thread of mails that a notice belongs to."""

    game: str
    board: BoardNumber
    event: int
    opens: bool = False
    """Whether this is the first mail of the thread."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a mail carries."""

    name: str
    """What it is to be saved as; plain ASCII."""
    content_type: str
    """``application/json``"""
    content: bytes = field(repr=False)


ALONE = "_alone"
"""Ends what mails are filed under of which nobody else is to learn."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell someone, unrendered."""

    name: str
    """The template that words it: ``board`` → ``board.txt``."""
    to: Player | str
    """A player (all addresses that mail reaches) or one address."""
    facts: Mapping[str, object] = field(default_factory=dict)
    thread: BoardThread | None = None
    reply: BoardReply | ConfirmReply | TopicReply | None = None
    """What answering the mail proves; it is signed into the Reply-To."""
    answers: bool = False
    """Whether it goes to the sender of the letter at hand, and may be gathered with other answers."""
    from_nobody: bool = False
    """Refusals and questions leave with the null sender, so that no machine answers them."""
    attachment: Attachment | None = None
    """A file to go with it; such an answer stays a mail of its own."""
    at: str | None = None
    """The one address of the player that it goes to, instead of all that mail reaches."""
    copy_of: bytes | None = field(default=None, repr=False)
    """A mail to the player's address ``at`` that is sent once more instead of words of its own."""
    unsubscribes: bool = False
    """Whether it has a link by which its reader, who does not play there, gets no more mails of its board."""
    alone: bool = False
    """Whether nobody else at the board is to learn that its reader got it: it would tell of his plans."""
    is_brief: bool = False
    """Whether it goes, at the word of a letter that proves nothing, to an address that nobody has confirmed."""
    is_decoy: bool = False
    """Whether it is worded like any other and mailed to nobody, so that keeping a secret takes as long as not."""

    @property
    def filed_as(self) -> str:
        """What its mail is known by later."""
        return f"{self.name}{ALONE}" if self.alone else self.name
