"""Which process has a mail in its hands, so that it is freed when that one dies. Taken back, its lease runs out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("lease_owner", sa.String(64)))


def downgrade() -> None:
    op.drop_column("outbox", "lease_owner")
