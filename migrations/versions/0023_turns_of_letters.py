"""In a crowd of letters each sender's first ones have an earlier turn than its later ones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_WAITS = sa.text("state = 'waiting'")
_WAITS_IN_LANE = sa.text("state = 'waiting' AND lane IS NOT NULL")


def _index_lanes_by(column: str) -> None:
    op.drop_index("ix_inbox_waiting_lane", "inbox")
    op.create_index(
        "ix_inbox_waiting_lane",
        "inbox",
        ["lane", column],
        sqlite_where=_WAITS_IN_LANE,
        postgresql_where=_WAITS_IN_LANE,
    )


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.add_column("inbox", sa.Column("turn", number, nullable=False, server_default="0"))
    op.create_index("ix_inbox_waiting_turn", "inbox", ["turn", "id"], sqlite_where=_WAITS, postgresql_where=_WAITS)
    _index_lanes_by("turn")


def downgrade() -> None:
    op.execute(sa.text("UPDATE inbox SET lane = NULL WHERE lane LIKE 'stranger %'"))  # a lane was a known sender's
    _index_lanes_by("id")
    op.drop_index("ix_inbox_waiting_turn", "inbox")
    op.drop_column("inbox", "turn")
