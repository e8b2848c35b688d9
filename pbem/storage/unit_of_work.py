"""Reads now, keeps what is to be written, and writes all of it in one short transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.storage.board_rows import KeptEvents
from pbem.storage.boards import BoardRepository
from pbem.storage.broadcasts import BroadcastRepository, DigestRepository, ReportRepository
from pbem.storage.clocks import ClockRepository
from pbem.storage.committing import SharedCommits, conflicts_told
from pbem.storage.correspondents import BounceRepository, CorrespondentRepository, MailRepository
from pbem.storage.credentials import ConfirmationRepository, SessionRepository, TokenRepository
from pbem.storage.engine import reader, writing
from pbem.storage.passwords import WrongPasswordRepository
from pbem.storage.personal_data import TraceRepository
from pbem.storage.players import BlockRepository, PlayerRepository, ReadinessRepository, SolvedPuzzleRepository
from pbem.storage.rankings import RankingRepository
from pbem.storage.ratings import RatingRepository
from pbem.storage.repository import Noting, Repository
from pbem.storage.robot_tasks import AnalysisRepository, ErrandRepository
from pbem.storage.seeks import SeekRepository
from pbem.storage.tournaments import TournamentRepository
from pbem.storage.watches import RemarkRepository, WatchRepository

_NotingT = TypeVar("_NotingT", bound=Noting)


class UnitOfWork:
    """The reading and writing of one letter, click or clock stroke.

    Reading, deciding and rendering hold no lock. `commit` lets go of what was read,
    begins the one transaction that writes, and checks there that nothing decided upon
    has changed.

    Args:
        engine: of the database.
        course: computes the game state of a board.
        most_playouts: the most that a robot's task may have.
        kept: the events of boards that need not be read again.
        commits: through which it is written; None: in a transaction of its own.
    """

    def __init__(
        self,
        engine: Engine,
        course: Callable[[Board], GameState],
        *,
        most_playouts: int | None = None,
        kept: KeptEvents | None = None,
        commits: SharedCommits | None = None,
    ) -> None:
        self._engine = engine
        self._commits = commits
        self._reader: Connection | None = None
        self._repositories: list[Noting] = []
        self.players = self._writing(PlayerRepository(self._connect))
        self.wrong_passwords = self._writing(WrongPasswordRepository(self._connect))
        self.tournaments = self._writing(TournamentRepository(self._connect))
        self.boards = self._writing(BoardRepository(self._connect, course, kept))
        errands = ErrandRepository(self._connect, lambda: self.boards.saved, course, most_playouts)
        self.errands = self._writing(errands)
        self.analyses = self._writing(AnalysisRepository(self._connect))
        self.clocks = self._writing(ClockRepository(self._connect))
        self.confirmations = self._writing(ConfirmationRepository(self._connect))
        self.correspondents = self._writing(CorrespondentRepository(self._connect))
        self.bounces = self._writing(BounceRepository(self._connect))
        self.mails = self._writing(MailRepository(self._connect))
        self.reports = self._writing(ReportRepository(self._connect))
        self.ratings = self._writing(RatingRepository(self._connect))
        self.blocks = self._writing(BlockRepository(self._connect))
        self.readiness = self._writing(ReadinessRepository(self._connect))
        self.seeks = self._writing(SeekRepository(self._connect))
        self.watches = self._writing(WatchRepository(self._connect))
        self.digests = self._writing(DigestRepository(self._connect))
        self.broadcasts = self._writing(BroadcastRepository(self._connect))
        self.sessions = self._writing(SessionRepository(self._connect))
        self.tokens = self._writing(TokenRepository(self._connect))
        self.remarks = self._writing(RemarkRepository(self._connect))
        self.traces = self._writing(TraceRepository(self._connect))
        self.solved_puzzles = self._writing(SolvedPuzzleRepository(self._connect))
        self.rankings = RankingRepository(self._connect)

    def _writing(self, repository: _NotingT) -> _NotingT:
        """Keep a repository among those that are written, behind those made before it."""
        self._repositories.append(repository)
        return repository

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _connect(self) -> Connection:
        if self._reader is None:
            self._reader = reader(self._engine)
        return self._reader

    @property
    def changes_boards(self) -> bool:
        """A board has been saved."""
        return bool(self.boards.saved)

    @property
    def changes_boards_alone(self) -> bool:
        """Only boards are to be written, of all that others decide upon: readers of other boards need not wait."""
        others = (each for each in self._repositories if each is not self.boards and each is not self.correspondents)
        return not any(isinstance(each, Repository) and each.has_changes for each in others)

    def release(self) -> None:
        """Let go of the connection that was read from; reading again takes another."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
            self.players.read_anew()
            self.boards.read_anew()

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """A stretch whose changes are forgotten if an exception leaves it."""
        restore = [each.remember() for each in self._repositories]
        try:
            yield
        except BaseException:
            for each in restore:
                each()
            raise

    @contextmanager
    def rehearsal(self) -> Iterator[None]:
        """A stretch whose changes are forgotten at its end."""
        restore = [each.remember() for each in self._repositories]
        try:
            yield
        finally:
            for each in restore:
                each()

    def commit(self, *also: Callable[[Connection], None]) -> None:
        """Write everything that was saved, and what ``also`` writes, or nothing.

        Raises:
            Conflict: somebody else changed meanwhile what this was decided upon.
        """
        self.submit(*also).result()

    def submit(self, *also: Callable[[Connection], None]) -> Future[None]:
        """Have everything written that was saved, and what ``also`` writes, or nothing; `commit` waits for it."""
        self.release()
        write = partial(self._write, also)
        if self._commits is not None:
            return self._commits.submit(write)
        done: Future[None] = Future()
        try:
            with conflicts_told(), writing(self._engine) as connection:
                write(connection)
        except Exception as failed:  # noqa: BLE001 - raised for whoever waits
            done.set_exception(failed)
        else:
            done.set_result(None)
        return done

    def _write(self, also: Sequence[Callable[[Connection], None]], connection: Connection) -> None:
        for repository in self._repositories:
            repository.write(connection)
        for write in also:
            write(connection)
