"""A letter in the inbox knows which host it came from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("inbox", sa.Column("client", sa.String(64)))


def downgrade() -> None:
    op.drop_column("inbox", "client")
