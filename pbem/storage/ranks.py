"""What finds the players of a game in the order in which they stand: an index leads to them, whoever else there is.

Built once: building such a statement takes longer than carrying it out.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Label,
    Select,
    Subquery,
    and_,
    bindparam,
    func,
    literal_column,
    select,
    union_all,
)

from pbem.storage.models import PlayedRow, PlayerRow, RatingRow, ReadinessRow, SeekRow
from pbem.storage.players import IS_HERE
from pbem.storage.ratings import IS_ESTABLISHED, IS_PROVISIONAL, IS_RATED, is_active

_GAME: BindParameter[str] = bindparam("game", type_=RatingRow.game.type)
_PLAYER: BindParameter[int] = bindparam("player", type_=PlayerRow.id.type)
_RATING = tuple(each for each in RatingRow.__table__.c if each.name not in ("player_id", "game", "here", "idle_since"))


def _players(is_new: int) -> Select[Any]:
    """Players, and whether they stand behind all who have a rating."""
    new: Label[int] = literal_column(str(is_new)).label("is_new")
    return select(PlayerRow.id.label("player_id"), PlayerRow.userid, PlayerRow.userid_key, new, *_RATING)


def _best(players: Select[Any]) -> Subquery:
    best_first = RatingRow.rating.desc(), RatingRow.games.desc(), PlayerRow.userid_key
    return players.order_by(*best_first).limit(bindparam("wanted")).subquery()


def _rated(*which: ColumnElement[bool]) -> Subquery:
    """The best of those who have a rating."""
    rated = _players(0).join_from(RatingRow, PlayerRow, PlayerRow.id == RatingRow.player_id)
    return _best(rated.where(RatingRow.game == _GAME, *which))


def _seeking() -> Subquery:
    """Those who look for a challenge and have no rating."""
    mine = and_(RatingRow.player_id == PlayerRow.id, RatingRow.game == _GAME)
    seekers = select(SeekRow.player_id).where(SeekRow.game == _GAME, SeekRow.wanted > 0)
    new = _players(1).join_from(PlayerRow, RatingRow, mine, isouter=True)
    return _best(new.where(PlayerRow.id.in_(seekers), IS_HERE, func.coalesce(RatingRow.games, 0) == 0))


def _with_boards(players: Select[Any], player: ColumnElement[int]) -> Select[Any]:
    """Players with their boards, limit and seeks in a game."""
    sought = select(func.sum(SeekRow.wanted)).where(SeekRow.player_id == player, SeekRow.game == _GAME)
    return (
        players.add_columns(
            _GAME.label("game"),
            func.coalesce(PlayedRow.active, 0).label("boards"),
            ReadinessRow.most,
            func.coalesce(sought.correlate_except(SeekRow).scalar_subquery(), 0).label("seeking"),
        )
        .outerjoin(PlayedRow, and_(PlayedRow.player_id == player, PlayedRow.game == _GAME))
        .outerjoin(ReadinessRow, and_(ReadinessRow.player_id == player, ReadinessRow.game == _GAME))
    )


def _best_first(players: Subquery) -> tuple[ColumnElement[Any], ...]:
    each = players.c
    return each.is_new, each.rating.desc(), each.games.desc(), each.userid_key


def _page(*kinds: Subquery) -> Select[Any]:
    """Some of the players of some kinds: only for these it is looked up what boards they have."""
    players = union_all(*map(select, kinds)).subquery()
    part = select(players).order_by(*_best_first(players)).limit(bindparam("most")).offset(bindparam("skipped"))
    page = part.subquery()
    return _with_boards(select(*page.c), page.c.player_id).order_by(*_best_first(page))


_SINCE: BindParameter[datetime] = bindparam("since", type_=RatingRow.last_at.type)
_ACTIVE = is_active(_SINCE)
ESTABLISHED = _page(_rated(IS_ESTABLISHED, _ACTIVE))
"""Given ``game``, ``since``, and of the list ``skipped`` and ``most``, and how many are ``wanted`` of it: both."""
PROVISIONAL = _page(_rated(IS_PROVISIONAL, _ACTIVE), _seeking())
"""The same of those who are provisional, or look for a challenge."""
_IDLE = (RatingRow.game == _GAME, IS_RATED, RatingRow.idle_since < _SINCE)
INACTIVE = _page(_rated(IS_ESTABLISHED, ~_ACTIVE), _rated(IS_PROVISIONAL, ~_ACTIVE))
"""The same of those who have had no board since, if there are many: they are met among the best soon enough."""
FEW_INACTIVE = _page(_rated(*_IDLE))
"""The same if there are few: the best of all of them."""
MOST_FEW = 500
HOW_MANY_INACTIVE = select(func.count()).select_from(select(RatingRow.game).where(*_IDLE).limit(MOST_FEW).subquery())
"""So many, if that is fewer; given ``game`` and ``since``."""

_MINE = and_(RatingRow.player_id == PlayerRow.id, RatingRow.game == _GAME)
_MAYBE_RATED = select(PlayerRow.userid, *_RATING).join_from(PlayerRow, RatingRow, _MINE, isouter=True)
OF_PLAYER = _with_boards(_MAYBE_RATED.where(PlayerRow.id == _PLAYER), _PLAYER)
"""Given ``player`` and ``game``."""
