"""The state of a game, computed from the events of its board by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Any, Protocol

from pbem.domain.boards import Board
from pbem.domain.events import TALK, Event, EventKind
from pbem.domain.offers import Offer, OfferState, talk_after
from pbem.domain.players import is_robot
from pbem.domain.vacations import counted, standing_for
from pbem.games.game import Ending, Game, InputText, Position, Seat


class BoardEnding(StrEnum):
    """Why a board is over."""

    RULES = "rules"
    """The game's own rules ended it; the outcome says how."""
    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    DRAWN = "drawn"
    """By agreement, or since only computer opponents were left."""
    DECLINED = "declined"
    """A player left before their first move, and too few remained."""
    ANNULLED = "annulled"
    """By the operator: it is as if it had never been played."""


UNPLAYED = (BoardEnding.DECLINED, BoardEnding.ANNULLED)
"""Endings of boards that are off the lists: there is no game to count, rate or write down."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a board; no winners: a tie, or nothing to win."""

    winners: tuple[Seat, ...]
    ending: BoardEnding
    by: Seat | None = None
    """The seat that resigned, forfeited, declined, or agreed to the draw."""
    by_operator: bool = False
    """The operator has decided it."""
    by_clock: bool = False
    """A player has taken too long, to act or to answer."""
    left_to_robots: bool = False
    """Only computer opponents were left; the ones that played on have won."""

    @property
    def was_played(self) -> bool:
        """There was a game that counts: a board that was declined or annulled is off the lists."""
        return self.ending not in UNPLAYED


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
class GameState:
    """The game as the rules compute it from a board's events: every input, and the position after it."""

    position: Position[Any]
    inputs: tuple[PlayedInput, ...] = ()
    result: Result | None = None
    events: int = 0
    """The number of events that it covers."""
    begun: tuple[int, ...] = ()
    """By turn, the number of the event with which it began; the last one may be under way."""
    waited_for: tuple[Seat | None, ...] = ()
    """By event of the game under way, the seat that was to act when it came."""
    talk: OfferState = OfferState()
    """Offers since the game last changed."""

    @property
    def offer(self) -> Offer | None:
        """The offer that is still open."""
        return self.talk.offer

    @property
    def to_act(self) -> Seat | None:
        """The seat that must play or decide; None once the board is over."""
        return None if self.result else self.position.to_act

    @property
    def ply(self) -> int:
        """Turns played to their end."""
        return self.position.ply

    def time_used(self, board: Board) -> tuple[timedelta, ...]:
        """The time that the holder of each seat has kept the others waiting, up to the last event, without pauses.

        A player who leaves out of turn ends nobody's time. Events by the operator say nothing about a player's time: a
        turn that one ends is not counted, and a player who has been given a seat begins with nothing. Where the clock
        begins with a player's first move, the time before it is not counted either.
        """
        used = [timedelta(0) for _ in board.seats]
        waits = board.clock.opening is not None and board.tournament is None
        answered = set() if waits else set(board.players)
        since = board.game_begun_at
        for event, (seat, then) in zip(board.played, pairwise((*self.waited_for, self.to_act)), strict=True):
            if event.kind is EventKind.HANDOVER:
                used[event.seat] = timedelta(0)
                answered -= {board.seats[event.seat].player} if waits else set()
                since = event.at if event.seat == seat else since
            elif event.is_deed:
                since = since if then == seat else event.at
            elif seat is not None:
                if board.seats[seat].player in answered:
                    used[seat] += counted(since, event.at, standing_for(board.seats[seat].player, board.pauses))
                since = event.at
            if event.kind is EventKind.MOVE:
                answered.add(board.seats[event.seat].player)
        return tuple(used)

    def waiting_since(self, board: Board) -> datetime:
        """When the wait for the seat that is to act began: with its last move, or when it became its turn.

        What players say to each other changes nothing of it.
        """
        waits = zip(board.played, pairwise((*self.waited_for, self.to_act)), strict=True)
        for event, (seat, then) in reversed(tuple(waits)):
            has_acted = event.kind in (EventKind.MOVE, EventKind.UNDO) or seat != then
            is_new = event.seat == then if event.kind is EventKind.HANDOVER else has_acted
            if is_new and event.kind not in TALK:
                return event.at
        return board.game_begun_at

    def used_before(self, board: Board, seat: Seat) -> timedelta:
        """The time that the holder of the seat to act had used when this wait began."""
        pauses = standing_for(board.seats[seat].player, board.pauses)
        lately = counted(self.waiting_since(board), board.last_at, pauses)
        return max(self.time_used(board)[seat] - lately, timedelta(0))


_BY_LEAVING = {EventKind.RESIGNATION: BoardEnding.RESIGNED, EventKind.FORFEIT: BoardEnding.FORFEITED}
"""Events by which a player leaves the game, and how the board has ended if they end it."""

_AT_ONCE = {
    EventKind.DRAW: BoardEnding.DRAWN,
    EventKind.DECLINE: BoardEnding.DECLINED,
    EventKind.ANNULMENT: BoardEnding.ANNULLED,
}
"""Events that end the board whatever its rules say; nobody has won."""


def begin(board: Board, game: Game[Any, Any]) -> GameState:
    """The state of a board before the first event of the game under way."""
    return GameState(game.begin(board.options, len(board.seats), board.first, board.rules), events=board.restarted)


def _then(course: GameState, event: Event, board: Board, game: Game[Any, Any]) -> GameState:
    course = _noted(course, event, course)
    if event.kind is EventKind.DRAW and is_left_to_robots(board, course.position):
        result = Result(heirs(board, course.position), BoardEnding.DRAWN, event.seat, left_to_robots=True)
        return replace(course, result=result)
    if event.kind in _AT_ONCE:
        result = Result((), _AT_ONCE[event.kind], event.seat, event.is_deed, event.is_by_clock)
        return replace(course, result=result)
    if event.kind is EventKind.HANDOVER or event.kind in TALK:
        return course
    if event.kind in _BY_LEAVING:
        position = course.position.leave(event.seat)
        return _moved_on(course, event, position, course.inputs, is_turn=position.ply > course.ply)
    steps = game.input_steps(course.position, event.record)
    return _with_input(course, event, game, steps, game.play_input(course.position, steps))


def _with_input(
    course: GameState, event: Event, game: Game[Any, Any], steps: Sequence[Any], position: Position[Any]
) -> GameState:
    played = PlayedInput(course.ply + 1, event.seat, game.input_text(position, steps), event.number)
    return _moved_on(course, event, position, (*course.inputs, played), is_turn=True)


def _moved_on(
    course: GameState, event: Event, position: Position[Any], inputs: tuple[PlayedInput, ...], *, is_turn: bool
) -> GameState:
    begins = is_turn and len(course.begun) == course.ply
    begun = (*course.begun, event.number) if begins else course.begun
    return replace(course, position=position, inputs=inputs, result=_result(position, event), begun=begun)


def after_input(course: GameState, event: Event, game: Game[Any, Any], position: Position[Any]) -> GameState:
    """The state after one more input, which is not played again: the game has just judged it.

    Args:
        course: before it.
        event: the input.
        game: its game.
        position: after it.
    """
    steps = game.input_steps(course.position, event.record)
    return _with_input(_noted(course, event, course), event, game, steps, position)


def _noted(course: GameState, event: Event, stood: GameState) -> GameState:
    """The state that ``stood``, now or once, with one more event after those of the current one."""
    waited_for = (*course.waited_for, course.to_act)
    return replace(stood, events=event.number, waited_for=waited_for, talk=talk_after(course.talk, event))


def _result(position: Position[Any], event: Event) -> Result | None:
    """The result, if an event has ended the game; one that goes on may end by its rules when a player leaves it."""
    outcome = position.outcome
    if outcome is None:
        return None
    if event.kind in _BY_LEAVING and outcome.ending == Ending.LEFT:
        return Result(outcome.winners, _BY_LEAVING[event.kind], event.seat, event.is_deed, event.is_by_clock)
    return Result(outcome.winners, BoardEnding.RULES)


class GameStates(Protocol):
    """Computes the states of games by the rules."""

    @property
    def games(self) -> Mapping[str, Game[Any, Any]]:
        """The games by name."""

    def of(self, board: Board) -> GameState:
        """The game state after a board's events."""


def follow(board: Board, game: Game[Any, Any], known: GameState | None = None) -> GameState:
    """Play a board's events through, each once: states are remembered for moves that are taken back.

    Args:
        board: the board.
        game: its game.
        known: the state after the board's first events, if it was kept.
    """
    course = known if known is not None and known.events >= board.restarted else begin(board, game)
    if any(number < course.events for number in _returned_to(board, course)):
        course = begin(board, game)
    needed = _returned_to(board, course)
    stood = {course.events: course}
    events = board.events[course.events :]
    if len(events) > 1:
        game.expect(course.position, [event.record for event in events if event.kind is EventKind.MOVE])
    for event in events:
        if event.kind is EventKind.UNDO:
            course = _noted(course, event, stood[event.back_to])
        else:
            course = _then(course, event, board, game)
        if event.number in needed:
            stood[event.number] = course
    return course


def _returned_to(board: Board, course: GameState) -> set[int]:
    """The numbers of the events to whose states the game has returned since a given state."""
    return {event.back_to for event in board.events[course.events :] if event.kind is EventKind.UNDO}


def up_to_move(board: Board, course: GameState, moveno: int) -> Board:
    """The board as it stood after move ``moveno``, 0 being before the first; the present one if there are fewer.

    What was said or taken back before it is left out.
    """
    if moveno >= len(course.begun):
        return board
    events = board.events[: course.begun[moveno] - 1]
    while events and events[-1].kind in (*TALK, EventKind.UNDO):
        events = events[: events[-1].back_to] if events[-1].kind is EventKind.UNDO else events[:-1]
    return replace(board, events=events)


def is_left_to_robots(board: Board, position: Position[Any]) -> bool:
    """Return True if only computer opponents play on, and for nobody else.

    A player who is out by the rules has not given up: while a partner plays, the game is theirs, too.
    """
    if not all(is_robot(board.seats[seat].userid) for seat in position.playing):
        return False
    left = board.left
    return all(is_robot(board.seats[seat].userid) or seat in left for party in _parties(position) for seat in party)


def heirs(board: Board, position: Position[Any]) -> tuple[Seat, ...]:
    """The winning seats where a game is left to robots: all parties that play on, alike; empty if all do.

    A player who has left takes their partner along, unless nobody would have won then.
    """
    parties, left = _parties(position), board.left
    staying = [party for party in parties if not any(seat in left for seat in party)] or parties
    winners = tuple(sorted({seat for party in staying for seat in party}))
    return () if len(winners) == len(board.seats) else winners


def _parties(position: Position[Any]) -> list[tuple[Seat, ...]]:
    """The winners together with each seat in play, as if all others had left."""
    found = []
    for seat in position.playing:
        alone = position
        for other in position.playing:
            alone = alone if other == seat or alone.outcome is not None else alone.leave(other)
        found.append((seat,) if alone.outcome is None else alone.outcome.winners)
    return found
