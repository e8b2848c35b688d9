"""Sign-ins to the operator's page, and indexes for counting what needs the operator.

Taken back, nobody is signed in there.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0010"
down_revision = "0009"

_INDEXES = (
    ("ix_inbox_shunted", "inbox", "id", "state = 'shunted'"),
    ("ix_outbox_failed", "outbox", "finished_at", "state = 'failed'"),
    ("ix_tasks_shunted", "tasks", "id", "state = 'shunted'"),
    ("ix_addresses_suppressed", "addresses", "suppressed_at", "suppressed_at IS NOT NULL"),
    ("ix_reports_open", "reports", "at", "closed_at IS NULL"),
)


def upgrade() -> None:
    op.create_table(
        "operator_keys",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("operator", sa.String(64), nullable=False),
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
    )
    for name, table, column, only in _INDEXES:
        op.create_index(name, table, [column], sqlite_where=sa.text(only), postgresql_where=sa.text(only))


def downgrade() -> None:
    for name, table, *_ in _INDEXES:
        op.drop_index(name, table)
    op.drop_table("operator_keys")
