"""Named variants of a game get ratings of their own.

A player who has only played one of them keeps rating and history to the point. Of the others the games are rated again
in the order in which they were rated, in each variant from the rating of a new player, by the formula of the server
and against the ratings of their opponents. No game is lost: those that no history explains stay with the usual game.
Taken back, all games of a game are rated as one again in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

from pbem.domain.ratings import ACTIVE_FOR, Rating, Score, average, rated
from pbem.storage.models import UtcDateTime

revision = "0025"
down_revision = "0024"

VARIANTS = {"mambo": ("mamba", "mamboa", "mambogo")}
"""The named variants of each game that has any, as they were when their ratings were split."""

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_STANDING = ("rating", "games", "idle_since", "player_id")

_BOARDS = sa.table("boards", sa.column("number", _ID), sa.column("options", sa.JSON))
_CHANGES = sa.table(
    "rating_changes",
    *(sa.column(name, _ID) for name in ("board_number", "player_id", "before", "after", "games_before", "outcome")),
    sa.column("game", sa.String),
    sa.column("variant", sa.String),
    sa.column("at", UtcDateTime()),
    sa.column("undone_at", UtcDateTime()),
)
_COUNTS = ("rating", "games", "won", "lost", "tied", "revision")
_RATINGS = sa.table(
    "ratings",
    sa.column("player_id", _ID),
    sa.column("game", sa.String),
    sa.column("variant", sa.String),
    *(sa.column(name, _ID) for name in _COUNTS),
    sa.column("last_at", UtcDateTime()),
    sa.column("idle_since", UtcDateTime()),
    sa.column("here", sa.Boolean),
)
_OF_RATING = "FROM played WHERE played.player_id = ratings.player_id AND played.game = ratings.game"
_IDLE = f"""
    UPDATE ratings SET idle_since = CASE WHEN (SELECT active {_OF_RATING}) > 0 THEN NULL
        WHEN (SELECT ended_at {_OF_RATING}) > last_at THEN (SELECT ended_at {_OF_RATING}) ELSE last_at END
    WHERE game = :game
"""  # noqa: S608 - nothing but what stands here


def upgrade() -> None:
    op.add_column("rating_changes", sa.Column("variant", sa.String(32), nullable=False, server_default=sa.text("''")))
    op.drop_index("ix_rating_changes_player_id_game", "rating_changes")
    op.create_index("ix_rating_changes_player_id_game", "rating_changes", ["player_id", "game", "variant"])
    _make_ratings_anew(["variant"])
    for game, variants in VARIANTS.items():
        _regroup(op.get_bind(), game, variants)


def downgrade() -> None:
    connection = op.get_bind()
    of_variants = sa.select(_RATINGS.c.game).where(_RATINGS.c.variant != "").distinct()
    for game in connection.scalars(of_variants).all():
        _regroup(connection, game, ())
    _make_ratings_anew([])
    op.drop_index("ix_rating_changes_player_id_game", "rating_changes")
    op.create_index("ix_rating_changes_player_id_game", "rating_changes", ["player_id", "game"])
    op.drop_column("rating_changes", "variant")


def _make_ratings_anew(variant: Sequence[str]) -> None:
    """Have a rating for each player, game and, if wanted, variant: SQLite cannot change what a key is made of."""
    op.execute(sa.text("CREATE TABLE ratings_before AS SELECT * FROM ratings"))
    op.drop_table("ratings")
    op.create_table(
        "ratings",
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        *(sa.Column(name, sa.String(32), primary_key=True, server_default=sa.text("''")) for name in variant),
        *(sa.Column(name, _ID, nullable=False) for name in _COUNTS),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.Column("here", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("idle_since", UtcDateTime()),
    )
    names = ", ".join(("player_id", "game", *_COUNTS, "last_at", "here", "idle_since"))
    op.execute(sa.text(f"INSERT INTO ratings ({names}) SELECT {names} FROM ratings_before"))  # noqa: S608
    op.execute(sa.text("DROP TABLE ratings_before"))
    for name, columns, only in (
        ("ix_ratings_established", _STANDING, "games >= 20 AND here"),
        ("ix_ratings_provisional", _STANDING, "games > 0 AND games < 20 AND here"),
        ("ix_ratings_idle", ("idle_since",), "games > 0 AND here"),
    ):
        op.create_index(
            name,
            "ratings",
            ["game", *variant, *columns],
            sqlite_where=sa.text(f"{only} = 1"),
            postgresql_where=sa.text(only),
        )


class _Change(NamedTuple):
    """A rating change that still holds."""

    board: int
    player: int
    before: int
    after: int
    games: int
    score: Score
    at: datetime
    old: str
    """The variant that it counted for."""
    new: str
    """The variant that it is to count for."""


def _regroup(connection: sa.Connection, game: str, variants: Sequence[str]) -> None:
    """Have the boards of a game count for those of these variants that their options name."""
    live = _name_variants(connection, game, variants)
    stored: defaultdict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(sa.select(_RATINGS).where(_RATINGS.c.game == game)):
        stored[row.player_id].append(row)
    changes: defaultdict[int, list[_Change]] = defaultdict(list)
    for each in live:
        changes[each.player].append(each)
    again = {
        player: _unexplained(rows, changes[player])
        for player, rows in stored.items()
        if _is_mixed(rows, changes[player])
    }
    for player in stored.keys() - again.keys():
        (row,) = stored[player]
        new = next((each.new for each in changes[player]), "")
        mine = (_RATINGS.c.player_id == player) & (_RATINGS.c.game == game)
        if new != row.variant:
            connection.execute(sa.update(_RATINGS).where(mine).values(variant=new))
    for player, ratings in _rate_again(connection, live, again).items():
        mine = (_RATINGS.c.player_id == player) & (_RATINGS.c.game == game)
        connection.execute(sa.delete(_RATINGS).where(mine))
        for variant, rating in ratings.items():
            values = _values(rating, stored[player])
            connection.execute(sa.insert(_RATINGS).values(player_id=player, game=game, variant=variant, **values))
    connection.execute(sa.text(_IDLE), {"game": game})


def _name_variants(connection: sa.Connection, game: str, variants: Sequence[str]) -> list[_Change]:
    """Note the variant of each rating change of a game; return those that still hold, in their order."""
    change = _CHANGES.c
    query = (
        sa.select(_CHANGES, _BOARDS.c.options)
        .join(_BOARDS, _BOARDS.c.number == change.board_number)
        .where(change.game == game)
        .order_by(change.at, change.board_number, change.player_id)
    )
    live, renamed = [], {}
    for row in connection.execute(query):
        new = next((each for each in variants if row.options.get(each)), "")
        if new != row.variant:
            renamed[row.board_number] = new
        if row.undone_at is None:
            values = row.before, row.after, row.games_before, Score(row.outcome), row.at, row.variant, new
            live.append(_Change(row.board_number, row.player_id, *values))
    for board, variant in renamed.items():
        connection.execute(sa.update(_CHANGES).where(change.board_number == board).values(variant=variant))
    return live


def _is_mixed(rows: Sequence[Any], changes: Sequence[_Change]) -> bool:
    """Return True if the games of a player cannot move to one variant as they are."""
    ways = {(each.old, each.new) for each in changes}
    if len(rows) > 1 or len(ways) > 1:
        return True
    return any(old != new for old, new in ways) and rows[0].games != len(changes)


def _unexplained(rows: Sequence[Any], changes: Sequence[_Change]) -> Rating:
    """The rating by the games of a player that no change tells of."""
    won, lost, tied = (
        max(0, sum(getattr(row, name) for row in rows) - sum(each.score is score for each in changes))
        for name, score in (("won", Score.WIN), ("lost", Score.LOSS), ("tied", Score.TIE))
    )
    if not won + lost + tied:
        return Rating()
    value = changes[0].before if changes else rows[0].rating
    return Rating(value, won, lost, tied, min(row.last_at for row in rows))


def _rate_again(
    connection: sa.Connection, live: Iterable[_Change], again: Mapping[int, Rating]
) -> Mapping[int, dict[str, Rating]]:
    """Rate the games of some players again; return their ratings by variant."""
    found = {player: {"": start} if start.games else {} for player, start in again.items()}
    pools: defaultdict[str, dict[int, Rating]] = defaultdict(dict)
    for board, group in groupby(live, lambda each: each.board):
        changes = list(group)
        pool = pools[changes[0].new]
        before = [
            found[each.player].get(each.new, Rating()) if each.player in again else Rating(each.before, each.games)
            for each in changes
        ]
        is_new = any(each.player in again and not was.is_established for each, was in zip(changes, before, strict=True))
        level = _level(pool.values(), changes[0].at) if is_new else average(0, 0)
        after = rated(before, [each.score for each in changes], level)
        for each, was, value in zip(changes, before, after, strict=True):
            if each.player not in again:
                pool[each.player] = Rating(each.after, each.games + 1, last_at=each.at)
                continue
            pool[each.player] = found[each.player][each.new] = was.with_game(value, each.score, each.at)
            mine = (_CHANGES.c.board_number == board) & (_CHANGES.c.player_id == each.player)
            values = {"before": was.value, "after": value, "games_before": was.games}
            connection.execute(sa.update(_CHANGES).where(mine).values(values))
    return {player: ratings or {"": Rating()} for player, ratings in found.items()}


def _level(ratings: Iterable[Rating], at: datetime) -> Any:
    """The average of the established players who were active at a moment."""
    active = [
        each.value for each in ratings if each.is_established and each.last_at and each.last_at >= at - ACTIVE_FOR
    ]
    return average(sum(active), len(active))


def _values(rating: Rating, rows: Sequence[Any]) -> dict[str, Any]:
    """The values of a new row, which stands for some of the old ones of its player."""
    last_at = rating.last_at or max(row.last_at for row in rows)
    return {
        "rating": rating.value,
        "games": rating.games,
        "won": rating.won,
        "lost": rating.lost,
        "tied": rating.tied,
        "last_at": last_at,
        "here": rows[0].here,
        "revision": max(row.revision for row in rows) + 1,
    }
