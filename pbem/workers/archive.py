"""The games of a database as records: one record in or out, one transaction, next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Engine

from pbem.executor import insist
from pbem.games.game import Game
from pbem.ids import BoardNumber
from pbem.storage.engine import let_go
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.admin.imports import GamesHere, Imported, import_line
from pbem.usecases.context import Policy
from pbem.usecases.courses import Courses
from pbem.usecases.views.records import stored_record, stored_records


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
        self._courses = Courses(games)

    def record(self, number: BoardNumber, game: str | None = None) -> str:
        """The record of a board on one line.

        Raises:
            PlayerError: there is none, or none of this game.
        """
        with self._unit_of_work() as uow:
            return stored_record(number, game, uow, self._courses)

    def records(self, game: str | None = None) -> Iterator[str]:
        """The records of all games, or of those of one kind, a line each; challenges that were declined have none."""
        with self._unit_of_work() as uow:
            yield from stored_records(game, uow, self._courses)

    def take_in(self, line: bytes, now: datetime) -> Imported:
        """Make a board of the record on a line, unless its game is here already.

        Raises:
            PlayerError: the line is no sound record, or its players cannot hold the seats.
            TooManyConflicts: a running server has always just taken the number of the board.
        """
        imported = insist(lambda: self._import(line, now))
        self._games_here.take(imported.board.number)
        return imported

    def _import(self, line: bytes, now: datetime) -> Imported:
        with self._unit_of_work() as uow:
            imported = import_line(line, self._games, self._games_here, uow, now, policy=self._policy)
            uow.commit()
        return imported

    @cached_property
    def _games_here(self) -> GamesHere:
        """What was here when the first record was taken in."""
        with self._unit_of_work() as uow:
            return GamesHere(uow.boards.each(), self._courses)

    def _unit_of_work(self) -> UnitOfWork:
        return UnitOfWork(self._engine, self._courses.of)

    def close(self) -> None:
        """Let go of the database."""
        let_go(self._engine)
