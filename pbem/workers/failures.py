"""Letters that could not be handled: tried again, or set aside."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import structlog

from pbem.domain.correspondents import AnswerVerdict
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.errors import Conflict
from pbem.executor import CommandExecutor, Decision
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.machines import machine_in, why_machine_made
from pbem.mail_in.parts import LIMITS, UnreadableLetter
from pbem.mail_in.reading import ReaderBroken
from pbem.storage.engine import is_out_of_order
from pbem.storage.inbox import Inbox, LeasedLetter, LeaseLost, Unread
from pbem.storage.leases import Rests
from pbem.storage.outbox import names_of
from pbem.storage.process_notifier import Topic
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.correspondents import operator_told, told_of_unhandled
from pbem.workers.counting import LetterCounts
from pbem.workers.faults import where_it_failed

MOST_ATTEMPTS = 3
"""A letter or a task that has failed so often is set aside for a human."""
MOST_DEATHS = 2 * MOST_ATTEMPTS
"""So is one in whose course its process has died so often: more, since it may have been chance."""

log = structlog.get_logger()


_LONGER = (1, 4, 16)
"""The factors by which a letter rests longer each time that its reader was ended."""


def rests_of(retry_after: timedelta) -> Rests:
    """The times that a letter rests that could not be handled."""
    return Rests(retry_after, retry_after * _LONGER[-1])


class LetterFailures:
    """Gives letters back, or shunts them.

    Args:
        inbox: where letters come from.
        executor: writes what becomes of them, with the mails that tell of it.
        ours: our addresses.
        operator: who is told of each that is set aside, if anybody is.
        retry_after: how long a letter rests that could not be handled.
    """

    def __init__(
        self,
        inbox: Inbox,
        executor: CommandExecutor,
        ours: OwnAddress,
        operator: str | None,
        retry_after: timedelta,
    ) -> None:
        self._counts = LetterCounts(executor.meters)
        self._inbox = inbox
        self._executor = executor
        self._ours = ours
        self._operator = operator
        self._retry_after = retry_after

    def failed(self, letter: LeasedLetter, failed: Exception, now: datetime) -> None:
        """Settle when a letter is tried again that could not be handled, if it is."""
        where = where_it_failed(failed)
        log.error("letter not handled", letter=letter.id, attempt=letter.attempts, **where)
        self._counts.failed()
        try:
            if is_out_of_order(failed) or isinstance(failed, ReaderBroken):
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
        """The time that a letter rests; a machine in trouble may have ended its reader, and needs time to recover."""
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
        set_aside = partial(self._inbox.shunt, letter=letter, error=error, now=now, unread=_unread(unreadable))
        with self._executor.unit_of_work() as uow:
            decision = self._decide(letter, error, unreadable, uow, now)
            mails = [] if decision is None else decision.mails
            try:
                uow.commit(set_aside, *([] if decision is None else [decision.add_mails]))
            except Conflict as conflict:
                log.error("shunting not told", letter=letter.id, because=str(conflict))  # noqa: TRY400 - no trace
                mails = []
                self._executor.unit_of_work().commit(set_aside)
        log.error("letter shunted", letter=letter.id, because=error, mails=names_of(mails))
        self._counts.shunted(len(mails))
        self._executor.written(Topic.BOARDS)

    def _decide(
        self, letter: LeasedLetter, error: str, unreadable: UnreadableLetter | None, uow: UnitOfWork, now: datetime
    ) -> Decision | None:
        """Decide who is told of a letter; None if even that fails, or the letter would block its sender for ever.

        A letter may be tried again by hand: then its answers need keys that these have not, and so does the next
        shunting.
        """
        unread = "" if unreadable is None else str(unreadable.facts["error"])
        key = f"shunted-{letter.id}-{now:%Y%m%d%H%M%S%f}"
        evidence = Evidence(answer_to=letter.envelope.sender, client=letter.envelope.client)

        def told(context: Context) -> dict[str, list[Notice]]:
            return {key: self._told(letter, error, unread, context)}

        try:
            return self._executor.decide(uow, told, now, evidence)
        except Exception as failed:  # noqa: BLE001 - whatever it was, the letter is set aside
            log.error("shunting not told", letter=letter.id, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return None

    def _told(self, letter: LeasedLetter, error: str, unread: str, context: Context) -> list[Notice]:
        """The notices about it, few enough: anyone can send a thousand such letters."""
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


def _unread(unreadable: UnreadableLetter | None) -> Unread:
    if unreadable is None:
        return Unread.NO
    return Unread.FOR_EVER if unreadable.is_final else Unread.THIS_TIME
