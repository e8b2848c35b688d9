"""Userids that look alike are found at once; wrong passwords count by their source, and familiar ones are known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv"})


def upgrade() -> None:
    op.add_column("players", sa.Column("skeleton", sa.String(64), nullable=False, server_default=""))
    players = sa.table("players", sa.column("id"), sa.column("userid"), sa.column("skeleton"))
    connection = op.get_bind()
    rows = [{"which": row.id, "looks": _skeleton(row.userid)} for row in connection.execute(sa.select(players))]
    if rows:
        fill = sa.update(players).where(players.c.id == sa.bindparam("which")).values(skeleton=sa.bindparam("looks"))
        connection.execute(fill, rows)
    op.create_index("ix_players_skeleton", "players", ["skeleton"])
    _rename("domain", "source")
    op.create_table(
        "familiar_sources",
        sa.Column("player_id", _ID, sa.ForeignKey("players.id", name="fk_familiar_sources_player_id"), nullable=False),
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "source", name="pk_familiar_sources"),
    )
    op.create_index("ix_familiar_sources_used_at", "familiar_sources", ["used_at"])


def downgrade() -> None:
    op.drop_table("familiar_sources")
    _rename("source", "domain")
    op.drop_index("ix_players_skeleton", "players")
    op.drop_column("players", "skeleton")


def _rename(before: str, after: str) -> None:
    op.drop_index(f"ix_wrong_passwords_{before}", "wrong_passwords")
    # SQLite mends what refers to the column by itself; alembic would make the table anew
    op.execute(f"ALTER TABLE wrong_passwords RENAME COLUMN {before} TO {after}")
    op.create_index(f"ix_wrong_passwords_{after}", "wrong_passwords", [after])


def _skeleton(userid: str) -> str:
    key = userid.casefold()
    return ("".join(filter(str.isalnum, key)) or key).translate(_ALIKE)
