"""The first tables: players, boards, letters, mails."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WAITING = sa.text("state = 'waiting'")


def upgrade() -> None:
    op.create_table(
        "boards",
        sa.Column("number", ID, autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("rules", ID, nullable=False),
        sa.Column("first", ID, nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revision", ID, nullable=False),
        sa.Column("event_number", ID, nullable=False),
        sa.Column("to_act", ID, nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("ending", sa.String(length=32), nullable=True),
        sa.Column("winners", sa.JSON(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_boards")),
    )
    op.create_index("ix_boards_game_active", "boards", ["game", "active"])

    op.create_table(
        "inbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sender", sa.String(length=320), nullable=False),
        sa.Column("recipients", sa.JSON(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", ID, nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_owner", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbox_waiting", "inbox", ["id"], sqlite_where=WAITING, postgresql_where=WAITING)
    op.create_index(
        "ix_inbox_waiting_sender", "inbox", ["sender", "id"], sqlite_where=WAITING, postgresql_where=WAITING
    )

    op.create_table(
        "letter_keys",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_letter_keys")),
    )
    op.create_index(op.f("ix_letter_keys_accepted_at"), "letter_keys", ["accepted_at"])

    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("sender", sa.String(length=320), nullable=False),
        sa.Column("recipient", sa.String(length=320), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("board_number", ID, nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", ID, nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
    )
    op.create_index("ix_outbox_due", "outbox", ["next_attempt_at"], sqlite_where=WAITING, postgresql_where=WAITING)

    op.create_table(
        "players",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("userid", sa.String(length=32), nullable=False),
        sa.Column("userid_key", sa.String(length=64), nullable=False),
        sa.Column("password_hash", sa.String(length=255), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revision", ID, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("userid_key", name=op.f("uq_players_userid_key")),
    )
    op.create_table(
        "addresses",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("address_key", sa.String(length=320), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("position", ID, nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_addresses_player_id")),
        sa.PrimaryKeyConstraint("player_id", "address_key", name=op.f("pk_addresses")),
    )
    op.create_index(op.f("ix_addresses_address_key"), "addresses", ["address_key"])

    op.create_table(
        "confirmations",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("line", sa.Text(), nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("board", ID, nullable=True),
        sa.Column("event", ID, nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_confirmations_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_confirmations")),
    )
    op.create_table(
        "events",
        sa.Column("board_number", ID, nullable=False),
        sa.Column("number", ID, nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("seat", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("record", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["board_number"], ["boards.number"], name=op.f("fk_events_board_number")),
        sa.PrimaryKeyConstraint("board_number", "number", name=op.f("pk_events")),
    )
    op.create_table(
        "seats",
        sa.Column("board_number", ID, nullable=False),
        sa.Column("seat", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("resigning", sa.Boolean(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["board_number"], ["boards.number"], name=op.f("fk_seats_board_number")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id")),
        sa.PrimaryKeyConstraint("board_number", "seat", name=op.f("pk_seats")),
    )
    op.create_index("ix_seats_player_active", "seats", ["player_id", "active", "board_number"])


def downgrade() -> None:
    for table in (
        "seats",
        "events",
        "confirmations",
        "addresses",
        "players",
        "outbox",
        "letter_keys",
        "inbox",
        "boards",
    ):
        op.drop_table(table)
