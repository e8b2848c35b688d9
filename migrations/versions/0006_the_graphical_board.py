"""Being signed in, words at boards, tokens of programs, long lists. Taken back, all but the lists is forgotten."""

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
    op.create_table(
        "remarks",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("board_number", _ID, sa.ForeignKey("boards.number"), nullable=False, index=True),
        sa.Column("event", _ID, nullable=False),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False, index=True),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False, index=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.Column("used_at", UtcDateTime()),
        sa.Column("counted_since", UtcDateTime()),
        sa.Column("posts", _ID, nullable=False),
    )
    op.create_table(
        "token_posts",
        sa.Column("token", sa.String(64), sa.ForeignKey("tokens.digest"), primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("said", sa.String(64), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("status", _ID, nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
    )
    op.add_column("confirmations", sa.Column("session", sa.String(64)))
    op.create_index("ix_boards_active_finished_at_number", "boards", ["active", "finished_at", "number"])


def downgrade() -> None:
    op.drop_index("ix_boards_active_finished_at_number", "boards")
    op.drop_column("confirmations", "session")
    op.drop_table("token_posts")
    op.drop_table("tokens")
    op.drop_table("remarks")
    op.drop_table("sessions")
