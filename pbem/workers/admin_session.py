"""The actions of operators from the command line or the web: decided, written and recorded."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Engine

from pbem.domain.administration import AuditEntry
from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import Notice
from pbem.executor import CommandExecutor, retry_on_conflict
from pbem.games.game import Game
from pbem.ids import BoardNumber
from pbem.mail_in.addresses import OwnAddress
from pbem.storage.engine import let_go, reading
from pbem.storage.operators import note_deed
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context, GameStateCache, Policy
from pbem.usecases.imports import GamesHere, Imported, import_line
from pbem.usecases.rankings import stored_record, stored_records

Act = Callable[[Context], Sequence[Notice]]
"""Decides, and says who is to be told what."""
Write = Callable[[Connection, datetime], None]
"""Writes what no repository does."""


_LONGEST_SUBJECT = 320


class AdminSession:
    """Carries deeds out; the mails that they cause lie in the outbox for the running server to deliver.

    Args:
        engine: the database.
        executor: decides, and composes the mails that tell of it.
        ours: our addresses.
        operator: whose deeds they are: the account on the machine.
    """

    def __init__(
        self,
        engine: Engine,
        executor: CommandExecutor,
        ours: OwnAddress,
        operator: str,
    ) -> None:
        self.engine = engine
        self.executor = executor
        self.ours = ours
        self.operator = operator

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection to look with."""
        return reading(self.engine)

    def do(
        self,
        deed: str,
        subject: object,
        reason: str = "",
        act: Act | None = None,
        write: Write | None = None,
    ) -> list[OutgoingMail]:
        """Carry out a deed, note it, and store the mails that tell of it; all or nothing.

        Args:
            deed: what it is, as the command line has it: ``player freeze``.
            subject: whom or what it is done to.
            reason: in the operator's words.
            act: decides, through the use cases.
            write: writes what no repository does.

        Raises:
            PlayerError: it cannot be done; nothing has changed.
            TooManyConflicts: the server was quicker again and again.
        """
        origin = f"deed-{secrets.token_hex(8)}"
        return retry_on_conflict(lambda: self._do(deed, str(subject), reason, act, write, origin))

    def _do(
        self, deed: str, subject: str, reason: str, act: Act | None, write: Write | None, origin: str
    ) -> list[OutgoingMail]:
        now = datetime.now(UTC)
        with self.executor.unit_of_work() as uow:
            decision = self.executor.decide(uow, lambda context: {origin: act(context) if act else []}, now)
            if decision is None:
                raise AssertionError("a deed is always noted")
            note = AuditEntry(now, self.operator, deed, subject[:_LONGEST_SUBJECT], reason)
            uow.commit(
                lambda connection: None if write is None else write(connection, now),
                lambda connection: note_deed(connection, note),
                decision.add_mails,
            )
        return decision.mails

    @contextmanager
    def looking(self) -> Iterator[Context]:
        """A stretch in which use cases can be asked; nothing is written."""
        with self.executor.unit_of_work() as uow:
            yield self.executor.context(uow, datetime.now(UTC))

    def mail(self, notices: Mapping[str, Sequence[Notice]]) -> int:
        """Store mails that a deed noted already has led to, by what their keys begin with; return how many.

        Raises:
            Conflict: some of them are stored already.
        """
        now = datetime.now(UTC)
        mails = [mail for origin, some in notices.items() for mail in self.executor.composer.compose(some, origin, now)]
        with self.executor.unit_of_work() as uow:
            uow.commit(lambda connection: self.executor.outbox.add(connection, mails, now))
        return len(mails)

    def close(self) -> None:
        """Let go of the database."""
        let_go(self.engine)


class Archive:
    """Reads and writes records beside whatever server is running on the same database.

    Args:
        engine: of the database.
        games: that the server plays.
        policy: what its operator has decided about clocks.
    """

    def __init__(self, engine: Engine, games: Mapping[str, Game[Any, Any]], policy: Policy) -> None:
        self._engine = engine
        self._games = games
        self._policy = policy
        self._courses = GameStateCache(games)

    def record(self, number: BoardNumber, game: str | None = None, file_format: str = "") -> str:
        """The record of a board on one line, or in another format.

        Raises:
            PlayerError: there is none, or none of this game or in this format.
        """
        with self._unit_of_work() as uow:
            return stored_record(number, game, uow, self._courses, file_format)

    def records(self, game: str | None = None, file_format: str = "") -> Iterator[str]:
        """The records of all games, or of those of one kind, a line each or in another format that they have.

        Challenges that were declined have none.
        """
        with self._unit_of_work() as uow:
            yield from stored_records(game, uow, self._courses, file_format)

    def take_in(self, line: bytes, now: datetime) -> Imported:
        """Make a board of the record on a line or in another format, unless its game is here already.

        Raises:
            PlayerError: the line is no sound record, or its players cannot hold the seats.
            TooManyConflicts: a running server has always just taken the number of the board.
        """
        imported = retry_on_conflict(lambda: self._import(line, now))
        self._games_here.take(imported.board.number)
        return imported

    def _import(self, line: bytes, now: datetime) -> Imported:
        with self._unit_of_work() as uow:
            imported = import_line(line, self._games, self._games_here, uow, now, policy=self._policy)
            uow.commit()
        return imported

    @cached_property
    def _games_here(self) -> GamesHere:
        """The games here when the first record was taken in."""
        with self._unit_of_work() as uow:
            return GamesHere(uow.boards.each(), self._courses)

    def _unit_of_work(self) -> UnitOfWork:
        return UnitOfWork(self._engine, self._courses)

    def close(self) -> None:
        """Let go of the database."""
        let_go(self._engine)
