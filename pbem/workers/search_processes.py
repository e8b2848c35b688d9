"""Processes that search for the computer opponents."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Set
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from pbem.bots.analysis import HintRequest, Look, SearchRequest
from pbem.bots.boards import LEVELS
from pbem.bots.thinking import Opinion
from pbem.domain.robots import PLAYS, TaskKind
from pbem.games.game import Game, Position
from pbem.storage.robot_tasks import Task
from pbem.workers.child_processes import child_process, kill


class SearchProcess:
    """One child process, which thinks about one thing at a time.

    Args:
        games: what it gets ready for at its start.
    """

    def __init__(self, games: Collection[Game[Any, Any]]) -> None:
        self._games = tuple(games)
        self._pool: ProcessPoolExecutor | None = None
        self._pid: Future[int] | None = None

    def start(self) -> None:
        """Have a child started in the background, in place of one that has died; it compiles what it needs."""
        self.close()
        self._pool = child_process()
        self._pid = self._pool.submit(_get_ready, self._games)

    def think(self, game: Game[Any, Any], position: Position[Any], playouts: int, seed: int) -> Future[Opinion]:
        """Have the child think.

        Raises:
            BrokenProcessPool: it is dead.
        """
        return self._child().submit(_think, game, position, playouts, seed)

    def look(self, inquiry: SearchRequest | HintRequest) -> Future[tuple[Look, ...]]:
        """Have the child look at positions of a game.

        Raises:
            BrokenProcessPool: it is dead.
        """
        return self._child().submit(_look, inquiry)

    def _child(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self.start()
        if self._pool is None:
            raise AssertionError("a mind has a child once it was started")
        return self._pool

    @property
    def is_started(self) -> bool:
        """It has a child, ready or not."""
        return self._pool is not None

    @property
    def is_ready(self) -> bool:
        """Its child is ready, or has died of it."""
        return self._pid is not None and self._pid.done()

    @property
    def pid(self) -> int | None:
        """The child, once it is ready."""
        is_there = self._pid is not None and self._pid.done() and self._pid.exception() is None
        return self._pid.result() if is_there and self._pid is not None else None

    def kill(self) -> None:
        """End the child, whatever it is doing."""
        if self._pool is not None:
            kill(self._pool)

    def close(self) -> None:
        """End the child and forget it."""
        if self._pool is not None:
            self.kill()
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._pid = None


def _get_ready(games: Collection[Game[Any, Any]]) -> int:
    """Load and compile what thinking about these games needs; return the process."""
    for game in games:
        if game.has_search:
            continue
        with contextlib.suppress(Exception):  # whoever asks about this game will hear of it
            _think(game, game.begin(game.read_options(()), min(game.players)), 2, 1)
    return os.getpid()


def _think(game: Game[Any, Any], position: Position[Any], playouts: int, seed: int) -> Opinion:
    """Think in the child."""
    from pbem.bots.thinking import opinion_of, think

    return opinion_of(think(game, position, playouts=playouts, seed=seed))


def _look(inquiry: SearchRequest | HintRequest) -> tuple[Look, ...]:
    """Look in the child."""
    return inquiry.answer()


_ANYTHING = frozenset(TaskKind)


@dataclass(slots=True)
class Slot:
    """A mind, and what it thinks about."""

    mind: SearchProcess
    most: int | None = None
    """The largest budget that it takes, in playouts; None: any."""
    kinds: Set[TaskKind] = _ANYTHING
    """The kinds of task that it takes."""
    task: Task | None = None
    thought: Future[Any] | None = None
    """It comes to a `SearchResult`."""
    since: float = 0.0
    """When the thought began, by a clock that only goes on."""
    checked_at: float = 0.0
    """When the task was last known to be due, by the same clock."""
    is_late: bool = False
    """The search has taken too long, so that its process was ended."""
    is_overtaken: bool = False
    """Nobody waits for the search any more, so that its process was ended."""

    @property
    def takes_anything(self) -> bool:
        """It takes every kind of task."""
        return self.most is None and self.kinds == _ANYTHING

    @property
    def plays(self) -> bool:
        """Boards wait for it."""
        return TaskKind.ACT in self.kinds


def make_slots(count: int, mind: Callable[[], SearchProcess]) -> list[Slot]:
    """So many that think; if there are any, one more for short thoughts about turns, and one for analyses.

    An analysis takes minutes, so the first one takes none: whatever the others do, the longest that a turn waits for is
    other turns.
    """
    if not count:
        return []
    budgets = sorted(level.playouts for level in LEVELS.values())
    return [
        Slot(mind(), kinds=PLAYS),
        *(Slot(mind()) for _ in range(count - 1)),
        Slot(mind(), budgets[len(budgets) // 2], PLAYS),
        Slot(mind(), kinds=_ANYTHING - PLAYS),
    ]
