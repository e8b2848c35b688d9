"""Tasks of the computer opponents, and analyses, in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, and_, delete, func, insert, select, update

from pbem.bots.analysis import GameAnalysis, Look
from pbem.bots.boards import LEVELS
from pbem.bots.thinking import PLAYOUTS_FOR_DRAW
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState
from pbem.domain.players import Standing, userid_key
from pbem.domain.robots import PATIENCE, PLAYS, Analysis, RobotTask, TaskKind, Work, errands, robots_at
from pbem.errors import Conflict
from pbem.games.game import Candidate
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import reading, writing
from pbem.storage.leases import Rests, free, is_due, is_free, pull_in
from pbem.storage.models import BoardAnalysisRow, BoardRow, PlayerRow, TaskRow
from pbem.storage.repository import Noting, Repository

_PLAYS = TaskRow.kind.in_(PLAYS)
"""Tasks that a board asks for as it stands."""
_UNSEATING = (EventKind.HANDOVER, EventKind.DECLINE)
"""Events after which a robot may be at a board no more."""


class ErrandRepository(Noting):
    """Has the tasks follow the boards, within the transaction that writes them.

    Args:
        connect: what is read from.
        boards: those that are about to be written, by number.
        course: what the rules make of each.
        most_playouts: that a robot may think about a task; None: as many as its level says.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        boards: Callable[[], Mapping[BoardNumber, Board]],
        course: Callable[[Board], GameState],
        most_playouts: int | None = None,
    ) -> None:
        super().__init__(connect)
        self._most_playouts = most_playouts
        self._boards = boards
        self._course = course

    def before(self, board: BoardNumber) -> int | None:
        """The number of stored tasks ahead of that of a board; None: it has no waiting task."""
        is_waiting = (TaskRow.state == "waiting") & TaskRow.lease_owner.is_(None)
        due = select(TaskRow.due_at, TaskRow.of_guest).where(TaskRow.board_number == board, is_waiting, _PLAYS)
        mine = self._connect().execute(due.order_by(TaskRow.due_at).limit(1)).first()
        if mine is None:
            return None
        is_before = _PLAYS & ~TaskRow.of_guest & (TaskRow.due_at < mine.due_at)
        if mine.of_guest:
            is_before = ~TaskRow.of_guest | (TaskRow.due_at < mine.due_at)
        return self._connect().scalar(select(func.count()).where(is_waiting, is_before)) or 0

    def write(self, connection: Connection) -> None:
        """Ask of robots what their boards ask, and forget what has been overtaken."""
        for board in self._boards().values():
            if robots_at(board) or any(event.kind in _UNSEATING for event in board.events):
                self._follow(connection, board)

    def _follow(self, connection: Connection, board: Board) -> None:
        asked = errands(board, self._course(board))
        mine, kept = (TaskRow.board_number == board.number) & _PLAYS, [each.player for each in asked]
        overtaken = (TaskRow.event != board.event_number) | TaskRow.player_id.not_in(kept)
        connection.execute(delete(TaskRow).where(mine, overtaken))
        there = set(connection.scalars(select(TaskRow.player_id).where(mine)))
        rows = [
            {**self._values(each, board.last_at), "of_guest": board.of_guest}
            for each in asked
            if each.player not in there
        ]
        if rows:
            connection.execute(insert(TaskRow), rows)

    def _values(self, errand: RobotTask, asked_at: datetime) -> dict[str, Any]:
        budget = _budget(errand)
        budget = budget if self._most_playouts is None else min(budget, self._most_playouts)
        return {
            "board_number": errand.board,
            "event": errand.event,
            "player_id": errand.player,
            "kind": errand.kind.value,
            "budget": budget,
            "asked_at": asked_at,
            "due_at": asked_at + budget * PATIENCE,
            "state": "waiting",
            "attempts": 0,
            "next_attempt_at": asked_at,
        }


def _budget(errand: RobotTask) -> int:
    """The budget of a task in playouts, unless the operator allows less."""
    playouts = LEVELS[userid_key(errand.userid)].playouts
    return {TaskKind.UNDO: 0, TaskKind.DRAW: max(playouts, PLAYOUTS_FOR_DRAW)}.get(errand.kind, playouts)


_IS_ANALYSIS = TaskRow.kind == TaskKind.ANALYSE.value


class AnalysisRepository(Repository["PlayerId", Analysis]):
    """The analyses that are wanted, by who wants them: each has one at most."""

    _notes = ("saved", "_withdrawn")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._withdrawn: dict[PlayerId, Analysis] = {}

    def find(self, asker: PlayerId) -> Analysis | None:
        """The analysis that somebody waits for, if there is one."""
        if asker in self.saved or asker in self._withdrawn:
            return self.saved.get(asker)
        row = self._connect().execute(select(*TaskRow.__table__.c).where(TaskRow.asker_id == asker)).first()
        return None if row is None else _analysis(row)

    def withdraw(self, analysis: Analysis) -> None:
        """Forget a stored analysis; whoever thinks about it finds nobody who waits for it."""
        self._withdrawn[analysis.asker] = analysis

    def count(self) -> int:
        """The number of stored analyses, begun or not."""
        return self._connect().scalar(select(func.count()).where(self._is_stored)) or 0

    def is_wanted(self, board: BoardNumber) -> bool:
        """Return True if somebody waits for the analysis of a whole game."""
        of_game = _IS_ANALYSIS & (TaskRow.board_number == board) & TaskRow.moveno.is_(None)
        return (
            self._connect().scalar(select(TaskRow.id).where(of_game, TaskRow.state == "waiting").limit(1)) is not None
        )

    def before(self, due_at: datetime) -> int:
        """The number of stored analyses, not begun yet, ahead of one that is due then."""
        waits = (TaskRow.state == "waiting") & TaskRow.lease_owner.is_(None) & self._is_stored
        return self._connect().scalar(select(func.count()).where(waits, TaskRow.due_at < due_at)) or 0

    def ask(self, analysis: Analysis) -> None:
        """Want an analysis; if the asker comes to wait for another meanwhile the commit is a `Conflict`."""
        self.saved[analysis.asker] = analysis

    @property
    def _is_stored(self) -> Any:
        return _IS_ANALYSIS & TaskRow.asker_id.not_in(self._withdrawn) if self._withdrawn else _IS_ANALYSIS

    def write(self, connection: Connection) -> None:
        """Write what was asked."""
        for analysis in self._withdrawn.values():
            this = (TaskRow.asker_id == analysis.asker) & (TaskRow.asked_at == analysis.asked_at)
            connection.execute(delete(TaskRow).where(this))
        for analysis in self.saved.values():
            connection.execute(insert(TaskRow).values(_values(analysis)))


def _values(analysis: Analysis) -> dict[str, Any]:
    return {
        "board_number": analysis.board,
        "event": analysis.event,
        "player_id": analysis.robot,
        "kind": TaskKind.ANALYSE.value,
        "moveno": analysis.moveno,
        "asker_id": analysis.asker,
        "budget": analysis.budget,
        "asked_at": analysis.asked_at,
        "due_at": analysis.due_at,
        "state": "waiting",
        "attempts": 0,
        "next_attempt_at": analysis.asked_at,
    }


class GameAnalysisRepository(Repository["BoardNumber", GameAnalysis]):
    """The analyses of whole games that are kept with their boards."""

    def find(self, board: BoardNumber) -> GameAnalysis | None:
        """The analysis of a board, if one is kept."""
        if board in self.saved:
            return self.saved[board]
        query = select(BoardAnalysisRow.looks, BoardAnalysisRow.playouts, BoardAnalysisRow.made_at)
        row = self._connect().execute(query.where(BoardAnalysisRow.board_number == board)).first()
        return None if row is None else GameAnalysis(tuple(map(_look, row.looks)), row.playouts, row.made_at)

    def made_at(self, boards: Collection[BoardNumber]) -> Mapping[BoardNumber, datetime]:
        """The times at which the stored analyses of these boards were made, for those that have one."""
        query = select(BoardAnalysisRow.board_number, BoardAnalysisRow.made_at)
        rows = self._connect().execute(query.where(BoardAnalysisRow.board_number.in_(boards)))
        return {BoardNumber(row.board_number): row.made_at for row in rows}

    def save(self, board: BoardNumber, analysis: GameAnalysis) -> None:
        """Keep an analysis in place of the one before; a `Conflict` if another is kept at the same moment."""
        self.saved[board] = analysis

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for board, analysis in self.saved.items():
            connection.execute(delete(BoardAnalysisRow).where(BoardAnalysisRow.board_number == board))
            values = {"looks": [asdict(look) for look in analysis.looks], "playouts": analysis.playouts}
            made = {"board_number": board, "made_at": analysis.made_at}
            connection.execute(insert(BoardAnalysisRow).values(values | made))


def _look(stored: Mapping[str, Any]) -> Look:
    candidates = tuple(Candidate(**{**each, "moves": tuple(each["moves"])}) for each in stored["candidates"])
    return Look(**{**stored, "candidates": candidates})


_ORDER = (TaskRow.of_guest, TaskRow.kind.not_in(PLAYS), TaskRow.due_at, TaskRow.id)
"""In which tasks are taken: boards wait for no analysis; these wait for moves only where a mind takes both. Guests'
boards wait for everybody."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something that a robot is to do, in the queue."""

    id: int
    work: Work
    userid: str
    """The robot's."""
    budget: int
    """In playouts."""
    asked_at: datetime
    due_at: datetime
    """Which task is taken first follows from this, and what kind it is."""
    attempts: int = 0
    """The number of attempts, this one included."""
    owner: str | None = None
    """Which process thinks about it; None: it waits, or has been set aside."""
    error: str | None = None
    """Why it could not be done the last time."""

    @property
    def board(self) -> BoardNumber:
        """The board that it is about."""
        return self.work.board

    @property
    def kind(self) -> TaskKind:
        """The kind of task."""
        return self.work.kind


class Tasks:
    """Leases tasks to thinkers, and notes what has become of them.

    Args:
        engine: of the database.
        owner: the name of this process.
        lease: for how long a task is taken; whoever thinks longer renews it.
    """

    def __init__(self, engine: Engine, owner: str, lease: timedelta) -> None:
        self._engine = engine
        self._owner = owner
        self._lease = lease

    @property
    def lease_seconds(self) -> float:
        """For how long a task is taken."""
        return self._lease.total_seconds()

    def lease(
        self, now: datetime, most: int | None = None, kinds: Collection[TaskKind] = frozenset(TaskKind)
    ) -> Task | None:
        """Take the task that is first in the queue; None if there is none that may be taken.

        Args:
            now: when.
            most: the largest budget that is taken, in playouts.
            kinds: what is taken.
        """
        due = _next_due(now).where(TaskRow.kind.in_(kinds), True if most is None else TaskRow.budget <= most)
        with reading(self._engine) as connection:
            if connection.scalar(due) is None:
                return None
        with writing(self._engine) as connection:
            found = connection.scalar(due.with_for_update(skip_locked=True, of=TaskRow))
            if found is None:
                return None
            taken = update(TaskRow).where(TaskRow.id == found)
            until = {"lease_owner": self._owner, "lease_until": now + self._lease, "attempts": TaskRow.attempts + 1}
            connection.execute(taken.values(until))
            row = connection.execute(_selected().where(TaskRow.id == found)).one()
        return _task(row)

    def renew(self, tasks: Iterable[Task], now: datetime) -> None:
        """Go on thinking."""
        ids = [task.id for task in tasks]
        if ids:
            with writing(self._engine) as connection:
                mine = update(TaskRow).where(TaskRow.id.in_(ids), TaskRow.lease_owner == self._owner)
                connection.execute(mine.values(lease_until=now + self._lease))

    def give_back(self, tasks: Iterable[Task], at: datetime) -> None:
        """Give tasks back to be taken up at ``at``, because it is not their fault: this attempt does not count."""
        with writing(self._engine) as connection:
            for task in tasks:
                self._end(connection, task, {"attempts": task.attempts - 1, "next_attempt_at": at})

    def retry(self, task: Task, error: str, at: datetime) -> None:
        """Give a task back to be taken up again at ``at``."""
        with writing(self._engine) as connection:
            self._end(connection, task, {"last_error": error, "next_attempt_at": at})

    def shunt(self, connection: Connection, task: Task, error: str) -> None:
        """Set a task aside for a human, within a transaction."""
        self._end(connection, task, {"state": "shunted", "last_error": error})

    def drop(self, task: Task) -> None:
        """Forget a task that has nothing to do any more."""
        with writing(self._engine) as connection:
            connection.execute(delete(TaskRow).where(self._is_mine(task)))

    def end(self, connection: Connection, task: Task) -> None:
        """Forget a task within the transaction in which it is done.

        Raises:
            Conflict: it is not this process's any more.
        """
        if not connection.execute(delete(TaskRow).where(self._is_mine(task))).rowcount:
            raise Conflict(task=task.id)

    def _end(self, connection: Connection, task: Task, values: dict[str, object]) -> None:
        ended = {**values, "lease_owner": None, "lease_until": None}
        connection.execute(update(TaskRow).where(self._is_mine(task)).values(ended))

    def _is_mine(self, task: Task) -> Any:
        return and_(TaskRow.id == task.id, TaskRow.lease_owner == self._owner, TaskRow.attempts == task.attempts)

    def pull_in(self, now: datetime, rests: Rests) -> int:
        """Let no task wait, and no lease last, longer than it may: the clock was ahead when that was noted."""
        return pull_in(self._engine, TaskRow, now, rests, self._lease)

    def take_over(self, dead: Collection[str] | None = None) -> int:
        """Free the leases of processes that have died; None: every lease, for one that has its database to itself."""
        return free(self._engine, TaskRow, dead)


def _next_due(now: datetime) -> Any:
    """The query for the next task; robots that the operator has frozen do nothing."""
    return (
        select(TaskRow.id)
        .join(PlayerRow, PlayerRow.id == TaskRow.player_id)
        .where(TaskRow.state == "waiting", PlayerRow.standing == Standing.ACTIVE.value)
        .where(is_due(TaskRow, now), is_free(TaskRow, now))
        .order_by(*_ORDER)
        .limit(1)
    )


def _selected() -> Any:
    return select(*TaskRow.__table__.c, PlayerRow.userid).join(PlayerRow, PlayerRow.id == TaskRow.player_id)


def queued_tasks(connection: Connection, most: int) -> Sequence[tuple[Task, str]]:
    """The tasks that wait or are thought about, in the order in which they are taken, each with its game."""
    return _with_games(connection, "waiting", most)


def shunted_tasks(connection: Connection, most: int) -> Sequence[tuple[Task, str]]:
    """The tasks that were set aside, each with its game."""
    return _with_games(connection, "shunted", most)


def retry_tasks(connection: Connection, boards: Sequence[int], now: datetime) -> list[int]:
    """Have tasks that were set aside taken up anew; return the numbers of their boards."""
    anew = {"state": "waiting", "attempts": 0, "next_attempt_at": now, "last_error": None}
    mine = update(TaskRow).where(TaskRow.state == "shunted", TaskRow.board_number.in_(boards))
    return sorted(set(connection.scalars(mine.values(anew).returning(TaskRow.board_number))))


def drop_analyses(connection: Connection, tasks: Collection[Task]) -> None:
    """Forget analyses that were asked for; whoever thinks about one finds nobody who waits for it.

    Raises:
        Conflict: one has been mailed meanwhile.
    """
    mine = TaskRow.id.in_([task.id for task in tasks]) & TaskRow.kind.not_in(PLAYS)
    if connection.execute(delete(TaskRow).where(mine)).rowcount != len(tasks):
        raise Conflict(tasks=[task.id for task in tasks])


def _with_games(connection: Connection, state: str, most: int) -> Sequence[tuple[Task, str]]:
    query = (
        select(*TaskRow.__table__.c, PlayerRow.userid, BoardRow.game)
        .join(PlayerRow, PlayerRow.id == TaskRow.player_id)
        .join(BoardRow, BoardRow.number == TaskRow.board_number)
        .where(TaskRow.state == state)
        .order_by(*_ORDER)
        .limit(most)
    )
    rows: Iterable[Row[Any]] = connection.execute(query)
    return [(_task(row), row.game) for row in rows]


def _task(row: Row[Any]) -> Task:
    return Task(
        id=row.id,
        work=_work(row),
        userid=row.userid,
        budget=row.budget,
        asked_at=row.asked_at,
        due_at=row.due_at,
        attempts=row.attempts,
        owner=row.lease_owner,
        error=row.last_error,
    )


def _work(row: Row[Any]) -> Work:
    if row.kind == TaskKind.ANALYSE:
        return _analysis(row)
    board, robot = BoardNumber(row.board_number), PlayerId(row.player_id)
    return RobotTask(board, row.event, robot, row.userid, TaskKind(row.kind))


def _analysis(row: Row[Any]) -> Analysis:
    board, robot, asker = BoardNumber(row.board_number), PlayerId(row.player_id), PlayerId(row.asker_id)
    return Analysis(board, row.event, robot, asker, row.moveno, row.budget, row.asked_at)
