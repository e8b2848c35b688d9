"""Letters of known senders wait in lanes of their own, and of unreadable ones the beginning is kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

_WAITS_IN_LANE = sa.text("state = 'waiting' AND lane IS NOT NULL")


def upgrade() -> None:
    op.add_column("inbox", sa.Column("lane", sa.String(320)))
    op.add_column("inbox", sa.Column("unread_bytes", sa.BigInteger().with_variant(sa.Integer, "sqlite")))
    op.create_index(
        "ix_inbox_waiting_lane",
        "inbox",
        ["lane", "id"],
        sqlite_where=_WAITS_IN_LANE,
        postgresql_where=_WAITS_IN_LANE,
    )


def downgrade() -> None:
    op.drop_index("ix_inbox_waiting_lane", "inbox")
    op.drop_column("inbox", "unread_bytes")
    op.drop_column("inbox", "lane")
