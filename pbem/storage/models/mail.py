"""Tables of letters and mails, and of the server itself."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from pbem.storage.models.base import FAILED, SHUNTED, WAITING, Base, partial_index


class LetterRow(Base):
    """A letter in the inbox. A finished one keeps no bytes: there may be a password in them."""

    # AUTOINCREMENT: the number is part of the keys of its mails, and must not come again.
    __tablename__ = "inbox"
    __table_args__ = (
        partial_index("ix_inbox_waiting", "id", "received_at", only=WAITING),
        partial_index("ix_inbox_waiting_sender", "sender", "id", only=WAITING),
        partial_index("ix_inbox_waiting_turn", "turn", "id", only=WAITING),
        partial_index("ix_inbox_waiting_lane", "lane", "turn", only=f"{WAITING} AND lane IS NOT NULL"),
        partial_index("ix_inbox_waiting_board", "board_number", "id", only=f"{WAITING} AND board_number IS NOT NULL"),
        partial_index("ix_inbox_shunted", "id", only=SHUNTED),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    received_at: Mapped[datetime]
    sender: Mapped[str] = mapped_column(String(320))
    recipients: Mapped[list[str]] = mapped_column(JSON)
    client: Mapped[str | None] = mapped_column(String(64))
    """The IP address of the host that it came from; NULL if unknown, and once the letter is handled."""
    raw: Mapped[bytes | None] = mapped_column(LargeBinary)
    state: Mapped[str] = mapped_column(String(16))
    """``waiting``, ``done``, ``shunted`` or ``dropped``."""
    attempts: Mapped[int]
    next_attempt_at: Mapped[datetime]
    lease_owner: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[datetime | None]
    last_error: Mapped[str | None] = mapped_column(Text)
    finished_at: Mapped[datetime | None]
    lane: Mapped[str | None] = mapped_column(String(320))
    """The apparent sender; NULL if few waited when it came, and once it is handled."""
    turn: Mapped[int] = mapped_column(server_default="0")
    """Letters of lower turns are handled first; 0 if few waited when it came."""
    board_number: Mapped[int | None]
    """The board that it seems to be about; NULL if it names none. It decides the order alone."""
    unread_bytes: Mapped[int | None]
    """Its length, if it is set aside because nobody can read it: then only its beginning may be kept."""


Index("ix_inbox_lower_sender", func.lower(LetterRow.sender))
"""By which what a player has written is found."""


class LetterKeyRow(Base):
    """The keys by which a repeated letter is recognised."""

    __tablename__ = "letter_keys"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    accepted_at: Mapped[datetime] = mapped_column(index=True)


class MailRow(Base):
    """A mail in the outbox; until it is sent, in its final bytes."""

    __tablename__ = "outbox"
    __table_args__ = (
        UniqueConstraint("key"),
        partial_index("ix_outbox_due", "next_attempt_at", "id", "attempts", "created_at", only=WAITING),
        partial_index("ix_outbox_failed", "finished_at", only=FAILED),
        Index("ix_outbox_board_number_player_id", "board_number", "player_id"),
        Index("ix_outbox_player_id", "player_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64))
    """Its cause, and its number among the mails of that cause; a second copy cannot be stored."""
    message_id: Mapped[str] = mapped_column(String(255), index=True)
    name: Mapped[str | None] = mapped_column(String(64))
    """Of the notice that it says: ``board``, ``welcome``."""
    subject: Mapped[str | None] = mapped_column(Text)
    sender: Mapped[str] = mapped_column(String(320))
    recipient: Mapped[str] = mapped_column(String(320))
    player_id: Mapped[int | None]
    board_number: Mapped[int | None]
    raw: Mapped[bytes | None] = mapped_column(LargeBinary)
    """NULL once it has been sent, and of others after some time."""
    packed: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The bytes of a sent one, in fewer, for some time; see `pbem.storage.packed_mails`."""
    created_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(16))
    """``waiting``, ``sent``, ``failed`` (never taken by the relay), ``bounced`` (it came back), ``dropped``, or
    ``withheld``: no mail reaches the player, so it was never to be sent, and has no recipient."""
    attempts: Mapped[int]
    next_attempt_at: Mapped[datetime]
    lease_owner: Mapped[str | None] = mapped_column(String(64))
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
    """The recent answers to an address, so that a loop dies by itself."""

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
    octets: Mapped[int] = mapped_column(server_default="0")
    """Of the answers that are counted."""
    said: Mapped[str | None] = mapped_column(String(64))
    """A fingerprint of its last command."""


class PushSubscriptionRow(Base):
    """A browser that is told when it is its player's turn; it goes with its session."""

    __tablename__ = "push_subscriptions"

    session: Mapped[str] = mapped_column(ForeignKey("sessions.secret_hash", ondelete="CASCADE"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    endpoint: Mapped[str] = mapped_column(Text)
    """The address at which a push service takes notifications for it."""
    endpoint_hash: Mapped[str] = mapped_column(String(64), index=True)
    public_key: Mapped[str] = mapped_column(String(120))
    auth: Mapped[str] = mapped_column(String(40))
    """With the public key, what its notifications are encrypted for (RFC 8291)."""
    made_at: Mapped[datetime]


class PushNoticeRow(Base):
    """A notification that waits to be sent to a browser."""

    __tablename__ = "push_notices"
    __table_args__ = (Index("ix_push_notices_session_board_number", "session", "board_number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session: Mapped[str] = mapped_column(ForeignKey("push_subscriptions.session", ondelete="CASCADE"))
    game: Mapped[str] = mapped_column(String(32))
    board_number: Mapped[int]
    made_at: Mapped[datetime]
    attempts: Mapped[int]
    next_attempt_at: Mapped[datetime]


class BulletinRow(Base):
    """A message of the operator to everyone, such as the time of a maintenance."""

    __tablename__ = "bulletins"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    posted_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    """NULL: until it is taken down."""


class BroadcastRow(Base):
    """A message of a player to everyone; sent in batches."""

    __tablename__ = "broadcasts"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    at: Mapped[datetime] = mapped_column(index=True)
    text: Mapped[str] = mapped_column(Text)
    sent_to: Mapped[int]
    """The last player who has been told, in the order of their ids."""
    done_at: Mapped[datetime | None]


class MailboxRow(Base):
    """The place up to which a mailbox has been looked at, and the process that fetches from it."""

    __tablename__ = "mailboxes"

    name: Mapped[str] = mapped_column(String(400), primary_key=True)
    """Its user, server and folder."""
    uid_validity: Mapped[int | None]
    """NULL: it was never opened."""
    uid_next: Mapped[int | None]
    """Letters with lower numbers have been dealt with, or lay there before."""
    began_at: Mapped[datetime | None]
    """By the mailbox's clock, when the newest letter came that lay there at first; NULL: there was none."""
    newest_at: Mapped[datetime | None]
    """By the same clock, when the newest letter came that was looked at."""
    lease_owner: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[datetime | None]


class BackupRow(Base):
    """The last backup that is good, what became of the last attempt, and the process that makes one."""

    __tablename__ = "backups"

    name: Mapped[str] = mapped_column(String(1000), primary_key=True)
    """The folder, as the setting names it."""
    made_at: Mapped[datetime | None]
    """Of this moment is the last good one; NULL: there is none."""
    file: Mapped[str | None] = mapped_column(String(255))
    octets: Mapped[int | None]
    failed_at: Mapped[datetime | None]
    """When the last attempt failed; NULL: it did not."""
    why: Mapped[str | None] = mapped_column(Text)
    lease_owner: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[datetime | None]


class RelayMinuteRow(Base):
    """Mails taken for the relay in a minute, where their number within an hour is limited."""

    __tablename__ = "relay_minutes"

    minute: Mapped[datetime] = mapped_column(primary_key=True)
    mails: Mapped[int]


class TroubleRow(Base):
    """The last trouble with a relay or a mailbox."""

    __tablename__ = "troubles"

    name: Mapped[str] = mapped_column(String(255), primary_key=True)
    """The URL of the relay, without a password, or the name of the mailbox."""
    since: Mapped[datetime]
    why: Mapped[str] = mapped_column(Text)
    """The last reason."""
    is_busy: Mapped[bool]
    """It says itself that it has had too much from us."""
    rest_seconds: Mapped[int]
    until: Mapped[datetime]
    """When it may be tried again."""
    over_at: Mapped[datetime | None]
    """NULL: it goes on."""


class AlarmToldRow(Base):
    """When the operator was last mailed of some trouble, or of its end."""

    __tablename__ = "alarms_told"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the mail: ``alarm_letters_not_stored``."""
    told_at: Mapped[datetime]


class DeedRow(Base):
    """An action of an operator with ``pbem admin``."""

    __tablename__ = "deeds"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    operator: Mapped[str] = mapped_column(String(64))
    """The account on the machine."""
    deed: Mapped[str] = mapped_column(String(64))
    """``player freeze``, ``board annul``."""
    subject: Mapped[str] = mapped_column(String(320))
    """The player or thing that it was done to."""
    reason: Mapped[str] = mapped_column(Text)
