"""What players say to all → mails, some at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.usecases.heralds import tell_next

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.domain.notices import Notice
    from pbem.usecases.context import Context
    from pbem.workers.clerk import Clerk

log = structlog.get_logger()


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

    def step(self) -> bool:
        """Tell some players; False if there is nothing to tell."""
        with self._clerk.unit_of_work() as uow:
            if uow.broadcasts.unsent() is None:
                return False
        notices = self._clerk.carry_out(_next_batch, datetime.now(UTC), what="broadcast")
        if notices is not None:
            log.info("broadcast", mails=len(notices))
            self._added()
        return True


def _next_batch(context: Context) -> dict[str, list[Notice]] | None:
    broadcast = context.uow.broadcasts.unsent()
    if broadcast is None:
        return None
    return {f"broadcast-{broadcast.id}-{player}": [notice] for player, notice in tell_next(broadcast, context).items()}
