"""By what programs speak for their players."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base


class TokenRow(Base):
    """A token of a program."""

    __tablename__ = "tokens"

    secret_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the secret that its player has been shown."""
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    made_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    counted_since: Mapped[datetime | None]
    posts: Mapped[int]
    """How many commands it has brought since then."""


class TokenPostRow(Base):
    """What a program was answered that may ask the same again."""

    __tablename__ = "token_posts"

    token: Mapped[str] = mapped_column(ForeignKey("tokens.secret_hash"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """A hash of what the program calls it."""
    said: Mapped[str] = mapped_column(String(64))
    """A hash of what it said."""
    at: Mapped[datetime]
    status: Mapped[int]
    answer: Mapped[str] = mapped_column(Text)
