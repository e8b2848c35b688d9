"""Looks after seeks that could not meet when they were made: somebody is back now, or a board of his is over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.commands.deeds import LetSeeksMeet
from pbem.domain.letters import Evidence
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.ports import Conflict
from pbem.workers.faults import where_it_failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.mail_out.message import Composer
    from pbem.storage.mailboxes import Outbox
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.usecases.context import Context

    MakeContext = Callable[[UnitOfWork, datetime, Evidence], Context]

log = structlog.get_logger()


class SeekRunner:
    """Lets the seeks meet that can by now, those of each game in a transaction of their own.

    Args:
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        composer: makes mails of notices.
        outbox: where mails go.
        mailed: called when mails have been stored.
        clock: tells the time.
    """

    def __init__(
        self,
        *,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        composer: Composer,
        outbox: Outbox,
        mailed: Callable[[], None],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._unit_of_work = unit_of_work
        self._make_context = make_context
        self._composer = composer
        self._outbox = outbox
        self._mailed = mailed
        self._clock = clock

    def step(self) -> bool:
        """Look at all seeks once; False, since what has not met now can wait."""
        with self._unit_of_work() as uow:
            games = uow.seeks.games()
        for game in games:
            try:
                self._let_meet(game)
            except Exception as failed:  # noqa: BLE001 - our bug: no other game is to stand still for it
                log.error("seeks not looked at", game=game, **where_it_failed(failed))  # noqa: TRY400 - no trace
        return False

    def _let_meet(self, game: str) -> None:
        now = self._clock()
        with self._unit_of_work() as uow:
            notices = dispatch(LetSeeksMeet(game), self._make_context(uow, now, Evidence(answer_to="")))
            if not notices:
                return
            uow.release()
            mails = self._composer.compose(notices, f"seeks-{game}-{now:%Y%m%d%H%M%S%f}", now)
            try:
                uow.commit(lambda connection: self._outbox.add(connection, mails, now))
            except Conflict:
                return  # somebody has sought, or done something else, at this moment; they are looked at again
        log.info("seeks have met", game=game, mails=len(mails))
        self._mailed()
