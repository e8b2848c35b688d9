"""A board: one game between players, an append-only list of numbered events.

The position is what the rules make of the events. It is never stored as the only
copy; `follow` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

    from pbem.games.game import Game, Position, Seat, TurnRecord, TurnText
    from pbem.ids import BoardNumber, PlayerId


class EventKind(StrEnum):
    """What can happen at a board."""

    MOVE = "move"
    RESIGNATION = "resignation"
    FORFEIT = "forfeit"
    """The seat has kept the others waiting for too long."""
    DRAW = "draw"
    """All have agreed on it; the seat is that of the last to do so."""
    DECLINE = "decline"


class Ending(StrEnum):
    """Why a board is over."""

    RULES = "rules"
    """The game's own rules ended it; the outcome says how."""
    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    DRAWN = "drawn"
    """By agreement."""
    DECLINED = "declined"
    """A player took himself off before his first move, and too few were left."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at a board, for good; numbered from 1 without gaps."""

    number: int
    kind: EventKind
    seat: Seat
    at: datetime
    record: TurnRecord | None = None
    """For a move: the turn as it stands in a game record."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who holds a seat."""

    player: PlayerId
    userid: str
    resigning: bool = False
    """Has announced, out of turn, to resign when the turn comes."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a board ended; no winners: a tie, or nothing to win."""

    winners: tuple[Seat, ...]
    ending: Ending
    by: Seat | None = None
    """The seat that resigned, forfeited, declined, or agreed to the draw."""


@dataclass(frozen=True, slots=True)
class Board:
    """One game between players, by number."""

    number: BoardNumber
    game: str
    options: Mapping[str, Any]
    rules: int
    first: Seat
    seats: tuple[SeatHolder, ...]
    begun_at: datetime
    events: tuple[Event, ...] = ()
    rated: bool = True
    """Whether its result may ever count; that of an imported game does not."""
    revision: int = 0
    """How often the board was written; storage refuses a write that is based on an older one."""

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """The seats that a player holds; two in a game against oneself."""
        return tuple(seat for seat, holder in enumerate(self.seats) if holder.player == player)

    def with_event(self, kind: EventKind, seat: Seat, at: datetime, record: TurnRecord | None = None) -> Board:
        """The board after one more event."""
        return replace(self, events=(*self.events, Event(len(self.events) + 1, kind, seat, at, record)))

    def with_resigning(self, seat: Seat, resigning: bool) -> Board:
        """The board with a seat's announced resignation set or taken back."""
        holder = replace(self.seats[seat], resigning=resigning)
        return replace(self, seats=(*self.seats[:seat], holder, *self.seats[seat + 1 :]))

    @property
    def event_number(self) -> int:
        """The number of the last event; 0 at the start. Replies to an older one are overtaken."""
        return len(self.events)

    @property
    def last_at(self) -> datetime:
        """When the last thing happened here."""
        return self.events[-1].at if self.events else self.begun_at

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody who holds a seat, each once, in the order of seats."""
        return tuple(dict.fromkeys(holder.player for holder in self.seats))

    def has_moved(self, seat: Seat) -> bool:
        """Whether a seat has made a move of its own."""
        return any(event.kind is EventKind.MOVE and event.seat == seat for event in self.events)

    def time_used(self) -> tuple[timedelta, ...]:
        """How long each seat has kept the others waiting, finished turns only."""
        used = [self.begun_at - self.begun_at for _ in self.seats]
        moments = [self.begun_at, *(event.at for event in self.events)]
        for event, (before, after) in zip(self.events, pairwise(moments), strict=True):
            used[event.seat] += after - before
        return tuple(used)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One numbered line of the move list."""

    moveno: int
    seat: Seat
    text: TurnText


@dataclass(frozen=True, slots=True)
class Course:
    """What the rules make of a board's events: every turn, and where the game stands."""

    position: Position[Any]
    turns: tuple[PlayedTurn, ...] = ()
    result: Result | None = None
    events: int = 0
    """How many events it covers."""

    @property
    def to_act(self) -> Seat | None:
        """The seat that must play or decide; None once the board is over."""
        return None if self.result else self.position.to_act

    @property
    def ply(self) -> int:
        """Turns played."""
        return len(self.turns)


_ENDINGS = {
    EventKind.RESIGNATION: (Ending.RESIGNED, True),
    EventKind.FORFEIT: (Ending.FORFEITED, True),
    EventKind.DRAW: (Ending.DRAWN, False),
    EventKind.DECLINE: (Ending.DECLINED, False),
}
"""Events after which a board is over, how so, and whether the other seats have won."""


def begin(board: Board, game: Game[Any, Any]) -> Course:
    """The course of a board before its first event."""
    return Course(game.begin(board.options, len(board.seats), board.first))


def _then(course: Course, event: Event, board: Board, game: Game[Any, Any]) -> Course:
    if event.kind in _ENDINGS:
        ending, others_win = _ENDINGS[event.kind]
        winners = tuple(seat for seat in range(len(board.seats)) if others_win and seat != event.seat)
        return replace(course, result=Result(winners, ending, event.seat), events=event.number)
    position = game.play_turn(course.position, game.turn_steps(event.record))
    turn = PlayedTurn(course.ply + 1, event.seat, game.turn_text(position))
    outcome = position.outcome
    result = None if outcome is None else Result(outcome.winners, Ending.RULES)
    return Course(position, (*course.turns, turn), result, event.number)


def follow(board: Board, game: Game[Any, Any], known: Course | None = None) -> Course:
    """Play a board's events through.

    Args:
        board: the board.
        game: its game.
        known: the course of the board's first events, if somebody has kept it.
    """
    course = known or begin(board, game)
    for event in board.events[course.events :]:
        course = _then(course, event, board, game)
    return course


def up_to_move(board: Board, moveno: int) -> Board:
    """The board as it stood after move ``moveno``, 0 being before the first; the present one if there are fewer."""
    moves = [event.number for event in board.events if event.kind is EventKind.MOVE]
    if moveno >= len(moves):
        return board
    return replace(board, events=board.events[: moves[moveno] - 1])
