"""Troubles with relays and mailboxes, as all processes see them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0033"
down_revision = "0032"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "troubles",
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("is_busy", sa.Boolean(), nullable=False),
        sa.Column("rest_seconds", _NUMBER, nullable=False),
        sa.Column("until", UtcDateTime(), nullable=False),
        sa.Column("over_at", UtcDateTime()),
        sa.PrimaryKeyConstraint("name", name="pk_troubles"),
    )


def downgrade() -> None:
    op.drop_table("troubles")
