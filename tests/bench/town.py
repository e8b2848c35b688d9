"""Servers with many players and boards, which the database makes of a few that were really played.

A fifth of the boards are played by a robot, and a fifth by one player. Nearly all players have an established rating
and were here today, so that lists must choose among all of them; what letters and mails have left behind is there, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    case,
    delete,
    func,
    insert,
    literal,
    literal_column,
    null,
    select,
    text,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.types import TypeEngine

from pbem.bootstrap.server import Server
from pbem.config import Settings
from pbem.domain.letters import Envelope
from pbem.storage.engine import reading, writing
from pbem.storage.models import (
    AddressRow,
    Base,
    BoardRow,
    CorrespondentRow,
    EventRow,
    LetterKeyRow,
    LetterRow,
    MailRow,
    PlayerRow,
    RatingChangeRow,
    RatingRow,
    SeatRow,
    TaskRow,
)
from tests.bench.client import Letter, letter
from tests.bench.play import moves
from tests.bench.processes import nanoseconds
from tests.bench.server import SETTINGS
from tests.support.databases import put_sqlite
from tests.support.tallies import count_played

_GAMES = ("superbo", "mambo", "lambo", "palago", "mamba")
_FIRST_PLAYER, _FIRST_BOARD = 1_000, 10_000
OTHERS_BOARD = _FIRST_BOARD
"""A board in play between people who write no letters."""
_TURNS = 8
_ANOTHER_GAME = 1
"""Not the one that visitors play: who plays a game may ask nothing about one that stood the same."""
_PACE_SECONDS = 3_600
_PROVISIONAL = 10
"""Players whose rating is not established."""
_OFTEN = 5
"""Every so manyth board is played by a robot, and as many by somebody who plays very much."""
_FIRST = "SELECT p.userid FROM players p JOIN seats s ON p.id = s.player_id WHERE s.board_number = :n AND s.seat = 0"
_BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
"""The processes of PostgreSQL that do the work."""
_SETTINGS = {"max_boards_shown": "1", "max_broadcasts_per_day": "100", "max_boards_per_robot": "100"}
"""Lists of boards have at most ten lines then, and as many where there are few boards; no round is refused anything."""
_SERVER = "pbem@localhost"
_COPIED: tuple[type[Base], ...] = (
    *(PlayerRow, AddressRow, CorrespondentRow, RatingRow, BoardRow, SeatRow, EventRow, RatingChangeRow),
    *(LetterRow, LetterKeyRow, MailRow),
)


def _expression(value: object, type_: TypeEngine[Any]) -> ColumnElement[Any]:
    if isinstance(value, ColumnElement):
        return value
    return null() if value is None else literal(value, type_)


@dataclass(frozen=True)
class Extents:
    """The number of copies of each kind."""

    players: int
    boards: int
    in_play: int = 2
    """One of so many boards is in play."""
    letters: int | None = None
    """Those that were answered, with a mail each; None: one for each board."""


class BenchTown:
    """A server whose letters are handled one by one in this process."""

    def __init__(self, folder: Path, extents: Extents, url: str | None = None, turns: int = _TURNS) -> None:
        folder.mkdir()
        self._has_backends = url is not None
        settings = {f"PBEM_{name.upper()}": value for name, value in (SETTINGS | _SETTINGS).items()}
        settings |= {"PBEM_DATABASE_URL": url or put_sqlite(folder / "pbem.db"), "PBEM_SMTP_LISTEN": "off"}
        self.server = Server(Settings.read(settings | {"PBEM_RELAY_URL": f"maildir:{folder}/mail"}))
        self.server.prepare()
        self._worker = self.server.inbox_worker()
        for player in ("alice", "bob"):
            self.handle(player, f"signup {player} secret")
        self._play_models(turns)
        _People(self.server, extents).settle()

    def _play_models(self, turns: int) -> None:
        """Have a board of each game in play, and a rated one of Superbo that was given up after some turns."""
        for game in (*_GAMES, "superbo"):
            self.handle("alice", f"{game} challenge bob")
        board, first = self.newest_board(), self.first_at(self.newest_board())
        for ply, words in enumerate(moves(_ANOTHER_GAME)[:turns]):
            player = first if ply % 2 == 0 else {"alice": "bob", "bob": "alice"}[first]
            self.handle(player, f"superbo move {board} {player} secret {words}")
        self.handle(first, f"resign {board} {first} secret")
        self.over = board

    def first_at(self, board: int) -> str:
        """The player with the first move there."""
        return str(self.row(_FIRST, n=board)[0])

    def newest_board(self) -> int:
        """The number of the board that was begun last."""
        return int(self.row("SELECT number FROM boards ORDER BY number DESC LIMIT 1")[0])

    def row(self, sql: str, **values: Any) -> Any:
        """The first row that the database answers with."""
        return next(iter(self._rows(sql, **values)), None)

    def _rows(self, sql: str, **values: Any) -> list[Any]:
        with reading(self.server.engine) as connection:
            return list(connection.execute(text(sql), values))

    def forget_tasks(self) -> None:
        """Forget what robots have been asked, which they never do here."""
        with writing(self.server.engine) as connection:
            connection.execute(delete(TaskRow))

    def handle(self, sender: str, subject: str) -> float:
        """Have a letter accepted, answered, and the answer stored.

        Returns:
            the milliseconds that the processor took, those of PostgreSQL included.
        """
        return self._handle(letter(sender, subject), _SERVER)

    def confirm(self, sender: str) -> float:
        """Have the question that was mailed last answered with yes; return the same."""
        (question,) = self.row("SELECT raw FROM outbox ORDER BY id DESC LIMIT 1")
        return self._handle(letter(sender, "Re: your question", "yes"), message_from_bytes(question)["Reply-To"])

    @property
    def refused(self) -> float:
        """The number of commands refused."""
        return sum(each.value for family in self.server.meters.refusals.collect() for each in family.samples)

    def _handle(self, made: Letter, recipient: str) -> float:
        envelope = Envelope(made.sender, (parseaddr(recipient)[1],))
        backends = [pid for (pid,) in self._rows(_BACKENDS)] if self._has_backends else []
        there, start = nanoseconds(backends), time.process_time_ns()
        self.server.accept(envelope, made.raw, datetime.now(UTC)).result()
        self._worker.step()
        passed = time.process_time_ns() - start
        worked = nanoseconds(backends)  # a connection may have been closed, and its process ended
        return (passed + sum(worked[pid] - there[pid] for pid in worked if pid in there)) / 1_000_000

    def last_mail(self) -> int:
        """The mail that was written last."""
        return int(self.row("SELECT coalesce(max(id), 0) FROM outbox")[0])

    def answer(self, after: int) -> tuple[str, int]:
        """The name of the last mail, and the bytes of all mails that were written after one."""
        last = self.row("SELECT name FROM outbox ORDER BY id DESC LIMIT 1")
        return last[0], int(self.row("SELECT coalesce(sum(length(raw)), 0) FROM outbox WHERE id > :id", id=after)[0])

    def close(self) -> None:
        """End its processes."""
        self.server.close()


class _People:
    """Copies of the two players, and of their boards, which the database makes itself."""

    def __init__(self, server: Server, extents: Extents) -> None:
        self._engine, self._extents = server.engine, extents
        self._now = datetime.now(UTC)
        with reading(self._engine) as connection:
            robot = connection.scalars(select(PlayerRow.id).where(PlayerRow.userid == "robot1")).one()
            self._often = [robot, _FIRST_PLAYER]

    @property
    def _is_postgresql(self) -> bool:
        return self._engine.dialect.name == "postgresql"

    def settle(self) -> None:
        """Put them into the database."""
        boards, players = self._extents.boards, self._extents.players
        models = {kind: self._rows(kind) for kind in _COPIED}
        with self._without_indexes():
            for kind in (PlayerRow, AddressRow, CorrespondentRow):
                self._copy(kind, models[kind][-1], self._player(kind), players)
            self._rate()
            pattern = self._pattern(models[BoardRow])
            for place, board in enumerate(pattern):
                many = (boards - place + len(pattern) - 1) // len(pattern)
                self._copy_board(board, models, many, (place, len(pattern)))
            for post in (LetterRow, LetterKeyRow, MailRow):
                letters = self._extents.letters
                self._copy(post, models[post][-1], self._posted(post), boards if letters is None else letters)
        self._take_stock()

    def _pattern(self, models: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """The boards in the order in which they are copied again and again."""
        active, over = ([row for row in models if row["active"] is here] for here in (True, False))
        others = self._extents.in_play - 1
        return [row for each in active for row in (each, *(over[at % len(over)] for at in range(others)))]

    def _copy_board(
        self, board: dict[str, Any], models: dict[type[Base], list[dict[str, Any]]], many: int, places: tuple[int, int]
    ) -> None:
        """Copy a board to each of the places that are this one, or so many after the last."""
        ended = None if board["active"] else self._minutes_ago

        def of_board(row: dict[str, Any], i: ColumnElement[int]) -> dict[str, Any]:
            own = {"number" if "begun_at" in row else "board_number": _FIRST_BOARD + i}
            if "finished_at" in row and ended is not None:
                own["finished_at"] = ended(self._extents.boards - i)
            return own | ({"player_id": self._of_seat(row, i)} if "player_id" in row else {})

        self._copy(BoardRow, board, partial(of_board, board), many, *places)
        for kind in (SeatRow, EventRow, RatingChangeRow):
            for row in models[kind]:
                if row["board_number"] == board["number"]:
                    self._copy(kind, row, partial(of_board, row), many, *places)

    def _copy(
        self,
        kind: type[Base],
        model: dict[str, Any],
        own: Callable[[ColumnElement[int]], dict[str, Any]],
        many: int,
        start: int = 0,
        step: int = 1,
    ) -> None:
        """Copy a row, each time with what is its own: of the number ``start``, and of every ``step``-th after it."""
        if many <= 0:
            return
        begin = select(literal(0).label("i")).cte("numbers", recursive=True)
        numbers = begin.union_all(select(begin.c.i + 1).where(begin.c.i < many - 1))
        types = {column.name: column.type for column in kind.__table__.c}
        found = model | own(cast("ColumnElement[int]", numbers.c.i) * step + start)
        columns = {name: _expression(value, types[name]) for name, value in found.items()}
        rows = select(*columns.values()).select_from(numbers)
        with self._writing() as connection:
            connection.execute(insert(kind).from_select([*columns], rows))

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction in which PostgreSQL does not look up each player and board that a row names."""
        with writing(self._engine) as connection:
            if self._is_postgresql:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
                connection.execute(text("SET LOCAL work_mem = '256MB'"))
            yield connection

    @contextmanager
    def _without_indexes(self) -> Iterator[None]:
        """Make the indexes anew afterwards: that takes less time than to keep them."""
        indexes = [index for kind in _COPIED for index in kind.__table__.indexes]
        with writing(self._engine) as connection:
            for index in indexes:
                index.drop(connection)
        yield
        for index in indexes:
            with self._writing() as connection:
                if self._is_postgresql:
                    connection.execute(text("SET LOCAL maintenance_work_mem = '1GB'"))
                index.create(connection)

    def _minutes_ago(self, minutes: ColumnElement[int]) -> ColumnElement[Any]:
        if self._is_postgresql:
            return literal(self._now) - minutes * literal_column("interval '1 minute'")
        ago = literal("-") + sql_cast(minutes, String) + literal(" minutes")
        return func.strftime("%Y-%m-%d %H:%M:%S", f"{self._now:%Y-%m-%d %H:%M:%S}", ago) + literal(".000000")

    def _player(self, kind: type[Base]) -> Callable[[ColumnElement[int]], dict[str, Any]]:
        columns = kind.__table__.c

        def own(i: ColumnElement[int]) -> dict[str, Any]:
            number, userid = _FIRST_PLAYER + i, literal("u") + sql_cast(i, String)
            values: dict[str, Any] = {"id": number, "player_id": number, "userid": userid, "userid_key": userid}
            values |= {"address": userid + "@example.org", "address_key": userid + "@example.org"}
            values |= {"pace_seconds": _PACE_SECONDS, "seen_on": self._now.date()}
            return {name: value for name, value in values.items() if name in columns}

        return own

    def _rate(self) -> None:
        """Rate each player in two games; the first few are not established."""
        for game in _GAMES[:2]:
            model = {"game": game, "variant": "", "won": 6, "lost": 5, "tied": 1, "last_at": self._now, "revision": 1}
            self._copy(
                RatingRow,
                model | {"here": True},
                lambda i: {
                    "player_id": _FIRST_PLAYER + i,
                    "rating": 1500 + i * 19 % 600,
                    "games": case((i < _PROVISIONAL, 12), else_=24),
                },
                self._extents.players,
            )

    def _of_seat(self, row: dict[str, Any], i: ColumnElement[int]) -> ColumnElement[int]:
        """Someone else in the place of each of the two who played the models."""
        players, side = self._extents.players, row["player_id"] % 2
        usual = _FIRST_PLAYER + (i * 7 + side * (1 + i % (players - 1))) % players
        often = [(i % _OFTEN == at, literal(player)) for at, player in enumerate(self._often)]
        return case(*often, else_=usual) if side else usual

    def _posted(self, kind: type[Base]) -> Callable[[ColumnElement[int]], dict[str, Any]]:
        """A letter that was answered, or the mail that went out; the database numbers them."""
        columns = kind.__table__.c

        def own(i: ColumnElement[int]) -> dict[str, Any]:
            player, number = i % self._extents.players, sql_cast(i, String)
            values: dict[str, Any] = {"key": literal("copy-") + number, "board_number": _FIRST_BOARD + i}
            values |= {"message_id": literal("<") + number + "@example.org>", "player_id": _FIRST_PLAYER + player}
            values |= {"sender": literal("u") + sql_cast(player, String) + "@example.org", "raw": None}
            values |= {"state": "done" if kind is LetterRow else "sent", "lease_owner": None, "lease_until": None}
            values |= {"attempts": 1, "finished_at": self._now}
            return {name: value for name, value in values.items() if name in columns}

        return own

    def _take_stock(self) -> None:
        """Count what is there, as the server has it counted, and let the database do so, too."""
        with self._writing() as connection:
            count_played(connection)
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE" if self._is_postgresql else "ANALYZE"))

    def _rows(self, kind: type[Base]) -> list[dict[str, Any]]:
        """All rows; without the numbers that the database gives letters and mails."""
        own = {"id"} if kind in (LetterRow, LetterKeyRow, MailRow) else set()
        with reading(self._engine) as connection:
            found = connection.execute(select(*(each for each in kind.__table__.c if each.name not in own)))
            return [dict(row) for row in found.mappings()]
