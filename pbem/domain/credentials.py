"""Sessions, API tokens and questions to confirm."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from pbem.errors import NotAllowed
from pbem.ids import ConfirmationId, PlayerId

_OFTEN_ENOUGH = timedelta(days=1)

OPERATOR_LINK_FOR = timedelta(minutes=15)
"""The validity of a link to the operator's page; it can be used once."""
OPERATOR_SESSION_FOR = timedelta(hours=12)
"""The time that an operator stays signed in, whatever the activity."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a player has signed in."""

    secret_hash: str
    """Of the secret that the browser keeps; whoever reads the database cannot sign in with it."""
    player: PlayerId
    began_at: datetime
    expires_at: datetime

    def is_to_be_prolonged(self, lasts: timedelta, now: datetime) -> bool:
        """Return True if it has been used long enough after it began, or was prolonged, to be extended.

        Args:
            lasts: the time that an unused session lasts.
            now: the moment.
        """
        return now - (self.expires_at - lasts) >= min(_OFTEN_ENOUGH, lasts / 2)


def hashed(secret: str) -> str:
    """The stored form of a session's secret, which has 256 random bits and so needs no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()


MOST_POSTS = 60
"""Commands that one token may bring in a `STRETCH`."""
STRETCH = timedelta(minutes=1)
POSTS_KEPT = timedelta(days=1)
"""The time for which a repeated post is recognised by its key."""
_NAME = re.compile(r"[^\W_](?:[\w .:/+-]{0,38}[\w.])?")


class TooManyPosts(NotAllowed):
    """The token has brought as many commands as it may for the moment."""

    most: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Token:
    """A program's substitute for a password; only its player knows the secret itself."""

    secret_hash: str
    """Of the secret; whoever reads the database cannot use it."""
    player: PlayerId
    name: str
    """The player's name for it."""
    made_at: datetime
    used_at: datetime | None = None
    counted_since: datetime | None = None
    """When the stretch began in which its commands are counted."""
    posts: int = 0
    """Commands brought since then."""

    def used(self, now: datetime) -> Token:
        """The token with one more command brought.

        Raises:
            TooManyPosts: not so soon.
        """
        since = self.counted_since
        if since is None or not since <= now < since + STRETCH:
            return replace(self, used_at=now, counted_since=now, posts=1)
        if self.posts >= MOST_POSTS:
            raise TooManyPosts(MOST_POSTS, int((since + STRETCH - now).total_seconds()) + 1)
        return replace(self, used_at=now, posts=self.posts + 1)


@dataclass(frozen=True, slots=True)
class Post:
    """The answer to a command that may come again, under the key that its program has given it."""

    token: str
    """The hash of the token."""
    key: str
    """A hash of what the program has called it."""
    said: str
    """A hash of what it said."""
    at: datetime
    status: int
    answer: str
    """The JSON of the answer."""


def is_name(word: str) -> bool:
    """Return True if a token may have this name: a few words of letters and figures."""
    return _NAME.fullmatch(word) is not None


class ConfirmationKind(StrEnum):
    """The kinds of question."""

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
    guest: PlayerId | None = None
    """Of a signup: the guest who keeps their boards by it."""
    answered_at: datetime | None = None
