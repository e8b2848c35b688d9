"""Looks after seeks that could not meet when they were made: somebody is back now, or a board of his is over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.commands.deeds import LetSeeksMeet
from pbem.usecases.dispatcher import dispatch
from pbem.workers.faults import pass_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.domain.notices import Notice
    from pbem.usecases.context import Context
    from pbem.workers.clerk import Clerk

log = structlog.get_logger()


class SeekRunner:
    """Lets the seeks meet that can by now, those of each game in a transaction of their own.

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
        """Look at all seeks once; False, since what has not met now can wait.

        Raises:
            Exception: the database is in trouble.
        """
        with self._clerk.unit_of_work() as uow:
            games = uow.seeks.games()
        for game in games:
            try:
                self._let_meet(game)
            except Exception as failed:  # noqa: BLE001 - no other game is to stand still for it
                pass_over(failed, log, "seeks not looked at", game=game)
        return False

    def _let_meet(self, game: str) -> None:
        """Look at the seeks of a game; if somebody has sought meanwhile, they are looked at again."""
        now = self._clock()

        def decide(context: Context) -> dict[str, list[Notice]] | None:
            notices = dispatch(LetSeeksMeet(game), context)
            return {f"seeks-{game}-{now:%Y%m%d%H%M%S%f}": notices} if notices else None

        notices = self._clerk.carry_out(decide, now, game=game)
        if notices:
            log.info("seeks have met", game=game, notices=len(notices))
            self._mailed()
