"""What players say to all → mails, some at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from pbem.usecases.heralds import tell_next
from pbem.workers.faults import pass_over

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.domain.notices import Notice
    from pbem.usecases.context import Context
    from pbem.workers.clerk import Clerk

log = structlog.get_logger()

_AGAIN = timedelta(minutes=10)
"""After this a broadcast that could not be told is tried again."""


class Herald:
    """Brings broadcasts to everybody: one batch of players, one transaction, next.

    The mails of a batch are stored together with the note of how far the broadcast has come, and their keys name it
    and the player: whenever the power is cut, nobody gets it twice, and nobody misses it.

    Args:
        clerk: writes down what comes of it.
        added: called when mails have been stored.
    """

    def __init__(self, clerk: Clerk, added: Callable[[], None] = lambda: None) -> None:
        self._clerk = clerk
        self._added = added
        self._put_off: dict[int, datetime] = {}

    def step(self) -> bool:
        """Tell some players; False if there is nothing to tell.

        Raises:
            Exception: the database is in trouble.
        """
        now = datetime.now(UTC)
        put_off = [each for each, until in self._put_off.items() if until > now]
        with self._clerk.unit_of_work() as uow:
            broadcast = uow.broadcasts.unsent(put_off)
        if broadcast is None:
            return False
        try:
            self._tell(put_off, now)
        except Exception as failed:  # noqa: BLE001 - no other broadcast is to wait for it
            pass_over(failed, log, "broadcast put off", broadcast=broadcast.id)
            self._put_off[broadcast.id] = now + _AGAIN
        return True

    def _tell(self, put_off: Sequence[int], now: datetime) -> None:
        notices = self._clerk.carry_out(lambda context: _next_batch(context, put_off), now, what="broadcast")
        if notices is not None:
            log.info("broadcast", mails=len(notices))
            self._added()


def _next_batch(context: Context, put_off: Sequence[int]) -> dict[str, list[Notice]] | None:
    broadcast = context.uow.broadcasts.unsent(put_off)
    if broadcast is None:
        return None
    return {f"broadcast-{broadcast.id}-{player}": [notice] for player, notice in tell_next(broadcast, context).items()}
