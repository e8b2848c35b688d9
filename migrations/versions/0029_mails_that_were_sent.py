"""Mails that were sent are kept in few bytes; those from before keep all theirs until their days are over.

Taken back, what is kept of sent mails is lost: they cannot be sent again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("packed", sa.LargeBinary()))


def downgrade() -> None:
    op.drop_column("outbox", "packed")
