"""Deleting what is old, and settling mails that came back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from threading import Event

import structlog
from sqlalchemy import Connection, Engine

from pbem.commands.internal import GiveMailUp
from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import Notice
from pbem.executor import CommandExecutor
from pbem.storage.outbox import DueMail, Outbox
from pbem.storage.upkeep import AT_ONCE, forget, forgettable
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch

log = structlog.get_logger()


class Retention:
    """Forgets what has been kept for long enough, a few rows at a time, so that no letter waits for it.

    Args:
        engine: the database.
        keep_mail: how long the bytes of mails are kept.
        keep_traces: how long it is kept that letters came and mails went.
        tell: stores mails that tell the operator which letters were forgotten that nobody has looked after.
        clock: tells the time.
    """

    def __init__(
        self,
        engine: Engine,
        keep_mail: timedelta,
        keep_traces: timedelta,
        tell: Callable[[Connection, Sequence[int], datetime], None] = lambda _connection, _letters, _now: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._keep_mail = keep_mail
        self._keep_traces = keep_traces
        self._tell = tell
        self._clock = clock
        self._ending = Event()

    def end_soon(self) -> None:
        """Begin no further transaction."""
        self._ending.set()

    def step(self) -> bool:
        """Forget some of each kind; False if nothing more is to be forgotten now."""
        return any(count >= AT_ONCE for count in self._some().values())

    def tidy(self) -> dict[str, int]:
        """Forget all that is to be forgotten; return how much of each kind that was."""
        forgotten: Counter[str] = Counter()
        while True:
            some = self._some()
            forgotten.update(some)
            if not any(some.values()):
                return dict(forgotten)

    def _some(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for what in forgettable(self._clock(), self._keep_mail, self._keep_traces):
            tell = self._told if what.is_told else None
            counts[what.name] = 0 if self._ending.is_set() else forget(self._engine, what, tell=tell)
        gone = {name: count for name, count in counts.items() if count}
        if gone:
            log.info("forgotten", **gone)
        return counts

    def _told(self, connection: Connection, letters: list[int]) -> None:
        """Tell of letters that were set aside and are forgotten now."""
        log.warning("letters set aside were forgotten", letters=letters)
        self._tell(connection, letters, self._clock())


class Returns:
    """Notes what becomes of a player because a mail to him was not taken, together with the mail.

    Args:
        clerk: writes down what comes of it.
        outbox: where the mails are.
    """

    def __init__(self, executor: CommandExecutor, outbox: Outbox) -> None:
        self._executor = executor
        self._outbox = outbox

    def give_up(
        self, mail: DueMail, reason: str, now: datetime, told: Sequence[OutgoingMail], *, of_recipient: bool
    ) -> None:
        """Give a mail to a player up.

        Args:
            mail: the mail.
            reason: what the relay said.
            now: the moment.
            told: the mails that say so, if nobody can say that it is because of its recipient.
            of_recipient: whether the relay refused it because of whom it is for.

        Raises:
            TooManyConflicts: somebody else was always quicker.
        """
        command = GiveMailUp(mail.id, reason, of_recipient)

        def decide(context: Context) -> dict[str, list[Notice]]:
            return {f"returned-{mail.id}-{now:%Y%m%d%H%M%S}": dispatch(command, context)}

        notices = self._executor.retry_on_conflict(
            decide, lambda connection: self._outbox.give_up(connection, mail, reason, now, told), mail=mail.id
        )
        log.info("mail came back", mail=mail.key, number=mail.id, notices=[notice.name for notice in notices])
