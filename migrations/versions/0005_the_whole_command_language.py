"""Clocks, queued moves, offers, challenges, watchers, ratings and tournaments.

Taken back, it forgets all of these. There is no way back from a board where a draw or an undo was offered: the version
before has no word for that.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

from pbem.storage.models import UtcDateTime

revision = "0005"
down_revision = "0004"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_JSON = sa.JSON(none_as_null=True)
_NEW_KINDS = ("offer", "consent", "refusal", "undo")


def upgrade() -> None:
    op.add_column("players", sa.Column("vacations", _JSON, nullable=True))
    op.add_column("players", sa.Column("seen_on", sa.Date(), nullable=True))
    op.add_column("players", sa.Column("pace_seconds", _ID, nullable=True))
    op.add_column("seats", sa.Column("queued", _JSON, nullable=True))
    op.add_column("seats", sa.Column("submitted", _JSON, nullable=True))
    _tournaments()
    _boards()
    _challenges()
    _watching()
    _ratings()


def _tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", _ID, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("name_key", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("clock", _JSON, nullable=True),
        sa.Column("rounds", _ID, nullable=True),
        sa.Column("round", _ID, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("creator_id", _ID, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("revision", _ID, nullable=False),
        sa.UniqueConstraint("game", "name_key"),
    )
    op.create_index("ix_tournaments_state", "tournaments", ["state"])
    op.create_table(
        "tournament_entries",
        sa.Column("tournament_id", _ID, sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True, index=True),
        sa.Column("joined_at", UtcDateTime(), nullable=False),
        sa.Column("withdrawn_at", UtcDateTime(), nullable=True),
        sa.Column("pool", sa.String(8), nullable=True),
        sa.Column("number", _ID, nullable=True),
    )
    op.create_table(
        "tournament_byes",
        sa.Column("tournament_id", _ID, sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("round", _ID, primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("points", _ID, nullable=False),
    )


def _boards() -> None:
    op.add_column("boards", sa.Column("clock", _JSON, nullable=True))
    op.add_column("boards", sa.Column("nagged_at", UtcDateTime(), nullable=True))
    op.add_column("boards", sa.Column("forfeit_at", UtcDateTime(), nullable=True))
    op.add_column("boards", sa.Column("answer_nagged_at", UtcDateTime(), nullable=True))
    op.add_column("boards", sa.Column("answer_by", UtcDateTime(), nullable=True))
    op.add_column("boards", sa.Column("clock_at", UtcDateTime(), nullable=True))
    op.add_column("boards", sa.Column("pair", _ID, nullable=True))
    op.add_column("boards", sa.Column("tournament_id", _ID, nullable=True))
    op.add_column("boards", sa.Column("tournament_round", _ID, nullable=True))
    op.add_column("boards", sa.Column("tournament_label", sa.String(16), nullable=True))
    op.create_index(
        "ix_boards_clock_at", "boards", ["clock_at"], sqlite_where=sa.text("active"), postgresql_where=sa.text("active")
    )
    op.create_index("uq_boards_tournament_place", "boards", ["tournament_id", "tournament_label"], unique=True)
    # The clocks of boards under way have not been looked at yet: they are as soon as there is somebody to do so.
    op.execute("UPDATE boards SET clock_at = begun_at WHERE active")


def _challenges() -> None:
    op.create_table(
        "readiness",
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("most", _ID, nullable=True),
    )
    op.create_table(
        "seeks",
        sa.Column("id", _ID, primary_key=True, autoincrement=False),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("clock", _JSON, nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("players", _ID, nullable=False),
        sa.Column("wanted", _ID, nullable=False),
        sa.Column("pace", _ID, nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("revision", _ID, nullable=False),
    )
    op.create_index("ix_seeks_game", "seeks", ["game"])
    op.create_index("ix_seeks_player_id", "seeks", ["player_id"])
    op.create_table(
        "blocks",
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("other_id", _ID, sa.ForeignKey("players.id"), primary_key=True, index=True),
    )


def _watching() -> None:
    op.create_table(
        "watches",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("board_number", _ID, nullable=False),
        sa.Column("other_id", _ID, nullable=False),
        sa.UniqueConstraint("player_id", "what", "game", "board_number", "other_id"),
    )
    for columns in (("board_number",), ("other_id",), ("game", "board_number", "other_id")):
        op.create_index(f"ix_watches_{'_'.join(columns)}", "watches", [*columns])
    op.create_table(
        "digest_entries",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("board_number", _ID, sa.ForeignKey("boards.number"), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=False, index=True),
        sa.Column("writer", sa.String(32), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
    )
    op.create_index("ix_digest_entries_player_id", "digest_entries", ["player_id"])
    op.create_table(
        "broadcasts",
        sa.Column("id", _ID, primary_key=True, autoincrement=False),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False, index=True),
        sa.Column("at", UtcDateTime(), nullable=False, index=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sent_to", _ID, nullable=False),
        sa.Column("done_at", UtcDateTime(), nullable=True),
    )


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("rating", _ID, nullable=False),
        sa.Column("games", _ID, nullable=False),
        sa.Column("won", _ID, nullable=False),
        sa.Column("lost", _ID, nullable=False),
        sa.Column("tied", _ID, nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.Column("revision", _ID, nullable=False),
    )
    op.create_index("ix_ratings_game_rating", "ratings", ["game", "rating"])
    op.create_table(
        "rating_changes",
        sa.Column("board_number", _ID, sa.ForeignKey("boards.number"), primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("before", _ID, nullable=False),
        sa.Column("after", _ID, nullable=False),
        sa.Column("games_before", _ID, nullable=False),
        sa.Column("outcome", _ID, nullable=False),
        sa.Column("undone_at", UtcDateTime(), nullable=True),
    )
    op.create_index("ix_rating_changes_player_id_game", "rating_changes", ["player_id", "game"])


def downgrade() -> None:
    """Forget it all.

    Raises:
        CommandError: there are events that have no old word.
    """
    events = sa.table("events", sa.column("board_number", _ID), sa.column("kind", sa.String))
    boards = sa.select(events.c.board_number).where(events.c.kind.in_(_NEW_KINDS)).distinct()
    numbers = sorted(op.get_bind().scalars(boards))
    if numbers:
        some = ", ".join(map(str, numbers[:20]))
        raise CommandError(f"no way back to 0004: offers and undone moves at boards {some}; restore a backup instead")
    for table in ("rating_changes", "ratings", "broadcasts", "digest_entries", "watches", "blocks", "seeks"):
        op.drop_table(table)
    op.drop_table("readiness")
    op.drop_index("uq_boards_tournament_place", "boards")
    op.drop_index("ix_boards_clock_at", "boards")
    for column in ("tournament_label", "tournament_round", "tournament_id", "pair"):
        op.drop_column("boards", column)
    for column in ("clock_at", "answer_by", "answer_nagged_at", "forfeit_at", "nagged_at", "clock"):
        op.drop_column("boards", column)
    for table in ("tournament_byes", "tournament_entries", "tournaments"):
        op.drop_table(table)
    op.drop_column("seats", "submitted")
    op.drop_column("seats", "queued")
    op.drop_column("players", "pace_seconds")
    op.drop_column("players", "seen_on")
    op.drop_column("players", "vacations")
