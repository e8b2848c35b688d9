"""Which puzzles players have solved. Taken back, that is forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0008"
down_revision = "0007"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "solved_puzzles",
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("puzzle", _ID, primary_key=True, autoincrement=False),
        sa.Column("solved_at", UtcDateTime(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("solved_puzzles")
