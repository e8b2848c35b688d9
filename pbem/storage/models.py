"""The tables. Times are aware and in UTC; ``migrations/`` makes what stands here."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, stored in UTC; SQLite, which knows no zones, gets it without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive moments; turn others to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a timezone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment its zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_Id = BigInteger().with_variant(Integer, "sqlite")


class Base(DeclarativeBase):
    """Root of the tables; constraints are named alike on both databases, so that migrations find them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime, dict[str, Any]: JSON, int: _Id}  # noqa: RUF012 - SQLAlchemy's own form


class PlayerRow(Base):
    """Somebody who has signed up."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    userid: Mapped[str] = mapped_column(String(32))
    userid_key: Mapped[str] = mapped_column(String(64), unique=True)
    """The userid with its case folded."""
    password_hash: Mapped[str | None] = mapped_column(String(255))
    created_at: Mapped[datetime]
    revision: Mapped[int]
    preferences: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """What the player has chosen; NULL if nothing."""
    standing: Mapped[str] = mapped_column(String(16), server_default="active")
    """``active``, ``frozen``, ``banned`` or ``gone``."""
    mail_stopped: Mapped[bool] = mapped_column(server_default=false())
    """Whether the operator has stopped all mail to the player."""


class AddressRow(Base):
    """One address of a player."""

    __tablename__ = "addresses"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    address_key: Mapped[str] = mapped_column(String(320), primary_key=True, index=True)
    """The address with its case folded; several players may share one."""
    address: Mapped[str] = mapped_column(String(320))
    position: Mapped[int]
    confirmed_at: Mapped[datetime | None]
    suppressed_at: Mapped[datetime | None]
    """Since when nothing is mailed there, because mails have come back; NULL if they arrive."""
    suppressed_why: Mapped[str | None] = mapped_column(String(255))


class BoardRow(Base):
    """One game between players. What follows from the events is kept beside them only to be searched."""

    __tablename__ = "boards"
    __table_args__ = (Index("ix_boards_game_active", "game", "active"),)

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32))
    options: Mapped[dict[str, Any]]
    rules: Mapped[int]
    first: Mapped[int]
    begun_at: Mapped[datetime]
    rated: Mapped[bool] = mapped_column(server_default=true())
    """Whether the result may count; that of an imported game does not."""
    revision: Mapped[int]
    event_number: Mapped[int]
    to_act: Mapped[int | None]
    """The seat that must play or decide; NULL when the board is over."""
    active: Mapped[bool]
    ending: Mapped[str | None] = mapped_column(String(32))
    winners: Mapped[list[int] | None] = mapped_column(JSON)
    finished_at: Mapped[datetime | None]


class SeatRow(Base):
    """A player's place at a board."""

    __tablename__ = "seats"
    __table_args__ = (Index("ix_seats_player_active", "player_id", "active", "board_number"),)

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    resigning: Mapped[bool]
    quiet: Mapped[bool] = mapped_column(server_default=false())
    """Whether the player wants mail of this board only when it is for him to act, and at the end."""
    active: Mapped[bool]
    """Whether the board is on, repeated here so that a player's boards are found by one index."""


class EventRow(Base):
    """One thing that happened at a board. Its key forbids that two things happen at once."""

    __tablename__ = "events"

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(32))
    seat: Mapped[int]
    at: Mapped[datetime]
    record: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))


class PauseRow(Base):
    """A stretch of time that no clock of a board counts, because mail does not reach one of its players."""

    __tablename__ = "clock_pauses"

    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    began_at: Mapped[datetime] = mapped_column(primary_key=True)
    ended_at: Mapped[datetime | None]
    """NULL while it lasts."""
    why: Mapped[str] = mapped_column(String(32), primary_key=True)


class ConfirmationRow(Base):
    """A question that one reply answers."""

    __tablename__ = "confirmations"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    nonce: Mapped[int] = mapped_column(server_default="0")
    kind: Mapped[str] = mapped_column(String(32))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    address: Mapped[str | None] = mapped_column(String(320))
    """Where the question went; NULL: to all that the player had confirmed."""
    asked_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    line: Mapped[str | None] = mapped_column(Text)
    password_hash: Mapped[str | None] = mapped_column(String(255))
    """Of the password that a change is about."""
    comment: Mapped[str] = mapped_column(Text)
    board: Mapped[int | None]
    event: Mapped[int | None]
    answered_at: Mapped[datetime | None]


class LetterRow(Base):
    """A letter in the inbox. A finished one keeps no bytes: there may be a password in them."""

    # AUTOINCREMENT: the number is part of the keys of its mails, and must not come again.
    __tablename__ = "inbox"
    __table_args__ = (
        Index(
            "ix_inbox_waiting",
            "id",
            sqlite_where=text("state = 'waiting'"),
            postgresql_where=text("state = 'waiting'"),
        ),
        Index(
            "ix_inbox_waiting_sender",
            "sender",
            "id",
            sqlite_where=text("state = 'waiting'"),
            postgresql_where=text("state = 'waiting'"),
        ),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    received_at: Mapped[datetime]
    sender: Mapped[str] = mapped_column(String(320))
    recipients: Mapped[list[str]] = mapped_column(JSON)
    raw: Mapped[bytes | None] = mapped_column(LargeBinary)
    state: Mapped[str] = mapped_column(String(16))
    """``waiting``, ``done``, ``shunted`` or ``dropped``."""
    attempts: Mapped[int]
    next_attempt_at: Mapped[datetime]
    lease_owner: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[datetime | None]
    last_error: Mapped[str | None] = mapped_column(Text)
    finished_at: Mapped[datetime | None]


class LetterKeyRow(Base):
    """What a letter is recognised by when it is transmitted again."""

    __tablename__ = "letter_keys"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    accepted_at: Mapped[datetime] = mapped_column(index=True)


class MailRow(Base):
    """A mail in the outbox, in its final bytes."""

    __tablename__ = "outbox"
    __table_args__ = (
        UniqueConstraint("key"),
        Index(
            "ix_outbox_due",
            "next_attempt_at",
            sqlite_where=text("state = 'waiting'"),
            postgresql_where=text("state = 'waiting'"),
        ),
        Index("ix_outbox_board_number_player_id", "board_number", "player_id"),
        Index("ix_outbox_player_id", "player_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64))
    """What caused it and which of that one's mails it is; a second copy cannot be stored."""
    message_id: Mapped[str] = mapped_column(String(255), index=True)
    name: Mapped[str | None] = mapped_column(String(64))
    """Of the notice that it says: ``board``, ``welcome``."""
    subject: Mapped[str | None] = mapped_column(Text)
    sender: Mapped[str] = mapped_column(String(320))
    recipient: Mapped[str] = mapped_column(String(320))
    player_id: Mapped[int | None]
    board_number: Mapped[int | None]
    raw: Mapped[bytes | None] = mapped_column(LargeBinary)
    """NULL once it has been sent for long enough."""
    created_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(16))
    """``waiting``, ``sent``, ``failed`` (never taken by the relay), ``bounced`` (it came back), ``dropped``, or
    ``withheld``: no mail reaches the player, so it was never to be sent, and has no recipient."""
    attempts: Mapped[int]
    next_attempt_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    last_error: Mapped[str | None] = mapped_column(Text)
    finished_at: Mapped[datetime | None]


class BounceRow(Base):
    """A mail that came back."""

    __tablename__ = "bounces"
    __table_args__ = (Index("ix_bounces_address_key_at", "address_key", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    player_id: Mapped[int | None] = mapped_column(index=True)
    address_key: Mapped[str] = mapped_column(String(320))
    """Empty once mail has arrived there again: nothing is held against the address any more."""
    permanent: Mapped[bool]
    status: Mapped[str] = mapped_column(String(16))
    """RFC 3463: ``5.1.1``; empty if the report has none."""
    diagnosis: Mapped[str] = mapped_column(String(255))
    mail_id: Mapped[int | None]
    """The mail in the outbox, where it could be found."""


class CorrespondentRow(Base):
    """What an address has been answered lately, so that a loop dies by itself."""

    __tablename__ = "correspondents"

    address_key: Mapped[str] = mapped_column(String(320), primary_key=True)
    day: Mapped[datetime] = mapped_column(index=True)
    """When the day began that is counted."""
    hour: Mapped[datetime]
    answers: Mapped[int]
    lately: Mapped[int]
    """Answers in the hour."""
    unread: Mapped[int]
    """Letters in a row that could not be understood, or said the same again."""
    questions: Mapped[int]
    """Asked of it, whoever caused them."""
    said: Mapped[str | None] = mapped_column(String(64))
    """A fingerprint of its last command."""


class WrongPasswordRow(Base):
    """A wrong password: for which userid and from which domain, both only as fingerprints."""

    __tablename__ = "wrong_passwords"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    userid: Mapped[str] = mapped_column(String(64), index=True)
    domain: Mapped[str] = mapped_column(String(64), index=True)


class ReportRow(Base):
    """What a player has told the operator about another."""

    __tablename__ = "reports"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    about_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    board_number: Mapped[int | None]
    text: Mapped[str] = mapped_column(Text)
    closed_at: Mapped[datetime | None]
    note: Mapped[str | None] = mapped_column(Text)
    """What the operator has noted of it."""


class BulletinRow(Base):
    """What the operator tells everybody, such as when the server will be down for maintenance."""

    __tablename__ = "bulletins"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    posted_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    """NULL: until it is taken down."""


class DeedRow(Base):
    """What an operator has done with ``pbem admin``."""

    __tablename__ = "deeds"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    operator: Mapped[str] = mapped_column(String(64))
    """The account on the machine."""
    deed: Mapped[str] = mapped_column(String(64))
    """``player freeze``, ``board annul``."""
    subject: Mapped[str] = mapped_column(String(320))
    """Whom or what it was done to."""
    reason: Mapped[str] = mapped_column(Text)
