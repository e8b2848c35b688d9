"""Lets one round of a tournament follow the other."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.commands.deeds import AdvanceTournament
from pbem.domain.letters import Evidence
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.ports import Conflict
from pbem.workers.faults import where_it_failed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.ids import TournamentId
    from pbem.mail_out.message import Composer
    from pbem.storage.mailboxes import Outbox
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.usecases.context import Context

    MakeContext = Callable[[UnitOfWork, datetime, Evidence], Context]

log = structlog.get_logger()


class TournamentRunner:
    """Takes up the tournaments of which no board is on, each in a transaction of its own.

    A round begins once, whoever looks and however often: its boards' places are unique, and so are its mails' keys.

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
        """Take up every tournament that is due; False if there was nothing to do, or nothing that could be done."""
        gone_on = [self._try(tournament) for tournament in self._due()]
        return any(gone_on)

    def _due(self) -> Sequence[TournamentId]:
        with self._unit_of_work() as uow:
            return uow.tournaments.due()

    def _try(self, tournament: TournamentId) -> bool:
        """Whether a tournament has gone on."""
        try:
            return self._advance(tournament)
        except Exception as failed:  # noqa: BLE001 - our bug: no other tournament is to stand still for it
            where = where_it_failed(failed)
            log.error("tournament not advanced", tournament=tournament, **where)  # noqa: TRY400 - no trace
            return False

    def _advance(self, tournament: TournamentId) -> bool:
        now = self._clock()
        with self._unit_of_work() as uow:
            before = uow.tournaments.get(tournament)
            context = self._make_context(uow, now, Evidence(answer_to=""))
            notices = dispatch(AdvanceTournament(tournament), context)
            uow.release()
            mails = self._composer.compose(notices, f"tournament-{tournament}-{before.round}", now)
            try:
                uow.commit(lambda connection: self._outbox.add(connection, mails, now))
            except Conflict as conflict:
                log.info("tournament decided anew", tournament=tournament, because=str(conflict))
                return False
        log.info("tournament advanced", tournament=tournament, after_round=before.round, mails=len(mails))
        self._mailed()
        return True
