"""Letters note the board that they seem to be about, so that several processes keep the order of a board's letters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

_WAITS = sa.text("state = 'waiting' AND board_number IS NOT NULL")


def upgrade() -> None:
    op.add_column("inbox", sa.Column("board_number", sa.BigInteger().with_variant(sa.Integer, "sqlite")))
    op.create_index(
        "ix_inbox_waiting_board", "inbox", ["board_number", "id"], sqlite_where=_WAITS, postgresql_where=_WAITS
    )


def downgrade() -> None:
    op.drop_index("ix_inbox_waiting_board", "inbox")
    op.drop_column("inbox", "board_number")
