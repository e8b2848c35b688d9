"""Servers with many players and boards, which are made of a few that were really played.

A fifth of the boards are played by a robot, and a fifth by one player. Nearly all players have an established rating
and were here today, so that lists must choose among all of them; what letters and mails have left behind is there, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path
from typing import Any

from sqlalchemy import delete, insert, select, text, update

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
from tests.support.tallies import recount

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
_AT_ONCE = 5_000


class BenchTown:
    """A server whose letters are handled one by one in this process."""

    def __init__(self, folder: Path, players: int, boards: int, url: str | None = None) -> None:
        folder.mkdir()
        self._has_backends = url is not None
        settings = {f"PBEM_{name.upper()}": value for name, value in (SETTINGS | _SETTINGS).items()}
        settings |= {"PBEM_DATABASE_URL": url or put_sqlite(folder / "pbem.db"), "PBEM_SMTP_LISTEN": "off"}
        self.server = Server(Settings.read(settings | {"PBEM_RELAY_URL": f"maildir:{folder}/mail"}))
        self.server.prepare()
        self._worker = self.server.inbox_worker()
        for player in ("alice", "bob"):
            self.handle(player, f"signup {player} secret")
        self._play_models()
        _People(self.server, players).settle(boards)

    def _play_models(self) -> None:
        """Have a board of each game in play, and a rated one of Superbo that was given up after some turns."""
        for game in (*_GAMES, "superbo"):
            self.handle("alice", f"{game} challenge bob")
        board, first = self.newest_board(), self.first_at(self.newest_board())
        for ply, words in enumerate(moves(_ANOTHER_GAME)[:_TURNS]):
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
        return (time.process_time_ns() - start + nanoseconds(backends) - there) / 1_000_000

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
    """Copies of the two players, and of their boards."""

    def __init__(self, server: Server, players: int) -> None:
        self._engine = server.engine
        self._players = players
        self._now = datetime.now(UTC)
        with reading(self._engine) as connection:
            robot = connection.scalars(select(PlayerRow.id).where(PlayerRow.userid == "robot1")).one()
            self._often = [robot, _FIRST_PLAYER]

    def settle(self, boards: int) -> None:
        """Put them into the database."""
        self._insert(PlayerRow, self._of_each_player(PlayerRow))
        self._insert(AddressRow, self._of_each_player(AddressRow))
        self._insert(CorrespondentRow, self._of_each_player(CorrespondentRow))
        self._insert(RatingRow, self._ratings())
        models = {kind: self._rows(kind) for kind in (BoardRow, SeatRow, EventRow, RatingChangeRow)}
        active = [row for row in models[BoardRow] if row["active"]]
        over = [row for row in models[BoardRow] if not row["active"]]
        kinds = (active, over)
        chosen = [kinds[i % 2][i // 2 % len(kinds[i % 2])] for i in range(boards)]
        self._insert(BoardRow, (self._board(row, i, boards - i) for i, row in enumerate(chosen)))
        for kind in (SeatRow, EventRow, RatingChangeRow):
            self._insert(kind, self._of_each_board(models[kind], chosen))
        for post in (LetterRow, LetterKeyRow, MailRow):
            self._insert(post, self._post(post, boards))
        self._take_stock()

    def _take_stock(self) -> None:
        """Count what is there, as the server has it counted, and let the database do so, too."""
        with writing(self._engine) as connection:
            recount(connection)
            played_by = {"pace_seconds": _PACE_SECONDS, "seen_on": self._now.date()}
            connection.execute(update(PlayerRow).values(played_by))
        with writing(self._engine) as connection:
            connection.execute(text("ANALYZE"))

    def _rows(self, kind: type[Base]) -> list[dict[str, Any]]:
        with reading(self._engine) as connection:
            return [dict(row) for row in connection.execute(select(*kind.__table__.c)).mappings()]

    def _insert(self, kind: type[Base], rows: Iterable[dict[str, Any]]) -> None:
        waiting = list(rows)
        for start in range(0, len(waiting), _AT_ONCE):
            with writing(self._engine) as connection:
                connection.execute(insert(kind), waiting[start : start + _AT_ONCE])

    def _of_each_player(self, kind: type[Base]) -> Iterable[dict[str, Any]]:
        model = self._rows(kind)[-1]
        for i in range(self._players):
            own = {"id": _FIRST_PLAYER + i, "player_id": _FIRST_PLAYER + i, "userid": f"u{i}", "userid_key": f"u{i}"}
            own |= {"address": f"u{i}@example.org", "address_key": f"u{i}@example.org"}
            yield model | {name: value for name, value in own.items() if name in model}

    def _ratings(self) -> Iterable[dict[str, Any]]:
        model = {"won": 6, "lost": 5, "tied": 1, "last_at": self._now, "revision": 1, "here": True}
        for i in range(self._players):
            games = 12 if i < _PROVISIONAL else 24
            for game in _GAMES[:2]:
                rating = 1500 + i * 7919 % 600
                yield model | {"player_id": _FIRST_PLAYER + i, "game": game, "rating": rating, "games": games}

    def _board(self, model: dict[str, Any], i: int, minutes: int) -> dict[str, Any]:
        ended = None if model["active"] else self._now - timedelta(minutes=minutes)
        return model | {"number": _FIRST_BOARD + i, "finished_at": ended}

    def _of_each_board(self, models: list[dict[str, Any]], chosen: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
        for i, board in enumerate(chosen):
            for row in models:
                if row["board_number"] == board["number"]:
                    yield row | {"board_number": _FIRST_BOARD + i} | self._player(row, i)

    def _player(self, row: dict[str, Any], i: int) -> dict[str, int]:
        """Someone else in the place of each of the two who played the models."""
        if "player_id" not in row:
            return {}
        side = row["player_id"] % 2
        if side and i % _OFTEN < len(self._often):
            return {"player_id": self._often[i % _OFTEN]}
        return {"player_id": _FIRST_PLAYER + (i * 7 + side * (1 + i % (self._players - 1))) % self._players}

    def _post(self, kind: type[Base], boards: int) -> Iterable[dict[str, Any]]:
        """A letter that was answered, and the mail that went out, for each board."""
        model = self._rows(kind)[-1]
        model.pop("id", None)  # the database numbers them, and goes on from there
        for i in range(boards):
            player = _FIRST_PLAYER + i % self._players
            own: dict[str, Any] = {"key": f"copy-{i}", "message_id": f"<{i}@example.org>"}
            own |= {"sender": f"u{i % self._players}@example.org", "board_number": _FIRST_BOARD + i}
            own |= {"player_id": player, "raw": None, "state": "done" if kind is LetterRow else "sent"}
            own |= {"lease_owner": None, "lease_until": None, "attempts": 1, "finished_at": self._now}
            yield model | {name: value for name, value in own.items() if name in model}
