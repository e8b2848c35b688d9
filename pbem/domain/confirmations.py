"""Questions that one reply answers: is this address yours, did you mean this command."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pbem.ids import ConfirmationId, PlayerId


class ConfirmationKind(StrEnum):
    """What is asked."""

    ADDRESS = "address"
    """Is this address yours?"""
    COMMAND = "command"
    """Did you mean this command?"""
    ACCOUNT = "account"
    """Is your account to be changed like this?"""
    RESET = "reset"
    """Which password do you want to have?"""
    SIGN_IN = "sign in"
    """Is it you who wants to sign in on the web? Answered there, not by mail."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question mailed to ``address`` (None: to all that the player had confirmed).

    It is answered at most once, until ``expires_at``.
    """

    id: ConfirmationId
    nonce: int
    """32 random bits, which its mails bear: of two questions with one number, such as there are when a backup has been
    put back, the answer to one is none to the other."""
    kind: ConfirmationKind
    player: PlayerId
    address: str | None
    asked_at: datetime
    expires_at: datetime
    line: str | None = None
    """The command asked about, in its short form: there is never a password in it. With a question about an
    address: the signup, or the change that it belongs to, if it is to replace others."""
    password_hash: str | None = field(default=None, repr=False)
    """Of the password that a change or a signup is about."""
    comment: str = ""
    board: int | None = None
    event: int | None = None
    """The board's event number when the command came: it is not carried out in a newer position."""
    session: str | None = None
    """The hash of the session on the web in which it was asked for, which a new password does not end; of a signup
    on the web: of what its browser keeps to be known by."""
    answered_at: datetime | None = None
