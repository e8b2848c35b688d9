"""What players have solved."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base


class SolvedPuzzleRow(Base):
    """A puzzle that a player has solved."""

    __tablename__ = "solved_puzzles"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True, autoincrement=False)
    puzzle: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Its number; the puzzles themselves come with the program."""
    solved_at: Mapped[datetime]
    """When he did so first."""
