"""Alarms: mails to the operator about a server in trouble, and a watch over other processes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from threading import Lock
from time import monotonic

import structlog
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import Notice
from pbem.domain.players import address_key
from pbem.mail_out.message import Composer
from pbem.mail_out.relay import Relay
from pbem.meters import Meters
from pbem.storage.engine import is_out_of_order
from pbem.storage.outbox import DueMail
from pbem.storage.overview import AlarmTimes
from pbem.storage.troubles import Troubles
from pbem.workers.faults import said_by_database, where_it_failed

log = structlog.get_logger()

_BETWEEN = 3600.0
"""Seconds: how long nothing more is said of the same kind, however often the trouble comes and goes."""


@dataclass(slots=True)
class _Alarm:
    """One trouble, from its beginning to its end."""

    why: str
    began: datetime
    letters: int = 0
    over: datetime | None = None
    is_shared: bool = False
    """All processes see it from the same moment on: one of them tells."""
    is_told: bool = False
    """The operator has been told of its beginning."""
    mails: dict[str, list[OutgoingMail]] = field(default_factory=dict)
    """Those that were tried, by the keys that they have but for their number."""


class Alarms:
    """Keeps what is wrong, and tells when it began and when it was over.

    Args:
        relay: takes the mails; it is nobody else's.
        mails: makes them without the database; without an operator alarms are only logged.
        retry_after: when a mail is tried again that the relay did not take.
        times: where it is noted when the operator was told, as soon as something can be noted.
        meters: what is counted here.
        seconds: tell how much time has passed, whatever the clock is set to.
    """

    def __init__(
        self,
        relay: Relay,
        mails: OperatorMails,
        retry_after: timedelta,
        times: AlarmTimes,
        meters: Meters | None = None,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._meters = meters or Meters()
        self._relay = relay
        self._mails = mails
        self._operator = mails.operator
        self._retry_after = retry_after.total_seconds()
        self._seconds = seconds
        self._alarms: dict[str, _Alarm] = {}
        self._times = times
        self._told_at: dict[str, float] = {}
        self._unnoted: dict[str, datetime] = {}
        self._rests_until = -inf
        self._lock = Lock()

    def raise_(self, name: str, why: str, began: datetime, letters: int = 0, *, is_shared: bool = False) -> None:
        """Something is wrong, or still is; ``letters`` more have been put off because of it.

        ``is_shared``: every process knows when it began and when it was over, so that one is enough to tell.
        """
        with self._lock:
            alarm = self._alarms.get(name)
            if alarm is None:
                log.error("alarm", name=name, why=why)
                alarm = self._alarms[name] = _Alarm(why, began, is_shared=is_shared)
            alarm.over = None
            self._meters.alarms.labels(name).set(1)
            alarm.letters += letters

    def settle(self, name: str, now: datetime) -> None:
        """It is well again, or always was."""
        with self._lock:
            alarm = self._alarms.get(name)
            if alarm is None or alarm.over is not None:
                return
            log.warning("alarm is over", name=name)
            self._meters.alarms.labels(name).set(0)
            alarm.over = now
            if self._operator is None:
                del self._alarms[name]

    def is_raised(self, name: str) -> bool:
        """Something is wrong now."""
        with self._lock:
            alarm = self._alarms.get(name)
            return alarm is not None and alarm.over is None

    def was_told(self, name: str, at: datetime, *, is_over: bool) -> bool:
        """Return True if some process has told of a trouble that began, or was over, at a moment."""
        try:
            told_at = self._times.told_at(_template(name, is_over=is_over))
        except SQLAlchemyError:
            return False
        return told_at is not None and told_at >= at

    def step(self, now: datetime | None = None) -> bool:
        """Send the pending alarms; False, since mails that the relay does not take now can wait."""
        now = now or datetime.now(UTC)
        if self._operator is not None and self._seconds() >= self._rests_until:
            for name in list(self._alarms):
                self._tell(name, self._operator, now)
        if self._unnoted and not any(map(self.is_raised, list(self._alarms))):
            self._note()
        return False

    def _tell(self, name: str, operator: str, now: datetime) -> None:
        with self._lock:
            alarm = self._alarms[name]
            over, letters = alarm.over, alarm.letters
        template = _template(name, is_over=over is not None)
        passed = self._seconds()
        if alarm.is_shared and self.was_told(name, over or alarm.began, is_over=over is not None):
            self._is_told(name, over)
            return
        if (over is None and alarm.is_told) or self._was_told_lately(template, passed, now):
            return
        facts = {"why": alarm.why, "began": alarm.began, "letters": letters, "over": over}
        if not self._is_taken(alarm, Notice(template, operator, facts, from_nobody=True), over or alarm.began, now):
            self._rests_until = passed + self._retry_after
            return
        self._told_at[template] = passed
        self._unnoted[template] = now
        self._note()
        self._is_told(name, over)

    def _is_told(self, name: str, over: datetime | None) -> None:
        """The operator knows that something is wrong, or that it is well again."""
        with self._lock:
            alarm = self._alarms[name]
            alarm.is_told = True
            if over is not None and alarm.over == over:
                del self._alarms[name]

    def _was_told_lately(self, template: str, passed: float, now: datetime) -> bool:
        """Return True if the operator was told the same within the hour, by an earlier process, too."""
        if template not in self._told_at:
            try:
                told_at = self._times.told_at(template)
            except SQLAlchemyError:  # that may be what is to be told
                return False
            age = inf if told_at is None else (now - told_at).total_seconds()
            self._told_at[template] = -inf if age < 0 else passed - age
        return passed - self._told_at[template] < _BETWEEN

    def _note(self) -> None:
        """Note when the operator was told; if that cannot be, it is tried again once nothing is wrong."""
        try:
            for template, now in tuple(self._unnoted.items()):
                self._times.note(template, now)
                del self._unnoted[template]
        except SQLAlchemyError as failed:
            log.warning("alarm not noted", **where_it_failed(failed))

    def _is_taken(self, alarm: _Alarm, notice: Notice, at: datetime, now: datetime) -> bool:
        """Return True if the relay has taken the mail about the beginning or the end of an alarm."""
        origin = f"{notice.name.replace('_', '-')}-{at:%Y%m%d%H%M%S%f}"
        try:
            if origin not in alarm.mails:
                alarm.mails[origin] = self._mails.composer.compose([notice], origin, now)
            for mail in alarm.mails[origin]:
                tag = hashlib.sha256(mail.message_id.encode()).hexdigest()[:12]
                self._relay.send(mail.sender, mail.recipient, mail.raw, f"{int(at.timestamp())}.{tag}")
        except Exception as failed:  # noqa: BLE001 - whatever it was, it is tried again
            log.error("operator not told", alarm=notice.name, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return False
        return True


def _template(name: str, *, is_over: bool) -> str:
    return f"alarm_{name}_over" if is_over else f"alarm_{name}"


class OperatorMails:
    """The mails to the operator; none if there is nobody.

    Args:
        composer: makes mails of notices.
        operator: the operator's address.
    """

    def __init__(self, composer: Composer, operator: str | None) -> None:
        self.composer = composer
        self.operator = operator

    def mail_failed(self, mail: DueMail, reason: str, now: datetime) -> list[OutgoingMail]:
        """The mail about one that was given up, unless that was to the operator."""
        if self.operator is None or address_key(mail.recipient) == address_key(self.operator):
            return []
        notice = Notice("mail_failed", self.operator, {"mail": mail, "why": reason}, from_nobody=True)
        try:
            return self.composer.compose([notice], f"failed-{mail.id}-{now:%Y%m%d%H%M%S}", now)
        except Exception as failed:  # noqa: BLE001 - a mail must be given up even if that cannot be told
            log.error("operator not told", mail=mail.key, number=mail.id, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return []

    def letters_forgotten(self, letters: Sequence[int], days: int, now: datetime) -> list[OutgoingMail]:
        """About letters that were set aside and that nobody has looked after for so many days."""
        if self.operator is None:
            return []
        notice = Notice("letters_forgotten", self.operator, {"letters": letters, "days": days}, from_nobody=True)
        return self.composer.compose([notice], f"forgotten-{letters[0]}", now)


RELAY_ALARM, MAILBOX_ALARM = "relay_out_of_order", "mailbox_out_of_order"
_OUT_OF_ORDER_AFTER = timedelta(hours=1)
"""Trouble that passes before is in the log alone."""
_LATE = timedelta(days=1)
"""Nobody wants to hear any more that a trouble is over which ended so long ago."""


class TroubleWatch:
    """Raises an alarm about a relay or mailbox that has been out of order for an hour, and settles it in the end.

    Args:
        name: of the alarm.
        troubles: with the relay or mailbox, as all processes see them.
        alarms: told of both.
    """

    def __init__(self, name: str, troubles: Troubles, alarms: Alarms) -> None:
        self._name = name
        self._troubles = troubles
        self._alarms = alarms

    def step(self, now: datetime | None = None) -> bool:
        """Look once; False, since there is time until the next look."""
        now = now or datetime.now(UTC)
        last = self._troubles.last()
        if last is None or (last.over_at or now) - last.since < _OUT_OF_ORDER_AFTER:
            return False
        name, over_at = self._name, last.over_at
        if over_at is None:
            self._alarms.raise_(name, last.why, last.since, is_shared=True)
        elif self._alarms.is_raised(name):
            self._alarms.settle(name, over_at)
        elif now - over_at < _LATE and not self._alarms.was_told(name, over_at, is_over=True):
            self._alarms.raise_(name, last.why, last.since, is_shared=True)  # by a process that has ended since
            self._alarms.settle(name, over_at)
        return False


ALARM = "letters_not_stored"
_LOOKED_AT = 60.0
"""Seconds: how often it is tried while nothing seems wrong."""
_CALM = 5.0
"""Seconds: how long nothing must have failed before all is well again, and how often that is tried until then."""


class DatabaseWatch:
    """Raises the alarm when something could not be written, and settles it when it can again.

    Args:
        alarms: told of both.
        try_writing: writes something and leaves no trace of it.
        seconds: tell how much time has passed, whatever the clock is set to.
    """

    def __init__(
        self, alarms: Alarms, try_writing: Callable[[datetime], None], seconds: Callable[[], float] = monotonic
    ) -> None:
        self._alarms = alarms
        self._try_writing = try_writing
        self._seconds = seconds
        self._failed_at: float | None = None
        self._tried_at = seconds()

    @property
    def is_well(self) -> bool:
        """Everything that was to be written lately was written."""
        return not self._alarms.is_raised(ALARM)

    def letters_failed(self, failed: Exception, letters: int) -> None:
        """So many letters could not be stored, whatever the reason."""
        self._note(failed, letters)

    def step_failed(self, failed: Exception) -> None:
        """A worker's step has failed; that may have other reasons than the database."""
        if is_out_of_order(failed):
            self._note(failed, 0)

    def _note(self, failed: Exception, letters: int) -> None:
        self._failed_at = self._seconds()
        self._alarms.raise_(ALARM, _reason(failed), datetime.now(UTC), letters)

    def step(self) -> bool:
        """Try now and then whether the database can be written."""
        passed = self._seconds()
        if passed - self._tried_at < (_LOOKED_AT if self._failed_at is None else _CALM):
            return False
        self._tried_at = passed
        now = datetime.now(UTC)
        try:
            self._try_writing(now)
        except Exception as failed:  # noqa: BLE001 - whatever it was, nothing can be written
            self._note(failed, 0)
        else:
            if self._failed_at is not None and passed - self._failed_at >= _CALM:
                self._failed_at = None
                self._alarms.settle(ALARM, now)
        return False


def _reason(failed: Exception) -> str:
    """The database's message about itself; for anything else, which may show a letter, only its kind."""
    return said_by_database(failed) or type(failed).__name__


class TakeOver:
    """Looks now and then which processes have died, and frees what they had.

    One that is missed once may only have lost its connection to the database; one that is missed twice in a row has
    died, or will find that what it had is not its own any more.

    Args:
        missed: finds those that have something and do not answer.
        free: frees what they have; returns how much that was.
        freed: told when something has been freed.
    """

    def __init__(
        self,
        missed: Callable[[], Collection[str]],
        free: Callable[[Collection[str]], int],
        freed: Callable[[], None],
    ) -> None:
        self._missed = missed
        self._free = free
        self._freed = freed
        self._before: Collection[str] = ()

    def step(self) -> bool:
        """Look once; False, since there is time until the next look."""
        missed = self._missed()
        dead = set(missed).intersection(self._before)
        self._before = missed
        if dead:
            count = self._free(dead)
            log.warning("taken over", processes=sorted(dead), count=count)
            self._freed()
        return False
