"""Letters at the door: they are stored, and one that comes again is recognised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Connection, Select, bindparam, func, insert, select, update

from pbem.domain.letters import Envelope
from pbem.ids import LetterId, PlayerId
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
_PUT_INTO_LANE = (
    update(LetterRow)
    .where(LetterRow.id == bindparam("letter"))
    .values(lane=bindparam("its_lane"), turn=bindparam("its_turn"))
)
_IN_A_TURN = 10
"""Letters of one sender that keep the order of arrival among those of others; its further ones wait."""
_LAST_TURNS = (
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
            "turn": 0,
            "board_number": arrival.board,
            "next_attempt_at": arrival.at,
        },
    )
    assert added.inserted_primary_key is not None  # noqa: S101 - for the types
    return LetterId(added.inserted_primary_key[0])


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
    of_players = select(AddressRow.address_key).where(AddressRow.address_key.in_(claimed))
    known = set(connection.scalars(of_players.where(AddressRow.confirmed_at.is_not(None)))) if claimed else set()
    all_are_known = True
    for letter, arrival in stored.items():
        lane = arrival.proven or next((key for key in arrival.claimed if key in known), None)
        is_stranger = lane is None
        all_are_known &= not is_stranger
        if lane is None:
            lane = f"stranger {arrival.envelope.sender.casefold()}"[:_LONGEST_LANE]
        turns = connection.scalars(_LAST_TURNS, {"its_lane": lane}).all()
        last = turns[0] if turns else int(is_stranger)
        turn = last + 1 if turns.count(last) == _IN_A_TURN else last
        connection.execute(_PUT_INTO_LANE, {"letter": letter, "its_lane": lane, "its_turn": turn})
    return all_are_known


def proven_lane(player: PlayerId) -> str:
    """Return the lane of letters that came to an address which proves their player."""
    return f"player {player}"


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
