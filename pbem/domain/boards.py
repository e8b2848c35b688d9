"""A board: one game between players, an append-only list of numbered events.

The position is what the rules make of the events. It is never stored as the only
copy; `follow` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pbem.domain.clocks import Pause, counted
from pbem.games.game import Ending as GameEnding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

    from pbem.games.game import Game, InputText, Position, Seat, TurnRecord
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
    """A player has taken himself off before his first move. With a record the game has begun anew for the others,
    whose userids are in it by seat; without one the board is over."""
    ANNULMENT = "annulment"
    """The operator has taken the board off the lists; the seat is the one whose turn it was."""
    HANDOVER = "handover"
    """The operator has given the seat to another player; the record has the userids, ``from`` and ``to``."""


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
    ANNULLED = "annulled"
    """By the operator: it is as if it had never been played."""


UNPLAYED = (Ending.DECLINED, Ending.ANNULLED)
"""Endings of boards that are off the lists: there is no game to count, rate or write down."""

BY_OPERATOR: TurnRecord = {"by": "operator"}
"""The record of a forfeit or a draw that the operator has decided on."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at a board, for good; numbered from 1 without gaps."""

    number: int
    kind: EventKind
    seat: Seat
    at: datetime
    record: TurnRecord | None = None
    """For a move: the input as it stands in a game record, without its seat. For other kinds: see there."""

    @property
    def is_deed(self) -> bool:
        """Whether the operator has made it: it says nothing of how long a player took."""
        return self.kind in _DEEDS or (self.kind in _ENDED_BY_OPERATOR and self.record == BY_OPERATOR)


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who holds a seat."""

    player: PlayerId
    userid: str
    resigning: bool = False
    """Has announced, out of turn, to resign when the turn comes."""
    quiet: bool = False
    """Wants mail of this board only when it is for him to act, and at the end."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a board ended; no winners: a tie, or nothing to win."""

    winners: tuple[Seat, ...]
    ending: Ending
    by: Seat | None = None
    """The seat that resigned, forfeited, declined, or agreed to the draw."""
    by_operator: bool = False
    """Whether the operator has decided on it."""


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
    """Whether its result could ever count; that of an imported game does not. See `may_count`."""
    pauses: tuple[Pause, ...] = ()
    """When its clocks stood."""
    revision: int = 0
    """How often the board was written; storage refuses a write that is based on an older one."""

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """The seats that a player holds; two in a game against oneself."""
        return tuple(seat for seat, holder in enumerate(self.seats) if holder.player == player)

    def with_event(self, kind: EventKind, seat: Seat, at: datetime, record: TurnRecord | None = None) -> Board:
        """The board after one more event; its clocks wait no longer for somebody who has left."""
        event = Event(len(self.events) + 1, kind, seat, at, record)
        after = replace(self, events=(*self.events, event))
        player = self.seats[seat].player
        is_gone = kind in _BY_LEAVING and all(each in after.left for each in after.seats_of(player))
        return after.with_pauses_ended(player, at) if is_gone else after

    def with_decline(self, player: PlayerId, at: datetime, *, restarts: bool) -> Board:
        """The board after a player has taken himself off; if it ``restarts``, those who stay have closed ranks.

        The lot is not drawn again: who was to begin still does, or else the next player clockwise.
        """
        declined = self.with_event(EventKind.DECLINE, self.seats_of(player)[0], at)
        if not restarts:
            return declined
        staying = self.staying_without(player)
        first = min(staying, key=lambda seat: (seat - self.first) % len(self.seats))
        seats = tuple(replace(self.seats[seat], resigning=False) for seat in staying)
        restart = replace(declined.events[-1], record={"players": [holder.userid for holder in seats]})
        return replace(declined, events=(*self.events, restart), seats=seats, first=staying.index(first))

    def staying_without(self, player: PlayerId) -> tuple[Seat, ...]:
        """The seats of those who would go on without a player: who has left the game does not come back."""
        staying = (seat for seat, holder in enumerate(self.seats) if holder.player != player)
        left = self.left
        return tuple(seat for seat in staying if seat not in left)

    def with_handover(self, seat: Seat, taker: SeatHolder, at: datetime) -> Board:
        """The board after a seat has got another holder; the position stays as it is."""
        record = {"from": self.seats[seat].userid, "to": taker.userid}
        seats = (*self.seats[:seat], taker, *self.seats[seat + 1 :])
        return replace(self.with_event(EventKind.HANDOVER, seat, at, record), seats=seats)

    def with_pause(self, player: PlayerId, why: str, at: datetime) -> Board:
        """The board with its clocks standing because of a player; the same if they do so already for this reason."""
        if any((each.player, each.why, each.ended_at) == (player, why, None) for each in self.pauses):
            return self
        return replace(self, pauses=(*self.pauses, Pause(player, at, why)))

    def with_pauses_ended(self, player: PlayerId, at: datetime, why: str | None = None) -> Board:
        """The board with its clocks standing no longer because of a player, for this reason or for any."""
        pauses = tuple(
            replace(each, ended_at=at)
            if (each.player, each.ended_at) == (player, None) and why in (None, each.why)
            else each
            for each in self.pauses
        )
        return self if pauses == self.pauses else replace(self, pauses=pauses)

    @property
    def stands(self) -> tuple[Pause, ...]:
        """Why its clocks stand now; empty while they run."""
        return tuple(each for each in self.pauses if each.ended_at is None)

    def with_resigning(self, seat: Seat, resigning: bool) -> Board:
        """The board with a seat's announced resignation set or taken back."""
        holder = replace(self.seats[seat], resigning=resigning)
        return replace(self, seats=(*self.seats[:seat], holder, *self.seats[seat + 1 :]))

    def with_quiet(self, player: PlayerId, quiet: bool) -> Board:
        """The board with less mail for a player, or all of it again."""
        seats = (replace(each, quiet=quiet) if each.player == player else each for each in self.seats)
        return replace(self, seats=tuple(seats))

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

    @property
    def restarted(self) -> int:
        """The number of the event after which the game began anew with the players of now; 0 if it never did."""
        restarts = (each.number for each in self.events if each.kind is EventKind.DECLINE and each.record is not None)
        return max(restarts, default=0)

    @property
    def played(self) -> tuple[Event, ...]:
        """The events of the game under way, of which the seats are those of now."""
        return self.events[self.restarted :]

    @property
    def left(self) -> Mapping[Seat, EventKind]:
        """The seats whose players have left the game under way, and how."""
        return {event.seat: event.kind for event in self.played if event.kind in _BY_LEAVING}

    @property
    def may_count(self) -> bool:
        """Whether its result may be rated: not if the game was imported, or a seat has changed hands."""
        return self.rated and all(event.kind is not EventKind.HANDOVER for event in self.played)

    def has_moved(self, seat: Seat) -> bool:
        """Whether the holder of a seat has made a move there; what was played before it was handed over is not his."""
        mine = (event.kind for event in reversed(self.played) if event.seat == seat)
        return next((kind is EventKind.MOVE for kind in mine if kind in (EventKind.MOVE, EventKind.HANDOVER)), False)

    def time_used(self) -> tuple[timedelta, ...]:
        """How long each seat has kept the others waiting, finished turns only."""
        began = self.events[self.restarted - 1].at if self.restarted else self.begun_at
        used = [began - began for _ in self.seats]
        turns = [event for event in self.played if not event.is_deed]
        moments = [began, *(event.at for event in turns)]
        for event, (before, after) in zip(turns, pairwise(moments), strict=True):
            used[event.seat] += counted(before, after, self.pauses)
        return tuple(used)


@dataclass(frozen=True, slots=True)
class PlayedInput:
    """One numbered line of the move list: a turn, or where the game allows it a part of one or an answer."""

    moveno: int
    """Of the turn that it belongs to."""
    seat: Seat
    text: InputText
    event: int
    """The number of its event."""


@dataclass(frozen=True, slots=True)
class Course:
    """What the rules make of a board's events: every input, and where the game stands."""

    position: Position[Any]
    inputs: tuple[PlayedInput, ...] = ()
    result: Result | None = None
    events: int = 0
    """How many events it covers."""
    begun: tuple[int, ...] = ()
    """By turn, the number of the event with which it began; the last one may be under way."""

    @property
    def to_act(self) -> Seat | None:
        """The seat that must play or decide; None once the board is over."""
        return None if self.result else self.position.to_act

    @property
    def ply(self) -> int:
        """Turns played to their end."""
        return self.position.ply


_BY_LEAVING = {EventKind.RESIGNATION: Ending.RESIGNED, EventKind.FORFEIT: Ending.FORFEITED}
"""Events by which a player leaves the game, and how the board has ended if they end it."""

_AT_ONCE = {
    EventKind.DRAW: Ending.DRAWN,
    EventKind.DECLINE: Ending.DECLINED,
    EventKind.ANNULMENT: Ending.ANNULLED,
}
"""Events that end the board whatever its rules say; nobody has won."""

_DEEDS = (EventKind.ANNULMENT, EventKind.HANDOVER)
_ENDED_BY_OPERATOR = (EventKind.FORFEIT, EventKind.DRAW)


def begin(board: Board, game: Game[Any, Any]) -> Course:
    """The course of a board before the first event of the game under way."""
    return Course(game.begin(board.options, len(board.seats), board.first), events=board.restarted)


def _then(course: Course, event: Event, game: Game[Any, Any]) -> Course:
    if event.kind in _AT_ONCE:
        result = Result((), _AT_ONCE[event.kind], event.seat, event.is_deed)
        return replace(course, result=result, events=event.number)
    if event.kind is EventKind.HANDOVER:
        return replace(course, events=event.number)
    if event.kind in _BY_LEAVING:
        position, inputs = course.position.leave(event.seat), course.inputs
        is_turn = position.ply > course.ply
    else:
        steps = game.input_steps(course.position, event.record)
        position, is_turn = game.play_input(course.position, steps), True
        played = PlayedInput(course.ply + 1, event.seat, game.input_text(position, steps), event.number)
        inputs = (*course.inputs, played)
    begins = is_turn and len(course.begun) == course.ply
    begun = (*course.begun, event.number) if begins else course.begun
    return Course(position, inputs, _result(position, event), event.number, begun)


def _result(position: Position[Any], event: Event) -> Result | None:
    """The result, if an event has ended the game; one that goes on may end by its rules when somebody leaves it."""
    outcome = position.outcome
    if outcome is None:
        return None
    if event.kind in _BY_LEAVING and outcome.ending == GameEnding.LEFT:
        return Result(outcome.winners, _BY_LEAVING[event.kind], event.seat, event.is_deed)
    return Result(outcome.winners, Ending.RULES)


def follow(board: Board, game: Game[Any, Any], known: Course | None = None) -> Course:
    """Play a board's events through.

    Args:
        board: the board.
        game: its game.
        known: the course of the board's first events, if somebody has kept it.
    """
    course = known if known is not None and known.events >= board.restarted else begin(board, game)
    for event in board.events[course.events :]:
        course = _then(course, event, game)
    return course


def up_to_move(board: Board, course: Course, moveno: int) -> Board:
    """The board as it stood after move ``moveno``, 0 being before the first; the present one if there are fewer."""
    return replace(board, events=board.events[: course.begun[moveno] - 1]) if moveno < len(course.begun) else board
