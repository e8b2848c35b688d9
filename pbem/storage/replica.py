"""A replica of a database on PostgreSQL, which is read from as long as it is known to be fresh enough.

A replica cannot tell by itself how far it is behind: one that has lost its primary believes to be up to date. So the
position of the primary's log is noted now and then. A replica that has replayed its log up to there shows everything
that had been written at that moment. No clocks of different machines are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import NamedTuple

import structlog
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from pbem.errors import PbemError

log = structlog.get_logger()

_WHICH = text("SELECT system_identifier FROM pg_control_system()")
"""The number that a database and its replicas have in common."""
_WRITTEN = text("SELECT pg_current_wal_flush_lsn() - '0/0'")
"""The end of what has reached the disk, and so of every commit that has waited for that; no replica gets more."""
_REPLAYED = text("SELECT pg_last_wal_replay_lsn() - '0/0' WHERE pg_is_in_recovery()")
_MARKS = 5
"""Positions that are noted within the time that a replica may be behind."""
_REST_SECONDS = 5.0
"""The time for which a replica is left alone that could not be read from."""


class ReplicaUnusable(PbemError):
    """A replica cannot be read from now; ``str`` says why."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class _Mark(NamedTuple):
    """The end of what the primary had written at a moment."""

    at: float
    position: int


class ReadReplica:
    """Connects to a replica that is not too far behind.

    Args:
        primary: the database itself.
        replica: follows it.
        most_seconds: that the replica may be behind.
        clock: tells seconds.
    """

    def __init__(
        self, primary: Engine, replica: Engine, most_seconds: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self.engine = replica
        self._primary = primary
        self._most_seconds = most_seconds
        self._clock = clock
        self._lock = Lock()
        self._marks: list[_Mark] = []
        self._is_marking = False
        self._is_ours = False
        self._why_unused = ""
        self._rests_until = 0.0

    def reader(self) -> Connection:
        """A connection for looking, like that of `pbem.storage.engine.reader`.

        Raises:
            ReplicaUnusable: it is too far behind, is no replica of the database, or is left alone for a while.
            SQLAlchemyError: it cannot be reached, or the database itself cannot.
        """
        with self._lock:
            now = self._clock()
            if self._why_unused and now < self._rests_until:
                raise ReplicaUnusable(self._why_unused)
            self._rests_until = now + _REST_SECONDS  # one tries, and the others do not wait for it
        self._note_position()
        try:
            connection = self._connect()
        except (ReplicaUnusable, SQLAlchemyError) as failed:
            self._is_used(because=" ".join(str(getattr(failed, "orig", None) or failed).split()))
            raise
        self._is_used()
        return connection

    def connect(self) -> Connection:
        """The same, however often it fails, and nothing is remembered or told of it.

        Raises:
            ReplicaUnusable, SQLAlchemyError: as there.
        """
        self._note_position()
        return self._connect()

    def _is_used(self, because: str = "") -> None:
        """Note if the replica is read from, and tell when that changes."""
        with self._lock:
            before, self._why_unused = self._why_unused, because
            self._rests_until = self._clock() + _REST_SECONDS
        if because and not before:
            log.warning("replica not used", why=because)
        elif before and not because:
            log.warning("replica used again")

    def _note_position(self) -> None:
        """Note how far the primary has come, unless that was done lately or is being done."""
        with self._lock:
            oldest = self._clock() - self._most_seconds / _MARKS
            if self._is_marking or (self._marks and self._marks[-1].at > oldest):
                return
            self._is_marking = True
        try:
            at = self._clock()  # before it is asked: it may have written since
            with self._primary.connect() as connection:
                mark = _Mark(at, int(connection.scalars(_WRITTEN).one()))
            with self._lock:
                self._marks = [each for each in self._marks if self._is_recent(each)] + [mark]
        finally:
            self._is_marking = False

    def _is_recent(self, mark: _Mark) -> bool:
        return self._clock() - mark.at <= self._most_seconds

    def _connect(self) -> Connection:
        connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            self._check_identity(connection)
            self._check_position(connection)
            connection.rollback()
            # what it looks at is chosen by the next statement, and is not older than what was checked
            return connection.execution_options(isolation_level="REPEATABLE READ")
        except BaseException:
            connection.close()
            raise

    def _check_identity(self, connection: Connection) -> None:
        if self._is_ours:
            return
        with self._primary.connect() as primary:
            self._is_ours = primary.scalars(_WHICH).one() == connection.scalars(_WHICH).one()
        if not self._is_ours:
            raise ReplicaUnusable("it is no replica of the database")

    def _check_position(self, connection: Connection) -> None:
        replayed = connection.scalar(_REPLAYED)
        if replayed is None:
            raise ReplicaUnusable("it is no replica, but a database that can be written")
        with self._lock:
            marks = self._marks
        if not any(mark.position <= replayed and self._is_recent(mark) for mark in marks):
            raise ReplicaUnusable(f"it is more than {self._most_seconds:g} seconds behind")
