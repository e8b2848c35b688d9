"""Previews of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.commands.playing import PreviewBoard, PreviewNew
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding, GameState, PlayedInput, Result, begin, follow
from pbem.domain.mails import Notice
from pbem.domain.seeks import Term
from pbem.errors import NotAllowed, PlayerError, Quoted
from pbem.games.game import BETWEEN_TURNS, Game, Input, InputText, Position, Seat
from pbem.ids import BoardNumber
from pbem.usecases.challenging import as_one, read_agreement
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import to_sender
from pbem.usecases.seats import board_of_nobody, facts_of_nobodys
from pbem.usecases.understanding import BoardOver, at_moment

MOST_TURNS = 60
"""The most turns of one preview."""


class TooManyTurns(NotAllowed):
    """There are more turns to look ahead than one letter may have."""

    most: int


class PreviewStopped(NotAllowed):
    """A turn of a preview cannot be played; ``reasons`` says why, and ``which`` is its place, from 1.

    ``is_named``: the reason names the whole turn.
    """

    board: BoardNumber | None
    which: int
    said: Quoted
    reasons: Sequence[PlayerError]
    is_named: bool = False


class DecisionBetween(NotAllowed):
    """Within a turn of a preview another player has to decide something; their answer is a turn of its own."""

    board: BoardNumber | None
    which: int
    said: Quoted
    options: Sequence[str]


class TurnPastEnd(NotAllowed):
    """The game is over after the turn before this one, if there is any; ``which`` is its place, from 1."""

    board: BoardNumber | None
    which: int
    said: Quoted


class OtherNumberOfPlayers(NotAllowed):
    """The game is for another number of players."""

    players: int
    least: int
    most: int


@handles(PreviewBoard)
def preview_board(command: PreviewBoard, context: Context) -> list[Notice]:
    """A board, as it is or once was, after some more turns.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: it is not there.
        BoardOver: nothing can be played there.
        TooManyTurns, TurnPastEnd, PreviewStopped, DecisionBetween: these turns cannot be shown.
    """
    board = at_moment(command.moment, command.game, context)
    if context.course(board).result is not None:
        raise BoardOver(board.number)
    return _shown(board, command.turns, context, {"moveno": command.moment.moveno})


@handles(PreviewNew)
def preview_new(command: PreviewNew, context: Context) -> list[Notice]:
    """A board that nobody has begun, after some turns.

    Raises:
        NoSuchGame, OtherNumberOfPlayers: there is no such board.
        PlayerError: the options are not those of the game.
        TooManyTurns, TurnPastEnd, PreviewStopped, DecisionBetween: these turns cannot be shown.
    """
    board = new_board(command.game, command.players, command.options, context)
    facts = {"players": len(board.seats), "words": tuple(f"-{word}" for word in command.options)}
    return _shown(board, command.turns, context, facts)


def new_board(name: str, players: int | None, options: Sequence[str], context: Context) -> Board:
    """A board that nobody has begun; without a number, for as few as can play.

    Raises:
        NoSuchGame, OtherNumberOfPlayers: there is no such board.
        PlayerError: the options are not those of the game.
    """
    game = context.game(name)
    players = game.players.start if players is None else players
    if players not in game.players:
        raise OtherNumberOfPlayers(players, game.players.start, game.players.stop - 1)
    agreed, reasons = read_agreement(options, game, tuple(Term), context)
    if reasons:
        raise as_one(reasons)
    return board_of_nobody(game, agreed.options, players, context.now)


def _shown(board: Board, turns: Sequence[str], context: Context, facts: Mapping[str, object]) -> list[Notice]:
    """The board after some turns; the facts say what the preview begins with."""
    turns = split_turns(turns, board, context)
    board, course = played_on(board, turns, context)
    said = facts_of_nobodys(board, course, context.games[board.game])
    return [to_sender("preview", context, {**said, "turns": turns, **facts})]


def split_turns(typed: Sequence[str], board: Board, context: Context) -> tuple[str, ...]:
    """The turns of a letter, of which one text may have several."""
    game = context.games[board.game]
    return tuple(turn for text in typed for turn in game.split_turns(text) if turn)


def played_on(board: Board, turns: Sequence[str], context: Context) -> tuple[Board, GameState]:
    """A board after some more turns, and its state.

    Raises:
        TooManyTurns, TurnPastEnd, PreviewStopped, DecisionBetween: these turns cannot be played.
    """
    if len(turns) > MOST_TURNS:
        raise TooManyTurns(MOST_TURNS)
    game = context.games[board.game]
    course = context.course(board) if board.number else begin(board, game)
    for which, said in enumerate(turns, start=1):
        if course.position.to_act is None:
            raise TurnPastEnd(board.number or None, which, said)
        board = _played(board, course, which, said, game, context)
        course = follow(board, game, course)
    return board, course


def _played(board: Board, course: GameState, which: int, said: str, game: Game[Any, Any], context: Context) -> Board:
    seat = course.to_act
    try:
        played = game.read_input(course.position, said)
    except PlayerError as wrong:
        is_named = said in (wrong.facts.get("placement"), wrong.facts.get("step"))
        raise PreviewStopped(board.number or None, which, said, [wrong], is_named=is_named) from None
    if played.left_over:
        decision = played.position.decision
        raise DecisionBetween(board.number or None, which, said, decision.options if decision else ())
    record = game.input_record(course.position, played.steps)
    return board.with_event(EventKind.MOVE, 0 if seat is None else seat, context.now, record)


@dataclass(frozen=True, slots=True)
class DraftedTurn:
    """A turn, a part of one, or the answer to a decision."""

    seat: Seat
    """Its owner."""
    steps: tuple[str, ...]
    """As they are typed."""
    text: InputText
    """The same as the list of moves will have it."""
    before: Position[Any]
    after: Position[Any]
    """The position with all that followed by itself."""
    left_over: str = ""
    """The rest that could not be played, since another player has to decide something first."""

    @property
    def said(self) -> str:
        """As it is typed."""
        return " ".join(self.steps)

    @property
    def is_open(self) -> bool:
        """True if the same player has more to play in this turn."""
        return _is_same_turn(self.before, self.after) and self.after.outcome is None


@dataclass(frozen=True, slots=True)
class Draft:
    """The turns that would be played from a position of a board."""

    start: Position[Any]
    turns: tuple[DraftedTurn, ...] = ()
    goes_further: bool = False
    """True if the turn after these is drafted next."""

    @property
    def after(self) -> Position[Any]:
        """The position that it leads to."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def last(self) -> DraftedTurn | None:
        """The turn that is being drafted; None if it has not begun."""
        return None if self.goes_further or not self.turns else self.turns[-1]

    @property
    def is_empty(self) -> bool:
        """True if nothing is drafted."""
        return not self.turns

    @property
    def goes_on(self) -> bool:
        """True if something more can be drafted without saying so."""
        return self.after.outcome is None and (self.last is None or self.last.is_open)

    @property
    def said(self) -> str:
        """All of it, as `draft` reads it; a separator behind the last turn says that the next one is drafted, too."""
        return BETWEEN_TURNS.join([*(each.said for each in self.turns), *([""] if self.goes_further else [])])

    @property
    def said_before(self) -> str:
        """The same without its last step."""
        if self.goes_further or self.last is None:
            return replace(self, goes_further=False).said
        earlier = replace(self, turns=self.turns[:-1], goes_further=len(self.turns) > 1).said
        return earlier + " ".join(self.last.steps[:-1])

    @property
    def said_further(self) -> str:
        """The same, with the next turn to be drafted."""
        return replace(self, goes_further=bool(self.turns)).said

    def with_step(self, text: str) -> str:
        """The same with one more step."""
        return f"{self.said} {text}" if self.last is not None else f"{self.said}{text}"


def last_played(board: Board, course: GameState, game: Game[Any, Any]) -> GameState:
    """The state from which turns can be tried: of a board that no move has ended, that after its last move."""
    is_left = course.result is not None and course.result.ending is not BoardEnding.RULES
    last = course.inputs[-1].event if course.inputs else board.restarted
    return follow(replace(board, events=board.events[:last]), game) if is_left else course


def draft(course: GameState, game: Game[Any, Any], said: str) -> Draft:
    """Read some turns, of which the last may be incomplete.

    Raises:
        UnreadableMove, IllegalMove: what the game says.
        TooManyTurns: there are too many of them.
    """
    texts = game.split_turns(said)
    if len(texts) > MOST_TURNS:
        raise TooManyTurns(MOST_TURNS)
    made = Draft(course.position)
    for which, text in enumerate(texts, start=1):
        if text and made.after.to_act is not None:
            made = replace(made, turns=(*made.turns, _turn(made.after, game, text, is_last=which == len(texts))))
    return replace(made, goes_further=bool(made.turns) and not texts[-1] and made.after.outcome is None)


def course_after(course: GameState, made: Draft) -> GameState:
    """The state of the board as if the whole draft had been played; an ended board keeps its result until then."""
    outcome = made.after.outcome
    played = None if outcome is None else Result(outcome.winners, BoardEnding.RULES)
    result = (course.result if made.is_empty else None) or played
    inputs = (PlayedInput(turn.before.ply + 1, turn.seat, turn.text, 0) for turn in made.turns)
    return replace(course, position=made.after, inputs=(*course.inputs, *inputs), result=result)


def _turn(position: Position[Any], game: Game[Any, Any], text: str, *, is_last: bool) -> DraftedTurn:
    read = game.read_part if is_last else game.read_input
    played = read(position, text)
    seat = position.to_act
    if seat is None:
        raise AssertionError("a turn was read where the game is over")
    steps = tuple(_texts(position, game, played))
    return DraftedTurn(
        seat, steps, game.input_text(played.position, played.steps), position, played.position, played.left_over
    )


def _texts(position: Position[Any], game: Game[Any, Any], played: Input[Any, Any]) -> Sequence[str]:
    """The steps that were played, as they are typed."""
    texts, now = [], position
    for step in played.steps:
        texts.append(game.step_text(now, step))
        now = now.play(step)
    return texts


def _is_same_turn(before: Position[Any], after: Position[Any]) -> bool:
    return (after.ply, after.to_act) == (before.ply, before.to_act)
