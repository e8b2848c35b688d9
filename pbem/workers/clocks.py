"""Looks at the clocks that are due: nags, forfeits, offers that nobody has answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING

import structlog

from pbem.commands.deeds import StrikeClock
from pbem.domain.clocks import MISSED
from pbem.domain.letters import Evidence
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.ports import Conflict
from pbem.workers.faults import where_it_failed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.ids import BoardNumber
    from pbem.mail_out.message import Composer
    from pbem.storage.mailboxes import Inbox, Outbox
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.usecases.context import Context

    MakeContext = Callable[[UnitOfWork, datetime, Evidence], Context]

log = structlog.get_logger()

_AT_ONCE = 20
"""Boards between two looks at the time."""
_DRIFT = timedelta(minutes=1)
"""A clock that is merely kept right moves less."""
_REST = MISSED.total_seconds()
"""After this a board is tried again that could not be handled; and what the clock passed over while it was set has
been missed by so much that nobody loses by it."""


class ClockRunner:
    """Strikes the clocks that are due, each in a transaction of its own.

    Args:
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        composer: makes mails of notices.
        inbox: where letters wait; what was sent in time is handled first.
        outbox: where mails go.
        mailed: called when mails have been stored.
        clock: tells the time.
        seconds: tell how much of it has passed, whatever the clock is set to.
    """

    def __init__(
        self,
        *,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        composer: Composer,
        inbox: Inbox,
        outbox: Outbox,
        mailed: Callable[[], None],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._make_context = make_context
        self._composer = composer
        self._inbox = inbox
        self._outbox = outbox
        self._mailed = mailed
        self._clock = clock
        self._seconds = seconds
        self._began: datetime | None = None
        """What the clock showed when no second had passed; None until a first time has been looked."""
        self._rests_until = 0.0
        self._failed: dict[BoardNumber, float] = {}
        """Boards that could not be handled, and when they are tried again."""

    def step(self) -> bool:
        """Strike some of the clocks that are due; False if there are none."""
        now = self._clock()
        if self._rests(now):
            return False
        now = min(now, self._inbox.unhandled_since() or now)
        due = self._due(now)
        for number in due:
            try:
                self._strike(number, now)
            except Exception as failed:  # noqa: BLE001 - our bug: no other board is to stand still for it
                log.error("clock not struck", board=number, **where_it_failed(failed))  # noqa: TRY400 - no trace
                self._failed[number] = self._seconds() + _REST
        return bool(due)

    def _rests(self, now: datetime) -> bool:
        """Whether the clock was set of late: whoever lost by that would not have been told."""
        began = now - timedelta(seconds=self._seconds())
        if self._began is not None and abs(began - self._began) > _DRIFT:
            self._rests_until = self._seconds() + _REST
        self._began = began
        return self._seconds() < self._rests_until

    def _due(self, now: datetime) -> Sequence[BoardNumber]:
        self._failed = {number: until for number, until in self._failed.items() if until > self._seconds()}
        with self._unit_of_work() as uow:
            return uow.clocks.due(now, _AT_ONCE, self._failed)

    def _strike(self, number: BoardNumber, now: datetime) -> None:
        with self._unit_of_work() as uow:
            context = self._make_context(uow, now, Evidence(answer_to=""))
            notices = dispatch(StrikeClock(number), context)
            uow.release()
            mails = self._composer.compose(notices, f"clock-{number}-{now:%Y%m%d%H%M%S%f}", now)
            try:
                uow.commit(lambda connection: self._outbox.add(connection, mails, now))
            except Conflict:
                return  # something has happened there; if it is still due it comes again
        if notices:
            log.info("clock struck", board=number, notices=[notice.name for notice in notices])
            self._mailed()
