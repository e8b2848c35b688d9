"""Tasks of robots at boards, and analyses."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint, false

from pbem.storage.models.base import SHUNTED, WAITING, Base, Stored, column, partial_index


class BoardAnalysisRow(Base):
    """The latest analysis of a finished game; nothing in it tells who has asked for it."""

    __tablename__ = "board_analyses"

    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True, autoincrement=False)
    playouts: Stored[int]
    """For each position."""
    looks: Stored[list[Any]] = column(JSON)
    """Of each input: the fields of a `Look`, of its candidates only the best."""
    made_at: Stored[datetime]


class TaskRow(Base, sqlite_autoincrement=True):
    """Something that a robot is to do at a board; it is written, and forgotten, with the events of the board.

    But for an analysis, which is asked for, and forgotten once it was mailed.
    """

    # AUTOINCREMENT: the number tells a task from the next one of the same board, which another process may have.
    __tablename__ = "tasks"
    __table_args__ = (
        # A board asks a robot for one thing at a time, and so does who wants an analysis.
        partial_index(
            "ix_tasks_board_number_player_id", "board_number", "player_id", only="kind <> 'analyse'", unique=True
        ),
        UniqueConstraint("asker_id"),
        partial_index("ix_tasks_waiting_due_at", "due_at", only=WAITING),
        partial_index("ix_tasks_shunted", "id", only=SHUNTED),
    )

    id: Stored[int] = column(primary_key=True)
    board_number: Stored[int] = column(ForeignKey("boards.number"))
    event: Stored[int]
    """The number of the board's last event when it was asked: once there is another, the task is overtaken."""
    player_id: Stored[int] = column(ForeignKey("players.id"))
    """The robot."""
    kind: Stored[str] = column(String(16))
    """``act``, ``draw``, ``undo`` or ``analyse``."""
    moveno: Stored[int | None]
    """Of an analysis: the turn that it is about, if it is one."""
    asker_id: Stored[int | None] = column(ForeignKey("players.id"))
    """Of an analysis: the player who is told."""
    budget: Stored[int]
    """The budget in playouts; 0 where no search is needed."""
    asked_at: Stored[datetime]
    """When it became the robot's turn, as the board has it."""
    due_at: Stored[datetime]
    """The key by which tasks are taken, analyses after all others: the moment of asking, and some time for each
    playout. So short searches go first, and nothing waits for ever."""
    state: Stored[str] = column(String(16))
    """``waiting`` or ``shunted``."""
    attempts: Stored[int]
    """The number of attempts: a task that ends its process again and again is set aside."""
    next_attempt_at: Stored[datetime]
    lease_owner: Stored[str | None] = column(String(64))
    """Which process thinks about it; should that die, the lease runs out."""
    lease_until: Stored[datetime | None]
    last_error: Stored[str | None] = column(Text)
    """Kind and place of what went wrong last, for the operator."""
    of_guest: Stored[bool] = column(server_default=false())
    """It is about the board of a guest: it comes after all others."""
