"""Letters at the door, and what recognises one that comes again."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update

from pbem.storage.models import LetterKeyRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.domain.letters import Envelope

KEYS_KEPT = timedelta(days=30)
"""How long a letter with a Message-ID is recognised when it is transmitted again."""
KEYS_KEPT_WITHOUT_MESSAGE_ID = timedelta(hours=1)
"""How long one without: a second ``resign`` may be meant."""
_ADD_KEY = insert(LetterKeyRow)
_KNOWN_KEYS = (
    select(LetterKeyRow.key, LetterKeyRow.accepted_at)
    .where(LetterKeyRow.key.in_(bindparam("keys", expanding=True)))
    .with_for_update()
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter at the door."""

    envelope: Envelope
    raw: bytes = field(repr=False)
    keys: tuple[str, ...]
    """What recognises it when it is transmitted again: the first is kept, those kept earlier may be any."""
    has_message_id: bool
    at: datetime


def is_new(connection: Connection, arrival: Arrival) -> bool:
    """Note the letter's key; False if it was noted lately."""
    kept = KEYS_KEPT if arrival.has_message_id else KEYS_KEPT_WITHOUT_MESSAGE_ID
    known = {row.key: row.accepted_at for row in connection.execute(_KNOWN_KEYS, {"keys": arrival.keys})}
    if any(noted > arrival.at - kept for noted in known.values()):
        return False
    key = arrival.keys[0]
    if key in known:
        connection.execute(update(LetterKeyRow).where(LetterKeyRow.key == key).values(accepted_at=arrival.at))
    else:
        connection.execute(_ADD_KEY, {"key": key, "accepted_at": arrival.at})
    return True
