"""Bounces, pauses, limits, reports, and what the operator does.

Taken back, it lets everybody in again: who was frozen or banned, and addresses that mails had come back from. Boards
that the operator has annulled count as declined. Letters that were stored meanwhile are not known when they are
brought again.
"""

from __future__ import annotations

from email import policy
from email.parser import BytesHeaderParser
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

from pbem.storage.models import UtcDateTime

revision = "0004"
down_revision = "0003"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_HEAD = 8192
"""Bytes of a mail in which its Subject is."""
_AT_ONCE = 500

_OUTBOX = sa.table("outbox", sa.column("id", _ID), sa.column("subject", sa.Text), sa.column("raw", sa.LargeBinary))
_EVENTS = sa.table(
    "events",
    sa.column("board_number", _ID),
    sa.column("number", _ID),
    sa.column("kind", sa.String),
    sa.column("record", sa.JSON(none_as_null=True)),
)


def upgrade() -> None:
    op.add_column("players", sa.Column("standing", sa.String(16), server_default="active", nullable=False))
    op.add_column("players", sa.Column("mail_stopped", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("addresses", sa.Column("suppressed_at", UtcDateTime(), nullable=True))
    op.add_column("addresses", sa.Column("suppressed_why", sa.String(255), nullable=True))
    op.add_column("seats", sa.Column("quiet", sa.Boolean(), server_default=sa.false(), nullable=False))
    with op.batch_alter_table("confirmations") as confirmations:
        confirmations.alter_column("address", existing_type=sa.String(320), nullable=True)
        confirmations.add_column(sa.Column("password_hash", sa.String(255), nullable=True))
        confirmations.add_column(sa.Column("nonce", _ID, server_default="0", nullable=False))
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("name", sa.String(64), nullable=True))
        outbox.add_column(sa.Column("subject", sa.Text(), nullable=True))
        outbox.alter_column("raw", existing_type=sa.LargeBinary(), nullable=True)
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"])
    op.create_index("ix_outbox_board_number_player_id", "outbox", ["board_number", "player_id"])
    op.create_index("ix_outbox_player_id", "outbox", ["player_id"])
    _note_subjects(op.get_bind())
    _tables()


def _note_subjects(connection: sa.Connection) -> None:
    """Note the Subjects of the mails that are there, for `mailed`; of which notice they are nobody knows any more."""
    last, parser = 0, BytesHeaderParser(policy=policy.default)
    while True:
        head = sa.func.substr(_OUTBOX.c.raw, 1, _HEAD).label("head")
        some = sa.select(_OUTBOX.c.id, head).where(_OUTBOX.c.id > last).order_by(_OUTBOX.c.id).limit(_AT_ONCE)
        rows = connection.execute(some).all()
        if not rows:
            return
        for row in rows:
            subject = " ".join(str(parser.parsebytes(row.head)["Subject"] or "").split())
            connection.execute(sa.update(_OUTBOX).where(_OUTBOX.c.id == row.id).values(subject=subject or None))
        last = rows[-1].id


def _tables() -> None:
    op.create_table(
        "clock_pauses",
        sa.Column("board_number", _ID, sa.ForeignKey("boards.number"), primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("began_at", UtcDateTime(), primary_key=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("why", sa.String(32), primary_key=True),
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
    _put_deeds_in_old_words(op.get_bind())
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
    op.execute("DELETE FROM confirmations WHERE address IS NULL OR kind NOT IN ('address', 'command')")
    with op.batch_alter_table("confirmations") as confirmations:
        confirmations.drop_column("nonce")
        confirmations.drop_column("password_hash")
        confirmations.alter_column("address", existing_type=sa.String(320), nullable=False)
    op.drop_column("seats", "quiet")
    op.drop_column("addresses", "suppressed_why")
    op.drop_column("addresses", "suppressed_at")
    op.drop_column("players", "mail_stopped")
    op.drop_column("players", "standing")


def _put_deeds_in_old_words(connection: sa.Connection) -> None:
    """Leave no event that the version before cannot read; the numbers of the others stay as they are.

    Raises:
        CommandError: somebody plays on for somebody else, and there is no old word for that.
    """
    handed = sa.select(_EVENTS.c.board_number).where(_EVENTS.c.kind == "handover").distinct()
    numbers = sorted(connection.scalars(handed))
    if numbers:
        boards = ", ".join(map(str, numbers))
        raise CommandError(f"no way back to 0003: seats were handed over at boards {boards}; restore a backup instead")
    declined = sa.select(*_EVENTS.c).where(_EVENTS.c.kind == "decline", _EVENTS.c.record.is_not(None))
    for row in connection.execute(declined).all():
        if "by" in row.record:
            _set_record(connection, row, {key: value for key, value in row.record.items() if key != "by"})
    connection.execute(sa.update(_EVENTS).where(_EVENTS.c.kind == "annulment").values(kind="decline", record=sa.null()))
    op.execute("UPDATE boards SET ending = 'declined' WHERE ending = 'annulled'")


def _set_record(connection: sa.Connection, event: sa.Row[Any], record: dict[str, Any]) -> None:
    """Give an event another record; an empty one is none."""
    mine = _EVENTS.c.board_number == event.board_number, _EVENTS.c.number == event.number
    connection.execute(sa.update(_EVENTS).where(*mine).values(record=record or sa.null()))
