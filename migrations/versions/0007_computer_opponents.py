"""Tasks of the computer opponents. Downgrading drops them, so the opponents stay silent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0007"
down_revision = "0006"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tasks",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("board_number", _ID, sa.ForeignKey("boards.number"), nullable=False),
        sa.Column("event", _ID, nullable=False),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("moveno", _ID),
        sa.Column("asker_id", _ID, sa.ForeignKey("players.id")),
        sa.Column("budget", _ID, nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", _ID, nullable=False),
        sa.Column("next_attempt_at", UtcDateTime(), nullable=False),
        sa.Column("lease_owner", sa.String(64)),
        sa.Column("lease_until", UtcDateTime()),
        sa.Column("last_error", sa.Text()),
        sa.UniqueConstraint("asker_id"),
        sqlite_autoincrement=True,
    )
    waiting = sa.text("state = 'waiting'")
    op.create_index("ix_tasks_waiting_due_at", "tasks", ["due_at"], sqlite_where=waiting, postgresql_where=waiting)
    plays, one = sa.text("kind <> 'analyse'"), ["board_number", "player_id"]
    name = "ix_tasks_board_number_player_id"
    op.create_index(name, "tasks", one, unique=True, sqlite_where=plays, postgresql_where=plays)


def downgrade() -> None:
    op.drop_table("tasks")
