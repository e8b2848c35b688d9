"""The only place where the parts meet: settings in, a server out."""

from __future__ import annotations

import fcntl
import os
import secrets
import socket
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import structlog
from sqlalchemy import make_url, text
from sqlalchemy.exc import SQLAlchemyError

from pbem.config import SHORTEST_KEY, BadSetting, Settings
from pbem.domain.correspondents import Limits
from pbem.domain.notices import Notice
from pbem.domain.players import address_key
from pbem.domain.replies import Signer
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.guards import DoorLimits
from pbem.mail_in.lmtp import LmtpDoor
from pbem.mail_in.reading import Reader
from pbem.mail_in.smtp import SmtpDoor
from pbem.mail_in.tls import tls_context
from pbem.mail_out.headers import Headers
from pbem.mail_out.message import Composer
from pbem.mail_out.relay import make_relay
from pbem.resources import folder
from pbem.storage import schema
from pbem.storage.bulletins import BulletinBoard
from pbem.storage.engine import make_engine, reading
from pbem.storage.mailboxes import Inbox, Outbox
from pbem.storage.passwords import Argon2Passwords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.storage.upkeep import Database
from pbem.usecases.context import Context, Policy
from pbem.usecases.courses import Courses
from pbem.web.app import make_app
from pbem.wording.templates import Wording
from pbem.workers.alarms import Alarms
from pbem.workers.archive import Archive
from pbem.workers.desk import Desk
from pbem.workers.faults import where_it_failed
from pbem.workers.inbox import InboxWorker
from pbem.workers.intake import Intake
from pbem.workers.loop import Loop
from pbem.workers.outbox import DeliveryWorker
from pbem.workers.retention import Retention
from pbem.workers.returns import Returns
from pbem.workers.watch import DatabaseWatch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from sqlalchemy import Engine
    from starlette.applications import Starlette

    from pbem.config import Listen, UnixListen
    from pbem.domain.letters import Envelope, Evidence, OutgoingMail
    from pbem.games.game import Game
    from pbem.storage.mailboxes import DueMail


log = structlog.get_logger()


def find_games() -> dict[str, Game[Any, Any]]:
    """The games that installed packages offer under the entry point ``pbem.games``, by name."""
    games = [entry.load() for entry in entry_points(group="pbem.games")]
    return {game.name: game for game in games}


class Server:
    """All parts of the server, made from settings and not yet started.

    Args:
        settings: the settings.
        reader: reads letters, instead of one made here.

    Raises:
        BadSetting: a setting cannot be used here, or another server has the database.
    """

    def __init__(self, settings: Settings, reader: Reader | None = None) -> None:
        self.settings = settings
        self._engine = _engine(settings)
        self._lock = _lock_database(settings)
        self._signer = Signer(settings.secret_key or _kept_key(settings))
        self._ours = OwnAddress(settings.address)
        self._reader = reader or Reader(settings.read_seconds, settings.reader_memory_mib, self._ours)
        self._games = find_games()
        self._courses = Courses(self._games)
        self._passwords = Argon2Passwords(settings.password_memory_kib, settings.password_rounds)
        self.wording = Wording(folder("templates"), _facts(settings), self._games)
        owner = f"{socket.gethostname()[:32]}:{os.getpid()}:{secrets.token_hex(4)}"
        lease = timedelta(seconds=settings.lease_seconds)
        self.inbox = Inbox(self._engine, owner, lease)
        self.outbox = Outbox(self._engine, 5 * lease)
        self.relay = make_relay(settings.relay_url)
        self._bulletins = BulletinBoard(self._engine)
        self._composer = _composer(settings, self.wording, self._signer, self._bulletins)
        delivery = DeliveryWorker(
            self.outbox,
            self.relay,
            settings.retry_mail_seconds,
            settings.give_up_after,
            self._tell_operator,
            Returns(self.unit_of_work, self.context, self._composer, self.outbox),
        )
        alarm_relay = make_relay(settings.relay_url)
        alarms = Alarms(
            relay=alarm_relay,
            compose=self._composer.compose,
            operator=settings.operator,
            retry_after=timedelta(seconds=settings.retry_mail_seconds[0]),
        )
        self._watch = DatabaseWatch(alarms, self.inbox.try_writing)
        self.watch = Loop("watch", self._watch.step)
        self.alarms = Loop("alarms", alarms.step, at_end=alarm_relay.close)
        self.delivery = Loop(
            "delivery",
            delivery.step,
            at_stop=delivery.end_soon,
            at_end=self.relay.close,
            failed=self._watch.step_failed,
        )
        self.worker = Loop("worker", self._inbox_worker().step, failed=self._watch.step_failed)
        retention = make_retention(settings, self._engine)
        self.housekeeping = Loop("housekeeping", retention.step, idle_seconds=3600, at_stop=retention.end_soon)
        self._intake = Intake(
            self.inbox,
            self._signer,
            settings.max_waiting_letters,
            stored=self.worker.wake,
            failed=self._watch.letters_failed,
        )

    def _inbox_worker(self) -> InboxWorker:
        return InboxWorker(
            inbox=self.inbox,
            outbox=self.outbox,
            unit_of_work=self.unit_of_work,
            make_context=self.context,
            composer=self._composer,
            reader=self._reader,
            ours=self._ours,
            signer=self._signer,
            operator=self.settings.operator,
            authserv_id=self.settings.authserv_id,
            retry_after=timedelta(seconds=self.settings.retry_letter_seconds),
            answered=self.delivery.wake,
        )

    def _tell_operator(self, mail: DueMail, reason: str, now: datetime) -> list[OutgoingMail]:
        """The mail to the operator about one that was given up, unless that was to him."""
        operator = self.settings.operator
        if operator is None or address_key(mail.recipient) == address_key(operator):
            return []
        notice = Notice("mail_failed", operator, {"mail": mail, "why": reason}, from_nobody=True)
        try:
            return self._composer.compose([notice], f"failed-{mail.id}-{now:%Y%m%d%H%M%S}", now)
        except Exception as failed:  # noqa: BLE001 - a mail must be given up even if that cannot be told
            log.error("operator not told", mail=mail.id, **where_it_failed(failed))  # noqa: TRY400 - no trace
            return []

    def unit_of_work(self) -> UnitOfWork:
        """A fresh unit of work."""
        return UnitOfWork(self._engine, self._courses.of)

    def context(self, uow: UnitOfWork, now: datetime, evidence: Evidence) -> Context:
        """What the use cases need to answer one letter."""
        return Context(
            uow,
            now,
            self._games,
            self._courses,
            self._passwords,
            _policy(self.settings),
            evidence,
            self._signer.draw_lots,
            self._signer.tag,
        )

    def prepare(self) -> None:
        """Bring the database to the present schema, and take over what a killed process had leased.

        Raises:
            BadSetting: the database cannot be used.
        """
        with using_database():
            schema.upgrade(self._engine)
            if self._lock is not None:
                self.inbox.take_over()
                self.outbox.take_over()
        self._reader.warm_up()

    def smtp_door(self, listen: Listen) -> SmtpDoor:
        """The SMTP door.

        Raises:
            BadSetting: its certificate cannot be used.
        """
        return SmtpDoor(
            listen,
            self.accept,
            self._ours,
            _door_limits(self.settings),
            tls=tls_context(self.settings.smtp_certificate, self.settings.smtp_private_key),
            wants_proxy=self.settings.smtp_proxy_protocol,
        )

    def lmtp_door(self, listen: Listen | UnixListen) -> LmtpDoor:
        """The LMTP door."""
        return LmtpDoor(
            listen, self.accept, self._ours, _door_limits(self.settings), socket_mode=self.settings.lmtp_socket_mode
        )

    def accept(self, envelope: Envelope, raw: bytes, at: datetime) -> Future[bool]:
        """Store a letter; the future is done once it is safe, and tells whether it is new."""
        return self._intake.accept(envelope, raw, at)

    def app(self) -> Starlette:
        """The web app."""
        return make_app(self._home, self.is_healthy)

    def _home(self) -> str:
        facts = {"games": self._games.values(), "bulletins": self._bulletins.texts(datetime.now(UTC))}
        return self.wording.page("home", facts)

    def is_healthy(self) -> bool:
        """Whether the database answers, and could be written lately."""
        try:
            with reading(self._engine) as connection:
                connection.execute(text("SELECT 1"))
        except SQLAlchemyError:
            return False
        return self._watch.is_well

    def close(self) -> None:
        """Let go of everything; the loops must have ended."""
        self._intake.close()
        self._reader.close()
        self._engine.dispose()
        if self._lock is not None:
            self._lock.close()


def _policy(settings: Settings) -> Policy:
    return Policy(
        address=settings.address,
        confirm_signup=settings.confirm_signup,
        trust_from=settings.trust_from,
        max_commands=settings.max_commands,
        max_boards_shown=settings.max_boards_shown,
        confirm_for=timedelta(days=settings.confirm_days),
        reply_for=timedelta(days=settings.reply_days),
        operator=settings.operator,
        unproven_challenges_per_day=settings.max_unproven_challenges_per_day,
        limits=Limits(
            settings.max_answers_per_day,
            settings.max_answers_per_hour,
            settings.max_unread_in_a_row,
            settings.max_questions_per_day,
        ),
        wrong_passwords_per_userid=settings.max_wrong_passwords_per_userid,
        wrong_passwords_per_domain=settings.max_wrong_passwords_per_domain,
    )


def _composer(settings: Settings, wording: Wording, signer: Signer, bulletins: BulletinBoard) -> Composer:
    headers = Headers(settings.address, signer)
    return Composer(wording, headers, timedelta(days=settings.reply_days), bulletins.texts)


def _door_limits(settings: Settings) -> DoorLimits:
    return DoorLimits(
        letter_bytes=settings.max_letter_bytes,
        recipients=settings.max_recipients,
        connections=settings.max_connections,
        connections_per_host=settings.max_connections_per_host,
        session_commands=settings.max_session_commands,
        idle_seconds=settings.idle_seconds,
        session_seconds=settings.session_seconds,
    )


def make_wording(settings: Settings) -> Wording:
    """The templates, for whoever has something to say without a server."""
    return Wording(folder("templates"), _facts(settings), find_games())


def open_archive(settings: Settings, *, make: bool) -> Archive:
    """The games of the database as records; a server may be running on it all the while.

    Args:
        settings: say where the database is.
        make: whether to make it if there is none.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    path = _sqlite_path(settings)
    if path is not None and not make and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    engine = _engine(settings)
    with using_database():
        schema.upgrade(engine)
    return Archive(engine, find_games())


@contextmanager
def open_database(settings: Settings) -> Iterator[Database]:
    """The database to be looked after, whether or not a server is running on it.

    Raises:
        BadSetting: the database is not there.
    """
    path = _sqlite_path(settings)
    if path is not None and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    engine = _engine(settings)
    try:
        yield Database(engine, path, None if settings.secret_key or path is None else _key_file(path))
    finally:
        engine.dispose()


def make_retention(settings: Settings, engine: Engine) -> Retention:
    """What forgets what has been kept for long enough."""
    return Retention(engine, timedelta(days=settings.keep_mail_days), timedelta(days=settings.keep_traces_days))


def open_desk(settings: Settings, operator: str) -> Desk:
    """The operator's way to the database, beside whatever server is running on it.

    Args:
        settings: say where the database is.
        operator: the account on the machine.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    path = _sqlite_path(settings)
    if path is not None and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    engine, games = _engine(settings), find_games()
    with using_database():
        schema.upgrade(engine)
    signer, courses = Signer(settings.secret_key or _kept_key(settings)), Courses(games)
    passwords = Argon2Passwords(settings.password_memory_kib, settings.password_rounds)

    def context(uow: UnitOfWork, now: datetime, evidence: Evidence) -> Context:
        return Context(uow, now, games, courses, passwords, _policy(settings), evidence, signer.draw_lots, signer.tag)

    return Desk(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine, courses.of),
        make_context=context,
        composer=_composer(settings, make_wording(settings), signer, BulletinBoard(engine)),
        outbox=Outbox(engine, timedelta()),
        ours=OwnAddress(settings.address),
        operator=operator,
    )


@contextmanager
def open_intake(settings: Settings) -> Iterator[Intake]:
    """The way into the inbox, beside whatever server is running on the same database.

    Raises:
        BadSetting: the database has not been made yet.
    """
    path = _sqlite_path(settings)
    if path is not None and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    if path is not None and settings.secret_key is None and not _key_file(path).exists():
        raise BadSetting("PBEM_SECRET_KEY", f"there is no key {_key_file(path).absolute()}")
    engine = _engine(settings)
    try:
        signer = Signer(settings.secret_key or _kept_key(settings))
        yield Intake(Inbox(engine, "", timedelta()), signer, settings.max_waiting_letters)
    finally:
        engine.dispose()


@contextmanager
def using_database() -> Iterator[None]:
    """A stretch in which trouble with the database is the operator's.

    Raises:
        BadSetting: the database cannot be used.
    """
    try:
        yield
    except SQLAlchemyError as failed:
        reason = str(getattr(failed, "orig", None) or type(failed).__name__).strip()
        raise BadSetting("PBEM_DATABASE_URL", f"the database cannot be used: {reason}") from None


def _facts(settings: Settings) -> dict[str, object]:
    """What every template may say of the server."""
    return {
        "server_address": settings.address,
        "server_version": version("pbem"),
        "trust_from": settings.trust_from,
        "max_commands": settings.max_commands,
    }


def _engine(settings: Settings) -> Engine:
    try:
        return make_engine(settings.database_url)
    except (SQLAlchemyError, ValueError):
        raise BadSetting("PBEM_DATABASE_URL", "must be sqlite:///file or postgresql+psycopg://user@host/name") from None


def _sqlite_path(settings: Settings) -> Path | None:
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite":
        return None
    return Path(url.database or "pbem.db")


def _lock_database(settings: Settings) -> IO[str] | None:
    """Keep a second server off an SQLite database: only one may take over what a killed one had leased."""
    path = _sqlite_path(settings)
    if path is None:
        return None
    try:
        lock = path.with_name(path.name + ".lock").open("a")
    except OSError as failed:
        raise BadSetting("PBEM_DATABASE_URL", f"{path.absolute()} cannot be written: {failed.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise BadSetting("PBEM_DATABASE_URL", f"another server is running on {path.absolute()}") from None
    return lock


def _kept_key(settings: Settings) -> tuple[str, ...]:
    """The secret key beside an SQLite database, made at the first start."""
    path = _sqlite_path(settings)
    if path is None:
        raise BadSetting("PBEM_SECRET_KEY", "must be set when the database is not SQLite, the same for all processes")
    file = _key_file(path)
    try:
        if not file.exists():
            _keep_key(file)
        key = file.read_bytes().decode("ascii", "ignore").strip()
    except OSError as failed:
        raise BadSetting("PBEM_SECRET_KEY", f"{file.absolute()} cannot be used: {failed.strerror}") from None
    if len(key) < SHORTEST_KEY:
        raise BadSetting("PBEM_SECRET_KEY", f"{file.absolute()} holds no key; take it away to have a new one made")
    return (key,)


def _key_file(database: Path) -> Path:
    return database.with_name(database.name + ".key")


def _keep_key(file: Path) -> None:
    """Make a key; it is there whole or not at all, or letters could be signed with half of it."""
    aside = file.with_name(file.name + ".new")
    aside.unlink(missing_ok=True)
    with open(aside, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(secrets.token_urlsafe(32) + "\n")
        out.flush()
        os.fsync(out.fileno())
    aside.replace(file)
