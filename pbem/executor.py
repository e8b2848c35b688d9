"""Decides, composes the mails that tell of it, and commits both in one transaction; again after a conflict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import structlog
from sqlalchemy import Connection

from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.errors import Conflict, PbemError
from pbem.mail_out.message import Composer
from pbem.meters import Meters
from pbem.storage.outbox import Outbox, names_of
from pbem.storage.process_notifier import Topic
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


def _utc_now() -> datetime:
    return datetime.now(UTC)


class CommandExecutor:
    """Has things decided and written down, for the web and for the workers that do not read letters.

    The mails are stored together with what they tell of: whenever the power is cut, both are there or neither is.

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
        self._meters = meters or Meters()
        self.unit_of_work = unit_of_work
        self._make_context = make_context
        self._composer = composer
        self._outbox = outbox
        self._written = written

    def look(self, question: Callable[[Context], AnswerT], now: datetime, evidence: Evidence | None = None) -> AnswerT:
        """Answer a question from what is stored; nothing is written."""
        with self.unit_of_work() as uow:
            return question(self._context(uow, now, evidence))

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
            decided = decide(self._context(uow, now, evidence))
            if decided is None:
                return []
            uow.release()
            mails = [mail for key, told in decided.items() for mail in self._composer.compose(told, key, now)]
            try:
                uow.commit(*also, lambda connection: self._outbox.add(connection, mails, now))
            except Conflict as conflict:
                log.info("decided anew", because=str(conflict), **about)
                self._meters.conflicts.inc()
                raise
        if mails:
            log.info("mails stored", mails=names_of(mails), **about)
            self._meters.mails_stored.inc(len(mails))
        if uow.changes_boards or evidence is not None:  # what somebody asks for may be anything
            self._written(Topic.BOARDS)
        elif mails:
            self._written(Topic.MAILS)
        return [notice for told in decided.values() for notice in told]

    def _context(self, uow: UnitOfWork, now: datetime, evidence: Evidence | None) -> Context:
        return self._make_context(uow, now, Evidence(answer_to="") if evidence is None else evidence)
