"""What players say to all → mails, some at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.domain.letters import Evidence
from pbem.usecases.heralds import tell_next
from pbem.usecases.ports import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.mail_out.message import Composer
    from pbem.storage.mailboxes import Outbox
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.workers.desk import MakeContext

log = structlog.get_logger()


class Herald:
    """Brings broadcasts to everybody: one batch of players, one transaction, next.

    The mails of a batch are stored together with the note of how far the broadcast has come, and their keys name it
    and the player: whenever the power is cut, nobody gets it twice, and nobody misses it.

    Args:
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        composer: makes mails of notices.
        outbox: where they go.
        added: called when mails have been stored.
    """

    def __init__(
        self,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        composer: Composer,
        outbox: Outbox,
        added: Callable[[], None] = lambda: None,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._make_context = make_context
        self._composer = composer
        self._outbox = outbox
        self._added = added

    def step(self) -> bool:
        """Tell some players; False if there is nothing to tell."""
        now = datetime.now(UTC)
        with self._unit_of_work() as uow:
            broadcast = uow.broadcasts.unsent()
            if broadcast is None:
                return False
            notices = tell_next(broadcast, self._make_context(uow, now, Evidence(answer_to="")))
            uow.release()
            mails = [
                mail
                for player, notice in notices.items()
                for mail in self._composer.compose([notice], f"broadcast-{broadcast.id}-{player}", now)
            ]
            try:
                uow.commit(lambda connection: self._outbox.add(connection, mails, now))
            except Conflict as conflict:
                log.info("broadcast decided anew", broadcast=broadcast.id, because=str(conflict))
                return True
        log.info("broadcast", broadcast=broadcast.id, mails=len(mails))
        self._added()
        return True
