"""Reads now, keeps what is to be written, and writes all of it in one short transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine

from pbem.domain.game_state import GameStates
from pbem.storage.board_rows import KeptEvents
from pbem.storage.boards import BoardRepository
from pbem.storage.broadcasts import BroadcastRepository, DigestRepository, ReportRepository
from pbem.storage.clocks import ClockRepository
from pbem.storage.committing import SharedCommits, conflicts_told
from pbem.storage.correspondents import BounceRepository, CorrespondentRepository, MailRepository
from pbem.storage.credentials import ConfirmationRepository, SessionRepository, TokenRepository
from pbem.storage.engine import end_reading, reader, writing
from pbem.storage.openings import OpeningRepository
from pbem.storage.passwords import WrongPasswordRepository
from pbem.storage.personal_data import TraceRepository
from pbem.storage.players import BlockRepository, PlayerRepository, ReadinessRepository, SolvedPuzzleRepository
from pbem.storage.pushes import PushRepository
from pbem.storage.rankings import RankingRepository
from pbem.storage.ratings import KeptSums, RatingRepository
from pbem.storage.replica import ReadReplica
from pbem.storage.repository import Noting, Repository
from pbem.storage.robot_tasks import AnalysisRepository, ErrandRepository, GameAnalysisRepository
from pbem.storage.seeks import SeekRepository
from pbem.storage.studies import NoteRepository, StudyRepository
from pbem.storage.tournaments import TournamentRepository
from pbem.storage.watches import RemarkRepository, WatchRepository

_NotingT = TypeVar("_NotingT", bound=Noting)


def _lazy(kind: Callable[[Callable[[], Connection]], _NotingT]) -> cached_property[_NotingT]:
    """A repository that is made when it is first asked for: most letters need few."""
    return cached_property(lambda self: kind(self._connect))


@dataclass(frozen=True, slots=True)
class Kept:
    """The parts of the database that all units of work of a process keep."""

    events: KeptEvents = field(default_factory=KeptEvents)
    """Of boards."""
    sums: KeptSums = field(default_factory=KeptSums)
    """Of the ratings of large pools."""


class UnitOfWork:
    """The reading and writing of one letter, click or clock stroke.

    Reading, deciding and rendering hold no lock. `commit` lets go of what was read,
    begins the one transaction that writes, and checks there that nothing decided upon
    has changed. The repositories are written in the order in which they are declared,
    on which foreign keys depend.

    Args:
        engine: of the database.
        courses: compute the game states of boards.
        most_playouts: the most that a robot's task may have.
        kept: what need not be read again.
        commits: through which it is written; None: in a transaction of its own.
        tells_browsers: True if players may be told of their turn in browsers.
    """

    def __init__(
        self,
        engine: Engine,
        courses: GameStates,
        *,
        most_playouts: int | None = None,
        kept: Kept | None = None,
        commits: SharedCommits | None = None,
        tells_browsers: bool = False,
    ) -> None:
        self._engine = engine
        self._courses = courses
        self._most_playouts = most_playouts
        self._kept = kept
        self._commits = commits
        self._tells_browsers = tells_browsers
        self._replica: ReadReplica | None = None
        self._reader: Connection | None = None

    players = _lazy(PlayerRepository)
    wrong_passwords = _lazy(WrongPasswordRepository)
    tournaments = _lazy(TournamentRepository)

    @cached_property
    def boards(self) -> BoardRepository:
        """The boards."""
        return BoardRepository(self._connect, self._courses, None if self._kept is None else self._kept.events)

    @cached_property
    def errands(self) -> ErrandRepository:
        """The robots' tasks, which follow the boards."""
        return ErrandRepository(self._connect, lambda: self.boards.saved, self._courses.of, self._most_playouts)

    analyses = _lazy(AnalysisRepository)
    game_analyses = _lazy(GameAnalysisRepository)
    clocks = _lazy(ClockRepository)
    confirmations = _lazy(ConfirmationRepository)
    correspondents = _lazy(CorrespondentRepository)
    bounces = _lazy(BounceRepository)
    mails = _lazy(MailRepository)
    reports = _lazy(ReportRepository)

    @cached_property
    def ratings(self) -> RatingRepository:
        """The ratings."""
        return RatingRepository(self._connect, None if self._kept is None else self._kept.sums)

    openings = _lazy(OpeningRepository)
    blocks = _lazy(BlockRepository)
    readiness = _lazy(ReadinessRepository)
    seeks = _lazy(SeekRepository)
    watches = _lazy(WatchRepository)
    digests = _lazy(DigestRepository)
    broadcasts = _lazy(BroadcastRepository)
    sessions = _lazy(SessionRepository)
    tokens = _lazy(TokenRepository)
    remarks = _lazy(RemarkRepository)
    notes = _lazy(NoteRepository)
    studies = _lazy(StudyRepository)

    @cached_property
    def pushes(self) -> PushRepository:
        """The browsers that are told when it is their player's turn."""
        return PushRepository(self._connect, lambda: self.boards, self._courses.of)

    traces = _lazy(TraceRepository)
    solved_puzzles = _lazy(SolvedPuzzleRepository)

    @property
    def rankings(self) -> RankingRepository:
        """The rankings, which are only read here."""
        return RankingRepository(self._connect)

    def _made(self) -> list[Noting]:
        """The repositories that were asked for, in the order in which they are written."""
        made = self.__dict__
        return [made[name] for name in _IN_ORDER if name in made]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _connect(self) -> Connection:
        if self._reader is None:
            self._reader = reader(self._engine) if self._replica is None else self._replica.reader()
        return self._reader

    def reading_from(self, replica: ReadReplica) -> Self:
        """Read from a replica, in place of the database itself; nothing can be written then."""
        self._replica = replica
        return self

    @property
    def changes_boards(self) -> bool:
        """A board has been saved."""
        return bool(self.boards.saved)

    @property
    def changes_boards_alone(self) -> bool:
        """Only boards are to be written, of all that others decide upon: readers of other boards need not wait."""
        loose = self.boards, self.remarks, *(() if self.correspondents.counts_strictly else (self.correspondents,))
        others = (each for each in self._made() if each not in loose)
        return not any(isinstance(each, Repository) and each.has_changes for each in others)

    def release(self) -> None:
        """Let go of the connection that was read from; reading again takes another."""
        if self._reader is not None:
            reader, self._reader = self._reader, None
            end_reading(reader)
            for each in self._made():
                each.read_anew()

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """A stretch whose changes are forgotten if an exception leaves it."""
        restore = self._remember()
        try:
            yield
        except BaseException:
            restore()
            raise

    @contextmanager
    def rehearsal(self) -> Iterator[None]:
        """A stretch whose changes are forgotten at its end."""
        restore = self._remember()
        try:
            yield
        finally:
            restore()

    def _remember(self) -> Callable[[], None]:
        """Return what takes back everything that is noted from now on, also in repositories not made yet."""
        restores = {each: each.remember() for each in self._made()}

        def restore() -> None:
            for each in self._made():
                restores.get(each, each.take_all_back)()

        return restore

    def commit(self, *also: Callable[[Connection], None]) -> None:
        """Write everything that was saved, and what ``also`` writes, or nothing.

        Raises:
            Conflict: somebody else changed meanwhile what this was decided upon.
        """
        self.submit(*also).result()

    def submit(self, *also: Callable[[Connection], None]) -> Future[None]:
        """Have everything written that was saved, and what ``also`` writes, or nothing; `commit` waits for it."""
        if self._replica is not None:
            raise AssertionError("what was read from a replica may be outdated: nothing is decided upon it")
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
        if self.changes_boards:
            _ = self.errands  # they follow the boards, whoever has asked for them
            if self._tells_browsers:
                _ = self.pushes  # and so do these
        for repository in self._made():
            repository.write(connection)
        for write in also:
            write(connection)


_IN_ORDER = tuple(name for name, value in vars(UnitOfWork).items() if isinstance(value, cached_property))
"""The names of the repositories as they are declared."""
