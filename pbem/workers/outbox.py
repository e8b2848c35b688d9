"""Due mails → the relay."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event
from time import monotonic

import structlog
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.letters import OutgoingMail
from pbem.mail_out.relay import Deferred, Refused, Relay, RelayBusy, RelayDown, next_attempt
from pbem.meters import Meters
from pbem.storage.engine import is_out_of_order
from pbem.storage.outbox import DueMail, Outbox, OutboxRests
from pbem.storage.troubles import Trouble
from pbem.workers.faults import where_it_failed
from pbem.workers.retention import Returns

TellOperator = Callable[[DueMail, str, datetime], list[OutgoingMail]]


log = structlog.get_logger()

_AT_ONCE = 10
"""Mails taken together: as many may be sent twice if the process is killed between the relay's 250 and our note."""

_NOTED_AFTER = 1.0
"""Seconds after which acceptance is noted even if more mails of the batch are to come: the relay may be slow."""


_BUSY_IN_A_ROW = 3
"""Mails that a relay puts off because of how much we send; then none is tried for a while. One may be about its
recipient alone."""
_FIRST_REST, _LONGEST_REST = 60.0, 3600.0
"""Seconds; each rest is twice as long as the one before, until a mail is taken."""
_LONGEST_DOWN = 60.0
"""Seconds until a relay that cannot be reached is tried again, at the longest."""


def _nobody(_mail: DueMail, _reason: str, _now: datetime) -> list[OutgoingMail]:
    return []


@dataclass(frozen=True, slots=True)
class Retries:
    """When a mail is tried again that the relay has not taken."""

    delays: Sequence[int]
    """Seconds, attempt by attempt; the last one counts for all that follow."""
    give_up_after: timedelta


class DeliveryWorker:
    """Delivers the mails that are due; holds no transaction while it talks to the relay.

    Args:
        outbox: holds the mails.
        relay: takes them.
        retries: when a mail is tried again, and until when.
        tell_operator: makes the mails about one that was given up.
        returns: notes the consequences for the player it was for; None: nothing is noted.
        meters: what is counted here.
    """

    def __init__(
        self,
        outbox: Outbox,
        relay: Relay,
        retries: Retries,
        tell_operator: TellOperator = _nobody,
        returns: Returns | None = None,
        meters: Meters | None = None,
    ) -> None:
        self._meters = meters or Meters()
        self._outbox = outbox
        self._returns = returns
        self._tell_operator = tell_operator
        self._relay = relay
        self._retries = retries
        self._waiting: deque[DueMail] = deque()
        self._sent: list[DueMail] = []
        self._ending = Event()
        self._busy_in_a_row = 0
        self._rest = _FIRST_REST
        self._down_for = 0.0
        self._rests_until = 0.0
        self._full_until: datetime | None = None
        self._trouble: Trouble | None = None
        """The one with the relay that goes on, as all processes see it."""
        self._own_rest: datetime | None = None
        """The end of the last rest that was begun here."""

    def end_soon(self) -> None:
        """Begin no further mail: the step under way ends with the one that it is at."""
        self._ending.set()

    def step(self) -> bool:
        """Hand some mails over; False if none is due, or the relay is down, wants a rest, or may get no more for now.

        Raises:
            Exception: the database is in trouble; what could not be noted is, before anything else is handed over.
        """
        self._note_all()
        self._waiting.extend(self._due())
        go_on = bool(self._waiting)
        try:
            self._hand_over_all()
        except RelayDown as down:
            self._meters.relay_down.inc()
            self._note_sent()  # first: what the relay has taken comes twice if the process is killed before
            self._outbox.count_untaken(len(self._waiting), datetime.now(UTC))
            self._rest_after(down)
            self._retry(self._waiting, str(down.facts["reason"]))
            self._waiting.clear()
            go_on = False
        finally:
            self._note_all()
        return go_on

    def _due(self) -> Sequence[DueMail]:
        """The mails that may be handed over now."""
        now = datetime.now(UTC)
        if monotonic() < self._rests_until or not self._outbox.has_due(now) or self._is_left_alone(now):
            return ()
        try:
            return self._outbox.lease(now, _AT_ONCE)
        except OutboxRests as full:
            if full.until != self._full_until:
                log.warning("relay limit reached", per_hour=full.per_hour, until=full.until.isoformat())
                self._full_until = full.until
            return ()

    def _is_left_alone(self, now: datetime) -> bool:
        """Return True if another process has found that the relay wants a rest; if that is over, go on where it was."""
        trouble = self._trouble = self._outbox.troubles.current()
        if trouble is None or trouble.until == self._own_rest:
            return False
        if trouble.rests(now):
            return True
        rest = trouble.rest.total_seconds()
        if trouble.is_busy:
            self._busy_in_a_row = max(self._busy_in_a_row, _BUSY_IN_A_ROW - 1)
            self._rest = max(self._rest, min(2 * rest, _LONGEST_REST))
        else:
            self._down_for = max(self._down_for, min(max(2 * rest, 1.0), _LONGEST_DOWN))
        return False

    def end(self) -> None:
        """Note what could not be noted before, and say goodbye to the relay; or else the leases run out."""
        try:
            self._note_all()
        except SQLAlchemyError as failed:
            self._say_unnoted(failed)
        self._relay.close()

    def leave(self) -> None:
        """Note what the relay has taken although the step goes on; other mails are free once this process is dead."""
        try:
            self._outbox.sent(list(self._sent), datetime.now(UTC))
        except SQLAlchemyError as failed:
            self._say_unnoted(failed)

    def _say_unnoted(self, failed: Exception) -> None:
        log.warning("mails not noted", sent=[mail.key for mail in self._sent], **where_it_failed(failed))

    def _hand_over_all(self) -> None:
        """Hand over what was leased, as far as there is time."""
        began = noted = monotonic()
        while self._waiting and not self._ending.is_set():
            if self._hand_over(self._waiting[0]):
                self._sent.append(self._waiting[0])
            self._waiting.popleft()
            now = monotonic()
            if self._sent and now - noted > _NOTED_AFTER:
                self._note_sent()
                noted = now
            if now - began > self._outbox.lease_seconds / 2 or now < self._rests_until:
                break  # before others take them, too; or the relay wants no more

    def _note_all(self) -> None:
        """Note what the relay has taken, and give back what it was not asked to take; both are kept until they are."""
        self._note_sent()
        self._outbox.give_back_untried(self._waiting)
        self._waiting.clear()

    def _note_sent(self) -> None:
        now = datetime.now(UTC)
        self._outbox.sent(self._sent, now)
        if self._sent and self._trouble is not None:
            self._outbox.troubles.over(now)
            self._trouble = None
        self._sent.clear()

    def _hand_over(self, mail: DueMail) -> bool:
        """Return True if the relay has taken a mail; otherwise schedule the next attempt."""
        try:
            with self._meters.relay_seconds.time():
                self._relay.send(mail.sender, mail.recipient, mail.raw, file_name(mail))
        except Refused as refused:
            self._give_up(mail, str(refused.facts["reason"]), datetime.now(UTC), of_recipient=refused.of_recipient)
        except RelayBusy as busy:
            self._retry([mail], str(busy.facts["reason"]))
            self._busy_in_a_row += 1
            if self._busy_in_a_row >= _BUSY_IN_A_ROW:
                self._rest_for_a_while(str(busy.facts["reason"]))
        except Deferred as deferred:
            self._retry([mail], str(deferred.facts["reason"]))
        except RelayDown:
            raise
        except Exception as failed:  # noqa: BLE001 - our bug; the mails that follow must not wait for its end
            where = where_it_failed(failed)
            log.error("mail not handed over", mail=mail.key, number=mail.id, **where)  # noqa: TRY400 - no trace
            self._retry([mail], str(where))
        else:
            log.info("mail sent", mail=mail.key, number=mail.id)
            self._meters.mails_sent.inc()
            self._busy_in_a_row, self._rest, self._down_for = 0, _FIRST_REST, 0.0
            self._meters.mail_seconds.observe((datetime.now(UTC) - mail.created_at).total_seconds())
            return True
        return False

    def _rest_after(self, down: RelayDown) -> None:
        """Leave a relay alone that cannot be reached, or does not let us in, longer each time."""
        reason = str(down.facts["reason"])
        if down.is_busy:
            self._rest_for_a_while(reason)
            return
        self._rest_all(reason, self._down_for, is_busy=False)
        self._down_for = min(max(2 * self._down_for, 1.0), _LONGEST_DOWN)

    def _rest_for_a_while(self, reason: str) -> None:
        until = datetime.now(UTC) + timedelta(seconds=self._rest)
        log.warning("relay wants a rest", reason=reason, until=until.isoformat())
        self._rest_all(reason, self._rest, is_busy=True)
        self._rest = min(2 * self._rest, _LONGEST_REST)

    def _rest_all(self, reason: str, seconds: float, *, is_busy: bool) -> None:
        """Let no process try the relay for some time."""
        self._rests_until = monotonic() + seconds
        rest = timedelta(seconds=seconds)
        self._own_rest = self._outbox.troubles.note(reason, datetime.now(UTC), rest, is_busy=is_busy)

    def _retry(self, mails: Iterable[DueMail], reason: str) -> None:
        now = datetime.now(UTC)
        for mail in mails:
            at = next_attempt(
                mail.attempts + 1, mail.created_at, now, self._retries.delays, self._retries.give_up_after
            )
            if at is None:
                self._give_up(mail, reason, now)
            else:
                log.warning("mail deferred", mail=mail.key, number=mail.id, reason=reason, until=at.isoformat())
                self._meters.mails_deferred.inc()
                self._outbox.retry(mail, reason, at)

    def _give_up(self, mail: DueMail, reason: str, now: datetime, *, of_recipient: bool = False) -> None:
        log.error("mail given up", mail=mail.key, number=mail.id, reason=reason)
        self._meters.mails_failed.inc()
        if mail.player is not None:
            self._meters.bounces.labels("refused" if of_recipient else "given_up").inc()
        told = self._tell_operator(mail, reason, now)
        if mail.player is None or self._returns is None:
            self._outbox.failed(mail, reason, now, told)
            return
        try:
            self._returns.give_up(mail, reason, now, told, of_recipient=of_recipient)
        except Exception as failed:
            if is_out_of_order(failed):
                raise
            # a mail must be given up even if what follows from that cannot be settled
            log.error("return not noted", mail=mail.key, number=mail.id, **where_it_failed(failed))  # noqa: TRY400 - no trace
            self._outbox.failed(mail, reason, now, told)


def file_name(mail: DueMail) -> str:
    """A Maildir name that is the same whenever the same mail is tried, and sorts by time."""
    tag = hashlib.sha256(mail.message_id.encode() + mail.recipient.encode()).hexdigest()[:12]
    return f"{int(mail.created_at.timestamp())}.{mail.id:06d}.{tag}"
