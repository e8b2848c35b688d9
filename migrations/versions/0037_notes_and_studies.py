"""Private notes of players at boards, and their studies of finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0037"
down_revision = "0036"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    _table("notes", sa.Column("text", sa.Text(), nullable=False))
    _table(
        "studies",
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("key", sa.String(32), nullable=True),
        sa.UniqueConstraint("key", name="uq_studies_key"),
    )


def _table(name: str, *more: sa.schema.SchemaItem) -> None:
    op.create_table(
        name,
        sa.Column("player_id", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("board_number", _NUMBER, autoincrement=False, nullable=False),
        *more,
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("revision", _NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "board_number", name=f"pk_{name}"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=f"fk_{name}_player_id"),
        sa.ForeignKeyConstraint(["board_number"], ["boards.number"], name=f"fk_{name}_board_number"),
    )
    op.create_index(f"ix_{name}_board_number", name, ["board_number"])


def downgrade() -> None:
    op.drop_table("studies")
    op.drop_table("notes")
