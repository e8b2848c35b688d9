"""What players say to all → mails, some at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import structlog

from pbem.domain.notices import Notice
from pbem.executor import Clerk
from pbem.usecases.context import Context
from pbem.usecases.messages.broadcasts import give_up, tell_next
from pbem.workers.faults import pass_over

log = structlog.get_logger()

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

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk
        self._put_off: dict[int, datetime] = {}
        self._failures = Counter[tuple[int, int]]()

    def step(self) -> bool:
        """Tell some players; False if there is nothing to tell, or somebody else was quicker.

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
            self._clerk.carry_out(lambda context: {key: give_up(broadcast, error, context)}, now, what="broadcast")
        except Exception as failed:  # noqa: BLE001 - the others are not to wait for this either
            pass_over(failed, log, "broadcast not given up", broadcast=broadcast)

    def _tell(self, put_off: Sequence[int], now: datetime) -> bool:
        """Tell a batch; False if that is to be decided anew."""
        notices = self._clerk.carry_out(lambda context: _next_batch(context, put_off), now, what="broadcast")
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
