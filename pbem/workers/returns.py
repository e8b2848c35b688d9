"""Mails to players that the relay would not take for them: noted like those that come back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog

from pbem.commands.unwritten import GiveMailUp
from pbem.domain.letters import OutgoingMail
from pbem.domain.notices import Notice
from pbem.executor import Clerk
from pbem.storage.outbox import DueMail, Outbox
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch

log = structlog.get_logger()


class Returns:
    """Notes what becomes of a player because a mail to him was not taken, together with the mail.

    Args:
        clerk: writes down what comes of it.
        outbox: where the mails are.
    """

    def __init__(self, clerk: Clerk, outbox: Outbox) -> None:
        self._clerk = clerk
        self._outbox = outbox

    def give_up(
        self, mail: DueMail, reason: str, now: datetime, told: Sequence[OutgoingMail], *, of_recipient: bool
    ) -> None:
        """Give a mail to a player up.

        Args:
            mail: the mail.
            reason: what the relay said.
            now: the moment.
            told: the mails that say so, if nobody can say that it is because of its recipient.
            of_recipient: whether the relay refused it because of whom it is for.

        Raises:
            TooManyConflicts: somebody else was always quicker.
        """
        command = GiveMailUp(mail.id, reason, of_recipient)

        def decide(context: Context) -> dict[str, list[Notice]]:
            return {f"returned-{mail.id}-{now:%Y%m%d%H%M%S}": dispatch(command, context)}

        notices = self._clerk.insist(
            decide, lambda connection: self._outbox.give_up(connection, mail, reason, now, told), mail=mail.id
        )
        log.info("mail came back", mail=mail.key, number=mail.id, notices=[notice.name for notice in notices])
