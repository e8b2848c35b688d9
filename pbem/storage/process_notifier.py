"""Wakes the processes of a server, and shows which of them are alive.

On SQLite all of them were started by one, and wake each other through pipes; mostly there is one, and nobody to wake.

NOTIFY is sent after the commit of the work, never with it: transactions that contain NOTIFY wait for the disk one after
the other when they commit. A process that is killed between the two wakes nobody; the others find the work when they
look by themselves.
"""

from __future__ import annotations

import os
import select
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, cast

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from pbem.errors import PbemError
from pbem.storage.engine import reading

if TYPE_CHECKING:  # loaded where PostgreSQL is used
    import psycopg

HOLDERS = 0x7062656D
"""The kind of the advisory locks by which processes are known to live: the letters "pbem"."""
_CHANNEL = "pbem"
_LONGEST_SILENCE = 30
"""Seconds after which the connection is tried."""
_PREPARE = text(f"LISTEN {_CHANNEL}")
_NO_DISK = text("SET synchronous_commit TO off")
_HOLD = text("SELECT pg_advisory_lock_shared(:holders, hashtext(:owner))")
"""Shared, so that nobody waits for it: when the network has cut a connection, its holder is taken to live on."""
_SESSION = text("SELECT pg_backend_pid()")
_IS_SHARED = text(
    "SELECT pid = pg_backend_pid() FROM pg_stat_activity WHERE pid = :pid AND datname = current_database()"
)
"""Look for a session: nothing if it is in another database, true if this connection has it, too."""
_RING = text("SELECT pg_notify(:channel, topic) FROM unnest(CAST(:topics AS text[])) AS topic")
_TRY = text("SELECT 1")


class WrongListenUrl(PbemError):
    """The connection on which a process would listen cannot be used for that; ``str`` says why."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class Topic(StrEnum):
    """The kinds of news that processes are woken for."""

    LETTERS = "letters"
    """Letters have come."""
    MAILS = "mails"
    """There are mails to be handed over."""
    BOARDS = "boards"
    """Something has happened at boards, and with it perhaps anything else."""


class Notifier(ABC):
    """One process's way to wake others, and to be woken."""

    is_silent = False
    """True if there is nobody to wake."""

    @abstractmethod
    def ring(self, topic: Topic) -> None:
        """Have the other processes woken, soon; may be called by any thread, and takes no time."""

    @abstractmethod
    def end_soon(self) -> None:
        """Let the step under way end."""

    @abstractmethod
    def open(self) -> None:
        """Connect."""

    @abstractmethod
    def step(self) -> bool:
        """Wait until others ring, and wake whom they ring for."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything, once; no step may be under way."""


class Pipes(NamedTuple):
    """The ends of pipes by which the processes of one machine wake each other."""

    own: tuple[int, int]
    """The pipe of this process: read what others write; write to wake oneself."""
    others: tuple[int, ...]
    """The ends that lead to the others. All of them block nobody."""


_LETTERS_OF = {topic: topic[0].encode() for topic in Topic}
"""The byte that is written for each topic."""


class PipeNotifier(Notifier):
    """Wakes processes of the same machine.

    Args:
        pipes: lead to them; they outlive this process.
        heard: told for what another process has rung.
    """

    def __init__(self, pipes: Pipes, heard: Callable[[Topic], None]) -> None:
        self._pipes = pipes
        self._heard = heard

    def ring(self, topic: Topic) -> None:
        """Have the other processes woken."""
        for each in self._pipes.others:
            with suppress(BlockingIOError):  # full: it has enough to wake for
                os.write(each, _LETTERS_OF[topic])

    def end_soon(self) -> None:
        """Let the step under way end."""
        with suppress(BlockingIOError):
            os.write(self._pipes.own[1], b"!")

    def open(self) -> None:
        """There is nothing to connect to."""

    def step(self) -> bool:
        """Wait until others ring, and wake whom they ring for."""
        _ready(self._pipes.own[0])
        with suppress(BlockingIOError):  # nobody has rung
            written = set(os.read(self._pipes.own[0], 65_536))
            for topic, letter in _LETTERS_OF.items():
                if written.intersection(letter):
                    self._heard(topic)
        return True

    def close(self) -> None:
        """The pipes are there for whoever comes after this process."""


class _Listener(NamedTuple):
    """A connection that listens, and the same as its driver knows it."""

    connection: Connection
    driver: psycopg.Connection[object]
    pid: int
    """The session on the server; one that the driver names may be a pooler's."""


class ProcessNotifier(Notifier):
    """The same through PostgreSQL: a connection that listens, rings, and holds a lock while the process lives.

    Args:
        engine: of the database.
        owner: the name of this process, by which it leases.
        heard: told for what another process has rung.
        listen_engine: of the same database, with connections that have a session of their own; None: those of
            ``engine`` have.
    """

    def __init__(
        self, engine: Engine, owner: str, heard: Callable[[Topic], None], listen_engine: Engine | None = None
    ) -> None:
        self._engine = engine
        self._listen_engine = listen_engine or engine
        self._owner = owner
        self._heard = heard
        self._listener: _Listener | None = None
        self._topics: set[Topic] = set()
        self._lock = Lock()
        self._hears, self._says = os.pipe()
        self._ends = [self._hears, self._says]
        self.is_silent = engine.dialect.name != "postgresql"

    def ring(self, topic: Topic) -> None:
        """Have the other processes woken, soon; may be called by any thread, and takes no time."""
        if self.is_silent:
            return
        with self._lock:
            is_first = not self._topics
            self._topics.add(topic)
        if is_first:
            os.write(self._says, b"!")

    def end_soon(self) -> None:
        """Let the step under way end."""
        os.write(self._says, b"!")

    def open(self) -> None:
        """Connect, listen, and hold the lock of this process.

        Raises:
            SQLAlchemyError: the database cannot be reached.
            WrongListenUrl: the session is not this process's own, or is in another database.
        """
        if self.is_silent:
            return
        connection = self._listen_engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            driver = cast("psycopg.Connection[object]", connection.connection.driver_connection)
            connection.detach()  # it is kept, and is none of those that others wait for
            pid = own_session(connection, self._engine)
            connection.execute(_NO_DISK)
            connection.execute(_HOLD, {"holders": HOLDERS, "owner": self._owner})
            connection.execute(_PREPARE)
        except BaseException:
            connection.close()
            raise
        self._listener = _Listener(connection, driver, pid)

    def step(self) -> bool:
        """Ring what is to be rung, and wake whom others ring for; wait for either, and connect anew if need be.

        Raises:
            SQLAlchemyError, WrongListenUrl: the database cannot be reached, or not so.
        """
        if self._listener is None:
            self.open()
            for topic in Topic:
                self._heard(topic)  # perhaps: nobody could be heard meanwhile
            return True
        try:
            self._attend(self._listener)
        except self._engine.dialect.loaded_dbapi.Error as failed:  # as the driver tells it
            self._hang_up()
            raise OperationalError(None, None, failed) from None
        except BaseException:
            self._hang_up()
            raise
        return True

    def _attend(self, listener: _Listener) -> None:
        ready = _ready(listener.driver.fileno(), self._hears)
        if self._hears in ready:
            os.read(self._hears, 4096)
        with self._lock:
            topics, self._topics = self._topics, set()
        if topics:
            listener.connection.execute(_RING, {"channel": _CHANNEL, "topics": sorted(topics)})
        elif not ready:
            listener.connection.execute(_TRY)
        heard = {note.payload for note in listener.driver.notifies(timeout=0) if note.pid != listener.pid}
        for topic in heard.intersection(Topic):  # other versions may ring for something else
            self._heard(Topic(topic))

    def _hang_up(self) -> None:
        """Let go of the connection, and so of the lock."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(SQLAlchemyError):  # why it is hung up has been told
                listener.connection.close()
            listener.driver.close()

    def close(self) -> None:
        """Let go of everything, once; no step may be under way."""
        self._hang_up()
        while self._ends:  # closed a second time they may be somebody else's
            os.close(self._ends.pop())


def own_session(connection: Connection, engine: Engine) -> int:
    """The session of a connection; it may be used once it is known to be nobody else's.

    A pooler gives a session that has just become free to whoever asks next, so its sharing shows at once.

    Args:
        connection: a process is to listen on it.
        engine: by which everybody works on the database.

    Raises:
        WrongListenUrl: it is shared, or in another database.
    """
    pid = int(connection.scalars(_SESSION).one())
    connection.rollback()  # in a transaction nobody else would be given it
    with reading(engine) as other:
        is_shared = other.scalar(_IS_SHARED, {"pid": pid})
    if is_shared is None:
        raise WrongListenUrl("must lead to the same database as PBEM_DATABASE_URL")
    if is_shared:
        raise WrongListenUrl("must lead around the pooler, which gives one session to several connections")
    return pid


def _ready(*files: int) -> set[int]:
    """Which of these have something to be read, once one has or the longest silence is over."""
    waiting = select.poll()  # unlike select() it bears any number
    for file in files:
        waiting.register(file, select.POLLIN)
    return {file for file, _ in waiting.poll(1000 * _LONGEST_SILENCE)}
