"""What the operator is mailed of mails and letters of which nobody else would hear."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog

from pbem.domain.letters import OutgoingMail
from pbem.domain.notices import Notice
from pbem.domain.players import address_key
from pbem.mail_out.message import Composer
from pbem.storage.outbox import DueMail
from pbem.workers.faults import where_it_failed

log = structlog.get_logger()


class OperatorMails:
    """The mails to the operator; none if there is nobody.

    Args:
        composer: makes mails of notices.
        operator: his address.
    """

    def __init__(self, composer: Composer, operator: str | None) -> None:
        self._composer = composer
        self._operator = operator

    def mail_failed(self, mail: DueMail, reason: str, now: datetime) -> list[OutgoingMail]:
        """About a mail that was given up, unless that was to him."""
        if self._operator is None or address_key(mail.recipient) == address_key(self._operator):
            return []
        notice = Notice("mail_failed", self._operator, {"mail": mail, "why": reason}, from_nobody=True)
        try:
            return self._composer.compose([notice], f"failed-{mail.id}-{now:%Y%m%d%H%M%S}", now)
        except Exception as failed:  # noqa: BLE001 - a mail must be given up even if that cannot be told
            log.error("operator not told", mail=mail.key, number=mail.id, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return []

    def letters_forgotten(self, letters: Sequence[int], days: int, now: datetime) -> list[OutgoingMail]:
        """About letters that were set aside and that nobody has looked after for so many days."""
        if self._operator is None:
            return []
        notice = Notice("letters_forgotten", self._operator, {"letters": letters, "days": days}, from_nobody=True)
        return self._composer.compose([notice], f"forgotten-{letters[0]}", now)
