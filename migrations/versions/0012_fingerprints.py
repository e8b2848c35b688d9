"""By what boards in play are found that stand alike; those that stand there get theirs with their next move.

Taken back, their last moves are looked through again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("boards", sa.Column("fingerprint", sa.String(32)))
    names = ["game", "fingerprint"]
    on_sqlite, only = sa.text("active = 1"), sa.text("active")
    op.create_index("ix_boards_fingerprint", "boards", names, sqlite_where=on_sqlite, postgresql_where=only)


def downgrade() -> None:
    op.drop_index("ix_boards_fingerprint", "boards")
    op.drop_column("boards", "fingerprint")
