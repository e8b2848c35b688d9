"""Tokens, by which programs speak for their players."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.errors import NotAllowed
from pbem.ids import PlayerId

MOST_POSTS = 60
"""Commands that one token may bring in a `STRETCH`."""
STRETCH = timedelta(minutes=1)
POSTS_KEPT = timedelta(days=1)
"""How long a post that comes again is known by its key."""
_NAME = re.compile(r"[^\W_](?:[\w .:/+-]{0,38}[\w.])?")


class TooManyPosts(NotAllowed):
    """The token has brought as many commands as it may for the moment."""

    most: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Token:
    """What a program shows instead of a password; the secret itself is known to its player alone."""

    secret_hash: str
    """Of the secret; whoever reads the database cannot use it."""
    player: PlayerId
    name: str
    """What its player calls it."""
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
    """What a command was answered that may come again, under the key that its program has given it."""

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
    """Whether a token may be called so: a few words of letters and figures."""
    return _NAME.fullmatch(word) is not None
