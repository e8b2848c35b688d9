"""Letter → commands → notices → outbox: one letter, one transaction."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.hiding import without_tokens_of
from pbem.domain.letters import Evidence
from pbem.domain.message_ids import MessageIds
from pbem.domain.replies import BounceReply
from pbem.errors import PbemError
from pbem.mail_in.loops import why_machine_made
from pbem.mail_in.parts import UnreadableLetter
from pbem.mail_in.returns import returned_mail
from pbem.mail_in.senders import evidence_of
from pbem.storage.engine import is_out_of_order
from pbem.storage.inbox import Inbox, LeasedLetter, LeaseLost
from pbem.storage.outbox import names_of
from pbem.usecases.answering import answer_letter
from pbem.usecases.bounces import take_back
from pbem.usecases.ports import Conflict
from pbem.workers.faults import where_it_failed
from pbem.workers.intake import recognised_by
from pbem.workers.shunting import ShuntedMails

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.domain.letters import Letter, OutgoingMail
    from pbem.domain.notices import Notice
    from pbem.domain.replies import Signer
    from pbem.mail_in.addresses import OwnAddress
    from pbem.mail_in.reading import Reader
    from pbem.mail_out.message import Composer
    from pbem.storage.outbox import Outbox
    from pbem.storage.unit_of_work import UnitOfWork
    from pbem.usecases.context import Context
    from pbem.workers.clerk import MakeContext

    Decide = Callable[[Context], list[Notice]]

log = structlog.get_logger()

MOST_ATTEMPTS = 3
"""A letter that could not be handled so often is shunted."""
MOST_DEATHS = 2 * MOST_ATTEMPTS
"""One whose worker died so often is: more, since it may have been chance, and from `MOST_ATTEMPTS` on with pauses."""
_AT_ONCE = 8
"""Letters taken with one commit; those that another process could handle meanwhile are to be few."""
_MOST_CONFLICTS = 20
_TRIMMED_AFTER = 1.0
"""Seconds."""
_LONGER = (1, 4, 16)
"""How much longer a letter rests each time that its reader was ended."""


class TooManyConflicts(PbemError):
    """A letter was decided again and again, and each time somebody else was quicker."""


def longest_rest(retry_after: timedelta) -> timedelta:
    """How long a letter may rest at most that could not be handled."""
    return retry_after * _LONGER[-1]


class InboxWorker:
    """Takes letters from the inbox and answers them.

    Args:
        inbox, outbox: where letters come from and answers go to.
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        composer: makes mails of notices.
        reader: reads letters, where they can do no harm.
        ours, signer: our addresses, and who signs them.
        operator: who is told of shunted letters.
        authserv_id: whose Authentication-Results are believed.
        retry_after: how long a letter rests that could not be handled.
        answered: called when answers have been stored.
        trim: empties the database's log of what was in the letters; False if it could not.
    """

    def __init__(
        self,
        *,
        inbox: Inbox,
        outbox: Outbox,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        composer: Composer,
        reader: Reader,
        ours: OwnAddress,
        signer: Signer,
        operator: str | None,
        authserv_id: str | None,
        retry_after: timedelta,
        answered: Callable[[], None],
        trim: Callable[[], bool] = lambda: True,
    ) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._unit_of_work = unit_of_work
        self._make_context = make_context
        self._composer = composer
        self._reader = reader
        self._ours = ours
        self._signer = signer
        self._message_ids = MessageIds(signer, ours.domain)
        self._shunted = ShuntedMails(composer, ours, operator)
        self._authserv_id = authserv_id
        self._retry_after = retry_after
        self._answered = answered
        self._trim = trim
        self._at_once = _AT_ONCE
        self._held: deque[LeasedLetter] = deque()
        self._is_trimmed = False
        self._trimmed_at = 0.0

    def step(self) -> bool:
        """Handle one letter; False if there is none that is eligible."""
        self._reader.be_ready()
        now = datetime.now(UTC)
        letter = self._next(now)
        if letter is None:
            self._be_tidy()
            return False
        self._is_trimmed = False
        log.info("letter taken", letter=letter.id, attempt=letter.attempts)
        try:
            if letter.attempts > MOST_DEATHS:
                self._shunt(letter, "its worker died", now)
            else:
                self._handle(letter, now)
        except LeaseLost:
            log.warning("lease lost", letter=letter.id)
        except Exception as failed:  # noqa: BLE001 - our bug, not the player's: the letter is kept, the queue goes on
            self._failed(letter, failed, now)
        return True

    def end(self) -> None:
        """Give back what was taken and not begun; if that fails the leases run out by themselves."""
        untried, self._held = self._held, deque()
        try:
            self._inbox.give_back_untried(untried)
        except SQLAlchemyError as failed:
            log.warning("letters not given back", letters=len(untried), **where_it_failed(failed))

    def _next(self, now: datetime) -> LeasedLetter | None:
        """The letter to be handled next: one that was taken with others before, unless its lease has run out."""
        while self._held:
            letter = self._held.popleft()
            if letter.until > now:
                return letter
        self._held.extend(self._inbox.lease(now, self._at_once))
        return self._held.popleft() if self._held else None

    def _be_tidy(self) -> None:
        """Once letters are done let nothing show the passwords that were in them; not too often, for it takes time."""
        if self._is_trimmed or monotonic() - self._trimmed_at < _TRIMMED_AFTER:
            return
        self._is_trimmed = self._trim()
        self._trimmed_at = monotonic()

    def _handle(self, letter: LeasedLetter, now: datetime) -> None:
        read = self._reader.read(letter.raw, may_be_bounce=not letter.envelope.sender.strip("<>"))
        returned = returned_mail(read, letter.envelope, self._ours, self._signer, now)
        if returned is not None:
            self._carry_out(letter, Evidence(answer_to=""), partial(take_back, returned), None, now)
            return
        sign = why_machine_made(read.machine, letter.envelope, self._ours)
        if sign is None and self._message_ids.is_ours(read.message_id or "", read.to):
            sign = "a mail of ours"
        evidence = evidence_of(read, letter.envelope, self._ours, self._signer, now, self._authserv_id)
        if sign is None and isinstance(evidence.reply, BounceReply):
            sign = "to an address for what comes back"
        if sign is None and self._ours.token(evidence.answer_to) is not None:
            sign = "our own address"
        if sign is not None:
            log.info("letter not answered", letter=letter.id, because=sign)
            self._ignore(letter, now)
            return
        self._carry_out(letter, evidence, partial(answer_letter, self._shown(read.letter)), read.message_id, now)

    def _ignore(self, letter: LeasedLetter, now: datetime) -> None:
        """Be done with a letter, and recognise it no more: the same words may come by a way on which they count."""
        keys, _ = recognised_by(letter.envelope, letter.raw, self._signer)
        self._unit_of_work().commit(
            lambda connection: self._inbox.finish(connection, letter, now),
            lambda connection: self._inbox.forget_keys(connection, keys),
        )

    def _shown(self, letter: Letter) -> Letter:
        """A letter as it may be repeated: without tokens that the reader, which has no key, could not know."""
        return replace(letter, body=without_tokens_of(self._signer, letter.body))

    def _carry_out(
        self, letter: LeasedLetter, evidence: Evidence, decide: Decide, message_id: str | None, now: datetime
    ) -> None:
        """Decide what a letter leads to, and write it."""
        for _ in range(_MOST_CONFLICTS):
            with self._unit_of_work() as uow:
                now = max(now, datetime.now(UTC))
                notices = decide(self._make_context(uow, now, evidence))
                uow.release()
                if self._commit(uow, letter, notices, message_id, now):
                    return
        raise TooManyConflicts

    def _commit(
        self,
        uow: UnitOfWork,
        letter: LeasedLetter,
        notices: list[Notice],
        message_id: str | None,
        now: datetime,
    ) -> bool:
        """Write everything a letter has led to; False if it must be decided anew."""
        mails = self._composer.compose(notices, str(letter.id), now, message_id)
        try:
            uow.commit(
                lambda connection: self._inbox.finish(connection, letter, now),
                lambda connection: self._outbox.add(connection, mails, now),
            )
        except Conflict as conflict:
            log.info("decided anew", letter=letter.id, because=str(conflict))
            return False
        log.info("letter answered", letter=letter.id, notices=[each.name for each in notices], mails=names_of(mails))
        self._answered()
        return True

    def _failed(self, letter: LeasedLetter, failed: Exception, now: datetime) -> None:
        where = where_it_failed(failed)
        log.error("letter not handled", letter=letter.id, attempt=letter.attempts, **where)
        try:
            if is_out_of_order(failed):
                self._inbox.give_back(letter, str(where), now + self._retry_after)
            elif isinstance(failed, UnreadableLetter) and (failed.is_final or letter.attempts >= MOST_ATTEMPTS):
                self._shunt(letter, f"it cannot be read: {failed.facts['error']}", now, str(failed.facts["error"]))
            elif letter.attempts >= MOST_ATTEMPTS:
                self._shunt(letter, f"{where['error']} at {where['at']}", now)
            else:
                self._inbox.retry(letter, str(where), now + self._rest(letter, failed))
        except LeaseLost:
            log.warning("lease lost", letter=letter.id)

    def _rest(self, letter: LeasedLetter, failed: Exception) -> timedelta:
        """How long a letter rests; what ended its reader may be the machine's trouble, and that takes time to end."""
        if not isinstance(failed, UnreadableLetter):
            return self._retry_after
        return self._retry_after * _LONGER[min(letter.attempts, len(_LONGER)) - 1]

    def _shunt(self, letter: LeasedLetter, error: str, now: datetime, unread: str = "") -> None:
        """Set a letter aside, and tell its sender, unless that is a machine, and the operator.

        Args:
            letter: the letter.
            error: what went wrong, for the operator.
            now: when.
            unread: why it cannot be read, as `UnreadableLetter` says it; empty if it can.
        """
        with self._unit_of_work() as uow:
            context = self._make_context(uow, now, Evidence(answer_to=letter.envelope.sender))
            mails = self._shunted.compose(letter, error, unread, context)
            try:
                self._set_aside(uow, letter, error, mails, now)
            except Conflict as conflict:
                log.error("shunting not told", letter=letter.id, because=str(conflict))  # noqa: TRY400 - no trace
                self._set_aside(self._unit_of_work(), letter, error, [], now)
        log.error("letter shunted", letter=letter.id, because=error, mails=names_of(mails))
        self._answered()

    def _set_aside(
        self, uow: UnitOfWork, letter: LeasedLetter, error: str, mails: list[OutgoingMail], now: datetime
    ) -> None:
        uow.commit(
            lambda connection: self._inbox.shunt(connection, letter, error, now),
            lambda connection: self._outbox.add(connection, mails, now),
        )
