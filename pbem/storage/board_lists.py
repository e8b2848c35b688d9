"""The numbers of the boards on a list, found by an index however many boards there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import literal_column, or_, select, union_all

from pbem.storage.models import BoardRow, SeatRow
from pbem.storage.tallies import FINISHED, PLAYED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Select

    from pbem.commands.model import Which
    from pbem.ids import PlayerId

OF_TOURNAMENTS: Mapping[Which, bool] = {"tournament": True, "standard": False}
"""Kinds of active boards, and whether they belong to tournaments."""


class Wanted(NamedTuple):
    """Which boards are to be on a list."""

    players: Sequence[PlayerId] | None
    """Of whom; None: of everybody."""
    which: Which
    game: str | None
    """Of which game; None: of any."""
    ended_since: datetime | None
    """Those that ended earlier are not wanted."""


def lowest_numbers(wanted: Wanted, most: int, skipped: int, behind: int) -> Select[int]:
    """What finds the lowest numbers of the boards that are wanted.

    Args:
        wanted: which.
        most: how many.
        skipped: how many are left out before them.
        behind: only numbers above this one.
    """
    kinds = _of_everybody(wanted) if wanted.players is None else [_of_players(wanted.players, wanted)]
    above = [each.where(*_common(wanted, behind)) for each in kinds]
    if len(above) == 1:
        return above[0].limit(most).offset(skipped)
    lowest = (each.limit(skipped + most).subquery() for each in above)
    found = union_all(*map(select, lowest)).subquery()
    return select(found.c.number).order_by(found.c.number).limit(most).offset(skipped)


def _common(wanted: Wanted, behind: int) -> list[ColumnElement[bool]]:
    """What holds of all boards on the list."""
    conditions: list[ColumnElement[bool]] = []
    if behind:
        conditions.append(BoardRow.number > behind)
    if wanted.game is not None:
        conditions.append(BoardRow.game == wanted.game)
    if wanted.which in OF_TOURNAMENTS:
        is_in_one = OF_TOURNAMENTS[wanted.which]
        # nearly all boards are in none: no index is to lead to those
        conditions.append(BoardRow.tournament_id.is_not(None) if is_in_one else BoardRow.tournament_round.is_(None))
    return conditions


def _of_everybody(wanted: Wanted) -> list[Select[Any]]:
    """The boards that are on, those that are over, or both: each of them stands in an index of its own."""
    over = select(BoardRow.number).where(FINISHED)
    if wanted.ended_since is None:
        over = over.order_by(BoardRow.number)
    else:  # a sum leads to those that have ended lately; their numbers would lead past all others
        over = over.where(BoardRow.finished_at >= wanted.ended_since).order_by(BoardRow.number + literal_column("0"))
    on = select(BoardRow.number).where(BoardRow.active).order_by(BoardRow.number)
    return {"all": [on, over], "inactive": [over]}.get(wanted.which, [on])


def _of_players(players: Sequence[PlayerId], wanted: Wanted) -> Select[Any]:
    """The boards of players: their seats lead to them."""
    seats = select(SeatRow.board_number).where(SeatRow.player_id.in_(players))
    ended_lately: ColumnElement[bool] = SeatRow.finished_at.is_not(None)
    if wanted.ended_since is not None:
        ended_lately = SeatRow.finished_at >= wanted.ended_since
    if wanted.which == "inactive":
        seats = seats.where(ended_lately)
    elif wanted.which != "all":
        seats = seats.where(SeatRow.active)
    elif wanted.ended_since is not None:
        seats = seats.where(or_(SeatRow.active, ended_lately))
    numbers = select(BoardRow.number).order_by(BoardRow.number)
    if wanted.which == "next":
        acting = (SeatRow.board_number == BoardRow.number) & (SeatRow.seat == BoardRow.to_act)
        return numbers.join(SeatRow, acting).where(SeatRow.player_id.in_(players), SeatRow.active)
    return numbers.where(BoardRow.number.in_(seats), PLAYED)
