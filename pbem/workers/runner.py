"""Looks now and then what can go on by now that no letter asks for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Generic, TypeVar

import structlog

from pbem.domain.notices import Notice
from pbem.executor import Clerk
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.workers.faults import pass_over

log = structlog.get_logger()

EachT = TypeVar("EachT")


class Runner(ABC, Generic[EachT]):
    """Lets go on what can, each in a transaction of its own; where somebody else was quicker it is looked at again.

    Args:
        clerk: writes down what comes of it.
        clock: tells the time.
    """

    what: ClassVar[str]
    """What each of them is, for the log."""
    gone_on: ClassVar[str]
    """What the log says of one that has gone on."""
    failed: ClassVar[str]
    """What it says of one that could not be looked at, which is our bug."""

    def __init__(self, clerk: Clerk, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clerk = clerk
        self._clock = clock

    @abstractmethod
    def due(self, uow: UnitOfWork) -> Sequence[EachT]:
        """What is to be looked at."""

    @abstractmethod
    def decide(self, each: EachT, context: Context) -> Mapping[str, Sequence[Notice]] | None:
        """Let one go on: who is told what, by what the keys of the mails begin with; None: it cannot yet."""

    def step(self) -> bool:
        """Look at all of it once; False if nothing has gone on, so that what is left can wait.

        Raises:
            Exception: the database is in trouble.
        """
        with self._clerk.unit_of_work() as uow:
            due = self.due(uow)
        gone_on = [self._try(each) for each in due]
        return any(gone_on)

    def _try(self, each: EachT) -> bool:
        """Whether one has gone on."""
        about: dict[str, Any] = {self.what: each}
        try:
            notices = self._clerk.carry_out(lambda context: self.decide(each, context), self._clock(), **about)
        except Exception as failed:  # noqa: BLE001 - no other is to stand still for it
            pass_over(failed, log, self.failed, **about)
            return False
        if notices:
            log.info(self.gone_on, **about, notices=len(notices))
        return bool(notices)
