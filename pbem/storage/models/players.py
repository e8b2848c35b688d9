"""Tables of players, their settings, sessions and tokens."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import Base, partial_index

_EMPTY = text("''")


class PlayerRow(Base):
    """Somebody who has signed up, or plays as a guest."""

    __tablename__ = "players"
    __table_args__ = (partial_index("ix_players_guest_until", "guest_until", only="guest_until IS NOT NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    userid: Mapped[str] = mapped_column(String(32))
    userid_key: Mapped[str] = mapped_column(String(64), unique=True)
    """The userid with its case folded."""
    skeleton: Mapped[str] = mapped_column(String(64), index=True, server_default=_EMPTY)
    """The same for all userids that look alike."""
    password_hash: Mapped[str | None] = mapped_column(String(255))
    created_at: Mapped[datetime]
    revision: Mapped[int]
    preferences: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The player's choices; NULL if there are none."""
    standing: Mapped[str] = mapped_column(String(16), server_default="active")
    """``active``, ``frozen``, ``banned`` or ``gone``."""
    mail_stopped: Mapped[bool] = mapped_column(server_default=false())
    """The operator has stopped all mail to the player."""
    vacations: Mapped[list[list[str]] | None] = mapped_column(JSON(none_as_null=True))
    """Of the last year, oldest first: beginning and end of each; NULL if there was none."""
    seen_on: Mapped[date | None]
    """The last day on which the player was heard of."""
    pace_seconds: Mapped[int | None]
    """The median time per move when a board of the player last ended; NULL: none has."""
    guest_until: Mapped[datetime | None]
    """When the row goes, of a guest who plays without an account; NULL: it is somebody who has signed up."""


Index("ix_players_seen_on_userid_key", PlayerRow.seen_on.desc(), PlayerRow.userid_key)


class AddressRow(Base):
    """One address of a player."""

    __tablename__ = "addresses"
    __table_args__ = (partial_index("ix_addresses_suppressed", "suppressed_at", only="suppressed_at IS NOT NULL"),)

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    address_key: Mapped[str] = mapped_column(String(320), primary_key=True, index=True)
    """The address with its case folded; several players may share one."""
    address: Mapped[str] = mapped_column(String(320))
    position: Mapped[int]
    confirmed_at: Mapped[datetime | None]
    suppressed_at: Mapped[datetime | None]
    """Since when nothing is mailed there, because mails have come back; NULL if they arrive."""
    suppressed_why: Mapped[str | None] = mapped_column(String(255))


class BlockRow(Base):
    """A player wants nothing from another."""

    __tablename__ = "blocks"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True, index=True)


class ConfirmationRow(Base):
    """A question that one reply answers."""

    __tablename__ = "confirmations"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    nonce: Mapped[int] = mapped_column(server_default="0")
    kind: Mapped[str] = mapped_column(String(32))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    address: Mapped[str | None] = mapped_column(String(320))
    """The address that the question went to; NULL: to all that the player had confirmed."""
    asked_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    line: Mapped[str | None] = mapped_column(Text)
    password_hash: Mapped[str | None] = mapped_column(String(255))
    """Of the password that a change is about."""
    comment: Mapped[str] = mapped_column(Text)
    board: Mapped[int | None]
    event: Mapped[int | None]
    session: Mapped[str | None] = mapped_column(String(64))
    """The hash of the session in which it was asked for."""
    guest_id: Mapped[int | None]
    """Of a signup: the guest whose boards come along, who may have gone by now."""
    answered_at: Mapped[datetime | None]


class WrongPasswordRow(Base):
    """A wrong password: for which userid and from which source, both only as fingerprints."""

    __tablename__ = "wrong_passwords"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    userid: Mapped[str] = mapped_column(String(64), index=True)
    source: Mapped[str] = mapped_column(String(64), index=True)
    """The part of its origin that the sender could not forge; see `pbem.usecases.wrong_passwords`."""


class FamiliarSourceRow(Base):
    """A source of right passwords of a player, as a fingerprint."""

    __tablename__ = "familiar_sources"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    used_at: Mapped[datetime] = mapped_column(index=True)
    """When one last did, to a few days."""


class ReportRow(Base):
    """A player's report to the operator about another."""

    __tablename__ = "reports"
    __table_args__ = (partial_index("ix_reports_open", "at", only="closed_at IS NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    about_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    board_number: Mapped[int | None]
    text: Mapped[str] = mapped_column(Text)
    closed_at: Mapped[datetime | None]
    note: Mapped[str | None] = mapped_column(Text)
    """The operator's note about it."""


class TokenRow(Base):
    """A token of a program."""

    __tablename__ = "tokens"

    secret_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the secret that its player has been shown."""
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    made_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    counted_since: Mapped[datetime | None]
    posts: Mapped[int]
    """The number of commands that it has brought since then."""


class TokenPostRow(Base):
    """The answer to a program that may ask the same again."""

    __tablename__ = "token_posts"

    token: Mapped[str] = mapped_column(ForeignKey("tokens.secret_hash"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """A hash of what the program calls it."""
    said: Mapped[str] = mapped_column(String(64))
    """A hash of what it said."""
    at: Mapped[datetime]
    status: Mapped[int]
    answer: Mapped[str] = mapped_column(Text)


class SessionRow(Base):
    """A browser in which a player has signed in."""

    __tablename__ = "sessions"

    secret_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the secret that the browser keeps."""
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    began_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class OperatorKeyRow(Base):
    """A key to the operator's page: a link, valid once, or the session that it led to."""

    __tablename__ = "operator_keys"

    secret_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the secret in the link, or of the one that the browser keeps."""
    kind: Mapped[str] = mapped_column(String(8))
    """``link`` or ``session``."""
    operator: Mapped[str] = mapped_column(String(64))
    """The account on the machine that asked for the link."""
    began_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class RemarkRow(Base):
    """A remark by a player at a board."""

    __tablename__ = "remarks"

    id: Mapped[int] = mapped_column(primary_key=True)
    board_number: Mapped[int] = mapped_column(ForeignKey("boards.number"), index=True)
    event: Mapped[int]
    """The number of the board's last event by then."""
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)


class NoteRow(Base):
    """The private note of a player at a board."""

    __tablename__ = "notes"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True, autoincrement=False)
    board_number: Mapped[int] = mapped_column(
        ForeignKey("boards.number"), primary_key=True, autoincrement=False, index=True
    )
    text: Mapped[str] = mapped_column(Text)
    changed_at: Mapped[datetime]
    revision: Mapped[int]


class StudyRow(Base):
    """A player's study of the game of a board."""

    __tablename__ = "studies"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True, autoincrement=False)
    board_number: Mapped[int] = mapped_column(
        ForeignKey("boards.number"), primary_key=True, autoincrement=False, index=True
    )
    title: Mapped[str] = mapped_column(String(80))
    content: Mapped[list[Any]] = mapped_column(JSON)
    """As in a record."""
    key: Mapped[str | None] = mapped_column(String(32), unique=True)
    """Of its link; NULL while it is private."""
    changed_at: Mapped[datetime]
    revision: Mapped[int]
