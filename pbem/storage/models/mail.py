"""Tables of letters and mails, and of the server itself."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, func

from pbem.storage.models.base import FAILED, SHUNTED, WAITING, Base, Stored, column, partial_index


class LetterRow(Base, sqlite_autoincrement=True):
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
    )

    id: Stored[int] = column(primary_key=True)
    received_at: Stored[datetime]
    sender: Stored[str] = column(String(320))
    recipients: Stored[list[str]] = column(JSON)
    client: Stored[str | None] = column(String(64))
    """The IP address of the host that it came from; NULL if unknown, and once the letter is handled."""
    raw: Stored[bytes | None] = column(LargeBinary)
    state: Stored[str] = column(String(16))
    """``waiting``, ``done``, ``shunted`` or ``dropped``."""
    attempts: Stored[int]
    next_attempt_at: Stored[datetime]
    lease_owner: Stored[str | None] = column(String(64))
    lease_until: Stored[datetime | None]
    last_error: Stored[str | None] = column(Text)
    finished_at: Stored[datetime | None]
    lane: Stored[str | None] = column(String(320))
    """The apparent sender; NULL if few waited when it came, and once it is handled."""
    turn: Stored[int] = column(server_default="0")
    """Letters of lower turns are handled first; 0 if few waited when it came."""
    board_number: Stored[int | None]
    """The board that it seems to be about; NULL if it names none. It decides the order alone."""
    unread_bytes: Stored[int | None]
    """Its length, if it is set aside because nobody can read it: then only its beginning may be kept."""


Index("ix_inbox_lower_sender", func.lower(LetterRow.sender))
"""By which what a player has written is found."""


class LetterKeyRow(Base):
    """The keys by which a repeated letter is recognised."""

    __tablename__ = "letter_keys"

    key: Stored[str] = column(String(64), primary_key=True)
    accepted_at: Stored[datetime] = column(index=True)


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

    id: Stored[int] = column(primary_key=True)
    key: Stored[str] = column(String(64))
    """Its cause, and its number among the mails of that cause; a second copy cannot be stored."""
    message_id: Stored[str] = column(String(255), index=True)
    name: Stored[str | None] = column(String(64))
    """Of the notice that it says: ``board``, ``welcome``."""
    subject: Stored[str | None] = column(Text)
    sender: Stored[str] = column(String(320))
    recipient: Stored[str] = column(String(320))
    player_id: Stored[int | None]
    board_number: Stored[int | None]
    raw: Stored[bytes | None] = column(LargeBinary)
    """NULL once it has been sent, and of others after some time."""
    packed: Stored[bytes | None] = column(LargeBinary)
    """The bytes of a sent one, in fewer, for some time; see `pbem.storage.packed_mails`."""
    created_at: Stored[datetime]
    state: Stored[str] = column(String(16))
    """``waiting``, ``sent``, ``failed`` (never taken by the relay), ``bounced`` (it came back), ``dropped``, or
    ``withheld``: no mail reaches the player, so it was never to be sent, and has no recipient."""
    attempts: Stored[int]
    next_attempt_at: Stored[datetime]
    lease_owner: Stored[str | None] = column(String(64))
    lease_until: Stored[datetime | None]
    last_error: Stored[str | None] = column(Text)
    finished_at: Stored[datetime | None]


class BounceRow(Base):
    """A mail that came back."""

    __tablename__ = "bounces"
    __table_args__ = (Index("ix_bounces_address_key_at", "address_key", "at"),)

    id: Stored[int] = column(primary_key=True)
    at: Stored[datetime]
    player_id: Stored[int | None] = column(index=True)
    address_key: Stored[str] = column(String(320))
    """Empty once mail has arrived there again: nothing is held against the address any more."""
    permanent: Stored[bool]
    status: Stored[str] = column(String(16))
    """RFC 3463: ``5.1.1``; empty if the report has none."""
    diagnosis: Stored[str] = column(String(255))
    mail_id: Stored[int | None]
    """The mail in the outbox, where it could be found."""


class CorrespondentRow(Base):
    """The recent answers to an address, so that a loop dies by itself."""

    __tablename__ = "correspondents"

    address_key: Stored[str] = column(String(320), primary_key=True)
    day: Stored[datetime] = column(index=True)
    """When the day began that is counted."""
    hour: Stored[datetime]
    answers: Stored[int]
    lately: Stored[int]
    """Answers in the hour."""
    unread: Stored[int]
    """Letters in a row that could not be understood, or said the same again."""
    questions: Stored[int]
    """Asked of it, whoever caused them."""
    octets: Stored[int] = column(server_default="0")
    """Of the answers that are counted."""
    said: Stored[str | None] = column(String(64))
    """A fingerprint of its last command."""


class PushSubscriptionRow(Base):
    """A browser that is told when it is its player's turn; it goes with its session."""

    __tablename__ = "push_subscriptions"

    session: Stored[str] = column(String(64), ForeignKey("sessions.secret_hash", ondelete="CASCADE"), primary_key=True)
    player_id: Stored[int] = column(ForeignKey("players.id"), index=True)
    endpoint: Stored[str] = column(Text)
    """The address at which a push service takes notifications for it."""
    endpoint_hash: Stored[str] = column(String(64), index=True)
    public_key: Stored[str] = column(String(120))
    auth: Stored[str] = column(String(40))
    """With the public key, what its notifications are encrypted for (RFC 8291)."""
    made_at: Stored[datetime]


class PushNoticeRow(Base):
    """A notification that waits to be sent to a browser."""

    __tablename__ = "push_notices"
    __table_args__ = (Index("ix_push_notices_session_board_number", "session", "board_number"),)

    id: Stored[int] = column(primary_key=True)
    session: Stored[str] = column(String(64), ForeignKey("push_subscriptions.session", ondelete="CASCADE"))
    game: Stored[str] = column(String(32))
    board_number: Stored[int]
    made_at: Stored[datetime]
    attempts: Stored[int]
    next_attempt_at: Stored[datetime]


class BulletinRow(Base):
    """A message of the operator to everyone, such as the time of a maintenance."""

    __tablename__ = "bulletins"

    id: Stored[int] = column(primary_key=True)
    text: Stored[str] = column(Text)
    posted_at: Stored[datetime]
    ends_at: Stored[datetime | None]
    """NULL: until it is taken down."""


class BroadcastRow(Base):
    """A message of a player to everyone; sent in batches."""

    __tablename__ = "broadcasts"

    id: Stored[int] = column(primary_key=True, autoincrement=False)
    player_id: Stored[int] = column(ForeignKey("players.id"), index=True)
    at: Stored[datetime] = column(index=True)
    text: Stored[str] = column(Text)
    sent_to: Stored[int]
    """The last player who has been told, in the order of their ids."""
    done_at: Stored[datetime | None]


class MailboxRow(Base):
    """The place up to which a mailbox has been looked at, and the process that fetches from it."""

    __tablename__ = "mailboxes"

    name: Stored[str] = column(String(400), primary_key=True)
    """Its user, server and folder."""
    uid_validity: Stored[int | None]
    """NULL: it was never opened."""
    uid_next: Stored[int | None]
    """Letters with lower numbers have been dealt with, or lay there before."""
    began_at: Stored[datetime | None]
    """By the mailbox's clock, when the newest letter came that lay there at first; NULL: there was none."""
    newest_at: Stored[datetime | None]
    """By the same clock, when the newest letter came that was looked at."""
    lease_owner: Stored[str | None] = column(String(64))
    lease_until: Stored[datetime | None]


class BackupRow(Base):
    """The last backup that is good, what became of the last attempt, and the process that makes one."""

    __tablename__ = "backups"

    name: Stored[str] = column(String(1000), primary_key=True)
    """The folder, as the setting names it."""
    made_at: Stored[datetime | None]
    """Of this moment is the last good one; NULL: there is none."""
    file: Stored[str | None] = column(String(255))
    octets: Stored[int | None]
    failed_at: Stored[datetime | None]
    """When the last attempt failed; NULL: it did not."""
    why: Stored[str | None] = column(Text)
    lease_owner: Stored[str | None] = column(String(64))
    lease_until: Stored[datetime | None]


class RelayMinuteRow(Base):
    """Mails taken for the relay in a minute, where their number within an hour is limited."""

    __tablename__ = "relay_minutes"

    minute: Stored[datetime] = column(primary_key=True)
    mails: Stored[int]


class TroubleRow(Base):
    """The last trouble with a relay or a mailbox."""

    __tablename__ = "troubles"

    name: Stored[str] = column(String(255), primary_key=True)
    """The URL of the relay, without a password, or the name of the mailbox."""
    since: Stored[datetime]
    why: Stored[str] = column(Text)
    """The last reason."""
    is_busy: Stored[bool]
    """It says itself that it has had too much from us."""
    rest_seconds: Stored[int]
    until: Stored[datetime]
    """When it may be tried again."""
    over_at: Stored[datetime | None]
    """NULL: it goes on."""


class AlarmToldRow(Base):
    """When the operator was last mailed of some trouble, or of its end."""

    __tablename__ = "alarms_told"

    name: Stored[str] = column(String(64), primary_key=True)
    """Of the mail: ``alarm_letters_not_stored``."""
    told_at: Stored[datetime]


class DeedRow(Base):
    """An action of an operator with ``pbem admin``."""

    __tablename__ = "deeds"

    id: Stored[int] = column(primary_key=True)
    at: Stored[datetime]
    operator: Stored[str] = column(String(64))
    """The account on the machine."""
    deed: Stored[str] = column(String(64))
    """``player freeze``, ``board annul``."""
    subject: Stored[str] = column(String(320))
    """The player or thing that it was done to."""
    reason: Stored[str] = column(Text)
