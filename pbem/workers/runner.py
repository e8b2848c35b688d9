"""Loops: what a worker does again and again, and the rounds of seeks, tournaments, broadcasts and daily mails."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import inf
from threading import Event, Thread
from time import monotonic
from typing import Any, ClassVar, Generic, TypeVar

import structlog

from pbem.commands.internal import AdvanceTournament, LetSeeksMeet
from pbem.domain.mails import Notice
from pbem.executor import CommandExecutor
from pbem.ids import PlayerId, TournamentId
from pbem.meters import Meters
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.digests import daily_mail
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.messages import give_up, tell_next
from pbem.workers.faults import pass_over, where_it_failed

log = structlog.get_logger()

EachT = TypeVar("EachT")


class Runner(ABC, Generic[EachT]):
    """Lets go on what can, each in a transaction of its own; where somebody else was quicker it is looked at again.

    Args:
        clerk: writes down what comes of it.
        clock: tells the time.
    """

    what: ClassVar[str]
    """The word for one item, for the log."""
    gone_on: ClassVar[str]
    """The log event for an item that has gone on."""
    failed: ClassVar[str]
    """The log event for an item that could not be looked at, which is our bug."""

    def __init__(self, executor: CommandExecutor, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._executor = executor
        self._clock = clock

    @abstractmethod
    def due(self, uow: UnitOfWork) -> Sequence[EachT]:
        """The items to look at."""

    @abstractmethod
    def decide(self, each: EachT, context: Context) -> Mapping[str, Sequence[Notice]] | None:
        """Let one go on: who is told what, by what the keys of the mails begin with; None: it cannot yet."""

    def step(self) -> bool:
        """Look at all of it once; False if nothing has gone on, so that what is left can wait.

        Raises:
            Exception: the database is in trouble.
        """
        with self._executor.unit_of_work() as uow:
            due = self.due(uow)
        gone_on = [self._try(each) for each in due]
        return any(gone_on)

    def _try(self, each: EachT) -> bool:
        """Return True if one has gone on."""
        about: dict[str, Any] = {self.what: each}
        try:
            notices = self._executor.carry_out(lambda context: self.decide(each, context), self._clock(), **about)
        except Exception as failed:  # noqa: BLE001 - no other is to stand still for it
            pass_over(failed, log, self.failed, **about)
            return False
        if notices:
            log.info(self.gone_on, **about, notices=len(notices))
        return bool(notices)


class SeekRunner(Runner[str]):
    """Lets the seeks meet that can by now, those of each game in a transaction of their own."""

    what, gone_on, failed = "game", "seeks have met", "seeks not looked at"

    def due(self, uow: UnitOfWork) -> Sequence[str]:
        """The games that are sought."""
        return uow.seeks.games()

    def decide(self, each: str, context: Context) -> dict[str, list[Notice]] | None:
        """Look at the seeks of a game."""
        notices = dispatch(LetSeeksMeet(each), context)
        return {f"seeks-{each}-{context.now:%Y%m%d%H%M%S%f}": notices} if notices else None


class TournamentRunner(Runner[TournamentId]):
    """Takes up the tournaments of which no board is on, each in a transaction of its own.

    A round begins once, whoever looks and however often: its boards' places are unique, and so are its mails' keys.
    """

    what, gone_on, failed = "tournament", "tournament advanced", "tournament not advanced"

    def due(self, uow: UnitOfWork) -> Sequence[TournamentId]:
        """The tournaments of which no board is on."""
        return uow.tournaments.due()

    def decide(self, each: TournamentId, context: Context) -> dict[str, list[Notice]]:
        """Begin the next round of one, or end it."""
        before = context.uow.tournaments.get(each)
        return {f"tournament-{each}-{before.round}": dispatch(AdvanceTournament(each), context)}


LONGEST_STEP = 600.0
"""Seconds that a step takes at most, if nothing else is said: much more than any has ever taken."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """The calls at the turning points of a loop."""

    start: Callable[[], None] | None = None
    """In the loop's own thread before the first step."""
    stop: Callable[[], None] | None = None
    """By whoever stops the loop, so that a long step may cut itself short."""
    end: Callable[[], None] | None = None
    """In the loop's own thread when it ends."""
    deadline: Callable[[], None] | None = None
    """By whoever stops the loop if its step has not ended in time: it is left to the end of the process then.

    None: it is waited for, however long that takes.
    """
    failed: Callable[[Exception], None] | None = None
    """After each step that has failed."""


class Loop:
    """Calls ``step`` again and again.

    Args:
        name: for logs.
        step: does one thing; False if there was nothing to do.
        idle_seconds: how long to sleep then, unless woken.
        hooks: what else is called.
        longest_seconds: how long a step may take; then it is taken for stuck.
        meters: what is counted here.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[], bool],
        idle_seconds: float = 1.0,
        hooks: Hooks = Hooks(),
        longest_seconds: float = LONGEST_STEP,
        meters: Meters | None = None,
    ) -> None:
        self._failures = (meters or Meters()).steps_failed.labels(name)
        self._name = name
        self._step = step
        self._idle_seconds = idle_seconds
        self._hooks = hooks
        self._longest_seconds = longest_seconds
        self._busy_since: float | None = None
        self._notifier = Event()
        self._ending = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @property
    def name(self) -> str:
        """Its name in logs."""
        return self._name

    @property
    def is_stuck(self) -> bool:
        """It should go on and does not: its step takes too long, or its thread has died."""
        since = self._busy_since
        if since is not None and monotonic() - since > self._longest_seconds:
            return True
        has_begun = self._thread.ident is not None
        return has_begun and not self._thread.is_alive() and not self._ending.is_set()

    def start(self) -> None:
        """Begin to step."""
        self._busy_since = monotonic()
        self._thread.start()

    def wake(self) -> None:
        """There may be something to do."""
        self._notifier.set()

    @property
    def ends_slowly(self) -> bool:
        """Its end may take a while, so that it is ended first."""
        return self._hooks.end is not None

    def end_soon(self) -> None:
        """Begin no further step."""
        self._ending.set()  # first: a step that is cut short must not be followed by another
        if self._hooks.stop is not None:
            self._hooks.stop()
        self._notifier.set()

    def stop(self, deadline: float = inf) -> None:
        """Let the step under way finish, then end; at the deadline (`time.monotonic`) it is left alone if it may be."""
        self.end_soon()
        if not self._thread.is_alive():
            return
        if self._hooks.deadline is None or deadline == inf:
            self._thread.join()
            return
        self._thread.join(max(0.0, deadline - monotonic()))
        if self._thread.is_alive():
            log.warning("loop left behind", loop=self._name)
            self._hooks.deadline()

    def step(self) -> bool:
        """Do one thing, in the thread of whoever calls; False if there was nothing to do, or it has failed."""
        try:
            return self._step()
        except Exception as failed:  # noqa: BLE001 - a loop outlives whatever one step runs into
            log.error("step failed", loop=self._name, **where_it_failed(failed))  # noqa: TRY400 - no trace
            self._failures.inc()
            if self._hooks.failed is not None:
                self._hooks.failed(failed)
            return False

    def _run(self) -> None:
        if self._hooks.start is not None:
            self._hooks.start()
        while not self._ending.is_set():
            self._notifier.clear()
            self._busy_since = monotonic()
            busy = self.step()
            self._busy_since = None
            if not busy:
                self._notifier.wait(self._idle_seconds)
        if self._hooks.end is not None:
            try:
                self._hooks.end()
            except Exception as failed:  # noqa: BLE001 - a trace would say what it was about
                log.error("loop not ended orderly", loop=self._name, **where_it_failed(failed))  # noqa: TRY400


_AGAIN = timedelta(minutes=10)
"""After this a broadcast that could not be told is tried again."""
_ATTEMPTS = 3
"""At one batch; then whatever stands in the way is not going to go by itself."""


class BroadcastRunner:
    """Brings broadcasts to everybody: one batch of players, one transaction, next.

    The mails of a batch are stored together with the note of how far the broadcast has come, and their keys name it,
    the moment in which it was written, since its number may come again when its writer leaves, and the player:
    whenever the power is cut, nobody gets it twice, and nobody misses it.

    Args:
        clerk: writes down what comes of it.
    """

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor = executor
        self._put_off: dict[int, datetime] = {}
        self._failures = Counter[tuple[int, int]]()

    def step(self) -> bool:
        """Tell some players; False if there is nothing to tell, or somebody else was quicker.

        Raises:
            Exception: the database is in trouble.
        """
        now = datetime.now(UTC)
        put_off = [each for each, until in self._put_off.items() if until > now]
        with self._executor.unit_of_work() as uow:
            broadcast = uow.broadcasts.unsent(put_off)
        if broadcast is None:
            return False
        try:
            return self._tell(put_off, now)
        except Exception as failed:  # noqa: BLE001 - no other broadcast is to wait for it
            pass_over(failed, log, "broadcast put off", broadcast=broadcast.id)
            self._put_off[broadcast.id] = now + _AGAIN
            self._failures[broadcast.id, broadcast.sent_to] += 1
            if self._failures[broadcast.id, broadcast.sent_to] >= _ATTEMPTS:
                self._give_up(broadcast.id, type(failed).__name__, now)
        return True

    def _give_up(self, broadcast: int, error: str, now: datetime) -> None:
        log.error("broadcast given up", broadcast=broadcast)
        key = f"broadcast-{broadcast}-{now:%Y%m%d%H%M%S%f}-given-up"
        try:
            self._executor.carry_out(lambda context: {key: give_up(broadcast, error, context)}, now, what="broadcast")
        except Exception as failed:  # noqa: BLE001 - the others are not to wait for this either
            pass_over(failed, log, "broadcast not given up", broadcast=broadcast)

    def _tell(self, put_off: Sequence[int], now: datetime) -> bool:
        """Tell a batch; False if that is to be decided anew."""
        notices = self._executor.carry_out(lambda context: _next_batch(context, put_off), now, what="broadcast")
        if notices is None:
            return False
        log.info("broadcast", mails=len(notices))
        return True


def _next_batch(context: Context, put_off: Sequence[int]) -> dict[str, list[Notice]] | None:
    broadcast = context.uow.broadcasts.unsent(put_off)
    if broadcast is None:
        return None
    key = f"broadcast-{broadcast.id}-{broadcast.at:%Y%m%d%H%M%S%f}"
    return {f"{key}-{player}": [notice] for player, notice in tell_next(broadcast, context).items()}


_AT_ONCE = 100
"""Players whose turn has come."""


class DigestRunner(Runner[PlayerId]):
    """Mails digests that are due: one player, one transaction, next.

    The mail is stored together with the note that its player has been told: whenever the power is cut, they are told
    once.
    """

    what, gone_on, failed = "player", "digest made", "digest not made"

    def due(self, uow: UnitOfWork) -> Sequence[PlayerId]:
        """Some players whose turn has come."""
        return uow.digests.due(self._clock(), _AT_ONCE)

    def decide(self, each: PlayerId, context: Context) -> dict[str, list[Notice]]:
        """Tell one player, if there is news and a way to reach them."""
        return {f"digest-{each}-{context.now:%Y%m%d%H%M%S}": daily_mail(each, context)}
