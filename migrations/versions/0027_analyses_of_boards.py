"""Analyses are kept with their boards, whose pages show them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0027"
down_revision = "0026"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "board_analyses",
        sa.Column("board_number", _ID, autoincrement=False, nullable=False),
        sa.Column("playouts", _ID, nullable=False),
        sa.Column("looks", sa.JSON, nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("board_number", name="pk_board_analyses"),
        sa.ForeignKeyConstraint(["board_number"], ["boards.number"], name="fk_board_analyses_board_number"),
    )


def downgrade() -> None:
    op.drop_table("board_analyses")
