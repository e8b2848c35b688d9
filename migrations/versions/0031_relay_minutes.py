"""Mails taken for the relay, minute by minute, where a provider limits them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0031"
down_revision = "0030"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "relay_minutes",
        sa.Column("minute", UtcDateTime(), nullable=False),
        sa.Column("mails", _NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("minute", name="pk_relay_minutes"),
    )


def downgrade() -> None:
    op.drop_table("relay_minutes")
