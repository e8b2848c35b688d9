"""Who is signed in on the web, in the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from pbem.domain.sessions import Session
from pbem.ids import PlayerId
from pbem.storage.models import SessionRow
from pbem.storage.repository import Repository


class SessionRepository(Repository[str, "Session | None"]):
    """Who is signed in; what is saved of a session is None if it has ended."""

    _notes = ("saved", "_ended_of", "_prolonged")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._ended_of: dict[PlayerId, str | None] = {}
        self._prolonged: dict[str, datetime] = {}

    def find(self, secret_hash: str, now: datetime) -> Session | None:
        """The session with this hash, if it is still good."""
        if secret_hash in self.saved:
            saved = self.saved[secret_hash]
            return saved if saved is not None and saved.expires_at > now else None
        mine = SessionRow.secret_hash == secret_hash
        query = select(*SessionRow.__table__.c).where(mine, SessionRow.expires_at > now)
        row = self._connect().execute(query).one_or_none()
        return None if row is None else Session(row.secret_hash, PlayerId(row.player_id), row.began_at, row.expires_at)

    def of(self, player: PlayerId, now: datetime) -> Sequence[Session]:
        """The stored sessions of a player that are still good, the newest first."""
        mine = (SessionRow.player_id == player) & (SessionRow.expires_at > now)
        query = select(*SessionRow.__table__.c).where(mine).order_by(SessionRow.began_at.desc(), SessionRow.secret_hash)
        found = self._connect().execute(query)
        return [Session(row.secret_hash, PlayerId(row.player_id), row.began_at, row.expires_at) for row in found]

    def begin(self, session: Session) -> None:
        """Add a session."""
        self.saved[session.secret_hash] = session

    def prolong(self, secret_hash: str, expires_at: datetime) -> None:
        """Let a session last until then, unless it has ended."""
        self._prolonged[secret_hash] = expires_at

    def end(self, secret_hash: str) -> None:
        """End a session."""
        self.saved[secret_hash] = None

    def end_of(self, player: PlayerId, but: str | None = None) -> None:
        """End all stored sessions of a player, but for one perhaps."""
        self._ended_of[player] = but

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for player, but in self._ended_of.items():
            connection.execute(
                delete(SessionRow).where(SessionRow.player_id == player, SessionRow.secret_hash != (but or ""))
            )
        for secret_hash, expires_at in self._prolonged.items():
            mine = SessionRow.secret_hash == secret_hash
            connection.execute(update(SessionRow).where(mine).values(expires_at=expires_at))
        for secret_hash, session in self.saved.items():
            if session is None:
                connection.execute(delete(SessionRow).where(SessionRow.secret_hash == secret_hash))
                continue
            values = {"player_id": session.player, "began_at": session.began_at, "expires_at": session.expires_at}
            connection.execute(insert(SessionRow).values(secret_hash=secret_hash, **values))
