"""Everything that goes on in a server while nobody knocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from pbem.bootstrap.parts import Parts, make_retention
from pbem.bootstrap.relay import relay_maker
from pbem.executor import CommandExecutor
from pbem.mail_out.relay import Relay
from pbem.meters import Meters
from pbem.storage.broadcasts import pull_in_digests
from pbem.storage.clocks import look_again
from pbem.storage.engine import trim_log
from pbem.storage.leases import Rests, dead_holders, free_named
from pbem.storage.overview import AlarmTimes
from pbem.storage.process_notifier import Notifier, Topic
from pbem.storage.pushes import PushQueue
from pbem.workers.alarms import (
    MAILBOX_ALARM,
    RELAY_ALARM,
    Alarms,
    DatabaseWatch,
    OperatorMails,
    TakeOver,
    TroubleWatch,
)
from pbem.workers.clocks import ClockRunner, ClockWatch
from pbem.workers.failures import rests_of
from pbem.workers.inbox import InboxWorker
from pbem.workers.outbox import DeliveryWorker, Retries
from pbem.workers.retention import Returns
from pbem.workers.robots import Thinkers
from pbem.workers.runner import BroadcastRunner, DigestRunner, Hooks, Loop, SeekRunner, TournamentRunner

if TYPE_CHECKING:  # loaded where there is a mailbox
    from pbem.workers.mailbox import MailboxWorker

ROLES = ("smtp", "lmtp", "web", "worker", "delivery", "clock", "bots", "mailbox")
"""The roles of a process of the server; one alone has all of them."""

_DEAD_LOOKED_FOR = 2.0
"""Seconds between two looks for processes that have died."""


class Loops:
    """The loops of a server, made and not yet started; those that are woken from outside have names.

    Args:
        parts: what they work with.
        clerk: has things decided.
        make_worker: makes what answers letters, for each thread one.
        bell: rung when other processes may have something to do.
        meters: what is counted.
        connect: makes the relays by which mails leave; None: the one of the settings.
    """

    def __init__(
        self,
        parts: Parts,
        executor: CommandExecutor,
        make_worker: Callable[[], InboxWorker],
        notifier: Notifier,
        meters: Meters,
        connect: Callable[[], Relay] | None = None,
    ) -> None:
        self._connect = connect or relay_maker(parts.settings)
        self._meters, self._loop = meters, partial(Loop, meters=meters)
        self._parts, self._settings, self._notifier = parts, parts.settings, notifier
        relay = self._connect()
        alarms = self._alarms = self._make_alarms(relay)
        self.health = DatabaseWatch(alarms, parts.inbox.try_writing)
        workers = _names("worker", self._settings.worker_threads)
        self.workers = tuple(self._working(name, make_worker()) for name in workers)
        deliveries = _names("delivery", self._settings.delivery_threads)
        self._deliveries = tuple(self._delivering(name, executor) for name in deliveries)
        watch = TroubleWatch(RELAY_ALARM, parts.outbox.troubles, alarms)
        self._relay_watch = self._now_and_then("relay watch", watch.step)
        self._pushing = tuple(self._pushes())
        self._clocks = self._now_and_then("clocks", ClockRunner(executor, parts.inbox).step)
        self._tournaments = self._now_and_then("tournaments", TournamentRunner(executor).step)
        self._seeks = self._now_and_then("seeks", SeekRunner(executor).step)
        self._digests = self._now_and_then("digests", DigestRunner(executor).step)
        self._broadcasts = self._now_and_then("broadcasts", BroadcastRunner(executor).step)
        self._thinkers: tuple[Loop, ...] = ()
        self._fetching: tuple[Loop, ...] = ()
        self._pull_in_tasks: Callable[[datetime], None] = lambda _now: None
        self._keeping = self._housekeeping()
        self._backups = tuple(self._backing_up(alarms))
        self._watching = (*self._watchers(alarms, relay), *self._ringing())

    def __iter__(self) -> Iterator[Loop]:
        """All of them, in the order in which they end."""
        return self.of(ROLES)

    def of(self, roles: Collection[str]) -> Iterator[Loop]:
        """Those that some of `ROLES` need, in the order in which they end; some watch over any process."""
        if "worker" in roles:
            yield from self.workers
        if "bots" in roles:
            yield from self._thinkers
        if "clock" in roles:
            yield from (self._clocks, self._tournaments, self._seeks, self._digests, self._broadcasts)
            yield from self._taking_over()
            yield from self._backups
        if "delivery" in roles:
            yield from self._deliveries
            yield self._relay_watch
            yield from self._pushing
        if "mailbox" in roles:
            yield from self._fetching
        if "clock" in roles:
            yield self._keeping
        yield from self._watching

    def think(self, thinkers: Thinkers) -> None:
        """Let computer opponents play here."""
        step, failed = thinkers.step, self.health.step_failed
        loop = self._loop("thinkers", step, hooks=Hooks(start=thinkers.start, end=thinkers.end, failed=failed))
        self._thinkers = (loop,)
        self._pull_in_tasks = thinkers.pull_in

    def fetch(self, worker: MailboxWorker) -> None:
        """Fetch letters from a mailbox."""
        hooks = Hooks(stop=worker.end_soon, end=worker.end, deadline=lambda: None, failed=self.health.step_failed)
        watch = TroubleWatch(MAILBOX_ALARM, worker.troubles, self._alarms)
        self._fetching = (
            self._loop("mailbox", worker.step, hooks=hooks),
            self._now_and_then("mailbox watch", watch.step),
        )

    def heed(self, topic: Topic) -> None:
        """Let go on here what may have to."""
        match topic:
            case Topic.LETTERS:
                loops: tuple[Loop, ...] = self.workers
            case Topic.MAILS:
                loops = self._deliveries
            case Topic.BOARDS:
                rounds = (self._tournaments, self._broadcasts, self._digests)
                loops = (*self._deliveries, *self._pushing, *rounds, *self._thinkers)
        for each in loops:
            each.wake()

    def tell(self, topic: Topic) -> None:
        """Let go on what may have to, wherever it is, since something has been written here."""
        self.heed(topic)
        self._notifier.ring(topic)

    def free(self, dead: Collection[str] | None) -> int:
        """Free what processes had that have died, None: whatever anybody had; return how much that was."""
        letters = self._parts.inbox.take_over(datetime.now(UTC), dead)
        free_named(self._parts.engine, dead)
        return letters + self._parts.outbox.take_over(dead) + self._parts.tasks.take_over(dead)

    def wake_thinkers(self) -> None:
        """Let computer opponents go on: one has thought something out."""
        for each in self._thinkers:
            each.wake()

    def _taking_over(self) -> Iterator[Loop]:
        """The loop that frees what processes had that have died, where there are others."""
        if self._parts.engine.dialect.name == "postgresql":
            step = TakeOver(partial(dead_holders, self._parts.engine), self.free, self._freed).step
            yield self._loop("take over", step, _DEAD_LOOKED_FOR, Hooks(failed=self.health.step_failed))

    def _freed(self) -> None:
        """Something has been freed that others may take."""
        self.tell(Topic.LETTERS)
        self.tell(Topic.BOARDS)

    def _ringing(self) -> Iterator[Loop]:
        """The loop of the bell, which ends last: until then this process is known to live."""
        if not self._notifier.is_silent:
            hooks = Hooks(stop=self._notifier.end_soon, failed=self.health.step_failed)
            yield self._loop("bell", self._notifier.step, hooks=hooks)

    def _watchers(self, alarms: Alarms, relay: Relay) -> Iterator[Loop]:
        """The loops that look after the process and its database."""
        yield self._loop("watch", self.health.step)
        yield self._loop("clock watch", ClockWatch(self._pull_in).step)
        yield self._loop("alarms", alarms.step, hooks=Hooks(end=relay.close, deadline=lambda: None))

    def _make_alarms(self, relay: Relay) -> Alarms:
        operator = self._settings.operator
        if self._settings.alarm_webhook is not None:
            from pbem.mail_out.webhook import AlarmRelay  # HTTP is loaded where it is needed

            relay = AlarmRelay(relay if operator else None, self._settings.alarm_webhook)
            operator = operator or self._settings.address  # which gets no mail: its words alone are posted
        return Alarms(
            relay=relay,
            mails=OperatorMails(self._parts.composer, operator),
            retry_after=timedelta(seconds=self._settings.retry_mail_seconds[0]),
            times=AlarmTimes(self._parts.engine),
            meters=self._meters,
        )

    def _now_and_then(self, name: str, step: Callable[[], bool]) -> Loop:
        """A loop that looks at intervals if there is something to do."""
        return self._loop(name, step, self._settings.clock_seconds, Hooks(failed=self.health.step_failed))

    def _working(self, name: str, worker: InboxWorker) -> Loop:
        return self._loop(name, worker.step, hooks=Hooks(end=worker.end, failed=self.health.step_failed))

    def _delivering(self, name: str, executor: CommandExecutor) -> Loop:
        relay = self._connect()
        delivery = DeliveryWorker(
            self._parts.outbox,
            relay,
            Retries(self._settings.retry_mail_seconds, self._settings.give_up_after),
            OperatorMails(self._parts.composer, self._settings.operator).mail_failed,
            Returns(executor, self._parts.outbox),
            self._meters,
        )
        hooks = Hooks(stop=delivery.end_soon, end=delivery.end, deadline=delivery.leave, failed=self.health.step_failed)
        return self._loop(name, delivery.step, hooks=hooks)

    def _pushes(self) -> Iterator[Loop]:
        """The loop that sends notifications to browsers, where there are any."""
        sender = self._parts.push_sender
        if sender is not None:
            from pbem.workers.push import PushWorker  # what it needs is installed where it is used

            worker = PushWorker(PushQueue(self._parts.engine), sender)
            hooks = Hooks(stop=worker.end_soon, end=worker.end, deadline=lambda: None, failed=self.health.step_failed)
            yield self._loop("push", worker.step, hooks=hooks)

    def _housekeeping(self) -> Loop:
        """The loop that deletes data that was kept for long enough, in the database's log, too."""
        engine, composer, outbox = self._parts.engine, self._parts.composer, self._parts.outbox
        retention = make_retention(self._settings, engine, composer, outbox)

        def step() -> bool:
            goes_on = retention.step()
            trim_log(engine)
            return goes_on

        return self._loop("housekeeping", step, idle_seconds=3600, hooks=Hooks(stop=retention.end_soon))

    def _backing_up(self, alarms: Alarms) -> Iterator[Loop]:
        """The loop that makes backups, if the server is to make any."""
        folder = self._settings.backup_folder
        if folder is None or not self._settings.backup_hours:
            return
        from pbem.bootstrap.backups import make_backup_runner  # loaded where backups are made
        from pbem.workers.backups import LONGEST

        runner = make_backup_runner(self._settings, folder, self._parts, alarms)
        hooks = Hooks(stop=runner.end_soon, failed=self.health.step_failed)
        seconds = self._settings.clock_seconds
        yield self._loop("backups", runner.step, seconds, hooks, LONGEST.total_seconds())

    def _pull_in(self, now: datetime) -> None:
        """Bring near what waits for a time that a clock has noted which was ahead."""
        rests = [timedelta(seconds=each) for each in self._settings.retry_mail_seconds]
        self._parts.inbox.pull_in(now, rests_of(timedelta(seconds=self._settings.retry_letter_seconds)))
        self._parts.outbox.pull_in(now, Rests(min(rests), max(rests)))
        self._pull_in_tasks(now)
        look_again(self._parts.engine, now)
        pull_in_digests(self._parts.engine, now)


def _names(name: str, count: int) -> list[str]:
    """The names of several loops of a kind."""
    return [name, *(f"{name} {number}" for number in range(2, count + 1))]
