"""The outbox: mails are added with what causes them, leased, and noted as sent, put back or given up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    update,
)

from pbem.domain.correspondents import STRANGERS_WAIT
from pbem.domain.letters import OutgoingMail
from pbem.errors import PbemError
from pbem.ids import PlayerId
from pbem.storage.engine import reading, writing
from pbem.storage.leases import Rests, count_states, free, is_free, is_waiting, pull_in
from pbem.storage.models import MailRow
from pbem.storage.packed_mails import pack
from pbem.storage.personal_data import forget_sent
from pbem.storage.prepared import Prepared
from pbem.storage.relay_limit import count_taken, full_until, take_room
from pbem.storage.repository import numbered, one_of
from pbem.storage.troubles import Troubles


@dataclass(frozen=True, slots=True)
class DueMail:
    """A mail that its holder alone may hand over until the lease runs out."""

    id: int
    key: str
    """Its name in the logs, too: it begins with the number of the letter, if it was one that caused it."""
    message_id: str
    sender: str
    recipient: str
    raw: bytes = field(repr=False)
    created_at: datetime
    attempts: int
    """The number of earlier attempts."""
    until: datetime
    """When the lease runs out."""
    player: PlayerId | None = None
    """The player whom it is for, if any."""


POSTPONED = "too many mails to strangers"
"""The reason why a mail waits that was never tried."""
AWAITS_ROBOT = "a computer opponent may answer at once"
"""The same of a mail about a player's own move."""
_ADD = Prepared(insert(MailRow))
_UNSETTLED = update(MailRow).where(MailRow.state == "waiting")
_SUPERSEDED = _UNSETTLED.where(
    MailRow.board_number == bindparam("board"),
    MailRow.player_id == bindparam("player"),
    MailRow.last_error == AWAITS_ROBOT,
    MailRow.attempts == 0,
    MailRow.lease_owner.is_(None),
).values(state="dropped", raw=None, finished_at=bindparam("now"))
_TAKEN = _UNSETTLED.values(lease_owner=bindparam("holder"), lease_until=bindparam("until")).returning(
    MailRow.id,
    MailRow.key,
    MailRow.message_id,
    MailRow.sender,
    MailRow.recipient,
    MailRow.raw,
    MailRow.created_at,
    MailRow.attempts,
    MailRow.lease_until,
    MailRow.player_id,
)
_TRIED = _UNSETTLED.values(attempts=MailRow.attempts + 1, lease_owner=None, lease_until=None)
_IS_SENT = _TRIED.where(MailRow.id == bindparam("mail")).values(
    state="sent", finished_at=bindparam("now"), last_error=None, raw=None, packed=bindparam("kept")
)
_SENT = Prepared(_IS_SENT)
_FAR = 2**62
ELSEWHERE = {"id": MailRow.id - _FAR}
"""The number for a moment of a mail that loses most of its bytes on SQLite. A row that shrinks in its place leaves room
that is never filled; one that goes away and comes back stands close to the others. That takes half as many pages."""
COME_BACK = update(MailRow).where(MailRow.id < 0).values(id=MailRow.id + _FAR)
_SENT_ELSEWHERE = Prepared(_IS_SENT.values(ELSEWHERE))
_IS_HELD = and_(MailRow.lease_owner == bindparam("holder"), MailRow.lease_until <= bindparam("until"))
"""A lease that runs out later is another's: the threads of a process have one name."""
_TRIED_IN_VAIN = _TRIED.where(or_(_IS_HELD, MailRow.lease_owner.is_(None)))
"""Unless somebody else has taken them over, who is at them."""
_UNTRIED = _UNSETTLED.where(MailRow.id == bindparam("mail"), _IS_HELD).values(lease_owner=None, lease_until=None)


@cache
def _of_mails(statement: Update, mails: int) -> Prepared:
    """A statement about so many mails."""
    return Prepared(statement.where(one_of(MailRow.id, "mail", mails)))


_NOW: BindParameter[datetime] = bindparam("now")


def _eligible(which: ColumnElement[bool]) -> Select[int]:
    """The query for mails of some kind that nobody holds, oldest first."""
    return (
        select(MailRow.id)
        .where(is_waiting(MailRow), is_free(MailRow, _NOW), which)
        .order_by(MailRow.next_attempt_at, MailRow.id)
        .limit(bindparam("most"))
    )


_KINDS = (
    _eligible(MailRow.next_attempt_at <= _NOW),
    _eligible((MailRow.next_attempt_at > _NOW) & (MailRow.attempts == 0) & MailRow.last_error.is_(None)),
)
"""Those that are due; and those that were never tried, which always are. Two, since an index leads to each."""
_ELIGIBLE = tuple(map(Prepared, _KINDS))
_TO_BE_TAKEN = tuple(Prepared(each.with_for_update(skip_locked=True)) for each in _KINDS)


def _found(connection: Connection, now: datetime, most: int, among: Iterable[Prepared]) -> list[int]:
    ids: list[int] = []
    for kind in among:
        if len(ids) < most:
            ids += [row.id for row in kind.rows(connection, {"now": now, "most": most - len(ids)})]
    return ids


def _due(row: Row[Any]) -> DueMail:
    return DueMail(
        id=row.id,
        key=row.key,
        message_id=row.message_id,
        sender=row.sender,
        recipient=row.recipient,
        raw=row.raw,
        created_at=row.created_at,
        attempts=row.attempts,
        until=row.lease_until,
        player=None if row.player_id is None else PlayerId(row.player_id),
    )


def _end(connection: Connection, mail: DueMail, values: dict[str, object]) -> bool:
    """Note what has become of a mail that was tried in vain; False if that is not to be noted."""
    is_new = _of_mails(_TRIED_IN_VAIN, 1).run(connection, {**values, **numbered("mail", [mail.id])}) > 0
    forget_sent(connection, [mail.id])
    return is_new


def _why_later(mail: OutgoingMail, now: datetime) -> str | None:
    """The reason why a mail waits before it is first tried."""
    if mail.leaves_at is None or mail.leaves_at <= now:
        return None
    return AWAITS_ROBOT if mail.awaits_robot else POSTPONED


def names_of(mails: Iterable[OutgoingMail]) -> list[str]:
    """The names of mails in the logs."""
    return [mail.key for mail in mails]


class OutboxRests(PbemError):
    """So many mails have been taken within an hour that the others wait."""

    until: datetime
    per_hour: int


class Outbox:
    """Stored replies.

    Args:
        engine: of the database.
        lease: for how long mails are taken.
        owner: the name of this process, under which it takes them.
        per_hour: so many are taken within an hour, by all processes; None: any number.
        relay: the name of what takes them.
    """

    def __init__(
        self, engine: Engine, lease: timedelta, owner: str = "", per_hour: int | None = None, relay: str = "relay"
    ) -> None:
        self.troubles = Troubles(engine, relay)
        self._engine = engine
        self._lease = lease
        self._owner = owner
        self._per_hour = per_hour

    @property
    def lease_seconds(self) -> float:
        """For how long mails are taken."""
        return self._lease.total_seconds()

    def add(self, connection: Connection, mails: Collection[OutgoingMail], now: datetime) -> None:
        """Store mails, within the transaction that causes them."""
        rows = [
            {
                "key": mail.key,
                "message_id": mail.message_id,
                "name": mail.name,
                "subject": mail.subject,
                "sender": mail.sender,
                "recipient": mail.recipient,
                "player_id": mail.player,
                "board_number": mail.board,
                "raw": mail.raw if mail.recipient else None,
                "created_at": now,
                "state": "waiting" if mail.recipient else "withheld",
                "attempts": 0,
                "next_attempt_at": max(now, mail.leaves_at or now),
                "last_error": _why_later(mail, now),
                "finished_at": None if mail.recipient else now,
            }
            for mail in mails
        ]
        superseded = {(mail.board, mail.player) for mail in mails if mail.supersedes}
        if superseded:
            values = [{"board": board, "player": player, "now": now} for board, player in superseded]
            connection.execute(_SUPERSEDED, values)
        if rows:
            _ADD.run_late(connection, *rows)

    def has_due(self, now: datetime) -> bool:
        """Return True if mails are due."""
        with reading(self._engine) as connection:
            return bool(_found(connection, now, 1, _ELIGIBLE))

    def lease(self, now: datetime, most: int) -> list[DueMail]:
        """Take the mails that are due, oldest first; one that was never tried is always due.

        Raises:
            OutboxRests: as many as may be have been taken within the hour.
        """
        with writing(self._engine, lasting=False) as connection:
            room = most if self._per_hour is None else take_room(connection, now, most, self._per_hour)
            ids = _found(connection, now, room, _TO_BE_TAKEN) if room else []
            if self._per_hour is not None:
                self._count(connection, ids, now, self._per_hour)
            if not ids:
                return []
            leased = {"holder": self._owner, "until": now + self._lease}
            rows = _of_mails(_TAKEN, len(ids)).rows(connection, {**leased, **numbered("mail", ids)})
        return [_due(row) for row in sorted(rows, key=lambda row: row.id)]

    def _count(self, connection: Connection, ids: Sequence[int], now: datetime, per_hour: int) -> None:
        if ids:
            count_taken(connection, now, len(ids))
        elif (until := full_until(connection, now, per_hour)) is not None:
            raise OutboxRests(until=until, per_hour=per_hour)

    def sent(self, mails: Iterable[DueMail], now: datetime) -> None:
        """Note that the relay has accepted these mails, whoever has them; after a power cut they may be sent again."""
        tried = list(mails)
        if tried:
            values = [{"mail": mail.id, "kept": pack(mail.raw), "now": now} for mail in tried]
            with writing(self._engine, lasting=False) as connection:
                if connection.dialect.name == "sqlite":
                    _SENT_ELSEWHERE.run(connection, *values)
                    connection.execute(COME_BACK)
                else:
                    _SENT.run(connection, *values)
                forget_sent(connection, [mail.id for mail in tried])

    def failed(self, mail: DueMail, error: str, now: datetime, told: Sequence[OutgoingMail] = ()) -> None:
        """Give a mail up; ``told`` are the mails that say so."""
        with writing(self._engine) as connection:
            self.give_up(connection, mail, error, now, told)

    def give_up(
        self, connection: Connection, mail: DueMail, error: str, now: datetime, told: Sequence[OutgoingMail] = ()
    ) -> None:
        """Give a mail up, within a transaction, unless it was settled before or another is at it.

        ``told`` are the mails that say so.
        """
        ended = {"state": "failed", "finished_at": now, "last_error": error, **self._held(mail)}
        if _end(connection, mail, ended):
            self.add(connection, told, now)

    def retry(self, mail: DueMail, error: str, at: datetime) -> None:
        """Put a mail back, to be tried again at ``at``, unless another is at it."""
        with writing(self._engine) as connection:
            later = {"next_attempt_at": at, "last_error": error, **self._held(mail)}
            _end(connection, mail, later)

    def give_back_untried(self, mails: Iterable[DueMail]) -> None:
        """Give mails back that nobody has tried; those that are not ours any more are left alone."""
        held = [{"mail": mail.id, **self._held(mail)} for mail in mails]
        if held:
            with writing(self._engine) as connection:
                connection.execute(_UNTRIED, held)
            self.count_untaken(len(held), datetime.now(UTC))

    def count_untaken(self, mails: int, now: datetime) -> None:
        """Let so many mails that were leased count no more: the relay was not asked to take them."""
        if self._per_hour is not None and mails:
            with writing(self._engine, lasting=False) as connection:
                count_taken(connection, now, -mails)

    def _held(self, mail: DueMail) -> dict[str, object]:
        """The condition that a mail is still held under the same lease."""
        return {"holder": self._owner, "until": mail.until}

    def pull_in(self, now: datetime, rests: Rests) -> int:
        """Let no mail wait, and no lease last, longer than it may: the clock was ahead when that was noted."""
        is_postponed = func.coalesce(MailRow.last_error, "") == POSTPONED
        kinds = (rests, ~is_postponed), (Rests(rests.usual, STRANGERS_WAIT), is_postponed)
        return sum(pull_in(self._engine, MailRow, now, each, self._lease, which) for each, which in kinds)

    def take_over(self, dead: Collection[str] | None = None) -> int:
        """Free the leases of processes that have died; None: every lease, for one that has its database to itself."""
        return free(self._engine, MailRow, dead)

    def count(self) -> dict[str, int]:
        """The number of mails in each state."""
        return count_states(self._engine, MailRow)
