"""What is kept for daily mails → mails, one a player and day."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.usecases.mail.digests import daily_mail
from pbem.workers.faults import pass_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.ids import PlayerId
    from pbem.workers.clerk import Clerk

log = structlog.get_logger()

_AT_ONCE = 100
"""Players whose turn has come."""


class DigestRunner:
    """Mails what is due: one player, one transaction, next.

    The mail is stored together with the note that its player has been told: whenever the power is cut, he is told
    once.

    Args:
        clerk: writes down what comes of it.
        clock: tells the time.
    """

    def __init__(self, clerk: Clerk, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clerk = clerk
        self._clock = clock

    def step(self) -> bool:
        """Tell some players; False if nobody could be told."""
        now = self._clock()
        with self._clerk.unit_of_work() as uow:
            due = uow.digests.due(now, _AT_ONCE)
        told = [self._tell(player, now) for player in due]
        return any(told)

    def _tell(self, player: PlayerId, now: datetime) -> bool:
        """Whether one player has been told, or is to be told anew; one who cannot be does not keep others waiting."""
        key = f"digest-{player}-{now:%Y%m%d%H%M%S}"
        try:
            self._clerk.carry_out(lambda context: {key: daily_mail(player, context)}, now, player=player)
        except Exception as failed:  # noqa: BLE001 - no other player is to wait for it
            pass_over(failed, log, "digest not made", player=player)
            return False
        return True
