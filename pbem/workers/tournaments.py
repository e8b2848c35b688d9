"""Lets one round of a tournament follow the other."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.commands.deeds import AdvanceTournament
from pbem.usecases.dispatcher import dispatch
from pbem.workers.faults import pass_over

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.domain.notices import Notice
    from pbem.ids import TournamentId
    from pbem.usecases.context import Context
    from pbem.workers.clerk import Clerk

log = structlog.get_logger()


class TournamentRunner:
    """Takes up the tournaments of which no board is on, each in a transaction of its own.

    A round begins once, whoever looks and however often: its boards' places are unique, and so are its mails' keys.

    Args:
        clerk: writes down what comes of it.
        mailed: called when mails have been stored.
        clock: tells the time.
    """

    def __init__(
        self, clerk: Clerk, mailed: Callable[[], None], clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._clerk = clerk
        self._mailed = mailed
        self._clock = clock

    def step(self) -> bool:
        """Take up every tournament that is due; False if there was nothing to do, or nothing that could be done.

        Raises:
            Exception: the database is in trouble.
        """
        gone_on = [self._try(tournament) for tournament in self._due()]
        return any(gone_on)

    def _due(self) -> Sequence[TournamentId]:
        with self._clerk.unit_of_work() as uow:
            return uow.tournaments.due()

    def _try(self, tournament: TournamentId) -> bool:
        """Whether a tournament has gone on."""
        try:
            return self._advance(tournament)
        except Exception as failed:  # noqa: BLE001 - no other tournament is to stand still for it
            pass_over(failed, log, "tournament not advanced", tournament=tournament)
            return False

    def _advance(self, tournament: TournamentId) -> bool:
        def decide(context: Context) -> dict[str, list[Notice]]:
            before = context.uow.tournaments.get(tournament)
            return {f"tournament-{tournament}-{before.round}": dispatch(AdvanceTournament(tournament), context)}

        notices = self._clerk.carry_out(decide, self._clock(), tournament=tournament)
        if notices is None:
            return False
        log.info("tournament advanced", tournament=tournament, notices=len(notices))
        self._mailed()
        return True
