"""What becomes of letters that could not be handled: they rest, or are set aside for a human."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

import structlog

from pbem.domain.letters import Evidence
from pbem.errors import Conflict
from pbem.executor import MakeContext
from pbem.mail_in.parts import UnreadableLetter
from pbem.meters import Meters
from pbem.storage.engine import is_out_of_order
from pbem.storage.inbox import Inbox, LeasedLetter, LeaseLost, Unread
from pbem.storage.leases import Rests
from pbem.storage.outbox import Outbox, names_of
from pbem.storage.unit_of_work import UnitOfWork
from pbem.workers.counting import LetterCounts
from pbem.workers.faults import MOST_ATTEMPTS, where_it_failed
from pbem.workers.shunting import ShuntedMails

log = structlog.get_logger()

_LONGER = (1, 4, 16)
"""How much longer a letter rests each time that its reader was ended."""


def rests_of(retry_after: timedelta) -> Rests:
    """How long a letter rests that could not be handled."""
    return Rests(retry_after, retry_after * _LONGER[-1])


class Setbacks:
    """Gives letters back, or shunts them.

    Args:
        inbox, outbox: where letters come from and mails about them go to.
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        mails: makes the mails about shunted letters.
        retry_after: how long a letter rests that could not be handled.
        written: called when something has been written.
        counts: counts what becomes of letters.
    """

    def __init__(
        self,
        *,
        inbox: Inbox,
        outbox: Outbox,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        mails: ShuntedMails,
        retry_after: timedelta,
        written: Callable[[], None],
        counts: LetterCounts | None = None,
    ) -> None:
        self._counts = counts or LetterCounts(Meters())
        self._inbox = inbox
        self._outbox = outbox
        self._unit_of_work = unit_of_work
        self._make_context = make_context
        self._mails = mails
        self._retry_after = retry_after
        self._written = written

    def failed(self, letter: LeasedLetter, failed: Exception, now: datetime) -> None:
        """Settle when a letter is tried again that could not be handled, if it is."""
        where = where_it_failed(failed)
        log.error("letter not handled", letter=letter.id, attempt=letter.attempts, **where)
        self._counts.failed()
        try:
            if is_out_of_order(failed):
                self._inbox.give_back(letter, str(where), now + self._retry_after)
            elif isinstance(failed, UnreadableLetter) and (failed.is_final or letter.attempts >= MOST_ATTEMPTS):
                self.shunt(letter, f"it cannot be read: {failed.facts['error']}", now, failed)
            elif letter.attempts >= MOST_ATTEMPTS:
                self.shunt(letter, f"{where['error']} at {where['at']}", now)
            else:
                self._inbox.retry(letter, str(where), now + self._rest(letter, failed))
        except LeaseLost:
            log.warning("lease lost", letter=letter.id)

    def _rest(self, letter: LeasedLetter, failed: Exception) -> timedelta:
        """How long a letter rests; what ended its reader may be the machine's trouble, and that takes time to end."""
        if not isinstance(failed, UnreadableLetter):
            return self._retry_after
        return self._retry_after * _LONGER[min(letter.attempts, len(_LONGER)) - 1]

    def shunt(
        self, letter: LeasedLetter, error: str, now: datetime, unreadable: UnreadableLetter | None = None
    ) -> None:
        """Set a letter aside, and tell its sender, unless that is a machine, and the operator.

        Args:
            letter: the letter.
            error: what went wrong, for the operator.
            now: when.
            unreadable: why it cannot be read; None if it can.
        """
        unread = "" if unreadable is None else str(unreadable.facts["error"])
        set_aside = partial(self._inbox.shunt, letter=letter, error=error, now=now, unread=_unread(unreadable))
        with self._unit_of_work() as uow:
            evidence = Evidence(answer_to=letter.envelope.sender, client=letter.envelope.client)
            context = self._make_context(uow, now, evidence)
            mails = self._mails.compose(letter, error, unread, context)
            try:
                uow.commit(set_aside, lambda connection: self._outbox.add(connection, mails, now))
            except Conflict as conflict:
                log.error("shunting not told", letter=letter.id, because=str(conflict))  # noqa: TRY400 - no trace
                mails = []
                self._unit_of_work().commit(set_aside)
        log.error("letter shunted", letter=letter.id, because=error, mails=names_of(mails))
        self._counts.shunted(len(mails))
        self._written()


def _unread(unreadable: UnreadableLetter | None) -> Unread:
    if unreadable is None:
        return Unread.NO
    return Unread.FOR_EVER if unreadable.is_final else Unread.THIS_TIME
