"""Positions and steps of OpenSpiel's games, and the kinds of games, which read and draw them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from pbem.games.figure import Figure, Piece
from pbem.games.game import Outcome, Position, Seat
from pbem.games.layouts import Layout
from pbem.games.options import Vocabulary
from pbem.hall.engine import ENGINE, EngineFailed, EngineState
from pbem.hall.refusals import MoveNotPossible, SwapNotPossible


@dataclass(frozen=True, slots=True)
class Step:
    """A move, or part of a turn that is played at once."""

    actions: tuple[int, ...]
    """The numbers of OpenSpiel."""
    text: str
    """As it is typed."""

    def __str__(self) -> str:
        return self.text


SWAP = Step((), "swap")

KINDS: dict[str, Kind] = {}
"""The games of the hall by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HallPosition(Position[Step]):
    """A position by the actions that led to it."""

    name: str
    """Of the game."""
    options: Mapping[str, Any] = field(compare=False)
    engine_game: str
    """As OpenSpiel knows it, with its parameters."""
    actions: tuple[int, ...] = ()
    turn: tuple[Step, ...] = ()
    """The steps of the turn under way."""
    last_turn: tuple[Step, ...] = ()
    passed: bool = False
    """Behind the last turn the other side had to pass."""
    swapped: bool = False

    @property
    def kind(self) -> Kind:
        """The game."""
        return KINDS[self.name]

    @property
    def state(self) -> EngineState:
        """The position as OpenSpiel tells it."""
        return _state(self.engine_game, self.actions)

    @property
    def to_act(self) -> Seat | None:
        """The seat that OpenSpiel's player is."""
        player = self.state.player
        return None if self.outcome or player is None else self.seat_of(player)

    def seat_of(self, player: int) -> Seat:
        """The seat of a player of OpenSpiel's."""
        begins = _state(self.engine_game, ()).player or 0
        return (self.first + player - begins + self.swapped) % 2

    @property
    def mid_turn(self) -> bool:
        """Steps of the turn are missing."""
        return bool(self.turn)

    @property
    def contents(self) -> object:
        """The drawing of OpenSpiel."""
        return self.state.drawn

    @property
    def may_swap(self) -> bool:
        """The second player may take the side of the first."""
        return bool(self.options.get("swap")) and self.ply == 1 and not self.turn and self.outcome is None

    @property
    def figure(self) -> Figure:
        """The board to be drawn."""
        return self.kind.figure(self)

    def places(self, step: Step) -> Sequence[str]:
        """Those that the step names."""
        return self.kind.places(step)

    def legal(self) -> Sequence[Step]:
        """Every step, in the order of OpenSpiel, then the swap."""
        if self.outcome is not None:
            return ()
        steps = self.kind.steps(self)
        return (*steps, SWAP) if self.may_swap else steps

    def play(self, step: Step) -> HallPosition:
        """Return the position after a step, and after a pass that follows because nothing else is left."""
        if step == SWAP:
            if not self.may_swap:
                raise SwapNotPossible
            return replace(self, swapped=True, ply=self.ply + 1, last_turn=(SWAP,), passed=False)
        try:
            after = replace(self, actions=(*self.actions, *step.actions))
            state = after.state
        except EngineFailed:
            if step in self.legal():
                raise
            raise MoveNotPossible(step.text) from None
        turn = (*self.turn, step)
        if state.player == self.state.player:
            return replace(after, turn=turn, passed=False)
        after = replace(after, turn=(), last_turn=turn, ply=self.ply + 1, passed=False)
        if state.player is None:
            return replace(after, outcome=_outcome(after))
        forced = self.kind.forced_pass(after)
        if forced is None:
            return after
        passed = replace(after, actions=(*after.actions, *forced.actions), ply=after.ply + 1, passed=True)
        return passed if passed.state.player is not None else replace(passed, outcome=_outcome(passed))

    def __str__(self) -> str:
        return self.figure.letters


@lru_cache(maxsize=4096)
def _state(game: str, actions: tuple[int, ...]) -> EngineState:
    return ENGINE.state(game, actions)


def _outcome(position: HallPosition) -> Outcome:
    returns = position.state.returns
    winners = tuple(position.seat_of(player) for player, value in enumerate(returns) if value == max(returns))
    if len(winners) == len(returns):
        return Outcome((), position.kind.draw_ending)
    return Outcome(winners, position.kind.ending)


Words = Sequence[str]
"""Those of OpenSpiel for the actions of one step."""


def as_they_are(words: Words) -> str:
    """A step that OpenSpiel writes as players do, in small letters."""
    return words[0].lower()


_PLACE = re.compile(r"[a-z][0-9]{1,2}")


def places_of(step: Step) -> Sequence[str]:
    """The places that a step names."""
    return _PLACE.findall(step.text)


@dataclass(frozen=True, eq=False)
class Kind:
    """A game of OpenSpiel's, as players know it."""

    name: str
    engine: str
    """OpenSpiel's name for it."""
    title: str
    sides: tuple[str, ...]
    """The names of the sides, which are their colours, the one that begins first."""
    layout: Callable[[Mapping[str, Any]], Layout]
    """The board under some options."""
    example: str
    """A move, for whoever is told how moves are written."""
    marks: tuple[str, str]
    """The character for a piece of each side in OpenSpiel's drawing, and in ours."""
    empty: str = "."
    """The character for an empty place in OpenSpiel's drawing."""
    line: str = "(.*)"
    """The lines of it that have places, which are its group; places follow each other as in the layout."""
    others: Mapping[str, Piece] = field(default_factory=dict)
    """Pieces of nobody, by their characters."""
    notation: Callable[[Words], str] = as_they_are
    parameters: Callable[[Mapping[str, Any]], Mapping[str, object]] = lambda _options: {}
    vocabulary: Vocabulary = Vocabulary(())
    ending: str = "won"
    """Why a game is over that somebody has won."""
    draw_ending: str = "drawn"
    depths: tuple[int, ...] = (1,)
    """The actions of each step of a turn."""
    passes: Sequence[str] = ()
    """The texts of steps that are made by themselves if there is no other."""
    places: Callable[[Step], Sequence[str]] = places_of
    """The places that a step names."""

    def __post_init__(self) -> None:
        KINDS[self.name] = self

    def engine_game(self, options: Mapping[str, Any]) -> str:
        """OpenSpiel's name for it with its parameters."""
        told = ",".join(f"{name}={value}" for name, value in self.parameters(options).items())
        return f"{self.engine}({told})" if told else self.engine

    def steps(self, position: HallPosition) -> Sequence[Step]:
        """Every step, in the order of OpenSpiel."""
        return _steps(self, position.engine_game, position.actions, len(position.turn))

    def forced_pass(self, position: HallPosition) -> Step | None:
        """The pass that is made by itself, since nothing else is left."""
        if not self.passes:
            return None
        steps = self.steps(position)
        return steps[0] if len(steps) == 1 and steps[0].text in self.passes else None

    def figure(self, position: HallPosition) -> Figure:
        """The board to be drawn, with the places of the turn under way or else of the last one marked."""
        layout, drawn = _layout(self, tuple(sorted(position.options.items()))), position.state.drawn
        pieces = self.pieces(drawn, layout)
        changed = {place for step in position.turn or position.last_turn for place in self.places(step)}
        drawing = layout.figure(pieces, changed & layout.spots.keys())
        return replace(drawing, sides=self.sides, colours=tuple(map(str.lower, self.sides)), marks=self.marks)

    def pieces(self, drawn: str, layout: Layout) -> Mapping[str, Piece]:
        """The pieces on a board, read from OpenSpiel's drawing."""
        known = {mark: Piece(side, mark) for side, mark in enumerate(self.marks)}
        known.update(self.others)
        lines = (found[1] for found in re.finditer(f"^{self.line}$", drawn, re.MULTILINE))
        letters = [letter for each in lines for letter in each if letter in known or letter == self.empty]
        return {name: known[letter] for name, letter in zip(layout.spots, letters, strict=True) if letter in known}


@lru_cache(maxsize=1024)
def _steps(kind: Kind, game: str, actions: tuple[int, ...], done: int) -> Sequence[Step]:
    depth = kind.depths[min(done, len(kind.depths) - 1)]
    return tuple(Step(each, kind.notation(words)) for each, words in ENGINE.steps(game, actions, depth))


@lru_cache(maxsize=64)
def _layout(kind: Kind, options: tuple[tuple[str, Any], ...]) -> Layout:
    return kind.layout(dict(options))
