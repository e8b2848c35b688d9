"""The last good backup in each folder, what became of the last attempt, and the process that makes one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0032"
down_revision = "0031"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "backups",
        sa.Column("name", sa.String(1000), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=True),
        sa.Column("file", sa.String(255), nullable=True),
        sa.Column("octets", _NUMBER, nullable=True),
        sa.Column("failed_at", UtcDateTime(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("lease_owner", sa.String(64), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_backups"),
    )


def downgrade() -> None:
    op.drop_table("backups")
