"""What the operator and players tell everybody, and what the operator has done."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base


class BulletinRow(Base):
    """What the operator tells everybody, such as when the server will be down for maintenance."""

    __tablename__ = "bulletins"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    posted_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    """NULL: until it is taken down."""


class BroadcastRow(Base):
    """What a player tells everybody; sent in batches."""

    __tablename__ = "broadcasts"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    at: Mapped[datetime] = mapped_column(index=True)
    text: Mapped[str] = mapped_column(Text)
    sent_to: Mapped[int]
    """The last player who has been told, in the order of their ids."""
    done_at: Mapped[datetime | None]


class AlarmToldRow(Base):
    """When the operator was last mailed of some trouble, or of its end."""

    __tablename__ = "alarms_told"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the mail: ``alarm_letters_not_stored``."""
    told_at: Mapped[datetime]


class DeedRow(Base):
    """What an operator has done with ``pbem admin``."""

    __tablename__ = "deeds"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    operator: Mapped[str] = mapped_column(String(64))
    """The account on the machine."""
    deed: Mapped[str] = mapped_column(String(64))
    """``player freeze``, ``board annul``."""
    subject: Mapped[str] = mapped_column(String(320))
    """Whom or what it was done to."""
    reason: Mapped[str] = mapped_column(Text)
