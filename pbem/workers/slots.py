"""Minds, and what each of them takes: nobody whose turn it is to come waits for something that is no turn."""

from __future__ import annotations

from collections.abc import Callable, Set
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from pbem.bots.levels import LEVELS
from pbem.domain.robots import PLAYS, TaskKind
from pbem.storage.tasks import Task
from pbem.workers.minds import Mind

_ANYTHING = frozenset(TaskKind)


@dataclass(slots=True)
class Slot:
    """A mind, and what it thinks about."""

    mind: Mind
    most: int | None = None
    """The largest budget that it takes, in playouts; None: any."""
    kinds: Set[TaskKind] = _ANYTHING
    """What it takes."""
    task: Task | None = None
    thought: Future[Any] | None = None
    """It comes to a `Thought`."""
    since: float = 0.0
    """When the thought began, by a clock that only goes on."""
    is_late: bool = False
    """Whether the thought has taken too long, so that the mind's process was ended."""

    @property
    def takes_anything(self) -> bool:
        """Whether there is nothing that only others take."""
        return self.most is None and self.kinds == _ANYTHING

    @property
    def plays(self) -> bool:
        """Whether boards wait for it."""
        return TaskKind.ACT in self.kinds


def make_slots(count: int, mind: Callable[[], Mind]) -> list[Slot]:
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
