"""The numbers of the boards on a list, found by an index however many boards there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, literal, literal_column, select, tuple_, union_all

from pbem.commands.model import Which
from pbem.ids import PlayerId
from pbem.storage.models import BoardRow, SeatRow
from pbem.storage.tallies import FINISHED, PLAYED

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


def listed_numbers(wanted: Wanted, most: int, skipped: int, behind: int) -> Select[int]:
    """What finds the numbers of the boards that are wanted: the lowest first, or those that ended last if all are over.

    Args:
        wanted: which.
        most: how many.
        skipped: how many are left out before them.
        behind: only boards that stand behind the one with this number; 0: all.
    """
    if wanted.which == "inactive":
        return _last_to_end(wanted, behind).limit(most).offset(skipped)
    kinds, number = _by_number(wanted)
    behind_it = [each.where(*_common(wanted)).where(number > behind) for each in kinds]
    if len(behind_it) == 1:
        return behind_it[0].limit(most).offset(skipped)
    lowest = (each.limit(skipped + most).subquery() for each in behind_it)
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


def _last_to_end(wanted: Wanted, behind: int) -> Select[Any]:
    """The boards that are over, in the order of the index that leads to them."""
    over, number, finished_at = _over(wanted)
    if behind:
        ended = select(BoardRow.finished_at).where(BoardRow.number == behind).scalar_subquery()
        over = over.where(tuple_(finished_at, number) < tuple_(ended, literal(behind)))
    return over.where(*_common(wanted)).order_by(finished_at.desc(), number.desc())


def _by_number(wanted: Wanted) -> tuple[list[Select[Any]], Any]:
    """The boards that are on, and those that are over if they are wanted; each kind stands in an index of its own."""
    on, number = _on(wanted)
    kinds = [on.order_by(number)]
    if wanted.which == "all":
        # a sum leads to those that have ended lately: their numbers would lead past all others
        kinds.append(_over(wanted)[0].order_by(number + literal_column("0")))
    return kinds, number


def _on(wanted: Wanted) -> tuple[Select[Any], Any]:
    """The boards that are on, and their numbers; the seats of players lead to theirs, one if several sit at a board."""
    if wanted.players is None:
        return select(BoardRow.number).where(BoardRow.active), BoardRow.number
    on = _of_players(wanted.players).where(SeatRow.active).distinct()
    if wanted.which == "next":
        on = on.where(SeatRow.seat == BoardRow.to_act)
    return on, SeatRow.board_number


def _over(wanted: Wanted) -> tuple[Select[Any], Any, Any]:
    """The boards that are over, or have ended lately, their numbers, and when they ended."""
    if wanted.players is None:
        over, number, finished_at = select(BoardRow.number).where(FINISHED), BoardRow.number, BoardRow.finished_at
    else:
        number, finished_at = SeatRow.board_number, SeatRow.finished_at
        over = _of_players(wanted.players).where(finished_at.is_not(None)).group_by(finished_at, number)
    return (over if wanted.ended_since is None else over.where(finished_at >= wanted.ended_since)), number, finished_at


def _of_players(players: Sequence[PlayerId]) -> Select[Any]:
    number = SeatRow.board_number
    their = select(number.label("number")).join(BoardRow, BoardRow.number == number)
    return their.where(SeatRow.player_id.in_(players), PLAYED)
