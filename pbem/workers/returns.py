"""Mails to players that the relay would not take for them: noted like those that come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from pbem.domain.letters import Evidence
from pbem.errors import PbemError
from pbem.usecases.bounces import given_up, refused
from pbem.usecases.ports import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from pbem.domain.letters import OutgoingMail
    from pbem.domain.notices import Notice
    from pbem.mail_out.message import Composer
    from pbem.storage.mailboxes import DueMail, Outbox
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.usecases.context import Context

    MakeContext = Callable[[UnitOfWork, datetime, Evidence], Context]

log = structlog.get_logger()

_MOST_CONFLICTS = 20


class TooManyConflicts(PbemError):
    """What was to be noted of a mail was decided again and again, and each time somebody else was quicker."""


class Returns:
    """Notes what becomes of a player because a mail to him was not taken, together with the mail.

    Args:
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        composer: makes mails of notices.
        outbox: where mails go.
    """

    def __init__(
        self,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        composer: Composer,
        outbox: Outbox,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._make_context = make_context
        self._composer = composer
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
        """
        for _ in range(_MOST_CONFLICTS):
            if self._give_up(mail, reason, now, told, of_recipient=of_recipient):
                return
        raise TooManyConflicts

    def _give_up(
        self, mail: DueMail, reason: str, now: datetime, told: Sequence[OutgoingMail], *, of_recipient: bool
    ) -> bool:
        """Whether nobody was quicker."""
        with self._unit_of_work() as uow:
            stored = uow.mails.find(mail.id)
            context = self._make_context(uow, now, Evidence(answer_to=""))
            note = refused if of_recipient else given_up
            notices: list[Notice] = [] if stored is None else note(stored, reason, context)
            uow.release()
            mails = self._composer.compose(notices, f"returned-{mail.id}-{now:%Y%m%d%H%M%S}", now)
            try:
                uow.commit(
                    lambda connection: self._outbox.give_up(connection, mail, reason, now, told),
                    lambda connection: self._outbox.add(connection, mails, now),
                )
            except Conflict:
                return False
        log.info("mail came back", mail=mail.id, notices=[notice.name for notice in notices])
        return True
