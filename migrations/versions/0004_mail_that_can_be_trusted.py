"""Bounces, pauses, limits, reports, and what the operator does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.storage.models import UtcDateTime

revision = "0004"
down_revision = "0003"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("players", sa.Column("standing", sa.String(16), server_default="active", nullable=False))
    op.add_column("players", sa.Column("mail_stopped", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("addresses", sa.Column("suppressed_at", UtcDateTime(), nullable=True))
    op.add_column("addresses", sa.Column("suppressed_why", sa.String(255), nullable=True))
    op.add_column("seats", sa.Column("quiet", sa.Boolean(), server_default=sa.false(), nullable=False))
    with op.batch_alter_table("confirmations") as confirmations:
        confirmations.alter_column("address", existing_type=sa.String(320), nullable=True)
        confirmations.add_column(sa.Column("password_hash", sa.String(255), nullable=True))
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("name", sa.String(64), nullable=True))
        outbox.add_column(sa.Column("subject", sa.Text(), nullable=True))
        outbox.alter_column("raw", existing_type=sa.LargeBinary(), nullable=True)
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"])
    op.create_index("ix_outbox_board_number_player_id", "outbox", ["board_number", "player_id"])
    op.create_index("ix_outbox_player_id", "outbox", ["player_id"])
    _tables()


def _tables() -> None:
    op.create_table(
        "clock_pauses",
        sa.Column("board_number", _ID, sa.ForeignKey("boards.number"), primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("began_at", UtcDateTime(), primary_key=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("why", sa.String(32), nullable=False),
    )
    op.create_table(
        "bounces",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("player_id", _ID, nullable=True, index=True),
        sa.Column("address_key", sa.String(320), nullable=False),
        sa.Column("permanent", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("diagnosis", sa.String(255), nullable=False),
        sa.Column("mail_id", _ID, nullable=True),
    )
    op.create_index("ix_bounces_address_key_at", "bounces", ["address_key", "at"])
    op.create_table(
        "correspondents",
        sa.Column("address_key", sa.String(320), primary_key=True),
        sa.Column("day", UtcDateTime(), nullable=False, index=True),
        sa.Column("hour", UtcDateTime(), nullable=False),
        sa.Column("answers", _ID, nullable=False),
        sa.Column("lately", _ID, nullable=False),
        sa.Column("unread", _ID, nullable=False),
        sa.Column("questions", _ID, nullable=False),
        sa.Column("said", sa.String(64), nullable=True),
    )
    op.create_table(
        "wrong_passwords",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("at", UtcDateTime(), nullable=False, index=True),
        sa.Column("userid", sa.String(64), nullable=False, index=True),
        sa.Column("domain", sa.String(64), nullable=False, index=True),
    )
    op.create_table(
        "reports",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("about_id", _ID, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("board_number", _ID, nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
    )
    op.create_table(
        "bulletins",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("posted_at", UtcDateTime(), nullable=False),
        sa.Column("ends_at", UtcDateTime(), nullable=True),
    )
    op.create_table(
        "deeds",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("operator", sa.String(64), nullable=False),
        sa.Column("deed", sa.String(64), nullable=False),
        sa.Column("subject", sa.String(320), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    for table in ("deeds", "bulletins", "reports", "wrong_passwords", "correspondents", "bounces", "clock_pauses"):
        op.drop_table(table)
    op.drop_index("ix_outbox_player_id", "outbox")
    op.drop_index("ix_outbox_board_number_player_id", "outbox")
    op.drop_index("ix_outbox_message_id", "outbox")
    op.execute("DELETE FROM outbox WHERE raw IS NULL")
    with op.batch_alter_table("outbox") as outbox:
        outbox.alter_column("raw", existing_type=sa.LargeBinary(), nullable=False)
        outbox.drop_column("subject")
        outbox.drop_column("name")
    op.execute("DELETE FROM confirmations WHERE address IS NULL")
    with op.batch_alter_table("confirmations") as confirmations:
        confirmations.drop_column("password_hash")
        confirmations.alter_column("address", existing_type=sa.String(320), nullable=False)
    op.drop_column("seats", "quiet")
    op.drop_column("addresses", "suppressed_why")
    op.drop_column("addresses", "suppressed_at")
    op.drop_column("players", "mail_stopped")
    op.drop_column("players", "standing")
