"""Userids that look alike are found at once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

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


def downgrade() -> None:
    op.drop_index("ix_players_skeleton", "players")
    op.drop_column("players", "skeleton")


def _skeleton(userid: str) -> str:
    key = userid.casefold()
    return ("".join(filter(str.isalnum, key)) or key).translate(_ALIKE)
