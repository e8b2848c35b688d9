"""Plans: moves that are made if others play certain ones; a single queued move stays in its column."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.add_column("seats", sa.Column("plan", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("seats", "plan")
