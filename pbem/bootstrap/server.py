"""The server: all parts in one place."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp

from pbem.bootstrap.database import (
    LISTEN_URL,
    await_database,
    engine_of,
    listen_engine_of,
    lock_database,
    replica_of,
    signer_of,
    using_database,
)
from pbem.bootstrap.doors import make_doors, make_inbound_route
from pbem.bootstrap.loops import Loops
from pbem.bootstrap.parts import Parts, make_passwords, make_thinkers, stored_puzzles
from pbem.bootstrap.processes import Answer, Answering, Others, Place, new_token, owner_of
from pbem.bootstrap.status import HealthCheck, StatusReporter
from pbem.config import Settings
from pbem.domain.letters import Envelope
from pbem.domain.pushes import PushAccess
from pbem.errors import Conflict
from pbem.executor import CommandExecutor
from pbem.ids import BoardNumber, LetterId
from pbem.mail_in.authentication import MailIdentity
from pbem.mail_in.doors import Door
from pbem.mail_in.reading import Reader
from pbem.mail_out.relay import Relay
from pbem.meters import Meters
from pbem.storage import schema
from pbem.storage.committing import SharedCommits
from pbem.storage.engine import is_out_of_order, let_go, reading
from pbem.storage.leases import dead_holders
from pbem.storage.operators import OperatorKeys
from pbem.storage.passwords import RememberedPasswords
from pbem.storage.process_notifier import Notifier, PipeNotifier, ProcessNotifier, Topic
from pbem.storage.unit_of_work import Kept, UnitOfWork
from pbem.usecases.opponents import open_robots
from pbem.web.admin import AdminSite
from pbem.web.admin_commands import AdminCommands
from pbem.web.app import make_app
from pbem.web.boards.following import Followers, MoreNews, Room
from pbem.web.caching import KeptPages
from pbem.web.context import Site
from pbem.web.freshness import ReplicaUse
from pbem.web.monitor import make_monitor, metrics_route
from pbem.workers.failures import LetterFailures
from pbem.workers.inbox import InboxWorker
from pbem.workers.intake import Intake


class Server:
    """All parts of the server, made from settings and not yet started.

    Args:
        settings: the settings.
        reader: reads letters, instead of one made here.
        connect: makes the relays by which mails leave, instead of the one of the settings.
        place: of this process among those of the server; None: it is the only one.
        admin_commands: those that operators may run on the web; None: none.

    Raises:
        BadSetting: a setting cannot be used here, or another server has the database.
    """

    def __init__(
        self,
        settings: Settings,
        reader: Reader | None = None,
        connect: Callable[[], Relay] | None = None,
        place: Place | None = None,
        admin_commands: AdminCommands | None = None,
    ) -> None:
        self.settings, self.meters, self._place = settings, Meters(), place
        self._admin_commands = admin_commands
        self.engine = engine_of(settings, takes_turns=place is not None)
        self._listen_engine = listen_engine_of(settings)
        self._replica = replica_of(settings, self.engine)
        # before a key is made; of several processes the one that has started them holds it
        self._lock = lock_database(settings) if place is None else None
        owner = owner_of(os.getpid(), new_token()) if place is None else place.owner
        passwords = RememberedPasswords(make_passwords(settings), settings.remember_password_seconds)
        self.parts = Parts(settings, self.engine, owner, signer_of(settings), passwords, stored_puzzles())
        self.inbox, self.outbox, self.tasks = self.parts.inbox, self.parts.outbox, self.parts.tasks
        self._reader = reader or Reader(settings.read_seconds, settings.reader_memory_mib, self.parts.ours)
        self._kept, self._commits = Kept(), SharedCommits(self.engine)
        room = Room(settings.max_followers, settings.max_followers_per_host)
        self._followers = Followers(
            self._last_events, room=room, more=MoreNews(self._last_remarks, self._last_analyses)
        )
        self._notifier = self._make_notifier(owner)
        self.executor = self._make_executor()
        self.loops = Loops(self.parts, self.executor, self.inbox_worker, self._notifier, self.meters, connect)
        self.loops.think(make_thinkers(self.parts, self.executor, self.loops.wake_thinkers))
        others = Others(place) if place is not None and place.is_first else None
        self.health_check = HealthCheck(self.engine, self.loops.health, others)
        process = owner.rpartition(":")[0]
        self._reporter = StatusReporter(self.engine, settings, process, self.meters, self.loops.health, others)
        self._intake = self._make_intake()
        if settings.mailbox_url is not None:
            from pbem.bootstrap.mailbox import make_mailbox_worker  # IMAP is loaded where it is needed

            self.loops.fetch(
                make_mailbox_worker(settings, settings.mailbox_url, self.accept, self.parts, self.executor)
            )

    def _make_notifier(self, owner: str) -> Notifier:
        if self._place is not None and self.engine.dialect.name == "sqlite":
            return PipeNotifier(self._place.pipes, self._heard)
        return ProcessNotifier(self.engine, owner, self._heard, self._listen_engine)

    def _make_executor(self) -> CommandExecutor:
        parts = self.parts
        return CommandExecutor(
            self.unit_of_work,
            parts.make_context,
            parts.composer,
            parts.outbox,
            self._written,
            meters=self.meters,
        )

    def _make_intake(self) -> Intake:
        return Intake(
            self.inbox,
            self.parts.signer,
            self.settings.max_waiting_letters,
            stored=partial(self.loops.tell, Topic.LETTERS),
            failed=self.loops.health.letters_failed,
            counted=self.meters.commit_letters.observe,
        )

    def inbox_worker(self) -> InboxWorker:
        """Make one more worker."""
        parts, settings = self.parts, self.settings
        retry_after = timedelta(seconds=settings.retry_letter_seconds)
        failures = LetterFailures(parts.inbox, self.executor, parts.ours, settings.operator, retry_after)
        identity = MailIdentity(parts.ours, parts.signer, settings.authserv_id)
        return InboxWorker(parts.inbox, self.executor, self._reader, identity, failures)

    def _heard(self, topic: Topic) -> None:
        """Let go on here what may have to, since another process has rung."""
        if topic is Topic.BOARDS:
            self._followers.written()
        self.loops.heed(topic)

    def _written(self, topic: Topic = Topic.BOARDS) -> None:
        """Let go on whatever may have to, wherever it is, since something has been written here."""
        if topic is Topic.BOARDS:
            self._followers.written()
        self.loops.tell(topic)

    def end_following(self) -> None:
        """Let all browsers go that follow boards."""
        self._followers.end()

    def unit_of_work(self) -> UnitOfWork:
        """A fresh unit of work."""
        most, courses = self.settings.max_playouts, self.parts.courses
        return UnitOfWork(
            self.engine,
            courses,
            most_playouts=most,
            kept=self._kept,
            commits=self._commits,
            tells_browsers=self.settings.push_private_key is not None,
        )

    def introduce(self, roles: Collection[str]) -> None:
        """Say in the metrics what this process is, and from now on what lies in its database.

        One of several is introduced by the first, which does more than it says, since the others work for it.
        """
        if self._place is None:
            self._reporter.introduce(roles)
        elif self._place.is_first:
            self._reporter.introduce([*roles, "worker"])
        else:
            self.meters.watch_process()
            Answering(self._place, lambda: Answer(self.health_check.stuck(), list(self.meters.registry.collect())))

    def prepare(self) -> None:
        """Bring the database to the present schema, and take over what a killed process had leased.

        Raises:
            BadSetting: the database cannot be used.
        """
        await_database(self.engine)
        if self._listen_engine is not None:
            await_database(self._listen_engine)
        with using_database("PBEM_DATABASE_URL" if self._listen_engine is None else LISTEN_URL):
            self._notifier.open()  # first: from now on whoever would copy the database knows that there is a server
        with using_database():
            if self._place is None or self._place.is_first:
                schema.upgrade(self.engine)
                # before anything newer is taken: letters are handled in the order in which they came
                self.loops.free(None if self.engine.dialect.name == "sqlite" else dead_holders(self.engine))
                self._open_robots()
            elif self._place.dead:
                self.loops.free(self._place.dead)
        if self._place is None:
            self._reader.warm_up()
        else:
            self._place.tell_prepared()

    def _open_robots(self) -> None:
        """Have an account for every computer opponent; another process may be doing so, too."""
        with self.unit_of_work() as uow, suppress(Conflict):
            if open_robots(uow, datetime.now(UTC)):
                uow.commit()

    def doors(self) -> dict[str, Door]:
        """The doors for letters that the settings name, not yet open.

        Raises:
            BadSetting: the certificate cannot be used.
        """
        return make_doors(self.settings, self.accept, self.parts.ours, self.meters)

    def accept(self, envelope: Envelope, raw: bytes, at: datetime) -> Future[LetterId | None]:
        """Store a letter; the future is done once it is safe, and tells its number, or None if it had come before."""
        return self._intake.accept(envelope, raw, at)

    def app(self, clock: Callable[[], datetime] | None = None) -> ASGIApp:
        """The web app; ``clock`` tells it the time, instead of that of the machine."""
        site = Site(
            self.executor,
            self.parts.wording,
            self.parts.signer,
            self.settings.site_url,
            clock or partial(datetime.now, UTC),
            timedelta(days=self.settings.session_days),
            self.parts.bulletins.texts,
            is_out_of_order,
            self.settings.guests,
            self._push_access(),
            KeptPages(self._followers.seen),
            ReplicaUse(self._replica, self.settings.max_replica_lag_seconds),
        )
        office = AdminSite(OperatorKeys(self.engine), self._reporter.look, self._admin_commands)
        inbound = make_inbound_route(self.settings, self.accept, self.parts.ours, self.meters)
        more = [] if inbound is None else [inbound]
        return make_app(site, self._followers, self.is_healthy, office, self.meters, more)

    def _push_access(self) -> PushAccess | None:
        sender = self.parts.push_sender
        return None if sender is None else PushAccess(sender.public_key, self.settings.push_services)

    def monitor(self) -> ASGIApp:
        """The app for who watches over this process."""
        health_check = self.health_check
        more = [metrics_route(self._reporter.registry)]
        return make_monitor(health_check.stuck, health_check.closed, health_check.out_of_order, more)

    def _last_events(self, boards: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        """The numbers of the last events of boards."""
        with self.unit_of_work() as uow:
            return uow.boards.last_events(boards)

    def _last_remarks(self, boards: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        """The ids of the last remarks at boards."""
        with self.unit_of_work() as uow:
            return uow.remarks.last_ids(boards)

    def _last_analyses(self, boards: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        """The seconds of the epoch at which analyses of boards were made."""
        with self.unit_of_work() as uow:
            return {board: int(made_at.timestamp()) for board, made_at in uow.game_analyses.made_at(boards).items()}

    def is_healthy(self) -> bool:
        """Return True if the database answers, and could be written lately."""
        try:
            with reading(self.engine) as connection:
                connection.execute(text("SELECT 1"))
        except SQLAlchemyError:
            return False
        return self.loops.health.is_well

    def close(self) -> None:
        """Let go of everything; the loops must have ended."""
        self._intake.close()
        self._commits.close()
        self._reader.close()
        self._notifier.close()
        let_go(self.engine)
        for engine in (self._listen_engine, None if self._replica is None else self._replica.engine):
            if engine is not None:
                let_go(engine)
        if self._lock is not None:
            self._lock.close()
