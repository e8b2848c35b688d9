"""Looks after seeks that could not meet when they were made: somebody is back now, or a board of his is over."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.commands.unwritten import LetSeeksMeet
from pbem.domain.notices import Notice
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.workers.runner import Runner


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
