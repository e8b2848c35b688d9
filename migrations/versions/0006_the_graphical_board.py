"""Being signed in on the web. Taken back, everybody has to sign in again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0006"
down_revision = "0005"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False, index=True),
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False, index=True),
    )


def downgrade() -> None:
    op.drop_table("sessions")
