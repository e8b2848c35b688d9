"""Decides, composes the mails that tell of it, and commits both in one transaction; again after a conflict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.letters import Evidence, OutgoingMail
from pbem.domain.mails import Notice
from pbem.errors import Conflict, PbemError, PlayerError
from pbem.mail_out.message import Composer
from pbem.meters import Meters
from pbem.storage.outbox import Outbox, names_of
from pbem.storage.process_notifier import Topic
from pbem.storage.replica import ReadReplica, ReplicaUnusable
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context

MOST_CONFLICTS = 20
"""More in a row are a fault of ours."""

AnswerT = TypeVar("AnswerT")


class TooManyConflicts(PbemError):
    """Something was decided again and again, and each time somebody else was quicker."""


def retry_on_conflict(attempt: Callable[[], AnswerT]) -> AnswerT:
    """Have something decided and written, anew as long as somebody else is quicker; what came of it at last.

    Args:
        attempt: reads, decides and commits, all of it anew; `Conflict` if somebody else was quicker.

    Raises:
        TooManyConflicts: somebody always was; its cause is the last conflict.
    """
    last: Conflict | None = None
    for _ in range(MOST_CONFLICTS):
        try:
            return attempt()
        except Conflict as conflict:
            last = conflict
    raise TooManyConflicts(times=MOST_CONFLICTS) from last


MakeContext = Callable[[UnitOfWork, datetime, Evidence], Context]
"""Makes the context of use cases from a unit of work, a moment, and evidence of the sender."""
Decide = Callable[[Context], Mapping[str, Sequence[Notice]] | None]
"""Says who is to be told what, by what the keys of the mails begin with; None: nothing is to be written."""


log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with the mails that tell of it, not yet written."""

    context: Context
    notices: list[Notice]
    mails: list[OutgoingMail]
    add_mails: Callable[[Connection], None]
    """Puts the mails into the outbox, in the transaction that writes the decision."""


@dataclass(slots=True)
class Freshness:
    """The place where answers to one request may come from."""

    replica: ReadReplica | None
    """None: the database itself. That is so once one answer has come from there, or time would go back."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class CommandExecutor:
    """Decides, and writes each decision together with the mails that tell of it.

    Whenever the power is cut, both are there or neither is. Letters, clicks, robots, clocks and operators all use it.

    Args:
        unit_of_work: makes a fresh one.
        make_context: what the use cases need beside it.
        composer: makes mails of notices.
        outbox: where they go.
        written: called when something has been written that others may have to see to, with what that is.
        meters: what is counted here.
    """

    def __init__(
        self,
        unit_of_work: Callable[[], UnitOfWork],
        make_context: MakeContext,
        composer: Composer,
        outbox: Outbox,
        written: Callable[[Topic], None] = lambda _topic: None,
        meters: Meters | None = None,
    ) -> None:
        self.meters = meters or Meters()
        self.unit_of_work = unit_of_work
        self._make_context = make_context
        self.composer = composer
        self.outbox = outbox
        self.written = written

    def look(
        self,
        question: Callable[[Context], AnswerT],
        now: datetime,
        evidence: Evidence | None = None,
        freshness: Freshness | None = None,
    ) -> AnswerT:
        """Answer a question from what is stored; nothing is written.

        Args:
            question: may be asked twice.
            now: the moment.
            evidence: what shows who has asked; None: nobody has.
            freshness: of all answers to the same request; None: it must be up to date.
        """
        if freshness is not None and freshness.replica is not None:
            try:
                with self.unit_of_work().reading_from(freshness.replica) as uow:
                    answer = question(self.context(uow, now, evidence))
            except (PlayerError, ReplicaUnusable, SQLAlchemyError):  # what is missing there may be new
                freshness.replica = None
                self.meters.replica_looks.labels("database").inc()
            else:
                self.meters.replica_looks.labels("replica").inc()
                return answer
        with self.unit_of_work() as uow:
            return question(self.context(uow, now, evidence))

    def decide(
        self,
        uow: UnitOfWork,
        decide: Decide,
        now: datetime,
        evidence: Evidence | None = None,
        in_reply_to: str | None = None,
    ) -> Decision | None:
        """Decide something and compose the mails that tell of it, with no connection held meanwhile.

        Args:
            uow: is read from; whoever calls commits it, or submits it, with `Decision.add_mails`.
            decide: through the use cases.
            now: the moment.
            evidence: what shows who has asked for it; None: nobody has.
            in_reply_to: the Message-ID of the letter that asked for it, if there is one.

        Returns:
            None if nothing is to be written.
        """
        context = self.context(uow, now, evidence)
        decided = decide(context)
        if decided is None:
            return None
        uow.release()
        mails = [mail for key, told in decided.items() for mail in self.composer.compose(told, key, now, in_reply_to)]
        notices = [notice for told in decided.values() for notice in told]
        return Decision(context, notices, mails, lambda connection: self.outbox.add(connection, mails, now))

    def carry_out(self, decide: Decide, now: datetime, **about: object) -> list[Notice] | None:
        """Decide something that nobody has asked for, and write it with the mails that tell of it.

        Args:
            decide: through the use cases.
            now: the moment.
            about: what it is about, for the log.

        Returns:
            What is told; None if somebody else was quicker, and it is to be decided anew.
        """
        try:
            return self._carry_out(decide, now, (), None, about)
        except Conflict:
            return None

    def retry_on_conflict(
        self,
        decide: Decide,
        *also: Callable[[Connection], None],
        clock: Callable[[], datetime] = _utc_now,
        evidence: Evidence | None = None,
        **about: object,
    ) -> list[Notice]:
        """Have something decided and written, anew as long as somebody else is quicker; see `carry_out`.

        Args:
            decide: through the use cases; once for each attempt.
            also: what else is written.
            clock: tells the moment of each attempt.
            evidence: what shows who has asked for it; None: nobody has.
            about: what it is about, for the log.

        Raises:
            TooManyConflicts: somebody always was.
        """
        return retry_on_conflict(lambda: self._carry_out(decide, clock(), also, evidence, about))

    def _carry_out(
        self,
        decide: Decide,
        now: datetime,
        also: Sequence[Callable[[Connection], None]],
        evidence: Evidence | None,
        about: Mapping[str, object],
    ) -> list[Notice]:
        with self.unit_of_work() as uow:
            decision = self.decide(uow, decide, now, evidence)
            if decision is None:
                return []
            mails = decision.mails
            try:
                uow.commit(*also, decision.add_mails)
            except Conflict as conflict:
                log.info("decided anew", because=str(conflict), **about)
                self.meters.conflicts.inc()
                raise
        if mails:
            log.info("mails stored", mails=names_of(mails), **about)
            self.meters.mails_stored.inc(len(mails))
        if uow.changes_boards or evidence is not None:  # what somebody asks for may be anything
            self.written(Topic.BOARDS)
        elif mails:
            self.written(Topic.MAILS)
        return decision.notices

    def context(self, uow: UnitOfWork, now: datetime, evidence: Evidence | None = None) -> Context:
        """Return what handlers are handed beside their command.

        Args:
            uow: what is read and written.
            now: the moment.
            evidence: what shows who has asked; None: nobody has.
        """
        return self._make_context(uow, now, Evidence(answer_to="") if evidence is None else evidence)
