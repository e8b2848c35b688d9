"""The inbox worker: letter → commands → notices → outbox; one letter, one transaction."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from time import monotonic, perf_counter, sleep

import structlog
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.letters import Evidence, Letter, without_tokens_of
from pbem.domain.mails import Notice
from pbem.domain.replies import BounceReply, MessageIds
from pbem.errors import Conflict
from pbem.executor import MOST_CONFLICTS, CommandExecutor, TooManyConflicts
from pbem.ids import BoardNumber
from pbem.mail_in.authentication import MailIdentity, evidence_of
from pbem.mail_in.machines import why_machine_made
from pbem.mail_in.mime import ReadLetter
from pbem.mail_in.reading import Reader
from pbem.mail_in.returns import returned_mail
from pbem.storage.inbox import Inbox, LeasedLetter, LeaseLost
from pbem.storage.outbox import names_of
from pbem.storage.process_notifier import Topic
from pbem.usecases.answering import answer_letter
from pbem.usecases.context import Context
from pbem.usecases.correspondents import count_bytes
from pbem.usecases.dispatcher import dispatch
from pbem.workers.counting import LetterCounts, refusals_of
from pbem.workers.failures import MOST_DEATHS, LetterFailures
from pbem.workers.faults import where_it_failed
from pbem.workers.intake import recognised_by


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A letter whose answers are being stored."""

    letter: LeasedLetter
    stored: Future[None]
    """Done once everything is written; its exception says why it is not."""
    boards: Collection[BoardNumber]
    """Those that change by it."""
    notices: Sequence[str]
    """The names of what is told."""
    mails: Sequence[str]
    """The names of its answers."""
    refusals: Sequence[str]
    """The refusals of its commands, as they are counted."""
    silenced_by: Sequence[str]
    """The settings that keep its sender from being answered."""
    again: Callable[[], None]
    """Decides it anew."""

    def changes_any(self, boards: Collection[BoardNumber]) -> bool:
        """Return True if it changes one of these boards: a decision that has read them is outdated."""
        return any(each in self.boards for each in boards)


Decide = Callable[[Context], list[Notice]]


log = structlog.get_logger()

_AT_ONCE = 8
"""Letters taken with one commit; those that another process could handle meanwhile are to be few."""
_TRIMMED_AFTER = 1.0
"""Seconds."""
_MEANWHILE = 0.01
"""Seconds after which it is looked again whether another process has handled what letters wait for."""


class InboxWorker:
    """Takes letters from the inbox and answers them.

    Args:
        inbox: where letters come from.
        executor: decides, and composes the answers.
        reader: reads letters, where they can do no harm.
        identity: who we are in mail.
        letter_failures: settles what becomes of letters that could not be handled.
    """

    def __init__(
        self,
        inbox: Inbox,
        executor: CommandExecutor,
        reader: Reader,
        identity: MailIdentity,
        letter_failures: LetterFailures,
    ) -> None:
        self._counts = LetterCounts(executor.meters)
        self._inbox = inbox
        self._executor = executor
        self._reader = reader
        self._identity = identity
        self._message_ids = MessageIds(identity.signer, identity.ours.domain)
        self._letter_failures = letter_failures
        self._at_once = _AT_ONCE
        self._held: deque[LeasedLetter] = deque()
        self._under_way: deque[UnderWay] = deque()
        self._expects_more = False
        """True if the last time as many letters were taken as may be: more wait, so what is under way need not end."""
        self._is_trimmed = False
        self._trimmed_at = 0.0

    def step(self) -> bool:
        """Handle one letter; False if there is none that is eligible.

        The next is begun while what those before have led to is still being written; only if none is left is all of it
        waited for.
        """
        now = datetime.now(UTC)
        letter = self._next(now)
        if letter is None:
            self._be_tidy()
            if not self._inbox.may_go_on_soon(now):
                return False
            sleep(_MEANWHILE)
            return True
        self._is_trimmed = False
        log.info("letter taken", letter=letter.id, attempt=letter.attempts)
        if letter.attempts > 1:
            self._settle(0)  # if it ends its worker again, it ends nothing else
        with self._guarding(letter):
            if letter.attempts > MOST_DEATHS:
                self._letter_failures.shunt(letter, "its worker died", now)
            else:
                began = perf_counter()
                self._handle(letter, now)
                self._counts.handled(began)
        self._settle(len(self._held) + self._at_once * self._expects_more)
        return True

    @contextmanager
    def _guarding(self, letter: LeasedLetter) -> Iterator[None]:
        """Outlive whatever a letter leads to: it is kept, and the queue goes on."""
        try:
            yield
        except LeaseLost:
            log.warning("lease lost", letter=letter.id)
        except Exception as failed:  # noqa: BLE001 - our bug, not the player's
            self._give_back(letter, failed)

    def _give_back(self, letter: LeasedLetter, failed: Exception) -> None:
        """Settle when a letter is tried again that could not be handled.

        Raises:
            SQLAlchemyError: not even that could be written; it is kept, and tried again here while its lease runs.
        """
        try:
            self._letter_failures.failed(letter, failed, datetime.now(UTC))
        except SQLAlchemyError:
            self._held.appendleft(letter)
            raise

    def end(self) -> None:
        """Wait for what is under way, and give back what was taken and not begun; or else the leases run out."""
        while self._under_way:
            try:
                self._settle(0)
            except SQLAlchemyError as failed:  # one that could neither be written nor given back
                log.warning("letter not given back", **where_it_failed(failed))
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
        self._take(now)
        if not self._held and self._under_way:  # those that wait may wait for these
            self._settle(0)
            self._take(now)
        return self._held.popleft() if self._held else None

    def _take(self, now: datetime) -> None:
        """Take the next letters."""
        self._held.extend(self._inbox.lease(now, self._at_once))
        self._expects_more = len(self._held) == self._at_once

    def _be_tidy(self) -> None:
        """Once letters are done let nothing show the passwords that were in them; not too often, for it takes time."""
        if self._is_trimmed or monotonic() - self._trimmed_at < _TRIMMED_AFTER:
            return
        self._is_trimmed = self._inbox.trim_log()
        self._trimmed_at = monotonic()

    def _handle(self, letter: LeasedLetter, now: datetime) -> None:
        read, us = self._read(letter), self._identity
        returned = returned_mail(read, letter.envelope, us.ours, us.signer, now)
        if returned is not None:
            self._counts.returned(returned)
            self._carry_out(letter, Evidence(answer_to=""), partial(dispatch, returned), None, now)
            return
        sign = why_machine_made(read.machine, letter.envelope, us.ours)
        if sign is None and self._message_ids.is_ours(read.message_id or "", read.to):
            sign = "a mail of ours"
        evidence = evidence_of(read, letter.envelope, us.ours, us.signer, now, us.authserv_id)
        if sign is None and isinstance(evidence.reply, BounceReply):
            sign = "to an address for what comes back"
        if sign is None and us.ours.token(evidence.answer_to) is not None:
            sign = "our own address"
        if sign is not None:
            log.info("letter not answered", letter=letter.id, because=sign)
            self._ignore(letter, now)
            return
        self._carry_out(letter, evidence, partial(answer_letter, self._shown(read.letter)), read.message_id, now)

    def _read(self, letter: LeasedLetter) -> ReadLetter:
        """Read a letter, and have the next one read while this one is decided upon."""
        read = self._reader.read(letter.raw, may_be_bounce=_may_be_bounce(letter))
        if self._held:
            self._reader.read_ahead(self._held[0].raw, may_be_bounce=_may_be_bounce(self._held[0]))
        return read

    def _ignore(self, letter: LeasedLetter, now: datetime) -> None:
        """Be done with a letter, and recognise it no more: the same words may come by a way on which they count."""
        keys, _ = recognised_by(letter.envelope, letter.raw, self._identity.signer)
        self._executor.unit_of_work().commit(
            lambda connection: self._inbox.finish(connection, letter, now),
            lambda connection: self._inbox.forget_keys(connection, keys),
        )
        self._counts.ignored()

    def _shown(self, letter: Letter) -> Letter:
        """A letter as it may be repeated: without tokens that the reader, which has no key, could not know."""
        return replace(letter, body=without_tokens_of(self._identity.signer, letter.body))

    def _carry_out(
        self,
        letter: LeasedLetter,
        evidence: Evidence,
        decide: Decide,
        message_id: str | None,
        now: datetime,
        conflicts: int = 0,
    ) -> None:
        """Decide what a letter leads to, and have it written, after so many ``conflicts`` that it met before.

        Nothing is awaited on the spot, and so this does not use `retry_on_conflict`: often only the letters after it
        show that it must be decided again.
        """

        def told(context: Context) -> dict[str, list[Notice]]:
            return {str(letter.id): decide(context)}

        for met in range(conflicts, MOST_CONFLICTS):
            now = max(now, datetime.now(UTC))
            with self._executor.unit_of_work() as uow:
                decision = self._executor.decide(uow, told, now, evidence, message_id)
                if decision is None:
                    raise AssertionError("a letter always leads to something, if only to its end")
                if any(each.changes_any(uow.boards.seen) for each in self._under_way):
                    self._settle(0)
                    continue
                notices, mails, context = decision.notices, decision.mails, decision.context
                refusals = refusals_of(notices)
                if refusals and uow.boards.seen:
                    self._settle(0)
                    if self._inbox.put_behind_earlier(letter, uow.boards.seen, uow.boards.players_seen, now):
                        log.info("letter put back", letter=letter.id, because="earlier letters wait")
                        return
                    if uow.boards.is_outdated:
                        continue
                count_bytes(sum(len(each.raw) for each in mails if each.answers), context)
                stored = uow.submit(partial(self._inbox.finish, letter=letter, now=now), decision.add_mails)
            stored.add_done_callback(self._tell_written)
            again = partial(self._carry_out, letter, evidence, decide, message_id, now, met + 1)
            names = [each.name for each in notices]
            boards, because = uow.boards.saved.keys(), context.silenced_by
            this = UnderWay(letter, stored, boards, names, names_of(mails), refusals, because, again)
            if uow.changes_boards_alone:
                self._under_way.append(this)
                return
            if self._is_stored(this):
                return
        raise TooManyConflicts(times=MOST_CONFLICTS)

    def _settle(self, most: int) -> None:
        """Wait until at most so many letters are under way, and finish those that are written anyhow."""
        while self._under_way and (len(self._under_way) > most or self._under_way[0].stored.done()):
            first = self._under_way.popleft()
            with self._guarding(first.letter):
                if not self._is_stored(first):
                    first.again()

    def _is_stored(self, this: UnderWay) -> bool:
        """Return True if all results of a letter are written; if not, it must be decided again."""
        try:
            this.stored.result()
        except Conflict as conflict:
            log.info("decided anew", letter=this.letter.id, because=str(conflict))
            self._counts.decided_anew()
            return False
        about = {"letter": this.letter.id, "notices": this.notices, "mails": this.mails}
        if this.silenced_by:
            log.info("letter not answered", because=", ".join(this.silenced_by), **about)
        else:
            log.info("letter answered", **about)
        self._counts.answered(this.letter, this.refusals, len(this.mails))
        return True

    def _tell_written(self, stored: Future[None]) -> None:
        """Let go on what may have to, as soon as all results of a letter are written."""
        if stored.exception() is None:
            self._executor.written(Topic.BOARDS)


def _may_be_bounce(letter: LeasedLetter) -> bool:
    """Return True if a letter may be a report of a mail that did not arrive: those have the null sender."""
    return not letter.envelope.sender.strip("<>")
