"""Mailboxes that letters are fetched from: the place up to which each has been looked at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0030"
down_revision = "0029"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "mailboxes",
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("uid_validity", _NUMBER),
        sa.Column("uid_next", _NUMBER),
        sa.Column("began_at", UtcDateTime()),
        sa.Column("newest_at", UtcDateTime()),
        sa.Column("lease_owner", sa.String(64)),
        sa.Column("lease_until", UtcDateTime()),
        sa.PrimaryKeyConstraint("name", name="pk_mailboxes"),
    )


def downgrade() -> None:
    op.drop_table("mailboxes")
