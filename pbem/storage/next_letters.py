"""Which of the letters that wait are taken next: those of one sender in the order in which they came."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    exists,
    func,
    literal_column,
    select,
)
from sqlalchemy.orm import aliased

from pbem.storage.leases import is_due, is_free, is_waiting
from pbem.storage.models import LetterRow

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
    """What finds the letters to be taken next among some, and locks them."""
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
    """Whether an earlier letter of the same sender waits."""
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
