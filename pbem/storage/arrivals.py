"""Letters at the door: they are stored, and one that comes again is recognised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Connection, Select, bindparam, func, insert, select, update

from pbem.domain.letters import Envelope
from pbem.ids import LetterId
from pbem.storage.leases import is_waiting
from pbem.storage.models import AddressRow, LetterKeyRow, LetterRow
from pbem.storage.repository import numbered, one_of

KEYS_KEPT = timedelta(days=30)
"""The time for which a repeated letter with a Message-ID is recognised."""
KEYS_KEPT_WITHOUT_MESSAGE_ID = timedelta(hours=1)
"""The same for a letter without one: a second ``resign`` may be meant."""
_ADD_KEY = insert(LetterKeyRow)
_ADD = insert(LetterRow)
_WAITING = select(func.count()).where(is_waiting(LetterRow))
_PUT_INTO_LANE = update(LetterRow).where(LetterRow.id == bindparam("letter")).values(lane=bindparam("its_lane"))
_FIRST, _LAST = (
    select(LetterRow.id).where(is_waiting(LetterRow)).order_by(order).limit(1).scalar_subquery()
    for order in (LetterRow.id, LetterRow.id.desc())
)
_AT_MOST_WAITING = select(_LAST - _FIRST + 1)
"""The number waiting if none between the first and the last was handled: looked up, not counted."""


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
    """Which player, or which question, the address proves that it came to."""
    claimed: tuple[str, ...] = ()
    """The keys of the addresses that it says it is from; anybody can write them."""


@cache
def _known_keys(keys: int) -> Select[str, datetime]:
    """The query that finds so many keys, and locks them."""
    found = select(LetterKeyRow.key, LetterKeyRow.accepted_at).where(one_of(LetterKeyRow.key, "key", keys))
    return found.with_for_update()


def store(connection: Connection, arrival: Arrival) -> LetterId | None:
    """Store a letter that is to be handled; return its number, None if it is transmitted again."""
    if not _is_new(connection, arrival):
        return None
    added = connection.execute(
        _ADD,
        {
            "received_at": arrival.at,
            "sender": arrival.envelope.sender,
            "recipients": list(arrival.envelope.recipients),
            "client": arrival.envelope.client,
            "raw": arrival.raw,
            "state": "waiting",
            "attempts": 0,
            "next_attempt_at": arrival.at,
        },
    )
    assert added.inserted_primary_key is not None  # noqa: S101 - for the types
    return LetterId(added.inserted_primary_key[0])


def at_most_waiting(connection: Connection) -> int:
    """The most letters that may wait now, looked up."""
    return int(connection.execute(_AT_MOST_WAITING).scalar_one() or 0)


def count_waiting(connection: Connection) -> int:
    """The number of letters that wait."""
    return connection.execute(_WAITING).scalar_one()


def give_lanes(connection: Connection, stored: Mapping[LetterId, Arrival]) -> bool:
    """Put letters of known senders into lanes, each sender's into one; whether all of them are known.

    A lane is a player's, or a question's, whose address the letter came to, which nobody can forge; or else that of a
    confirmed address that it claims to be from.
    """
    claimed = {key for arrival in stored.values() for key in arrival.claimed}
    of_players = select(AddressRow.address_key).where(AddressRow.address_key.in_(claimed))
    known = set(connection.scalars(of_players.where(AddressRow.confirmed_at.is_not(None)))) if claimed else set()
    lanes = {
        letter: arrival.proven or next((key for key in arrival.claimed if key in known), None)
        for letter, arrival in stored.items()
    }
    ahead = [{"letter": letter, "its_lane": lane} for letter, lane in lanes.items() if lane is not None]
    if ahead:
        connection.execute(_PUT_INTO_LANE, ahead)
    return len(ahead) == len(lanes)


def _is_new(connection: Connection, arrival: Arrival) -> bool:
    """Note the letter's key; False if it was noted lately."""
    kept = KEYS_KEPT if arrival.has_message_id else KEYS_KEPT_WITHOUT_MESSAGE_ID
    found = connection.execute(_known_keys(len(arrival.keys)), numbered("key", arrival.keys))
    known = {row.key: row.accepted_at for row in found}
    if any(noted > arrival.at - kept for noted in known.values()):
        return False
    key = arrival.keys[0]
    if key in known:
        connection.execute(update(LetterKeyRow).where(LetterKeyRow.key == key).values(accepted_at=arrival.at))
    else:
        connection.execute(_ADD_KEY, {"key": key, "accepted_at": arrival.at})
    return True
