"""What the web needs beside the rest."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base


class SessionRow(Base):
    """A browser in which a player has signed in."""

    __tablename__ = "sessions"

    secret_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the secret that the browser keeps."""
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    began_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class OperatorKeyRow(Base):
    """What opens the operator's page: a link, good once, or the session that it led to."""

    __tablename__ = "operator_keys"

    secret_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the secret in the link, or of the one that the browser keeps."""
    kind: Mapped[str] = mapped_column(String(8))
    """``link`` or ``session``."""
    operator: Mapped[str] = mapped_column(String(64))
    """The account on the machine that asked for the link."""
    began_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class RemarkRow(Base):
    """What a player has written at a board."""

    __tablename__ = "remarks"

    id: Mapped[int] = mapped_column(primary_key=True)
    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), index=True)
    event: Mapped[int]
    """The number of the board's last event by then."""
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
