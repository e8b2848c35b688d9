"""Browsers are told when it is a player's turn (RFC 8030)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0026"
down_revision = "0025"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "push_subscriptions",
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("endpoint_hash", sa.String(64), nullable=False),
        sa.Column("public_key", sa.String(120), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_push_subscriptions"),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.secret_hash"], name="fk_push_subscriptions_session", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_push_subscriptions_player_id"),
    )
    op.create_index("ix_push_subscriptions_player_id", "push_subscriptions", ["player_id"])
    op.create_index("ix_push_subscriptions_endpoint_hash", "push_subscriptions", ["endpoint_hash"])
    op.create_table(
        "push_notices",
        sa.Column("id", _ID, nullable=False),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("board_number", _ID, nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", _ID, nullable=False),
        sa.Column("next_attempt_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_push_notices"),
        sa.ForeignKeyConstraint(
            ["session"], ["push_subscriptions.session"], name="fk_push_notices_session", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_push_notices_session_board_number", "push_notices", ["session", "board_number"])


def downgrade() -> None:
    op.drop_table("push_notices")
    op.drop_table("push_subscriptions")
