"""Computer opponents: players of the server that nobody signs in as and nothing is mailed to.

`pbem.bots.boards` says how each of them thinks; this has their userids and their tasks. A task follows from a board
alone and is written with it, or it is an analysis, which a player asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar, TypeAlias

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.players import is_robot
from pbem.domain.waits import waited_for
from pbem.ids import BoardNumber, PlayerId

PATIENCE = timedelta(milliseconds=10)
"""The time for which an analysis lets shorter ones go first, for each playout of its budget."""


class TaskKind(StrEnum):
    """The kinds of task of a robot."""

    ACT = "act"
    """To play, or to decide something."""
    DRAW = "draw"
    """To answer the offer of a draw."""
    UNDO = "undo"
    """To answer the wish to take a move back."""
    ANALYSE = "analyse"
    """To say of a game that is over what its moves were worth, to whoever asks."""


MOST_ANALYSES = 20
"""Analyses that wait for all players together: each takes some minutes, so the last comes within an hour or two."""

PLAYS = frozenset(TaskKind) - {TaskKind.ANALYSE}
"""The tasks that follow from a board."""


@dataclass(frozen=True, slots=True)
class RobotTask:
    """A task of a robot that follows from a board."""

    board: BoardNumber
    event: int
    """The number of the board's last event: after another event the task is obsolete."""
    player: PlayerId
    """The robot."""
    userid: str
    kind: TaskKind


@dataclass(frozen=True, slots=True)
class Analysis:
    """A player's request to the strongest robot: to judge the moves at a finished board."""

    kind: ClassVar[TaskKind] = TaskKind.ANALYSE

    board: BoardNumber
    event: int
    """The number of the board's last event."""
    robot: PlayerId
    """The robot that is to think."""
    asker: PlayerId
    """The player who is to be told."""
    moveno: int | None
    """The turn that it is about; None: the whole game."""
    budget: int
    """In playouts."""
    asked_at: datetime

    @property
    def due_at(self) -> datetime:
        """The key by which analyses are taken: short ones go first, and none waits for ever."""
        return self.asked_at + self.budget * PATIENCE


Work: TypeAlias = RobotTask | Analysis
"""The work of a robot; it waits in the queue as a task."""


def robots_at(board: Board) -> tuple[PlayerId, ...]:
    """The computer opponents that hold a seat, each once, in the order of seats."""
    return tuple(dict.fromkeys(holder.player for holder in board.seats if is_robot(holder.userid)))


def errands(board: Board, course: GameState) -> tuple[RobotTask, ...]:
    """The tasks of robots that follow from a board; none once it is over."""
    asked = set(waited_for(board, course)) & set(robots_at(board))
    kind = TaskKind.ACT if course.offer is None else TaskKind(course.offer.kind.value)
    userids = {holder.player: holder.userid for holder in board.seats}
    return tuple(RobotTask(board.number, board.event_number, player, userids[player], kind) for player in sorted(asked))
