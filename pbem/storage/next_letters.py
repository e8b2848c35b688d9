"""Which of the letters that wait are taken next: those of one sender in the order in which they came."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from sqlalchemy import BindParameter, and_, bindparam, exists, func, literal_column, select
from sqlalchemy.orm import aliased

from pbem.storage.leases import is_due, is_free, is_waiting
from pbem.storage.models import LetterRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row, Select

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
    earlier = aliased(LetterRow)
    blocked = exists().where(is_waiting(earlier), earlier.sender == LetterRow.sender, earlier.id < LetterRow.id)
    horizon = _HORIZON.scalar_subquery()
    is_near = LetterRow.id < func.coalesce(horizon, literal_column(str(_NO_LETTER)))
    return _eligible(is_near, ~blocked).add_columns(horizon.label("horizon"))


def _among_all() -> Select[int, str, int]:
    """The same of all letters, found by way of the first one of each sender."""
    of_sender = aliased(LetterRow)
    firsts = select(func.min(of_sender.id)).where(is_waiting(of_sender)).group_by(of_sender.sender)
    return _eligible(LetterRow.id.in_(firsts))


_AMONG_THE_FIRST, _AMONG_ALL = _among_the_first(), _among_all()


def _found(connection: Connection, now: datetime, most: int) -> Sequence[Row[*tuple[Any, ...]]]:
    """The eligible letters that came first, locked.

    Mostly the first ones that wait are; behind a great many of one sender the others are found without a look at each.
    """
    found = connection.execute(_AMONG_THE_FIRST, {"now": now, "most": most}).all()
    horizon = found[0].horizon if found else connection.scalar(_HORIZON)
    if len(found) == most or horizon is None:
        return found
    return connection.execute(_AMONG_ALL, {"now": now, "most": most}).all()


def next_letters(connection: Connection, now: datetime, most: int) -> list[int]:
    """The numbers of the first letters that are waiting, due and unleased, and wait for no earlier one; locked.

    They are in the order in which they came, and none that came between them waits for one of them. One that was
    tried before is taken alone: what ends its worker again is to end nothing else.
    """
    found = _found(connection, now, most)
    untried = list(takewhile(lambda row: row.attempts == 0, found)) or found[:1]
    letters = [row.id for row in untried]
    if len(letters) > 1:
        senders = [row.sender for row in untried]
        behind = connection.scalar(_BEHIND, {"senders": senders, "letters": letters})
        letters = [each for each in letters if behind is None or each < behind]
    return letters
