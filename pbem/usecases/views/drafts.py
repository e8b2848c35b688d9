"""Turns in the making: looked at and not sent yet, by whoever wants to see what they would come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.domain.courses import BoardEnding, Course, PlayedInput, Result
from pbem.games.game import Game, Input, InputText, Position, Seat
from pbem.usecases.views.previews import MOST_TURNS, TooManyTurns

BETWEEN = "/"
"""Stands between the turns of a draft; behind the last one it says that the next is to be drafted."""


@dataclass(frozen=True, slots=True)
class DraftedTurn:
    """A turn, a part of one, or the answer to a decision."""

    seat: Seat
    """Whose it is."""
    steps: tuple[str, ...]
    """As they are typed."""
    text: InputText
    """The same as the list of moves will have it."""
    before: Position[Any]
    after: Position[Any]
    """With what followed by itself."""
    left_over: str = ""
    """What could not be played, since another has to decide something first."""

    @property
    def said(self) -> str:
        """As it is typed."""
        return " ".join(self.steps)

    @property
    def is_open(self) -> bool:
        """Whether the same player has more to play in this turn."""
        return _is_same_turn(self.before, self.after) and self.after.outcome is None


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be played from where a board stands."""

    start: Position[Any]
    turns: tuple[DraftedTurn, ...] = ()
    goes_further: bool = False
    """Whether the turn behind these is to be drafted."""

    @property
    def after(self) -> Position[Any]:
        """Where it leads to."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def last(self) -> DraftedTurn | None:
        """The turn that is being drafted; None if it has not begun."""
        return None if self.goes_further or not self.turns else self.turns[-1]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drafted."""
        return not self.turns

    @property
    def goes_on(self) -> bool:
        """Whether something more can be drafted without saying so."""
        return self.after.outcome is None and (self.last is None or self.last.is_open)

    @property
    def said(self) -> str:
        """All of it, as `draft` reads it."""
        return BETWEEN.join([*(each.said for each in self.turns), *([""] if self.goes_further else [])])

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


def draft(course: Course, game: Game[Any, Any], said: str) -> Draft:
    """What some turns would lead to, of which the last may be incomplete.

    Raises:
        UnreadableMove, IllegalMove: what the game says.
        TooManyTurns: of so many none is looked at.
    """
    texts = [each.strip() for each in said.split(BETWEEN)]
    if len(texts) > MOST_TURNS:
        raise TooManyTurns(MOST_TURNS)
    made = Draft(course.position)
    for which, text in enumerate(texts, start=1):
        if text and made.after.to_act is not None:
            made = replace(made, turns=(*made.turns, _turn(made.after, game, text, is_last=which == len(texts))))
    return replace(made, goes_further=bool(made.turns) and not texts[-1] and made.after.outcome is None)


def course_after(course: Course, made: Draft) -> Course:
    """The course of the board as if all of a draft had been played; however it has ended, it stays so."""
    outcome = made.after.outcome
    result = course.result or (None if outcome is None else Result(outcome.winners, BoardEnding.RULES))
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
