"""Letters at the door: they are stored, and one that comes again is recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Connection, bindparam, func, insert, select, update

from pbem.domain.letters import Envelope
from pbem.ids import LetterId, PlayerId
from pbem.storage.leases import is_waiting
from pbem.storage.models import AddressRow, LetterKeyRow, LetterRow
from pbem.storage.prepared import Prepared
from pbem.storage.repository import numbered, one_of

KEYS_KEPT = timedelta(days=30)
"""The time for which a repeated letter with a Message-ID is recognised."""
KEYS_KEPT_WITHOUT_MESSAGE_ID = timedelta(hours=1)
"""The same for a letter without one: a second ``resign`` may be meant."""
_ADD_KEY = Prepared(insert(LetterKeyRow))
_ADD = Prepared(insert(LetterRow).returning(LetterRow.id))
_ADD_MANY = insert(LetterRow).returning(LetterRow.id, sort_by_parameter_order=True)
_WAITING = select(func.count()).where(is_waiting(LetterRow))
_PUT_INTO_LANE = Prepared(update(LetterRow).where(LetterRow.id == bindparam("letter")))
_IN_A_TURN = 10
"""Letters of one sender that keep the order of arrival among those of others; its further ones wait."""
_LAST_TURNS = Prepared(
    select(LetterRow.turn)
    .where(is_waiting(LetterRow), LetterRow.lane == bindparam("its_lane"))
    .order_by(LetterRow.turn.desc())
    .limit(_IN_A_TURN)
)
_FIRST_WAITING = select(LetterRow.id).where(is_waiting(LetterRow)).order_by(LetterRow.id).limit(1)


_LONGEST_LANE = 320


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter at the door."""

    envelope: Envelope
    raw: bytes = field(repr=False)
    keys: tuple[str, ...]
    """The keys by which a repeated letter is recognised: the first is stored, and any of them may have been."""
    has_message_id: bool
    at: datetime
    proven: str | None = None
    """The lane of the player, or of the question, whose address it came to."""
    claimed: tuple[str, ...] = ()
    """The keys of the addresses that it says it is from; anybody can write them."""
    board: int | None = None
    """The board that it seems to be about."""


def store(connection: Connection, arrivals: Sequence[Arrival]) -> list[LetterId | None]:
    """Store letters that are to be handled; return their numbers, None for one that is transmitted again."""
    is_new = _are_new(connection, arrivals)
    numbers = iter(_added(connection, [each for each, is_so in zip(arrivals, is_new, strict=True) if is_so]))
    return [next(numbers) if is_so else None for is_so in is_new]


def _added(connection: Connection, arrivals: Sequence[Arrival]) -> list[LetterId]:
    """Store letters, and return their numbers."""
    rows = [
        {
            "received_at": each.at,
            "sender": each.envelope.sender,
            "recipients": list(each.envelope.recipients),
            "client": each.envelope.client,
            "raw": each.raw,
            "state": "waiting",
            "attempts": 0,
            "turn": 0,
            "board_number": each.board,
            "next_attempt_at": each.at,
        }
        for each in arrivals
    ]
    if len(rows) > 1:
        return list(map(LetterId, connection.scalars(_ADD_MANY, rows)))
    return [LetterId(added.id) for row in rows for added in _ADD.rows(connection, row)]


def first_waiting(connection: Connection) -> LetterId:
    """The letter that waits since the longest; there is one."""
    return LetterId(connection.execute(_FIRST_WAITING).scalar_one())


def count_waiting(connection: Connection) -> int:
    """The number of letters that wait."""
    return connection.execute(_WAITING).scalar_one()


def give_lanes(connection: Connection, stored: Mapping[LetterId, Arrival]) -> bool:
    """Put letters into lanes, each sender's into one, and give each its turn; return True if all senders are known.

    A known sender's lane is that of the player, or of the question, whose address the letter came to, which nobody can
    forge; or else that of a confirmed address that it claims to be from. A stranger's is that of the envelope sender.
    The first ten letters of a lane have one turn, the next ten the next one, and strangers are a turn behind.
    """
    claimed = {key for arrival in stored.values() for key in arrival.claimed}
    rows = _of_players(len(claimed)).rows(connection, numbered("key", claimed)) if claimed else []
    known = {row.address_key for row in rows}
    all_are_known = True
    for letter, arrival in stored.items():
        lane = arrival.proven or next((key for key in arrival.claimed if key in known), None)
        is_stranger = lane is None
        all_are_known &= not is_stranger
        if lane is None:
            lane = f"stranger {arrival.envelope.sender.casefold()}"[:_LONGEST_LANE]
        turns = [row.turn for row in _LAST_TURNS.rows(connection, {"its_lane": lane})]
        last = turns[0] if turns else int(is_stranger)
        turn = last + 1 if turns.count(last) == _IN_A_TURN else last
        _PUT_INTO_LANE.run(connection, {"letter": letter, "lane": lane, "turn": turn})
    return all_are_known


def proven_lane(player: PlayerId) -> str:
    """Return the lane of letters that came to an address which proves their player."""
    return f"player {player}"


@cache
def _of_players(keys: int) -> Prepared:
    """The query that finds those of so many addresses that players have confirmed."""
    known = select(AddressRow.address_key).where(one_of(AddressRow.address_key, "key", keys))
    return Prepared(known.where(AddressRow.confirmed_at.is_not(None)))


@cache
def _known_keys(keys: int) -> Prepared:
    """The query that finds so many keys, and locks them."""
    known = select(LetterKeyRow.key, LetterKeyRow.accepted_at).where(one_of(LetterKeyRow.key, "key", keys))
    return Prepared(known.with_for_update())


def _are_new(connection: Connection, arrivals: Sequence[Arrival]) -> list[bool]:
    """Note the keys of letters; False for each of which one was noted lately, if only for a letter before it."""
    keys = sorted({key for arrival in arrivals for key in arrival.keys})
    found = _known_keys(len(keys)).rows(connection, numbered("key", keys))
    stored = {row.key: row.accepted_at for row in found}
    known, noted = dict(stored), dict[str, datetime]()
    are_new = list[bool]()
    for arrival in arrivals:
        kept = KEYS_KEPT if arrival.has_message_id else KEYS_KEPT_WITHOUT_MESSAGE_ID
        are_new.append(not any(known[key] > arrival.at - kept for key in arrival.keys if key in known))
        if are_new[-1]:
            known[arrival.keys[0]] = noted[arrival.keys[0]] = arrival.at
    if added := [{"key": key, "accepted_at": at} for key, at in noted.items() if key not in stored]:
        _ADD_KEY.run_late(connection, *added)
    for key in noted.keys() & stored.keys():
        connection.execute(update(LetterKeyRow).where(LetterKeyRow.key == key).values(accepted_at=noted[key]))
    return are_new
