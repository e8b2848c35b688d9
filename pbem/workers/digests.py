"""What is kept for daily mails → mails, one a player and day."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.domain.notices import Notice
from pbem.ids import PlayerId
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.mail.digests import daily_mail
from pbem.workers.runner import Runner

_AT_ONCE = 100
"""Players whose turn has come."""


class DigestRunner(Runner[PlayerId]):
    """Mails what is due: one player, one transaction, next.

    The mail is stored together with the note that its player has been told: whenever the power is cut, he is told
    once.
    """

    what, gone_on, failed = "player", "digest made", "digest not made"

    def due(self, uow: UnitOfWork) -> Sequence[PlayerId]:
        """Some players whose turn has come."""
        return uow.digests.due(self._clock(), _AT_ONCE)

    def decide(self, each: PlayerId, context: Context) -> dict[str, list[Notice]]:
        """Tell one, if there is anything to tell and a way to reach him."""
        return {f"digest-{each}-{context.now:%Y%m%d%H%M%S}": daily_mail(each, context)}
