"""What only the web needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.domain.sessions import Session
    from pbem.ids import PlayerId


class Sessions(Protocol):
    """Who is signed in on the web."""

    def find(self, digest: str, now: datetime) -> Session | None:
        """The session with this digest, if it is still good."""

    def save(self, session: Session) -> None:
        """Add the session, or replace it."""

    def end(self, digest: str) -> None:
        """End a session."""

    def end_of(self, player: PlayerId, but: str | None = None) -> None:
        """End all sessions of a player, but for the one with this digest perhaps."""
