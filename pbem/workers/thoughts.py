"""What thoughts of robots come to: commands; and what becomes of tasks that could not be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog
from sqlalchemy import Connection

from pbem.domain.notices import Notice
from pbem.domain.robots import TaskKind
from pbem.executor import Clerk
from pbem.meters import Meters
from pbem.storage.engine import is_out_of_order
from pbem.storage.tasks import Task, Tasks
from pbem.usecases.context import Context
from pbem.usecases.tasks import Thought, carry_out, stuck
from pbem.workers.faults import MOST_ATTEMPTS, where_it_failed

log = structlog.get_logger()


class Thoughts:
    """Does what was thought of, as anybody would; has tasks tried again that failed, or sets them aside.

    Args:
        tasks: where they wait.
        clerk: has commands carried out.
        operator: who is told of tasks that were set aside, if anybody is.
        retry_after: how long a task rests that could not be done.
        meters: what is counted here.
    """

    def __init__(
        self, tasks: Tasks, clerk: Clerk, operator: str | None, retry_after: timedelta, meters: Meters | None = None
    ) -> None:
        self._tasks = tasks
        self._clerk = clerk
        self._operator = operator
        self._retry_after = retry_after
        self._meters = meters or Meters()

    def carry_out(self, task: Task, thought: Thought | None) -> None:
        """Carry out a task, unless it has been overtaken.

        Raises:
            Exception: it cannot be done.
        """
        overtaken = False

        def decide(context: Context) -> dict[str, list[Notice]] | None:
            nonlocal overtaken
            notices = carry_out(task.work, thought, context)
            overtaken = notices is None
            return None if notices is None else {_key(task): notices}

        self._clerk.insist(decide, *self._ended_with(task), board=task.board)
        if overtaken:
            self._tasks.drop(task)
        log.info("robot has acted", board=task.board, robot=task.userid, overtaken=overtaken)
        self._meters.thoughts.labels("overtaken" if overtaken else "acted").inc()

    def failed(self, task: Task, failed: Exception) -> None:
        """Have a task tried again, unless that was often enough.

        Raises:
            Exception: the database is in trouble.
        """
        where, again = where_it_failed(failed), datetime.now(UTC) + self._retry_after
        log.error("robot has not acted", board=task.board, robot=task.userid, attempt=task.attempts, **where)
        self._meters.thoughts.labels("failed").inc()
        if is_out_of_order(failed):
            self._tasks.give_back([task], again)
            raise failed
        if task.attempts >= MOST_ATTEMPTS:
            self.shunt(task, f"{where['error']} at {where['at']}")
        else:
            self._tasks.retry(task, str(where), again)

    def shunt(self, task: Task, error: str) -> None:
        """Set a task aside, and tell those who wait for it, and the operator; an analysis can be asked for again.

        Raises:
            TooManyConflicts: it cannot be.
        """
        now = datetime.now(UTC)
        ended = self._ended_with(task) or [partial(self._tasks.shunt, task=task, error=error)]

        def decide(context: Context) -> dict[str, list[Notice]]:
            told = stuck(task.work, context)
            if self._operator is not None and task.kind is not TaskKind.ANALYSE:
                facts = {"task": task, "error": error, "told": len(told)}
                told.append(Notice("robot_stuck_operator", self._operator, facts, from_nobody=True))
            return {f"stuck-{task.id}-{now:%Y%m%d%H%M%S%f}": told}

        self._clerk.insist(decide, *ended)
        log.error("robot stuck", board=task.board, robot=task.userid)
        self._meters.thoughts.labels("stuck").inc()

    def _ended_with(self, task: Task) -> Sequence[Callable[[Connection], None]]:
        """What ends a task with the mails that tell of it, where no event of its board does."""
        return [partial(self._tasks.end, task=task)] if task.kind is TaskKind.ANALYSE else []


def _key(task: Task) -> str:
    """What the keys of the mails begin with that tell what came of a task."""
    if task.kind is TaskKind.ANALYSE:
        return f"analysis-{task.id}"
    return f"robot-{task.board}-{task.work.event}-{task.userid}"
