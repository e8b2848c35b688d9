"""Players of the same rating and number of games stand in the order of an index, however many they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

_INDEXES = {
    "ix_ratings_established": "games >= 20 AND here",
    "ix_ratings_provisional": "games > 0 AND games < 20 AND here",
}


def _make(*last: str) -> None:
    for name, only in _INDEXES.items():
        op.drop_index(name, "ratings")
        op.create_index(
            name,
            "ratings",
            ["game", "variant", "rating", "games", *last],
            sqlite_where=sa.text(f"{only} = 1"),
            postgresql_where=sa.text(only),
        )


def upgrade() -> None:
    _make("player_id", "idle_since")


def downgrade() -> None:
    _make("idle_since", "player_id")
