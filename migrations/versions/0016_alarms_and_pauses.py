"""The operator hears of trouble once an hour, restarts or not; clocks stand for mails that come back for a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0013"

_PAUSES = sa.table(
    "clock_pauses",
    sa.column("board_number", sa.Integer),
    sa.column("why", sa.String),
    sa.column("ended_at", sa.DateTime(timezone=True)),
    sa.column("ends_by", sa.DateTime(timezone=True)),
)
_BOARDS = sa.table(
    "boards",
    sa.column("number", sa.Integer),
    sa.column("active", sa.Boolean),
    sa.column("clock_at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    op.create_table(
        "alarms_told",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.add_column("clock_pauses", sa.Column("ends_by", sa.DateTime(timezone=True)))
    soon = datetime.now(UTC) + timedelta(days=14)
    if op.get_bind().dialect.name == "sqlite":  # which keeps moments without a zone
        soon = soon.replace(tzinfo=None)
    lasting = (_PAUSES.c.why == "unreachable") & _PAUSES.c.ended_at.is_(None)
    op.execute(_PAUSES.update().where(lasting).values(ends_by=soon))
    standing = _BOARDS.c.number.in_(sa.select(_PAUSES.c.board_number).where(lasting))
    op.execute(_BOARDS.update().where(_BOARDS.c.active, standing).values(clock_at=soon))


def downgrade() -> None:
    op.drop_column("clock_pauses", "ends_by")
    op.drop_table("alarms_told")
