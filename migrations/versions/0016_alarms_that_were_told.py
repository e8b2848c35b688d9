"""The operator hears of the same trouble once an hour, restarts or not."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "alarms_told",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("alarms_told")
