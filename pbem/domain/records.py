"""Boards and game records: a record played through as a board, and a board written down as a record.

A replayed record is followed turn by turn as every board is, so what it comes to is what it would come to here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import TALK, Event, EventKind
from pbem.domain.game_state import BoardEnding, GameState, begin, follow
from pbem.domain.openings import is_boundary
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import Game, Options, Report, Seat, TurnRecord
from pbem.games.options import in_words
from pbem.games.records import (
    GameRecord,
    Happening,
    NotForSoMany,
    OtherResult,
    OtherRules,
    OutOfTurn,
    RecordedResult,
    SeatIsOut,
    SeatMissing,
    TurnAfterEnd,
    event_in,
)
from pbem.games.studies import StudiedGame, annotated
from pbem.ids import BoardNumber, PlayerId

_KINDS = {
    Happening.RESIGN: EventKind.RESIGNATION,
    Happening.FORFEIT: EventKind.FORFEIT,
    Happening.DRAW: EventKind.DRAW,
}
_HAPPENINGS = {kind: happening for happening, kind in _KINDS.items()}
_AROUND = (*TALK, EventKind.HANDOVER)
"""Events that are no part of the game."""


class NotPlayed(NotAllowed):
    """The challenge was declined: there is no game to write down."""

    board: BoardNumber


class BoardAnnulled(NotPlayed):
    """The operator has annulled the board: it is as if there had been no game."""


class StudyOfGameInPlay(NotAllowed):
    """The record of a game that is not over has a study."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of replaying a record."""

    record: GameRecord
    board: Board
    """With an event for each sound turn; nobody real sits at it yet."""
    courses: tuple[GameState, ...]
    """Before the first turn, and after each sound one."""
    error: PlayerError | None = None
    """Why it cannot be believed beyond that."""

    @property
    def last(self) -> GameState:
        """The last state of the game."""
        return self.courses[-1]

    @property
    def wrong_turn(self) -> int | None:
        """The turn that is illegal, from 1; None: none is, or the record is wrong for another reason."""
        sound = len(self.courses) - 1
        return sound + 1 if self.error is not None and sound < len(self.record.turns) else None


def replay(record: GameRecord, game: Game[Any, Any], at: datetime) -> Replay:
    """Play a record through as far as it is sound.

    Args:
        record: the record.
        game: its game.
        at: the moment that everything is said to have happened.

    Raises:
        PlayerError: not even the first turn can be looked at.
    """
    board = _begun(record, game, at)
    courses = [begin(board, game)]
    for turn in record.turns:
        try:
            after = with_turn(board, courses[-1], turn, game, at)
            courses.append(follow(after, game, courses[-1]))
        except PlayerError as wrong:
            return Replay(record, board, tuple(courses), wrong)
        board = after
    played = Replay(record, board, tuple(courses), _wrong_result(record, courses[-1]))
    return replace(played, error=_wrong_study(played, game)) if played.error is None else played


def _wrong_study(played: Replay, game: Game[Any, Any]) -> PlayerError | None:
    """The reason why the study in a record is none of its game, if it has one that is not."""
    study = played.record.study
    if study is None:
        return None
    if played.last.result is None:
        return StudyOfGameInPlay()
    try:
        annotated((), study.moves, studied_game(played, game), in_records=True)
    except PlayerError as wrong:
        return wrong
    return None


def moments(played: Replay) -> Mapping[int, int]:
    """By the number of each move that was or could be played, how many events of the game came before it."""
    return {
        course.position.ply + 1: events
        for events, course in enumerate(played.courses)
        if course.result is None and course.position.outcome is None and is_boundary(course.position)
    }


def studied_game(played: Replay, game: Game[Any, Any]) -> StudiedGame:
    """A game that was played, as studies need it."""
    before = [played.courses[events].position for _, events in sorted(moments(played).items())]
    inputs: dict[int, list[TurnRecord | None]] = defaultdict(list)
    for event, (earlier, later) in zip(played.board.events, pairwise(played.courses), strict=True):
        if event.kind is EventKind.MOVE:
            inputs[earlier.ply + 1].append(_turn(event) if later.ply > earlier.ply else None)
    moves = [inputs[number][0] if len(inputs[number]) == 1 else None for number in sorted(inputs)]
    return StudiedGame(game, before, moves)


def input_reports(played: Replay, game: Game[Any, Any]) -> list[Report]:
    """The reports of each sound turn of a record, for programs.

    An event that no game knows comes with the game's report on the position after it.
    """
    changes = zip(played.board.events, pairwise(played.courses), strict=True)
    return [_input_report(event, before, after, game) for event, (before, after) in changes]


def with_turn(board: Board, course: GameState, turn: TurnRecord, game: Game[Any, Any], at: datetime) -> Board:
    """The board after one more turn of a record, in the game's own words; `follow` tells whether its rules allow it.

    Raises:
        TurnAfterEnd: nothing can happen here any more.
        UnreadableEvent, NoSuchSeat, SeatIsOut: the turn is an event that makes no sense.
        OutOfTurn: it is said to be the turn of another seat than it is.
        UnreadableMove: the game cannot read it.
        SeatMissing: it is an object that does not say whose turn it is.
    """
    to_act = course.to_act
    if to_act is None:
        raise TurnAfterEnd
    event = event_in(turn, len(board.seats))
    if event is not None and event.happening in _KINDS:
        if event.seat not in course.position.playing:
            raise SeatIsOut(event.seat)
        return board.with_event(_KINDS[event.happening], event.seat, at)
    seat, of_game = (event.seat, {"event": event.happening.value}) if event else _without_seat(turn)
    if seat not in (None, to_act):
        raise OutOfTurn(seat, to_act)
    steps = game.input_steps(course.position, of_game)
    if seat is None and isinstance(turn, dict):
        raise SeatMissing
    return board.with_event(EventKind.MOVE, to_act, at, game.input_record(course.position, steps))


def record_of(board: Board, course: GameState) -> GameRecord:
    """The record of a board: what was played, without what happened around it.

    Raises:
        NotPlayed, BoardAnnulled: the challenge was declined, or the board annulled.
    """
    if course.result is not None and not course.result.was_played:
        raise (NotPlayed if course.result.ending is BoardEnding.DECLINED else BoardAnnulled)(board.number)
    return GameRecord(
        game=board.game,
        options=board.options,
        players=tuple(holder.userid for holder in board.seats),
        turns=turns_of(board),
        result=result_of(course),
        rules=board.rules,
        first=board.first,
    )


def turns_of(board: Board) -> tuple[TurnRecord, ...]:
    """The events of a board as the turns of a record, without what was taken back.

    It knows nobody but those who play now.
    """
    return tuple(_turn(event) for event in board.in_force if event.kind not in _AROUND)


def result_of(course: GameState) -> RecordedResult | None:
    """The result of a board, as a record has it; None while it is on."""
    if course.result is None:
        return None
    by_rules = course.position.outcome if course.result.ending is BoardEnding.RULES else None
    return RecordedResult(course.result.winners, str((by_rules or course.result).ending))


def _begun(record: GameRecord, game: Game[Any, Any], at: datetime) -> Board:
    rules = game.rules if record.rules is None else record.rules
    if not 1 <= rules <= game.rules:
        raise OtherRules(game.name, rules, game.rules)
    if len(record.players) not in game.players:
        raise NotForSoMany(game.name, len(record.players), game.players.start, game.players.stop - 1)
    return Board(
        number=BoardNumber(0),
        game=game.name,
        options=_options(record, game),
        rules=rules,
        first=record.first,
        seats=tuple(SeatHolder(PlayerId(seat), userid) for seat, userid in enumerate(record.players)),
        begun_at=at,
        rated=False,
    )


def _options(record: GameRecord, game: Game[Any, Any]) -> Options:
    """The options of a record as a challenge would have stored them, so that equal games are told to be equal."""
    given = {name: value for name, value in record.options.items() if value is not False}
    game.begin(given, len(record.players), record.first)
    return game.read_options([in_words(name, value) for name, value in given.items()])


def _without_seat(turn: TurnRecord) -> tuple[Seat | None, TurnRecord]:
    """A turn as the game reads it, and the seat beside it, if it says one: that is the board's business."""
    if not isinstance(turn, dict) or type(turn.get("seat")) is not int:
        return None, turn
    return turn["seat"], {name: value for name, value in turn.items() if name != "seat"}


def _turn(event: Event) -> TurnRecord:
    if event.kind in _HAPPENINGS:
        return {"seat": event.seat, "event": _HAPPENINGS[event.kind].value}
    if isinstance(event.record, dict):
        return {"seat": event.seat, **event.record}
    return event.record


def _input_report(event: Event, before: GameState, after: GameState, game: Game[Any, Any]) -> Report:
    report = game.input_report(before.position, after.position)
    if event.kind is EventKind.MOVE:
        return report
    if event.kind is EventKind.DRAW:
        report = _drawn(report)
    return {"seat": event.seat, "event": _HAPPENINGS[event.kind].value, **report}


def _drawn(report: Report) -> Report:
    """The game's report where the players have agreed on a draw; the game itself does not know that it is over."""
    told = {name: value for name, value in report.items() if name != "decision"}
    return told | {"status": "over"} if "status" in told else told


def _wrong_result(record: GameRecord, course: GameState) -> OtherResult | None:
    """The refusal of a result that the turns do not come to; what a record leaves out is not held against it."""
    given, found = record.result, result_of(course)
    if given is None:
        return None
    said_right = found is not None and given.winners == found.winners and given.reason in (None, found.reason)
    return None if said_right else OtherResult(given, found)
