"""The server: all parts in one place."""

from __future__ import annotations

import os
import secrets
import socket
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from pbem.bootstrap.database import engine_of, kept_key, lock_database, using_database
from pbem.bootstrap.parts import door_limits, facts, find_games, make_composer, make_retention, policy
from pbem.domain.notices import Notice
from pbem.domain.players import address_key
from pbem.domain.replies import Signer
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.lmtp import LmtpDoor
from pbem.mail_in.reading import Reader
from pbem.mail_in.smtp import SmtpDoor
from pbem.mail_in.tls import tls_context
from pbem.mail_out.relay import make_relay
from pbem.resources import folder
from pbem.storage import schema
from pbem.storage.bulletins import BulletinBoard
from pbem.storage.clocks import look_again
from pbem.storage.digests import pull_in_digests
from pbem.storage.engine import reading, trim_log
from pbem.storage.inbox import Inbox
from pbem.storage.outbox import Outbox
from pbem.storage.passwords import Argon2Passwords, RememberedPasswords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.courses import Courses
from pbem.web.app import make_app
from pbem.wording.templates import Wording
from pbem.workers.alarms import Alarms
from pbem.workers.clerk import Clerk
from pbem.workers.clock_watch import ClockWatch
from pbem.workers.clocks import ClockRunner
from pbem.workers.digests import Digests
from pbem.workers.faults import where_it_failed
from pbem.workers.heralds import Herald
from pbem.workers.inbox import InboxWorker, longest_rest
from pbem.workers.intake import Intake
from pbem.workers.loop import Loop
from pbem.workers.outbox import DeliveryWorker
from pbem.workers.returns import Returns
from pbem.workers.seeks import SeekRunner
from pbem.workers.tournaments import TournamentRunner
from pbem.workers.watch import DatabaseWatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from starlette.applications import Starlette

    from pbem.config import Listen, Settings, UnixListen
    from pbem.domain.letters import Envelope, Evidence, OutgoingMail
    from pbem.storage.outbox import DueMail
    from pbem.workers.retention import Retention


log = structlog.get_logger()


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
        self._engine = engine_of(settings)
        self._lock = lock_database(settings)
        self._signer = Signer(settings.secret_key or kept_key(settings))
        self._ours = OwnAddress(settings.address)
        self._reader = reader or Reader(settings.read_seconds, settings.reader_memory_mib, self._ours)
        self._games = find_games()
        self._courses = Courses(self._games)
        self._passwords = RememberedPasswords(
            Argon2Passwords(settings.password_memory_kib, settings.password_rounds), settings.remember_password_seconds
        )
        self.wording = Wording(folder("templates"), facts(settings), self._games)
        owner = f"{socket.gethostname()[:32]}:{os.getpid()}:{secrets.token_hex(4)}"
        lease = timedelta(seconds=settings.lease_seconds)
        self.inbox = Inbox(self._engine, owner, lease)
        self.outbox = Outbox(self._engine, 5 * lease)
        self.relay = make_relay(settings.relay_url)
        self._bulletins = BulletinBoard(self._engine)
        self._composer = make_composer(settings, self.wording, self._signer, self._bulletins)
        self._clerk = Clerk(self.unit_of_work, self.context, self._composer, self.outbox)
        delivery = DeliveryWorker(
            self.outbox,
            self.relay,
            settings.retry_mail_seconds,
            settings.give_up_after,
            self._tell_operator,
            Returns(self._clerk, self.outbox),
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
        self.clock_watch = Loop("clock watch", ClockWatch(self._pull_in).step)
        self.alarms = Loop("alarms", alarms.step, at_end=alarm_relay.close)
        self.delivery = Loop(
            "delivery",
            delivery.step,
            at_stop=delivery.end_soon,
            at_end=self.relay.close,
            failed=self._watch.step_failed,
        )
        self.worker = Loop("worker", self._inbox_worker().step, failed=self._watch.step_failed)
        wake = self.delivery.wake
        self.clocks = self._now_and_then("clocks", ClockRunner(self._clerk, self.inbox, self._wake).step)
        self.tournaments = self._now_and_then("tournaments", TournamentRunner(self._clerk, wake).step)
        self.seeks = self._now_and_then("seeks", SeekRunner(self._clerk, self._wake).step)
        self.digests = self._now_and_then("digests", Digests(self._clerk, wake).step)
        self.heralds = self._now_and_then("heralds", Herald(self._clerk, wake).step)
        retention = make_retention(settings, self._engine, self._composer, self.outbox)
        house = partial(self._keep_house, retention)
        self.housekeeping = Loop("housekeeping", house, idle_seconds=3600, at_stop=retention.end_soon)
        self._intake = Intake(
            self.inbox,
            self._signer,
            settings.max_waiting_letters,
            stored=self.worker.wake,
            failed=self._watch.letters_failed,
        )

    @property
    def loops(self) -> tuple[Loop, ...]:
        """Everything that goes on while nobody knocks, in the order in which it ends."""
        return (
            self.worker,
            self.clocks,
            self.tournaments,
            self.seeks,
            self.digests,
            self.heralds,
            self.delivery,
            self.housekeeping,
            self.watch,
            self.clock_watch,
            self.alarms,
        )

    def _keep_house(self, retention: Retention) -> bool:
        """Forget some of what was kept for long enough, in the database's log, too; False if nothing is left to do."""
        goes_on = retention.step()
        trim_log(self._engine)
        return goes_on

    def _pull_in(self, now: datetime) -> None:
        """Bring near what waits for a time that a clock has noted which was ahead."""
        self.inbox.pull_in(now, longest_rest(timedelta(seconds=self.settings.retry_letter_seconds)))
        self.outbox.pull_in(now, timedelta(seconds=max(self.settings.retry_mail_seconds)))
        look_again(self._engine, now)
        pull_in_digests(self._engine, now)

    def _now_and_then(self, name: str, step: Callable[[], bool]) -> Loop:
        """What looks by itself whether there is something to do."""
        return Loop(name, step, self.settings.clock_seconds, failed=self._watch.step_failed)

    def _wake(self) -> None:
        """Let go on what may have to, since something has happened at a board."""
        self.delivery.wake()
        self.tournaments.wake()
        self.heralds.wake()
        self.digests.wake()

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
            answered=self._wake,
            trim=partial(trim_log, self._engine),
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
            policy(self.settings),
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
                self.inbox.take_over(datetime.now(UTC))
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
            door_limits(self.settings),
            tls=tls_context(self.settings.smtp_certificate, self.settings.smtp_private_key),
            wants_proxy=self.settings.smtp_proxy_protocol,
        )

    def lmtp_door(self, listen: Listen | UnixListen) -> LmtpDoor:
        """The LMTP door."""
        return LmtpDoor(
            listen, self.accept, self._ours, door_limits(self.settings), socket_mode=self.settings.lmtp_socket_mode
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
