"""Tasks of robots → thoughts → commands: thinking goes on in other processes, and no transaction waits for it."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, CancelledError, wait
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import structlog

from pbem.bots.analysis import Inquiry
from pbem.domain.notices import Notice
from pbem.domain.robots import TaskKind
from pbem.errors import PbemError
from pbem.meters import Meters
from pbem.storage.engine import is_out_of_order
from pbem.usecases.tasks import carry_out, question, stuck
from pbem.workers.faults import where_it_failed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from sqlalchemy import Connection

    from pbem.storage.tasks import Task, Tasks
    from pbem.usecases.context import Context
    from pbem.usecases.errands import Question
    from pbem.usecases.tasks import Thought
    from pbem.workers.clerk import Clerk
    from pbem.workers.slots import Slot

log = structlog.get_logger()

MOST_ATTEMPTS = 3
"""A task that could not be done so often is set aside."""
MOST_DEATHS = 2 * MOST_ATTEMPTS
"""One in whose course the whole server has ended so often is: more, since it may have been chance."""
_MOST_CONFLICTS = 20


_FEWER = 4
"""By this the playouts are divided with each attempt that has taken too long."""


class ThoughtTooLong(PbemError):
    """A thought has taken so long that its process was ended."""


class TooManyConflicts(PbemError):
    """A move was made again and again, and each time somebody else was quicker."""


class Thinkers:
    """Takes tasks, has them thought about, and says what comes of it as anybody would.

    Args:
        tasks: where they wait.
        clerk: has commands carried out.
        slots: the minds.
        operator: who is told of tasks that were set aside, if anybody is.
        longest: how many seconds a thought may take; then its process is ended.
        retry_after: how long a task rests that could not be done.
        drain_seconds: how long thoughts under way are waited for at the end.
        thought: called when a thought is there.
        meters: what is counted here.
    """

    def __init__(
        self,
        *,
        tasks: Tasks,
        clerk: Clerk,
        slots: Sequence[Slot],
        operator: str | None,
        longest: float,
        retry_after: timedelta,
        drain_seconds: float,
        thought: Callable[[], None],
        meters: Meters | None = None,
    ) -> None:
        self._meters = meters or Meters()
        self._tasks = tasks
        self._clerk = clerk
        self._slots = slots
        self._operator = operator
        self._longest = longest
        self._retry_after = retry_after
        self._drain_seconds = drain_seconds
        self._thought = thought
        self._renewed_at = monotonic()

    def start(self) -> None:
        """Have the first mind get ready, in the background; the others begin with what it has compiled."""
        for slot in self._slots[:1]:
            slot.mind.start()

    def _start_others(self) -> None:
        """Start those that boards wait for; one for analyses alone is started when there is one."""
        if self._slots and self._slots[0].mind.is_ready:
            for slot in self._slots[1:]:
                if slot.plays and not slot.mind.is_started:
                    slot.mind.start()

    def step(self) -> bool:
        """Take what was thought of, and give the free minds something to think about; False if there was nothing.

        Raises:
            Exception: the database is in trouble.
        """
        self._start_others()
        ended = [self._finish(slot) for slot in self._slots]
        for slot in self._slots:
            if slot.thought is not None and monotonic() - slot.since > self._longest:
                slot.is_late = True
                slot.mind.kill()
        self._renew()
        return self._begin_all() or any(ended)

    def _renew(self) -> None:
        """Keep the tasks that are thought about; not at every step, since it is written down."""
        now = monotonic()
        held = [slot.task for slot in self._slots if slot.task is not None]
        if held and now - self._renewed_at > self._tasks.lease_seconds / 3:
            self._tasks.renew(held, datetime.now(UTC))
            self._renewed_at = now

    def _begin_all(self) -> bool:
        """Give the free minds something to think about; where one finds nothing that takes anything, none does.

        Those that take short thoughts alone come first, and leave the others to the long ones.
        """
        has_begun = False
        for slot in sorted(self._slots, key=lambda each: each.most is None):
            may_start = slot is self._slots[0] or self._slots[0].mind.is_ready
            if slot.task is not None or not (slot.mind.is_started or may_start):
                continue
            if self._begin(slot):
                has_begun = True
            elif slot.takes_anything:
                break
        return has_begun

    def _finish(self, slot: Slot) -> bool:
        """Do what a mind has thought of; False if it has not, or has nothing to think about."""
        task, thought = slot.task, slot.thought
        if task is None or thought is None or not thought.done():
            return False
        slot.task = slot.thought = None
        self._meters.thought_seconds.observe(monotonic() - slot.since)
        try:
            self._do(task, thought.result())
        except Exception as failed:  # noqa: BLE001 - our bug, or the child was killed: the queue goes on
            if isinstance(failed, BrokenExecutor | CancelledError):
                slot.mind.start()
                failed = ThoughtTooLong() if slot.is_late else failed
            self._failed(task, failed)
        return True

    def _begin(self, slot: Slot) -> bool:
        """Take up one task; False if there is none for this mind. What needs no thought is done at once."""
        task = self._tasks.lease(datetime.now(UTC), slot.most, slot.kinds)
        if task is None:
            return False
        try:
            if task.attempts > MOST_DEATHS:
                self._shunt(task, "its server died")
            else:
                self._take_up(slot, task)
        except Exception as failed:  # noqa: BLE001 - our bug: the queue goes on
            self._failed(task, failed)
        return True

    def _take_up(self, slot: Slot, task: Task) -> None:
        asked = self._clerk.look(lambda context: question(task.work, context), datetime.now(UTC))
        if asked is None:
            self._do(task, None)
            return
        if isinstance(asked, Inquiry):
            think: Callable[[], Future[Any]] = partial(slot.mind.look, asked)
        else:
            think = partial(slot.mind.think, asked.game, asked.position, _playouts(task, asked), asked.seed)
        try:
            thought = think()
        except BrokenExecutor:  # it was killed while it had nothing to do
            slot.mind.start()
            thought = think()
        slot.task, slot.thought, slot.since, slot.is_late = task, thought, monotonic(), False
        thought.add_done_callback(lambda _: self._thought())

    def _do(self, task: Task, thought: Thought | None) -> None:
        """Carry out a task, unless it has been overtaken.

        Raises:
            Exception: it cannot be done.
        """
        for _ in range(_MOST_CONFLICTS):
            now, overtaken = datetime.now(UTC), False

            def decide(context: Context) -> dict[str, list[Notice]] | None:
                nonlocal overtaken
                notices = carry_out(task.work, thought, context)
                overtaken = notices is None
                return None if notices is None else {_key(task): notices}

            told = self._clerk.carry_out(decide, now, *self._ended_with(task), board=task.board)
            if overtaken:
                self._tasks.drop(task)
            if told is not None:
                log.info("robot has acted", board=task.board, robot=task.userid, overtaken=overtaken)
                self._meters.thoughts.labels("overtaken" if overtaken else "acted").inc()
                return
        raise TooManyConflicts

    def _ended_with(self, task: Task) -> Sequence[Callable[[Connection], None]]:
        """What ends a task with the mails that tell of it, where no event of its board does."""
        return [partial(self._tasks.end, task=task)] if task.kind is TaskKind.ANALYSE else []

    def _failed(self, task: Task, failed: Exception) -> None:
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
            self._shunt(task, f"{where['error']} at {where['at']}")
        else:
            self._tasks.retry(task, str(where), again)

    def _shunt(self, task: Task, error: str) -> None:
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

        for _ in range(_MOST_CONFLICTS):
            if self._clerk.carry_out(decide, now, *ended) is not None:
                log.error("robot stuck", board=task.board, robot=task.userid)
                self._meters.thoughts.labels("stuck").inc()
                return
        raise TooManyConflicts

    def pull_in(self, now: datetime) -> None:
        """Bring near what waits for a time that a clock has noted which was ahead."""
        self._tasks.pull_in(now, self._retry_after)

    def end(self) -> None:
        """Wait a little for thoughts under way, and give back what is not thought out."""
        thoughts = [slot.thought for slot in self._slots if slot.thought is not None]
        wait(thoughts, self._drain_seconds)
        try:
            for slot in self._slots:
                self._finish(slot)
            left = [slot.task for slot in self._slots if slot.task is not None]
            self._tasks.give_back(left, datetime.now(UTC))
        finally:
            for slot in self._slots:
                slot.mind.close()


def _playouts(task: Task, asked: Question) -> int:
    """How many playouts to make: after each attempt that has taken too long, fewer."""
    has_been_late = ThoughtTooLong.__name__ in (task.error or "")
    return max(1, asked.playouts // _FEWER ** (task.attempts - 1)) if has_been_late else asked.playouts


def _key(task: Task) -> str:
    """What the keys of the mails begin with that tell what came of a task."""
    if task.kind is TaskKind.ANALYSE:
        return f"analysis-{task.id}"
    return f"robot-{task.board}-{task.work.event}-{task.userid}"
