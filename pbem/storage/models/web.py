"""What only the web needs."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base


class SessionRow(Base):
    """A browser in which a player has signed in."""

    __tablename__ = "sessions"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the secret that the browser keeps."""
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    began_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
