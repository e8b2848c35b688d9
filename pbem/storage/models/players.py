"""Tables of players, their settings, sessions and tokens."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text, false, text

from pbem.storage.models.base import Base, Stored, column, partial_index

_EMPTY = text("''")


class PlayerRow(Base):
    """Somebody who has signed up, or plays as a guest."""

    __tablename__ = "players"
    __table_args__ = (partial_index("ix_players_guest_until", "guest_until", only="guest_until IS NOT NULL"),)

    id: Stored[int] = column(primary_key=True, autoincrement=False)
    userid: Stored[str] = column(String(32))
    userid_key: Stored[str] = column(String(64), unique=True)
    """The userid with its case folded."""
    skeleton: Stored[str] = column(String(64), index=True, server_default=_EMPTY)
    """The same for all userids that look alike."""
    password_hash: Stored[str | None] = column(String(255))
    created_at: Stored[datetime]
    revision: Stored[int]
    preferences: Stored[dict[str, Any] | None] = column(JSON(none_as_null=True))
    """The player's choices; NULL if there are none."""
    standing: Stored[str] = column(String(16), server_default="active")
    """``active``, ``frozen``, ``banned`` or ``gone``."""
    mail_stopped: Stored[bool] = column(server_default=false())
    """The operator has stopped all mail to the player."""
    vacations: Stored[list[list[str]] | None] = column(JSON(none_as_null=True))
    """Of the last year, oldest first: beginning and end of each; NULL if there was none."""
    seen_on: Stored[date | None]
    """The last day on which the player was heard of."""
    pace_seconds: Stored[int | None]
    """The median time per move when a board of the player last ended; NULL: none has."""
    guest_until: Stored[datetime | None]
    """When the row goes, of a guest who plays without an account; NULL: it is somebody who has signed up."""


Index("ix_players_seen_on_userid_key", PlayerRow.seen_on.desc(), PlayerRow.userid_key)


class AddressRow(Base):
    """One address of a player."""

    __tablename__ = "addresses"
    __table_args__ = (partial_index("ix_addresses_suppressed", "suppressed_at", only="suppressed_at IS NOT NULL"),)

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    address_key: Stored[str] = column(String(320), primary_key=True, index=True)
    """The address with its case folded; several players may share one."""
    address: Stored[str] = column(String(320))
    position: Stored[int]
    confirmed_at: Stored[datetime | None]
    suppressed_at: Stored[datetime | None]
    """Since when nothing is mailed there, because mails have come back; NULL if they arrive."""
    suppressed_why: Stored[str | None] = column(String(255))


class BlockRow(Base):
    """A player wants nothing from another."""

    __tablename__ = "blocks"

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    other_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True, index=True)


class ConfirmationRow(Base):
    """A question that one reply answers."""

    __tablename__ = "confirmations"

    id: Stored[int] = column(primary_key=True, autoincrement=False)
    nonce: Stored[int] = column(server_default="0")
    kind: Stored[str] = column(String(32))
    player_id: Stored[int] = column(ForeignKey("players.id"))
    address: Stored[str | None] = column(String(320))
    """The address that the question went to; NULL: to all that the player had confirmed."""
    asked_at: Stored[datetime]
    expires_at: Stored[datetime]
    line: Stored[str | None] = column(Text)
    password_hash: Stored[str | None] = column(String(255))
    """Of the password that a change is about."""
    comment: Stored[str] = column(Text)
    board: Stored[int | None]
    event: Stored[int | None]
    session: Stored[str | None] = column(String(64))
    """The hash of the session in which it was asked for."""
    guest_id: Stored[int | None]
    """Of a signup: the guest whose boards come along, who may have gone by now."""
    answered_at: Stored[datetime | None]


class WrongPasswordRow(Base):
    """A wrong password: for which userid and from which source, both only as fingerprints."""

    __tablename__ = "wrong_passwords"

    id: Stored[int] = column(primary_key=True)
    at: Stored[datetime] = column(index=True)
    userid: Stored[str] = column(String(64), index=True)
    source: Stored[str] = column(String(64), index=True)
    """The part of its origin that the sender could not forge; see `pbem.usecases.wrong_passwords`."""


class FamiliarSourceRow(Base):
    """A source of right passwords of a player, as a fingerprint."""

    __tablename__ = "familiar_sources"

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True)
    source: Stored[str] = column(String(64), primary_key=True)
    used_at: Stored[datetime] = column(index=True)
    """When one last did, to a few days."""


class ReportRow(Base):
    """A player's report to the operator about another."""

    __tablename__ = "reports"
    __table_args__ = (partial_index("ix_reports_open", "at", only="closed_at IS NULL"),)

    id: Stored[int] = column(primary_key=True)
    at: Stored[datetime]
    player_id: Stored[int] = column(ForeignKey("players.id"))
    about_id: Stored[int] = column(ForeignKey("players.id"))
    board_number: Stored[int | None]
    text: Stored[str] = column(Text)
    closed_at: Stored[datetime | None]
    note: Stored[str | None] = column(Text)
    """The operator's note about it."""


class TokenRow(Base):
    """A token of a program."""

    __tablename__ = "tokens"

    secret_hash: Stored[str] = column(String(64), primary_key=True)
    """Of the secret that its player has been shown."""
    player_id: Stored[int] = column(ForeignKey("players.id"), index=True)
    name: Stored[str] = column(String(40))
    made_at: Stored[datetime]
    used_at: Stored[datetime | None]
    counted_since: Stored[datetime | None]
    posts: Stored[int]
    """The number of commands that it has brought since then."""


class TokenPostRow(Base):
    """The answer to a program that may ask the same again."""

    __tablename__ = "token_posts"

    token: Stored[str] = column(String(64), ForeignKey("tokens.secret_hash"), primary_key=True)
    key: Stored[str] = column(String(64), primary_key=True)
    """A hash of what the program calls it."""
    said: Stored[str] = column(String(64))
    """A hash of what it said."""
    at: Stored[datetime]
    status: Stored[int]
    answer: Stored[str] = column(Text)


class SessionRow(Base):
    """A browser in which a player has signed in."""

    __tablename__ = "sessions"

    secret_hash: Stored[str] = column(String(64), primary_key=True)
    """Of the secret that the browser keeps."""
    player_id: Stored[int] = column(ForeignKey("players.id"), index=True)
    began_at: Stored[datetime]
    expires_at: Stored[datetime] = column(index=True)


class OperatorKeyRow(Base):
    """A key to the operator's page: a link, valid once, or the session that it led to."""

    __tablename__ = "operator_keys"

    secret_hash: Stored[str] = column(String(64), primary_key=True)
    """Of the secret in the link, or of the one that the browser keeps."""
    kind: Stored[str] = column(String(8))
    """``link`` or ``session``."""
    operator: Stored[str] = column(String(64))
    """The account on the machine that asked for the link."""
    began_at: Stored[datetime]
    expires_at: Stored[datetime]


class RemarkRow(Base):
    """A remark by a player at a board."""

    __tablename__ = "remarks"

    id: Stored[int] = column(primary_key=True)
    board_number: Stored[int] = column(ForeignKey("boards.number"), index=True)
    event: Stored[int]
    """The number of the board's last event by then."""
    player_id: Stored[int] = column(ForeignKey("players.id"), index=True)
    at: Stored[datetime]
    kind: Stored[str] = column(String(16))
    text: Stored[str] = column(Text)


class NoteRow(Base):
    """The private note of a player at a board."""

    __tablename__ = "notes"

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True, autoincrement=False)
    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True, autoincrement=False, index=True)
    text: Stored[str] = column(Text)
    changed_at: Stored[datetime]
    revision: Stored[int]


class StudyRow(Base):
    """A player's study of the game of a board."""

    __tablename__ = "studies"

    player_id: Stored[int] = column(ForeignKey("players.id"), primary_key=True, autoincrement=False)
    board_number: Stored[int] = column(ForeignKey("boards.number"), primary_key=True, autoincrement=False, index=True)
    title: Stored[str] = column(String(80))
    content: Stored[list[Any]] = column(JSON)
    """As in a record."""
    key: Stored[str | None] = column(String(32), unique=True)
    """Of its link; NULL while it is private."""
    changed_at: Stored[datetime]
    revision: Stored[int]
