"""Counts of the boards of games and players, kept as boards begin and end, and indexes for reading lists.

Taken back, they are counted anew for each question.
"""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0009"
down_revision = "0008"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_IS_FINISHED = "NOT boards.active AND boards.ending NOT IN ('declined', 'annulled')"
_BOARDS_OF_PLAYERS = f"""
    SELECT DISTINCT seats.player_id, boards.number, boards.game,
        CASE WHEN boards.active THEN 1 ELSE 0 END AS active,
        CASE WHEN {_IS_FINISHED} THEN 1 ELSE 0 END AS finished,
        CASE WHEN {_IS_FINISHED} THEN boards.finished_at END AS ended_at
    FROM seats JOIN boards ON boards.number = seats.board_number
"""  # noqa: S608 - nothing but what stands here
_PLAYED = f"""
    INSERT INTO played (player_id, game, active, finished, forfeits, ended_at)
    SELECT player_id, game, sum(active), sum(finished), 0, max(ended_at) FROM ({_BOARDS_OF_PLAYERS}) AS each_board
    GROUP BY player_id, game
"""  # noqa: S608
_TALLIES = f"""
    INSERT INTO tallies (game, part, active, finished, players)
    SELECT game, 0, sum(CASE WHEN active THEN 1 ELSE 0 END), sum(CASE WHEN {_IS_FINISHED} THEN 1 ELSE 0 END),
        (SELECT count(*) FROM played WHERE played.game = boards.game AND played.active + played.finished > 0)
    FROM boards GROUP BY game
"""  # noqa: S608
_SEATS = """
    UPDATE seats SET finished_at = (SELECT boards.finished_at FROM boards WHERE boards.number = seats.board_number)
    WHERE NOT active AND NOT EXISTS (SELECT 1 FROM seats AS other WHERE other.board_number = seats.board_number
        AND other.player_id = seats.player_id AND other.seat < seats.seat)
"""
_HERE = """
    UPDATE ratings SET here =
        (SELECT players.standing IN ('active', 'frozen') FROM players WHERE players.id = ratings.player_id)
"""
_OF_RATING = "FROM played WHERE played.player_id = ratings.player_id AND played.game = ratings.game"
_IDLE = f"""
    UPDATE ratings SET idle_since = CASE WHEN (SELECT active {_OF_RATING}) > 0 THEN NULL
        WHEN (SELECT ended_at {_OF_RATING}) > last_at THEN (SELECT ended_at {_OF_RATING}) ELSE last_at END
"""  # noqa: S608

_BOARDS = sa.table(
    "boards",
    sa.column("number", _ID),
    sa.column("game", sa.String),
    sa.column("active", sa.Boolean),
    sa.column("ending", sa.String),
)
_SEAT_COLUMNS = ("board_number", "seat", "player_id")
_SEATS_OF_PLAYERS = sa.table("seats", *(sa.column(name, _ID) for name in _SEAT_COLUMNS))
_EVENTS = sa.table(
    "events",
    sa.column("board_number", _ID),
    sa.column("seat", _ID),
    sa.column("kind", sa.String),
    sa.column("record", sa.JSON),
)
_COUNTED = sa.table("played", *(sa.column(name) for name in ("player_id", "game", "forfeits")))

_BY_OPERATOR = {"by": "operator"}
_STANDING = ["game", "rating", "games", "idle_since", "player_id"]


def upgrade() -> None:
    op.create_table(
        "played",
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("active", _ID, nullable=False),
        sa.Column("finished", _ID, nullable=False),
        sa.Column("forfeits", _ID, nullable=False),
        sa.Column("ended_at", UtcDateTime()),
    )
    op.create_table(
        "tallies",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("part", _ID, primary_key=True, autoincrement=False),
        sa.Column("active", _ID, nullable=False),
        sa.Column("finished", _ID, nullable=False),
        sa.Column("players", _ID, nullable=False),
    )
    op.add_column("seats", sa.Column("finished_at", UtcDateTime()))
    op.add_column("ratings", sa.Column("here", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("ratings", sa.Column("idle_since", UtcDateTime()))
    count_all(op.get_bind())
    _make_indexes()


def count_all(connection: sa.Connection) -> None:
    """Fill the new tables and columns from what stands in the others."""
    for statement in (_PLAYED, _TALLIES, _SEATS, _HERE, _IDLE):
        connection.execute(sa.text(statement))
    _count_forfeits(connection)


def _count_forfeits(connection: sa.Connection) -> None:
    """Count the games that players have forfeited; those that the operator has decided on are marked in the record."""
    board, seat, event = _BOARDS.c, _SEATS_OF_PLAYERS.c, _EVENTS.c
    query = (
        sa.select(seat.player_id, board.game, board.number, event.record)
        .join_from(_EVENTS, _SEATS_OF_PLAYERS, (seat.board_number == event.board_number) & (seat.seat == event.seat))
        .join(_BOARDS, board.number == event.board_number)
        .where(event.kind == "forfeit", ~board.active, board.ending.not_in(("declined", "annulled")))
    )
    found = {(row.player_id, row.game, row.number) for row in connection.execute(query) if row.record != _BY_OPERATOR}
    for (player, game), forfeits in Counter((player, game) for player, game, _ in found).items():
        mine = (_COUNTED.c.player_id == player) & (_COUNTED.c.game == game)
        connection.execute(sa.update(_COUNTED).where(mine).values(forfeits=forfeits))


def _make_indexes() -> None:
    op.drop_index("ix_boards_game_active", "boards")
    op.drop_index("ix_boards_active_finished_at_number", "boards")
    op.drop_index("ix_boards_clock_at", "boards")
    op.drop_index("ix_ratings_game_rating", "ratings")
    finished = (
        "NOT active AND ending NOT IN ('declined', 'annulled')",
        "active = 0 AND ending NOT IN ('declined', 'annulled')",
    )
    active = "active", "active = 1"
    in_tournaments = "active AND tournament_id IS NOT NULL", "active = 1 AND tournament_id IS NOT NULL"
    _partial("ix_boards_active_number", "boards", ["number"], *active)
    _partial("ix_boards_active_game_number", "boards", ["game", "number"], *active)
    _partial("ix_boards_active_in_tournaments", "boards", ["number"], *in_tournaments)
    ended = ["finished_at", "number", "ending", "active"]
    _partial("ix_boards_finished_at", "boards", ended, *finished)
    _partial("ix_boards_finished_game_at", "boards", ["game", *ended], *finished)
    _partial("ix_boards_clock_at", "boards", ["clock_at", "number"], *active)
    labelled = "tournament_label IS NOT NULL"
    _partial("ix_boards_tournament_label", "boards", ["tournament_label"], labelled, labelled)
    established = "games >= 20 AND here", "games >= 20 AND here = 1"
    provisional = "games > 0 AND games < 20 AND here", "games > 0 AND games < 20 AND here = 1"
    _partial("ix_ratings_established", "ratings", _STANDING, *established)
    _partial("ix_ratings_provisional", "ratings", _STANDING, *provisional)
    _partial("ix_ratings_idle", "ratings", ["game", "idle_since"], "games > 0 AND here", "games > 0 AND here = 1")
    op.create_index("ix_seats_player_finished_at", "seats", ["player_id", "finished_at", "board_number"])
    waiting = "state = 'waiting'", "state = 'waiting'"
    op.drop_index("ix_inbox_waiting", "inbox")
    _partial("ix_inbox_waiting", "inbox", ["id", "received_at"], *waiting)
    op.create_index("ix_inbox_lower_sender", "inbox", [sa.text("lower(sender)")])
    op.drop_index("ix_outbox_due", "outbox")
    _partial("ix_outbox_due", "outbox", ["next_attempt_at", "id", "attempts", "created_at"], *waiting)
    op.create_index("ix_players_seen_on_userid_key", "players", [sa.text("seen_on DESC"), "userid_key"])


def _partial(name: str, table: str, columns: list[str], only: str, on_sqlite: str) -> None:
    """An index of the rows of which a condition holds, in the words of each database."""
    op.create_index(name, table, columns, sqlite_where=sa.text(on_sqlite), postgresql_where=sa.text(only))


def downgrade() -> None:
    waiting = "state = 'waiting'", "state = 'waiting'"
    op.drop_index("ix_outbox_due", "outbox")
    _partial("ix_outbox_due", "outbox", ["next_attempt_at"], *waiting)
    op.drop_index("ix_inbox_lower_sender", "inbox")
    op.drop_index("ix_inbox_waiting", "inbox")
    _partial("ix_inbox_waiting", "inbox", ["id"], *waiting)
    op.drop_index("ix_players_seen_on_userid_key", "players")
    op.drop_index("ix_seats_player_finished_at", "seats")
    for name in ("ix_ratings_established", "ix_ratings_provisional", "ix_ratings_idle"):
        op.drop_index(name, "ratings")
    lists = "active_number", "active_game_number", "active_in_tournaments", "finished_at", "finished_game_at"
    for name in (*lists, "tournament_label"):
        op.drop_index(f"ix_boards_{name}", "boards")
    op.drop_index("ix_boards_clock_at", "boards")
    _partial("ix_boards_clock_at", "boards", ["clock_at"], "active", "active")
    op.create_index("ix_ratings_game_rating", "ratings", ["game", "rating"])
    op.create_index("ix_boards_active_finished_at_number", "boards", ["active", "finished_at", "number"])
    op.create_index("ix_boards_game_active", "boards", ["game", "active"])
    op.drop_column("ratings", "idle_since")
    op.drop_column("ratings", "here")
    op.drop_column("seats", "finished_at")
    op.drop_table("tallies")
    op.drop_table("played")
