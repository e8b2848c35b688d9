"""Players of Mamba at a real database: what they ask for goes to the handlers, and what comes of it is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import Engine, update

from pbem.commands.challenges import Challenge
from pbem.commands.command import Command
from pbem.commands.internal import StrikeClock
from pbem.commands.playing import MakeMove, Resign
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.clocks import ClockRules
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.records import replay
from pbem.domain.replies import Signer
from pbem.games.game import Seat, TurnRecord
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.records import read_record
from pbem.ids import BoardNumber
from pbem.storage.clocks import clock_values, look_again
from pbem.storage.engine import writing
from pbem.storage.models import BoardRow
from pbem.storage.passwords import Passwords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context, GameStateCache, Policy, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from tests.games.mamba.playing import playthroughs
from tests.storage.stock import AT, player

GAMES = {"mamba": MAMBA}
NUMBER = BoardNumber(101)
ANN, BEN, CAT, DAN = (player(number, name) for number, name in enumerate(("ann", "ben", "cat", "dan"), start=1))


class HandlerFixture:
    """Ann, Ben, Cat and Dan, and a board of theirs: the first one unless ``number`` is set."""

    def __init__(self, engine: Engine, key: str = "a key") -> None:
        self.engine = engine
        self.lots = Signer([key])
        self._now = AT
        self.number = NUMBER
        self.courses = GameStateCache(GAMES)
        uow = self.work()
        for each in (ANN, BEN, CAT, DAN):
            uow.players.save(each)
        uow.commit()

    def work(self) -> UnitOfWork:
        return UnitOfWork(self.engine, self.courses)

    def asks(self, userid: str, command: Command, answers_event: int | None = None) -> list[Notice]:
        """Carry out a command of a player, proven, a minute after the one before."""
        with self.work() as uow:
            notices = self.decides(uow, userid, command, answers_event)
            uow.commit()
        return notices

    def decides(self, uow: UnitOfWork, userid: str, command: Command, answers_event: int | None = None) -> list[Notice]:
        """Carry out a command without committing it."""
        self._now += timedelta(minutes=1)
        speaker = Speaker(uow.players.by_userid(userid), Proof.PROVEN, answers_event)
        return dispatch(command, self.context(uow, speaker, userid))

    def context(self, uow: UnitOfWork, speaker: Speaker, userid: str = "nobody") -> Context:
        """The world around a command, in a letter from an address called ``userid``."""
        passwords = cast("Passwords", None)  # nobody has to prove anything here
        evidence, lots = Evidence(f"{userid}@example.org"), self.lots.draw_lots
        policy = Policy("pbem@example.org")
        return Context(uow, self._now, GAMES, self.courses, passwords, policy, evidence, lots, self.lots.tag, speaker)

    @property
    def now(self) -> datetime:
        """The time here."""
        return self._now

    def waits(self, time: timedelta) -> None:
        """Let time pass, or set the clock back."""
        self._now += time

    def looks_again(self) -> None:
        """Do what the server does when its clock was set."""
        look_again(self.engine, self._now)

    def has_clock(self, clock: ClockRules) -> None:
        """Give the board another clock than it was begun with."""
        values = {"clock": clock_values(clock), "clock_at": self._now}
        with writing(self.engine) as connection:
            connection.execute(update(BoardRow).where(BoardRow.number == self.number).values(values))

    def strikes(self) -> list[Notice]:
        """Do what the clock of the board calls for, if it is due."""
        with self.work() as uow:
            if self.number not in uow.clocks.due(self._now, 9):
                return []
            notices = dispatch(StrikeClock(self.number), self.context(uow, Speaker(None)))
            uow.commit()
        return notices

    def challenges(self, *userids: str, options: str = "inorder") -> list[Notice]:
        return self.asks(userids[0], Challenge("mamba", userids, tuple(options.split())))

    def moves(self, userid: str, line: str, moveno: int | None = None) -> list[Notice]:
        return self.asks(userid, MakeMove(self.number, line, moveno))

    def resigns(self, userid: str) -> list[Notice]:
        return self.asks(userid, Resign(self.number))

    def forfeits(self, seat: Seat) -> None:
        """Let the board go on without a player who has kept the others waiting."""
        with self.work() as uow:
            uow.boards.save(self.board.with_event(EventKind.FORFEIT, seat, self._now))
            uow.commit()

    def happens(self, kind: EventKind, seat: Seat, record: TurnRecord | None = None) -> None:
        """Let something happen at the board that nobody has asked for."""
        with self.work() as uow:
            uow.boards.save(self.board.with_event(kind, seat, self._now, record))
            uow.commit()

    def takes_over(self, game: int, inputs: int, *userids: str) -> None:
        """Set a board up as it stood after so many inputs of a recorded game."""
        record = playthroughs()[game]["record"]
        stood = replay(read_record(record | {"turns": record["turns"][:inputs]}), MAMBA, AT)
        assert stood.error is None
        with self.work() as uow:
            players = [uow.players.by_userid(userid) for userid in userids]
            seats = tuple(SeatHolder(each.id, each.userid) for each in players if each is not None)
            uow.boards.save(replace(stood.board, number=NUMBER, seats=seats))
            uow.commit()

    @property
    def board(self) -> Board:
        """The board as it is stored."""
        with self.work() as uow:
            found = uow.boards.find(self.number)
        assert found is not None
        return found

    @property
    def course(self) -> GameState:
        return self.courses.of(self.board)

    @property
    def position(self) -> Position:
        """The current position of the game."""
        position = self.course.position
        assert isinstance(position, Position)
        return position

    @property
    def userids(self) -> str:
        """The players at the board, by seat."""
        return " ".join(holder.userid for holder in self.board.seats)

    @property
    def to_act(self) -> str | None:
        seat = self.course.to_act
        return None if seat is None else self.board.seats[seat].userid


def told(notices: list[Notice]) -> dict[str, str]:
    """Which notice each player gets."""
    return {each.to if isinstance(each.to, str) else each.to.userid: each.name for each in notices}
