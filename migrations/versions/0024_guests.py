"""Guests play without an account; their boards are on no list, and their tasks come after all others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_OVER = "ending NOT IN ('declined', 'annulled')"
_LISTS = {
    "ix_boards_active_number": ["number"],
    "ix_boards_active_game_number": ["game", "number"],
    "ix_boards_finished_at": ["finished_at", "number", "ending", "active"],
    "ix_boards_finished_game_at": ["game", "finished_at", "number", "ending", "active"],
}
_IS_GUEST = sa.text("guest_until IS NOT NULL")


def _index_lists(*, without_guests: bool) -> None:
    for name, columns in _LISTS.items():
        op.drop_index(name, "boards")
        on, over = ("active", "NOT active"), ("active = 1", "active = 0")
        on_postgresql, on_sqlite = (
            (f"{each[1]} AND {_OVER}" if "finished" in name else each[0]) for each in (on, over)
        )
        if without_guests:
            on_postgresql, on_sqlite = f"{on_postgresql} AND NOT of_guest", f"{on_sqlite} AND of_guest = 0"
        lite, postgresql = sa.text(on_sqlite), sa.text(on_postgresql)
        op.create_index(name, "boards", columns, sqlite_where=lite, postgresql_where=postgresql)


def upgrade() -> None:
    op.add_column("players", sa.Column("guest_until", sa.DateTime(timezone=True)))
    op.create_index(
        "ix_players_guest_until", "players", ["guest_until"], sqlite_where=_IS_GUEST, postgresql_where=_IS_GUEST
    )
    op.add_column("confirmations", sa.Column("guest_id", sa.BigInteger().with_variant(sa.Integer, "sqlite")))
    for table in ("boards", "tasks"):
        op.add_column(table, sa.Column("of_guest", sa.Boolean, nullable=False, server_default=sa.false()))
    _index_lists(without_guests=True)


def downgrade() -> None:
    _index_lists(without_guests=False)
    for table in ("tasks", "boards"):
        op.drop_column(table, "of_guest")
    op.drop_column("confirmations", "guest_id")
    op.drop_index("ix_players_guest_until", "players")
    op.drop_column("players", "guest_until")
