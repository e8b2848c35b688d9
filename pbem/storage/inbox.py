"""The inbox in the database: letters are stored, leased in the order they are to be handled in, and finished."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from itertools import takewhile
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate

from pbem.domain.letters import Envelope, InboxFull
from pbem.errors import PbemError
from pbem.ids import LetterId
from pbem.storage.arrivals import Arrival, at_most_waiting, count_waiting, give_lanes, store
from pbem.storage.engine import reading, trim_log, writing
from pbem.storage.leases import Rests, count_states, is_due, is_free, is_held, is_in, is_waiting, pull_in
from pbem.storage.models import LetterKeyRow, LetterRow
from pbem.storage.repository import numbered, one_of

_LOOKED_AT = 200
"""Letters among which the next ones are looked for before all are."""
_NO_LETTER = 2**63 - 1
_BEHIND = select(func.min(LetterRow.id)).where(
    is_waiting(LetterRow),
    LetterRow.sender.in_(bindparam("senders", expanding=True)),
    LetterRow.id.not_in(bindparam("letters", expanding=True)),
)
"""The first letter that waits for one of these to be handled."""
_HORIZON = select(LetterRow.id).where(is_waiting(LetterRow)).order_by(LetterRow.id).limit(1).offset(_LOOKED_AT)
"""The first letter that is not looked at, if so many wait."""
_IN_LANE = select(LetterRow.id).where(is_waiting(LetterRow), LetterRow.lane.is_not(None)).limit(1)
"""Any letter of a known sender that waits in a lane."""
_HOW_IT_LOOKS = select(_HORIZON.scalar_subquery().label("horizon"), _IN_LANE.scalar_subquery().label("in_lane"))


def _eligible(*which: ColumnElement[bool]) -> Select[int, str, int]:
    """The query that finds the next letters among some, and locks them."""
    now: BindParameter[datetime] = bindparam("now")
    return (
        select(LetterRow.id, LetterRow.sender, LetterRow.attempts)
        .where(and_(is_waiting(LetterRow), is_due(LetterRow, now), is_free(LetterRow, now), *which))
        .order_by(LetterRow.id)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )


def _among_the_first() -> Select[*tuple[Any, ...]]:
    """Those of the letters that have waited longest which wait for no earlier one of their senders."""
    horizon = _HORIZON.scalar_subquery()
    is_near = LetterRow.id < func.coalesce(horizon, literal_column(str(_NO_LETTER)))
    in_lane = _IN_LANE.scalar_subquery()
    return _eligible(is_near, ~_is_blocked()).add_columns(horizon.label("horizon"), in_lane.label("in_lane"))


def _is_blocked() -> ColumnElement[bool]:
    """The condition that an earlier letter of the same sender waits."""
    earlier = aliased(LetterRow)
    return exists().where(is_waiting(earlier), earlier.sender == LetterRow.sender, earlier.id < LetterRow.id)


def _first_of_lanes() -> Select[int, str, int]:
    """The first letter of each lane, unless it waits for an earlier one of its sender."""
    of_lane = aliased(LetterRow)
    firsts = select(func.min(of_lane.id)).where(is_waiting(of_lane), of_lane.lane.is_not(None)).group_by(of_lane.lane)
    return _eligible(LetterRow.id.in_(firsts), ~_is_blocked())


def _among_all() -> Select[int, str, int]:
    """The same of all letters, found by way of the first one of each sender."""
    of_sender = aliased(LetterRow)
    firsts = select(func.min(of_sender.id)).where(is_waiting(of_sender)).group_by(of_sender.sender)
    return _eligible(LetterRow.id.in_(firsts))


_AMONG_THE_FIRST, _AMONG_ALL, _FIRST_OF_LANES = _among_the_first(), _among_all(), _first_of_lanes()


def _found(
    connection: Connection, now: datetime, most: int, *, lanes_first: bool
) -> tuple[Sequence[Row[*tuple[Any, ...]]], bool]:
    """The eligible letters that came first, or of lanes if there are any, locked; and whether they are of lanes.

    Mostly the first ones that wait are; behind a great many of one sender the others are found without a look at each.
    """
    values = {"now": now, "most": most}
    found = connection.execute(_AMONG_THE_FIRST, values).all()
    looks = found[0] if found else connection.execute(_HOW_IT_LOOKS).one()
    if lanes_first and looks.in_lane is not None and (ahead := connection.execute(_FIRST_OF_LANES, values).all()):
        return ahead, True
    if len(found) == most or looks.horizon is None:
        return found, False
    return connection.execute(_AMONG_ALL, values).all(), False


def next_letters(connection: Connection, now: datetime, most: int, *, lanes_first: bool = False) -> list[int]:
    """The numbers of the first letters that are waiting, due and unleased, and wait for no earlier one; locked.

    They are in the order in which they came, and none that came between them waits for one of them. One that was
    tried before is taken alone: what ends its worker again is to end nothing else.

    Args:
        connection: of the transaction that takes them.
        now: when.
        most: how many.
        lanes_first: whether the first of each lane goes before all that came earlier from other senders.
    """
    found, are_of_lanes = _found(connection, now, most, lanes_first=lanes_first)
    untried = list(takewhile(lambda row: row.attempts == 0, found)) or found[:1]
    letters = [row.id for row in untried]
    if len(letters) > 1 and not are_of_lanes:
        senders = [row.sender for row in untried]
        behind = connection.scalar(_BEHIND, {"senders": senders, "letters": letters})
        letters = [each for each in letters if behind is None or each < behind]
    return letters


_TOKEN = re.compile(r"\+[^@]*(?=@)")
"""The proof in an address of ours; a handled letter no longer needs it."""
_DEATHS_BY_CHANCE = 3
"""A server may be ended as often with the same letter in its hands."""
_REST = timedelta(seconds=10)
_LONGEST_REST = timedelta(minutes=10)
_CROWD = 40
"""Letters that wait, from which on known senders need not wait for those of strangers."""
_FOR_KNOWN = 10
"""One in so many of all places is kept for known senders."""
_KEPT_OF_UNREAD = 16_384
"""Bytes of a letter that nobody can read, to show what it was."""
_KEPT_WHOLE = 100
"""Letters set aside, up to which one is kept whole that could not be read this time, but perhaps another."""
_TRIED = "whether it can be written"
"""A key that no letter has."""
_TAKE = (
    update(LetterRow)
    .values(attempts=LetterRow.attempts + 1)
    .returning(
        LetterRow.id,
        LetterRow.sender,
        LetterRow.recipients,
        LetterRow.client,
        LetterRow.raw,
        LetterRow.received_at,
        LetterRow.attempts,
    )
)
_END = update(LetterRow).where(
    LetterRow.id == bindparam("letter"),
    LetterRow.state == "waiting",
    LetterRow.lease_owner == bindparam("holder"),
    LetterRow.attempts == bindparam("attempt"),
)
"""If it is still held as it was taken: the threads of a process have one name, and each attempt a number."""
_GIVE_BACK = _END.values(lease_owner=None, lease_until=None, attempts=LetterRow.attempts - 1)
_DUE = (
    update(LetterRow)
    .where(LetterRow.state == "waiting", LetterRow.last_error.is_(None), LetterRow.next_attempt_at > bindparam("now"))
    .where(LetterRow.attempts < _DEATHS_BY_CHANCE)
    .values(next_attempt_at=bindparam("now"))
)


class LeaseLost(PbemError):
    """The letter is not ours any more: the lease ran out and somebody else has it, or has finished it."""


@dataclass(frozen=True, slots=True)
class LeasedLetter:
    """A letter that its holder alone may handle until the lease runs out; this attempt is counted."""

    id: LetterId
    envelope: Envelope
    raw: bytes = field(repr=False)
    received_at: datetime
    attempts: int
    until: datetime
    """When the lease runs out."""


class Unread(Enum):
    """The readability of a letter that is set aside."""

    NO = 0
    THIS_TIME = 1
    """The machine may be to blame."""
    FOR_EVER = 2


class Inbox:
    """Stored letters."""

    def __init__(self, engine: Engine, owner: str, lease: timedelta) -> None:
        self._engine = engine
        self._owner = owner
        self._lease = lease
        self._is_turn_of_lanes = True
        """Every other time: who forges the address of a player gets no more than that."""

    def accept(self, arrivals: Sequence[Arrival], most_waiting: int | None = None) -> list[LetterId | None]:
        """Store letters in one commit; return for each its number, None if it is transmitted again.

        Raises:
            InboxFull: with the new ones more than ``most_waiting`` would wait; none is stored.
        """
        try:
            return self._accept_all(arrivals, most_waiting)
        except IntegrityError:
            # Another process has just stored the same letter; now it is there to be recognised.
            return self._accept_all(arrivals, most_waiting)

    def _accept_all(self, arrivals: Sequence[Arrival], most_waiting: int | None) -> list[LetterId | None]:
        with writing(self._engine) as connection:
            letters = [store(connection, arrival) for arrival in arrivals]
            if most_waiting is not None and any(letters):
                stored = {letter: arrival for letter, arrival in zip(letters, arrivals, strict=True) if letter}
                self._see_that_they_have_room(connection, stored, most_waiting)
        return letters

    def _see_that_they_have_room(self, connection: Connection, stored: Mapping[LetterId, Arrival], most: int) -> None:
        """Have letters of known senders overtake where many wait; the last places are for them alone."""
        waiting = at_most_waiting(connection)
        if waiting <= min(_CROWD, most):
            return
        if not give_lanes(connection, stored):
            most -= most // _FOR_KNOWN
        if waiting > most and count_waiting(connection) > most:
            raise InboxFull

    def trim_log(self) -> bool:
        """Empty the database's log of what was in the letters; False if it could not."""
        return trim_log(self._engine)

    def lease(self, now: datetime, most: int = 1) -> list[LeasedLetter]:
        """Take the letters that are next in the order in which they came; one that was tried before is taken alone."""
        until = now + self._lease
        with writing(self._engine, lasting=False) as connection:
            letters = next_letters(connection, now, most, lanes_first=self._is_turn_of_lanes)
            self._is_turn_of_lanes = not self._is_turn_of_lanes
            if not letters:
                return []
            leased = {"lease_owner": self._owner, "lease_until": until}
            rows = connection.execute(_take(len(letters)), {**leased, **numbered("letter", letters)}).all()
        return [
            LeasedLetter(
                LetterId(row.id),
                Envelope(row.sender, tuple(row.recipients), row.client),
                row.raw or b"",
                row.received_at,
                row.attempts,
                until,
            )
            for row in sorted(rows, key=lambda row: row.id)
        ]

    def give_back_untried(self, letters: Sequence[LeasedLetter]) -> None:
        """Give letters back that nobody has looked at; those that are not ours any more are left alone."""
        if letters:
            with writing(self._engine) as connection:
                connection.execute(_GIVE_BACK, [self._held(each) for each in letters])

    def finish(self, connection: Connection, letter: LeasedLetter, now: datetime) -> None:
        """Mark a letter done, within the transaction that carries it out, and forget its bytes and what proved it.

        Raises:
            LeaseLost: somebody else has it by now; nothing of the transaction may stand.
        """
        done: dict[str, object] = {
            "state": "done",
            "raw": None,
            "client": None,
            "lane": None,
            "recipients": without_proof(letter.envelope.recipients),
        }
        self._end(connection, letter, {**done, "finished_at": now, "last_error": None})

    def forget_keys(self, connection: Connection, keys: Sequence[str]) -> None:
        """Recognise a letter no more."""
        connection.execute(delete(LetterKeyRow).where(LetterKeyRow.key.in_(keys)))

    def shunt(
        self, connection: Connection, letter: LeasedLetter, error: str, now: datetime, unread: Unread = Unread.NO
    ) -> None:
        """Set a letter aside for a human; its bytes are kept, or the first of them if it could not be read.

        Raises:
            LeaseLost: somebody else has it by now.
        """
        ended: dict[str, object] = {"state": "shunted", "finished_at": now, "last_error": error, "lane": None}
        if unread is not Unread.NO:
            ended["unread_bytes"] = len(letter.raw)
        if unread is Unread.FOR_EVER or (unread is Unread.THIS_TIME and not _has_room(connection)):
            ended["raw"] = letter.raw[:_KEPT_OF_UNREAD]
        self._end(connection, letter, ended)

    def _end(self, connection: Connection, letter: LeasedLetter, values: dict[str, object]) -> None:
        ended = {**values, "lease_owner": None, "lease_until": None}
        if connection.execute(_END, {**self._held(letter), **ended}).rowcount == 0:
            raise LeaseLost(letter=letter.id)

    def _held(self, letter: LeasedLetter) -> dict[str, object]:
        """The condition that a letter is still held under the same lease."""
        return {"letter": letter.id, "holder": self._owner, "attempt": letter.attempts}

    def retry(self, letter: LeasedLetter, error: str, at: datetime) -> None:
        """Give a letter back, to be tried again at ``at``.

        Raises:
            LeaseLost: somebody else has it by now.
        """
        with writing(self._engine) as connection:
            self._end(connection, letter, {"next_attempt_at": at, "last_error": error})

    def give_back(self, letter: LeasedLetter, error: str, at: datetime) -> None:
        """Give a letter back untried, because the trouble is ours: this attempt does not count.

        Raises:
            LeaseLost: somebody else has it by now.
        """
        untried = {"next_attempt_at": at, "last_error": error, "attempts": letter.attempts - 1}
        with writing(self._engine) as connection:
            self._end(connection, letter, untried)

    def take_over(self, now: datetime, dead: Collection[str] | None = None) -> int:
        """Free the leases of processes that have died, or every lease: for a process that has its database to itself.

        A letter that was held is due at once. If that has happened to it often it rests, longer each time, so that
        it is tried by a process that has lived for a while: if that one dies, too, it was hardly by chance.

        Args:
            now: when.
            dead: the processes; None: all that there may have been.
        """
        held = select(LetterRow.id, LetterRow.attempts).where(is_held(LetterRow, dead))
        with writing(self._engine) as connection:
            found = connection.execute(held.with_for_update()).all()
            for letter, attempts in found:
                free = {"lease_owner": None, "lease_until": None, "next_attempt_at": now + _rest_after_death(attempts)}
                connection.execute(update(LetterRow).where(LetterRow.id == letter).values(free))
        return len(found)

    def pull_in(self, now: datetime, rests: Rests) -> int:
        """Let no letter wait, and no lease last, longer than it may: the clock was ahead when that was noted.

        One that was never told to rest is due at once: it was being handled when the clock was set.

        Args:
            now: when.
            rests: of a letter that could not be handled.
        """
        with writing(self._engine) as connection:
            changed = connection.execute(_DUE, {"now": now}).rowcount
        rests = rests._replace(longest=max(rests.longest, _LONGEST_REST))
        return changed + pull_in(self._engine, LetterRow, now, rests, self._lease)

    def unhandled_since(self) -> datetime | None:
        """When the first letter came that is not handled yet; None if there is none."""
        with reading(self._engine) as connection:
            return connection.scalar(select(func.min(LetterRow.received_at)).where(is_waiting(LetterRow)))

    def try_writing(self, now: datetime) -> None:
        """Write something and leave no trace of it; fails as letters would that come now."""
        with writing(self._engine) as connection:
            connection.execute(insert(LetterKeyRow).values(key=_TRIED, accepted_at=now))
            connection.execute(delete(LetterKeyRow).where(LetterKeyRow.key == _TRIED))

    def count(self) -> dict[str, int]:
        """The number of letters in each state."""
        return count_states(self._engine, LetterRow)


def _has_room(connection: Connection) -> bool:
    """Return True if few letters are set aside."""
    some = select(LetterRow.id).where(is_in(LetterRow, "shunted")).limit(_KEPT_WHOLE).subquery()
    return (connection.scalar(select(func.count()).select_from(some)) or 0) < _KEPT_WHOLE


@cache
def _take(letters: int) -> ReturningUpdate[*tuple[Any, ...]]:
    """The query that takes so many letters."""
    return _TAKE.where(one_of(LetterRow.id, "letter", letters))


def _rest_after_death(attempts: int) -> timedelta:
    """The time that a letter rests after its worker has died."""
    longer = min(attempts - _DEATHS_BY_CHANCE, 5)
    return _REST * 2**longer if longer >= 0 else timedelta()


def without_proof(recipients: Iterable[str]) -> list[str]:
    """Addresses that a letter came to, with nothing in them that proves who a player is."""
    return [_TOKEN.sub("", each) for each in recipients]
