"""The numbers of the boards on a list, found by an index however many boards there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import literal_column, select, union_all

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
    if wanted.players is None:
        kinds, number = _of_everybody(wanted), BoardRow.number
    else:
        kinds, number = _of_players(wanted.players, wanted), SeatRow.board_number
    above = [each.where(*_common(wanted)).where(number > behind) for each in kinds]
    if len(above) == 1:
        return above[0].limit(most).offset(skipped)
    lowest = (each.limit(skipped + most).subquery() for each in above)
    found = union_all(*map(select, lowest)).subquery()
    return select(found.c.number).order_by(found.c.number).limit(most).offset(skipped)


def _common(wanted: Wanted) -> list[ColumnElement[bool]]:
    """What holds of all boards on the list."""
    conditions: list[ColumnElement[bool]] = []
    if wanted.game is not None:
        conditions.append(BoardRow.game == wanted.game)
    if wanted.which in OF_TOURNAMENTS:
        is_in_one = OF_TOURNAMENTS[wanted.which]
        # nearly all boards are in none: no index is to lead to those
        conditions.append(BoardRow.tournament_id.is_not(None) if is_in_one else BoardRow.tournament_round.is_(None))
    return conditions


def _of_everybody(wanted: Wanted) -> list[Select[Any]]:
    """The boards that are on, those that are over, or both: each of them stands in an index of its own."""
    numbers = select(BoardRow.number)
    on = numbers.where(BoardRow.active).order_by(BoardRow.number)
    return _kinds(wanted, on, _over(numbers.where(FINISHED), BoardRow.finished_at, BoardRow.number, wanted))


def _of_players(players: Sequence[PlayerId], wanted: Wanted) -> list[Select[Any]]:
    """The same of players: their seats lead to the boards; of several at one board one does."""
    number, their = SeatRow.board_number, SeatRow.player_id.in_(players)
    numbers = select(number.label("number")).join(BoardRow, BoardRow.number == number).where(their, PLAYED)
    on = numbers.where(SeatRow.active).distinct().order_by(number)
    if wanted.which == "next":
        on = on.where(SeatRow.seat == BoardRow.to_act)
    return _kinds(wanted, on, _over(numbers.group_by(number), SeatRow.finished_at, number, wanted))


def _over(numbers: Select[Any], finished_at: Any, number: Any, wanted: Wanted) -> Select[Any]:
    """Boards that are over, or have ended lately."""
    if wanted.ended_since is None:
        return numbers.where(finished_at.is_not(None)).order_by(number)
    # a sum leads to those that have ended lately: their numbers would lead past all others
    return numbers.where(finished_at >= wanted.ended_since).order_by(number + literal_column("0"))


def _kinds(wanted: Wanted, on: Select[Any], over: Select[Any]) -> list[Select[Any]]:
    return {"all": [on, over], "inactive": [over]}.get(wanted.which, [on])
