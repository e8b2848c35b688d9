"""Being signed in on the web."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.ids import PlayerId

_OFTEN_ENOUGH = timedelta(days=1)

OPERATOR_LINK_FOR = timedelta(minutes=15)
"""How long a link to the operator's page is good; it is so once."""
OPERATOR_SESSION_FOR = timedelta(hours=12)
"""How long an operator stays signed in, however often he looks."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a player has signed in."""

    secret_hash: str
    """Of the secret that the browser keeps; whoever reads the database cannot sign in with it."""
    player: PlayerId
    began_at: datetime
    expires_at: datetime

    def is_to_be_prolonged(self, lasts: timedelta, now: datetime) -> bool:
        """Whether it has been used long enough after it began, or was prolonged, to last anew.

        Args:
            lasts: how long a session lasts that is not used.
            now: the moment.
        """
        return now - (self.expires_at - lasts) >= min(_OFTEN_ENOUGH, lasts / 2)


def hashed(secret: str) -> str:
    """What is stored of a session's secret, which has 256 random bits: so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
