"""Openings of finished games, as they are counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "opening_turns",
        sa.Column("before", sa.LargeBinary(16), nullable=False),
        sa.Column("after", sa.LargeBinary(16), nullable=False),
        sa.Column("with_robots", sa.Boolean(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("games", _NUMBER, nullable=False),
        sa.Column("won", _NUMBER, nullable=False),
        sa.Column("tied", _NUMBER, nullable=False),
        sa.Column("rated", _NUMBER, nullable=False),
        sa.Column("ratings", _NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("before", "after", "with_robots", name="pk_opening_turns"),
    )
    op.create_table(
        "opening_games",
        sa.Column("board_number", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("with_robots", sa.Boolean(), nullable=False),
        sa.Column("winners", sa.JSON(), nullable=False),
        sa.Column("ratings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("board_number", name="pk_opening_games"),
        sa.ForeignKeyConstraint(["board_number"], ["boards.number"], name="fk_opening_games_board_number"),
    )


def downgrade() -> None:
    op.drop_table("opening_games")
    op.drop_table("opening_turns")
