"""Preferences of players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("players", sa.Column("preferences", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("players", "preferences")
