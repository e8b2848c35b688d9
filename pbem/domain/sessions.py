"""Being signed in on the web."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.ids import PlayerId


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a player has signed in."""

    digest: str
    """Of the secret that the browser keeps; whoever reads the database cannot sign in with it."""
    player: PlayerId
    began_at: datetime
    expires_at: datetime


def digest(secret: str) -> str:
    """What is stored of a session's secret, which has 256 random bits: so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
