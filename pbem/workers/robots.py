"""The computer opponents: which searches are due, and what becomes of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.bots.analysis import HintRequest, SearchRequest
from pbem.domain.mails import Notice
from pbem.domain.robots import TaskKind
from pbem.errors import PbemError
from pbem.executor import CommandExecutor
from pbem.storage.engine import is_out_of_order
from pbem.storage.leases import Rests
from pbem.storage.robot_tasks import Task, Tasks
from pbem.usecases.context import Context
from pbem.usecases.robot_tasks import SearchResult, carry_out, inquiry_for, is_overtaken, stuck
from pbem.usecases.searches import PositionInquiry
from pbem.workers.failures import MOST_ATTEMPTS, MOST_DEATHS
from pbem.workers.faults import where_it_failed
from pbem.workers.search_processes import Slot

log = structlog.get_logger()


class Thoughts:
    """Does what was thought of, as anybody would; has tasks tried again that failed, or sets them aside.

    Args:
        tasks: where they wait.
        clerk: has commands carried out.
        operator: who is told of tasks that were set aside, if anybody is.
        retry_after: how long a task rests that could not be done.
    """

    def __init__(
        self,
        tasks: Tasks,
        executor: CommandExecutor,
        operator: str | None,
        retry_after: timedelta,
    ) -> None:
        self._tasks = tasks
        self._executor = executor
        self._operator = operator
        self._retry_after = retry_after
        self._meters = executor.meters

    def carry_out(self, task: Task, thought: SearchResult | None) -> None:
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

        self._executor.retry_on_conflict(decide, *self._ended_with(task), board=task.board)
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

        self._executor.retry_on_conflict(decide, *ended)
        log.error("robot stuck", board=task.board, robot=task.userid)
        self._meters.thoughts.labels("stuck").inc()

    def _ended_with(self, task: Task) -> Sequence[Callable[[Connection], None]]:
        """The writes that end a task with the mails about it, where no event of its board does."""
        return [partial(self._tasks.end, task=task)] if task.kind is TaskKind.ANALYSE else []


def _key(task: Task) -> str:
    """The beginning of the keys of mails about a task's result."""
    if task.kind is TaskKind.ANALYSE:
        return f"analysis-{task.id}"
    return f"robot-{task.board}-{task.work.event}-{task.userid}"


_FEWER = 4
"""By this the playouts are divided with each attempt that has taken too long."""


class ThoughtTooLong(PbemError):
    """A thought has taken so long that its process was ended."""


@dataclass(frozen=True, slots=True)
class SearchTimes:
    """The time that computer opponents may take."""

    longest_seconds: float
    """A search may take; then its process is ended."""
    retry_after: timedelta
    """A task rests at the most."""
    drain_seconds: float
    """Searches under way are waited for at the end."""
    check_seconds: float = 3.0
    """Between two looks at searches under way: one that nobody waits for any more is broken off."""


class Thinkers:
    """Takes tasks, and has them thought about.

    Args:
        tasks: where they wait.
        clerk: answers what a task asks.
        thoughts: has done what was thought of.
        slots: the minds.
        times: how long searches, tasks and the end may take.
        wake: called when a thought is there.
    """

    def __init__(
        self,
        tasks: Tasks,
        executor: CommandExecutor,
        thoughts: Thoughts,
        slots: Sequence[Slot],
        times: SearchTimes,
        wake: Callable[[], None],
    ) -> None:
        self._meters = executor.meters
        self._tasks = tasks
        self._executor = executor
        self._thoughts = thoughts
        self._slots = slots
        self._times = times
        self._wake = wake
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
            if slot.thought is not None and monotonic() - slot.since > self._times.longest_seconds:
                slot.is_late = True
                slot.mind.kill()
            elif self._is_overtaken(slot):
                slot.is_overtaken = True
                slot.mind.kill()
        self._renew()
        return self._begin_all() or any(ended)

    def _is_overtaken(self, slot: Slot) -> bool:
        """Return True if nobody waits any more for what a mind thinks about; not asked at every step."""
        task, now = slot.task, monotonic()
        if task is None or slot.is_overtaken or now - slot.checked_at < self._times.check_seconds:
            return False
        slot.checked_at = now
        try:
            return self._executor.look(lambda context: is_overtaken(task.work, context), datetime.now(UTC))
        except Exception as failed:
            if is_out_of_order(failed):
                raise
            return False  # our bug: it will be met again, and told, when the search has ended

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
            self._thoughts.carry_out(task, _result(slot, thought))
        except Exception as failed:  # noqa: BLE001 - our bug, or the child was killed: the queue goes on
            self._thoughts.failed(task, failed)
        return True

    def _begin(self, slot: Slot) -> bool:
        """Take up one task; False if there is none for this mind. What needs no thought is done at once."""
        task = self._tasks.lease(datetime.now(UTC), slot.most, slot.kinds)
        if task is None:
            return False
        try:
            if task.attempts > MOST_DEATHS:
                self._thoughts.shunt(task, "its server died")
            else:
                self._take_up(slot, task)
        except Exception as failed:  # noqa: BLE001 - our bug: the queue goes on
            self._thoughts.failed(task, failed)
        return True

    def _take_up(self, slot: Slot, task: Task) -> None:
        asked = self._executor.look(lambda context: inquiry_for(task.work, context), datetime.now(UTC))
        if asked is None:
            self._thoughts.carry_out(task, None)
            return
        if isinstance(asked, SearchRequest | HintRequest):
            think: Callable[[], Future[Any]] = partial(slot.mind.look, asked)
        else:
            think = partial(slot.mind.think, asked.game, asked.position, _playouts(task, asked), asked.seed)
        try:
            thought = think()
        except BrokenExecutor:  # it was killed while it had nothing to do
            slot.mind.start()
            thought = think()
        slot.task, slot.thought, slot.since, slot.is_late = task, thought, monotonic(), False
        slot.checked_at, slot.is_overtaken = slot.since, False
        thought.add_done_callback(lambda _: self._wake())

    def pull_in(self, now: datetime) -> None:
        """Bring near what waits for a time that a clock has noted which was ahead."""
        self._tasks.pull_in(now, Rests(self._times.retry_after, self._times.retry_after))

    def end(self) -> None:
        """Wait a little for thoughts under way, and give back what is not thought out."""
        thoughts = [slot.thought for slot in self._slots if slot.thought is not None]
        wait(thoughts, self._times.drain_seconds)
        try:
            for slot in self._slots:
                self._finish(slot)
            left = [slot.task for slot in self._slots if slot.task is not None]
            self._tasks.give_back(left, datetime.now(UTC))
        finally:
            for slot in self._slots:
                slot.mind.close()


def _result(slot: Slot, thought: Future[Any]) -> SearchResult | None:
    """The result of a search that has ended; None if it was broken off since nobody waits for it any more.

    Raises:
        ThoughtTooLong: it was broken off since it took too long.
        Exception: it has failed.
    """
    try:
        result: SearchResult = thought.result()
    except (BrokenExecutor, CancelledError) as failed:
        slot.mind.start()
        if slot.is_late:
            raise ThoughtTooLong from failed
        if not slot.is_overtaken:
            raise
        return None
    return result


def _playouts(task: Task, asked: PositionInquiry) -> int:
    """The number of playouts to make: after each attempt that has taken too long, fewer."""
    has_been_late = ThoughtTooLong.__name__ in (task.error or "")
    return max(1, asked.playouts // _FEWER ** (task.attempts - 1)) if has_been_late else asked.playouts
