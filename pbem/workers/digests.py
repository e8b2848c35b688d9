"""What is kept for daily mails → mails, one a player and day."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.domain.letters import Evidence
from pbem.storage.engine import is_out_of_order
from pbem.usecases.digests import daily_mail
from pbem.usecases.ports import Conflict
from pbem.workers.faults import where_it_failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.ids import PlayerId
    from pbem.mail_out.message import Composer
    from pbem.storage.mailboxes import Outbox
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.workers.desk import MakeContext

log = structlog.get_logger()

_AT_ONCE = 100
"""Players whose turn has come."""


class Digests:
    """Mails what is due: one player, one transaction, next.

    The mail is stored together with the note that its player has been told: whenever the power is cut, he is told
    once.

    Args:
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        composer: makes mails of notices.
        outbox: where they go.
        added: called when mails have been stored.
        clock: tells the time.
    """

    def __init__(
        self,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        composer: Composer,
        outbox: Outbox,
        added: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._unit_of_work = unit_of_work
        self._make_context = make_context
        self._composer = composer
        self._outbox = outbox
        self._added = added
        self._clock = clock

    def step(self) -> bool:
        """Tell some players; False if nobody could be told."""
        now = self._clock()
        with self._unit_of_work() as uow:
            due = uow.digests.due(now, _AT_ONCE)
        told = [self._tell(player, now) for player in due]
        if any(told):
            self._added()
        return any(told)

    def _tell(self, player: PlayerId, now: datetime) -> bool:
        """Whether one player has been told; one who cannot be does not keep the others waiting."""
        try:
            with self._unit_of_work() as uow:
                notices = daily_mail(player, self._make_context(uow, now, Evidence(answer_to="")))
                uow.release()
                mails = self._composer.compose(notices, f"digest-{player}-{now:%Y%m%d%H%M%S}", now)
                uow.commit(lambda connection: self._outbox.add(connection, mails, now))
        except Conflict as conflict:
            log.info("digest decided anew", player=player, because=str(conflict))
        except Exception as failed:
            if is_out_of_order(failed):
                raise
            log.error("digest not made", player=player, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return False
        return True
