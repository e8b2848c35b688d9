"""The inbox in the database: letters are stored, leased in the order they are to be handled in, and finished."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from itertools import cycle, takewhile
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    ColumnElement,
    Connection,
    Engine,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from pbem.domain.letters import Envelope, InboxFull
from pbem.errors import PbemError
from pbem.ids import BoardNumber, LetterId, PlayerId
from pbem.storage.arrivals import Arrival, count_waiting, first_waiting, give_lanes, proven_lane, store
from pbem.storage.engine import reading, trim_log, writing
from pbem.storage.leases import Rests, count_states, is_due, is_free, is_held, is_in, is_waiting, pull_in
from pbem.storage.models import AddressRow, LetterKeyRow, LetterRow, aliased
from pbem.storage.prepared import Prepared
from pbem.storage.repository import numbered, one_of

_LOOKED_AT = 200
"""Letters among which the next ones are looked for before all are."""
Order = tuple[ColumnClause[int], ...]
BY_ARRIVAL: Order = (LetterRow.id,)
BY_TURN: Order = (LetterRow.turn, LetterRow.id)
"""The same while few wait: `give_lanes` gives later turns to those that come in a crowd."""


def _waiting(order: Order) -> Select[int]:
    """The query for the letters that wait, in an order."""
    return select(LetterRow.id).where(is_waiting(LetterRow)).order_by(*order)


def _eligible(order: Order, *which: ColumnElement[bool]) -> Select[int, int, str, int]:
    """The query that finds the next letters among some, and locks them."""
    now: BindParameter[datetime] = bindparam("now")
    return (
        select(LetterRow.id, LetterRow.turn, LetterRow.sender, LetterRow.attempts)
        .where(and_(is_waiting(LetterRow), is_due(LetterRow, now), is_free(LetterRow, now), *which))
        .order_by(*order)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )


def _is_about_the_same(now: BindParameter[datetime]) -> ColumnElement[bool]:
    """The condition that an earlier letter about the same board is handled now, or could be.

    One of a later turn is not waited for, or a crowd could keep a player from their board.
    """
    earlier = aliased(LetterRow)
    is_before = and_(earlier.id < LetterRow.id, earlier.turn <= LetterRow.turn)
    is_its = and_(earlier.board_number == LetterRow.board_number, earlier.board_number.is_not(None))
    return exists().where(is_waiting(earlier), is_its, is_before, or_(is_due(earlier, now), ~is_free(earlier, now)))


def _among_the_first(order: Order) -> Select[*tuple[Any, ...]]:
    """Those of the first letters in an order that wait for no earlier one of their senders, or of their boards."""
    earlier = aliased(LetterRow)
    is_blocked = or_(
        exists().where(is_waiting(earlier), earlier.sender == LetterRow.sender, earlier.id < LetterRow.id),
        _is_about_the_same(bindparam("now")),
    )
    is_near = LetterRow.id.in_(_waiting(order).limit(_LOOKED_AT))
    further = _waiting(order).offset(_LOOKED_AT).limit(1).scalar_subquery()
    return _eligible(order, is_near, ~is_blocked).add_columns(further.label("further"))


def _among_all(order: Order) -> Select[int, int, str, int]:
    """The same of all letters, found by way of the first one of each sender."""
    of_sender = aliased(LetterRow)
    firsts = select(func.min(of_sender.id)).where(is_waiting(of_sender)).group_by(of_sender.sender)
    return _eligible(order, LetterRow.id.in_(firsts), ~_is_about_the_same(bindparam("now")))


def _behind(order: Order) -> Select[int, int]:
    """The query for the first letter that waits for one of some to be handled."""
    waits = LetterRow.sender.in_(bindparam("senders", expanding=True))
    is_other = LetterRow.id.not_in(bindparam("letters", expanding=True))
    first = select(LetterRow.turn, LetterRow.id).where(is_waiting(LetterRow), waits, is_other)
    return first.order_by(*order).limit(1)


class _Queries:
    """The queries for the next letters in an order."""

    def __init__(self, order: Order) -> None:
        self.among_the_first = Prepared(_among_the_first(order))
        self.among_all = _among_all(order)
        self.behind = _behind(order)
        self.further = _waiting(order).offset(_LOOKED_AT).limit(1)


_QUERIES = {order: _Queries(order) for order in (BY_ARRIVAL, BY_TURN)}


def _found(connection: Connection, queries: _Queries, now: datetime, most: int) -> list[Any]:
    """Find the eligible letters that are first, and lock them.

    Mostly they are among the first that wait; behind a great many of one sender the others are found without a look
    at each.
    """
    values = {"now": now, "most": most}
    found = queries.among_the_first.rows(connection, values)
    if len(found) == most or (found[0].further if found else connection.scalar(queries.further)) is None:
        return found
    return list(connection.execute(queries.among_all, values))


def _may_go_on_soon(now: BindParameter[datetime]) -> Select[bool]:
    """Tell whether a letter waits for others that are being handled now."""
    one, other = aliased(LetterRow), aliased(LetterRow)
    waits = exists().where(is_waiting(one), is_due(one, now), is_free(one, now))
    return select(and_(waits, exists().where(is_waiting(other), ~is_free(other, now))))


_MAY_GO_ON_SOON = _may_go_on_soon(bindparam("now"))


def next_letters(connection: Connection, now: datetime, most: int, order: Order = BY_TURN) -> list[int]:
    """Return the numbers of the first letters that are waiting, due and unleased; they are locked.

    Each waits for no earlier one of its sender, and no letter between them waits for one of them. One that was
    tried before is taken alone: if it ends its worker again, it ends nothing else.
    """
    queries = _QUERIES[order]
    found = _found(connection, queries, now, most)
    untried = list(takewhile(lambda row: row.attempts == 0, found)) or found[:1]
    letters = [row.id for row in untried]
    if len(letters) <= 1:
        return letters
    senders = [row.sender for row in untried]
    behind = connection.execute(queries.behind, {"senders": senders, "letters": letters}).first()
    if behind is None:
        return letters
    place = attrgetter(*(column.key for column in order))
    return letters[:1] + [row.id for row in untried[1:] if place(row) < place(behind)]


_TOKEN = re.compile(r"\+[^@]*(?=@)")
"""The proof in an address of ours; a handled letter no longer needs it."""
_DEATHS_BY_CHANCE = 3
"""A server may be ended as often with the same letter in its hands."""
_REST = timedelta(seconds=10)
_LONGEST_REST = timedelta(minutes=10)
_CROWD = 40
"""Letters that wait, from which on each sender waits in a lane."""
_FOR_KNOWN = 10
"""One in so many of all places is kept for known senders."""
_EARLIER_ONES_WAIT = "earlier letters wait"
_SHORTEST_REST, _LONGEST_REST_BEHIND = timedelta(milliseconds=50), timedelta(seconds=1)
"""A letter rests behind earlier ones for a tenth of its age, within these."""
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
_HELD = update(LetterRow).where(
    LetterRow.id == bindparam("letter"),
    LetterRow.state == "waiting",
    LetterRow.lease_owner == bindparam("holder"),
    LetterRow.attempts == bindparam("attempt"),
)
"""If it is still held as it was taken: the threads of a process have one name, and each attempt a number."""
_END = Prepared(_HELD)
_GIVE_BACK = _HELD.values(lease_owner=None, lease_until=None, attempts=LetterRow.attempts - 1)
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
        self._first_waiting = LetterId(0)
        """No letter that waits is older, unless it was set aside before."""
        self._orders = cycle((BY_TURN, BY_ARRIVAL))
        """In turns: whoever forges addresses of players gets half of the time, and nobody waits for ever."""

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
            letters = store(connection, arrivals)
            if most_waiting is not None and any(letters):
                stored = {letter: arrival for letter, arrival in zip(letters, arrivals, strict=True) if letter}
                self._see_that_they_have_room(connection, stored, most_waiting)
        return letters

    def _see_that_they_have_room(self, connection: Connection, stored: Mapping[LetterId, Arrival], most: int) -> None:
        """Give turns to the senders if many letters wait; the last places are for known senders alone."""
        few, last = min(_CROWD, most), max(stored)
        if 0 <= last - self._first_waiting < few:
            return
        self._first_waiting = first_waiting(connection)
        waiting = last - self._first_waiting + 1  # if none between them was handled: looked up, not counted
        if waiting <= few:
            return
        if not give_lanes(connection, stored):
            most -= most // _FOR_KNOWN
        if waiting > most and count_waiting(connection) > most:
            raise InboxFull

    def trim_log(self) -> bool:
        """Empty the database's log of what was in the letters; False if it could not."""
        return trim_log(self._engine)

    def lease(self, now: datetime, most: int = 1) -> list[LeasedLetter]:
        """Take the next letters, in the order in which they came; one that was tried before is taken alone."""
        until = now + self._lease
        with writing(self._engine, lasting=False) as connection:
            letters = next_letters(connection, now, most, next(self._orders))
            if not letters:
                return []
            leased = {"lease_owner": self._owner, "lease_until": until}
            rows = _take(len(letters)).rows(connection, {**leased, **numbered("letter", letters)})
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

    def may_go_on_soon(self, now: datetime) -> bool:
        """Return True if a letter waits for others that are being handled now, by another process."""
        with reading(self._engine) as connection:
            return bool(connection.scalar(_MAY_GO_ON_SOON, {"now": now}))

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
        _END.run_late(connection, {**self._held(letter), **ended}, missed=LeaseLost(letter=letter.id))

    def _held(self, letter: LeasedLetter) -> dict[str, object]:
        """The condition that a letter is still held under the same lease."""
        return {"letter": letter.id, "holder": self._owner, "attempt": letter.attempts}

    def put_behind_earlier(
        self, letter: LeasedLetter, boards: Collection[BoardNumber], players: Collection[PlayerId], now: datetime
    ) -> bool:
        """Give a letter back untried if earlier ones wait that may be of these players; False if there are none.

        Those that name other boards than these are not waited for, nor those that rest after a failure, or behind
        one that does. Once the others are done it is next.

        Raises:
            LeaseLost: somebody else has it by now.
        """
        lanes = [proven_lane(player) for player in players]
        of_players = select(AddressRow.address_key).where(AddressRow.player_id.in_(players))
        may_be_theirs = or_(LetterRow.lane.is_(None), LetterRow.lane.in_(lanes), LetterRow.lane.in_(of_players))
        may_be_about = or_(LetterRow.board_number.is_(None), LetterRow.board_number.in_(boards))
        before = aliased(LetterRow)
        has_failed = or_(before.last_error.is_(None), before.last_error != _EARLIER_ONES_WAIT)
        rests = and_(is_waiting(before), is_free(before, now), ~is_due(before, now), has_failed)
        is_blocked = exists().where(rests, before.sender == LetterRow.sender, before.id <= LetterRow.id)
        earlier = select(func.max(LetterRow.turn)).where(is_waiting(LetterRow), LetterRow.id < letter.id)
        with writing(self._engine) as connection:
            turn = connection.scalar(earlier.where(may_be_theirs, may_be_about, ~is_blocked))
            if turn is None:
                return False
            own = connection.execute(select(LetterRow.turn).where(LetterRow.id == letter.id)).scalar_one()
            rest = min(max((now - letter.received_at) / 10, _SHORTEST_REST), _LONGEST_REST_BEHIND)
            behind = {"turn": max(turn, own), "next_attempt_at": now + rest, "last_error": _EARLIER_ONES_WAIT}
            self._end(connection, letter, {**behind, "attempts": letter.attempts - 1})
        return True

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
def _take(letters: int) -> Prepared:
    """The query that takes so many letters."""
    return Prepared(_TAKE.where(one_of(LetterRow.id, "letter", letters)))


def _rest_after_death(attempts: int) -> timedelta:
    """The time that a letter rests after its worker has died."""
    longer = min(attempts - _DEATHS_BY_CHANCE, 5)
    return _REST * 2**longer if longer >= 0 else timedelta()


def without_proof(recipients: Iterable[str]) -> list[str]:
    """Addresses that a letter came to, with nothing in them that proves who a player is."""
    return [_TOKEN.sub("", each) for each in recipients]
