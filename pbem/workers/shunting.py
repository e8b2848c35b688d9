"""Who hears of a letter that could not be handled and is set aside."""

from __future__ import annotations

import structlog

from pbem.domain.correspondents import AnswerVerdict
from pbem.domain.letters import OutgoingMail
from pbem.domain.notices import Notice
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.machines import machine_in, why_machine_made
from pbem.mail_in.parts import LIMITS, UnreadableLetter
from pbem.mail_out.message import Composer
from pbem.storage.inbox import LeasedLetter
from pbem.usecases.context import Context
from pbem.usecases.mail.caps import operator_told, told_of_unhandled
from pbem.workers.faults import where_it_failed

log = structlog.get_logger()


class ShuntedMails:
    """The mails about shunted letters: to their senders, unless those are machines, and to the operator.

    Args:
        composer: makes mails of notices.
        ours: our addresses.
        operator: who is told of each, if anybody is.
    """

    def __init__(self, composer: Composer, ours: OwnAddress, operator: str | None) -> None:
        self._composer = composer
        self._ours = ours
        self._operator = operator

    def compose(self, letter: LeasedLetter, error: str, unread: str, context: Context) -> list[OutgoingMail]:
        """The mails about a letter; none if even they fail, or the letter would block its sender for ever.

        A letter may be tried again by hand: then its answers need keys that these have not, and so does the next
        shunting.

        Args:
            letter: the letter.
            error: what went wrong, for the operator.
            unread: why it cannot be read, as `UnreadableLetter` says it; empty if it can.
            context: of the shunting.
        """
        key = f"shunted-{letter.id}-{context.now:%Y%m%d%H%M%S%f}"
        try:
            return self._composer.compose(self._told(letter, error, unread, context), key, context.now)
        except Exception as failed:  # noqa: BLE001 - whatever it was, the letter is set aside
            log.error("shunting not told", letter=letter.id, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return []

    def _told(self, letter: LeasedLetter, error: str, unread: str, context: Context) -> list[Notice]:
        """Who is told, neither too often: whoever mails such letters may mail a thousand of them."""
        notices, sender = [], letter.envelope.sender
        happened = {"attempts": letter.attempts, "unread": unread, "limit": LIMITS.get(unread)}
        happened["is_cut"] = bool(unread) and UnreadableLetter(error=unread).is_final
        is_persons = why_machine_made(machine_in(letter.raw), letter.envelope, self._ours) is None
        if is_persons and told_of_unhandled(sender, context) is not AnswerVerdict.SILENCE:
            notices.append(Notice("shunted", sender, happened, from_nobody=True))
        if self._operator is not None:
            verdict = operator_told(self._operator, context)
            told = {"told": bool(notices), "last": verdict is AnswerVerdict.LAST}
            facts = {"letter": letter, "error": error, **told, **happened}
            if verdict is not AnswerVerdict.SILENCE:
                notices.append(Notice("shunted_operator", self._operator, facts, from_nobody=True))
        return notices
