"""A letter in the inbox knows which host it came from, and the bytes of answers are counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_COUNT = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("inbox", sa.Column("client", sa.String(64)))
    op.add_column("correspondents", sa.Column("octets", _COUNT, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("correspondents", "octets")
    op.drop_column("inbox", "client")
