"""Lets one round of a tournament follow the other."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.commands.unwritten import AdvanceTournament
from pbem.domain.notices import Notice
from pbem.ids import TournamentId
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.workers.runner import Runner


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
