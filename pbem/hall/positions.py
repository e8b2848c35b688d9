"""Positions and steps of OpenSpiel's games, and the kinds of games, which read and draw them."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from pbem.games.figure import At, Bar, Figure, Held, Piece
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
    places: Sequence[str] = field(default=(), compare=False)
    """Those by which it is chosen on the board: from, to; a step out of a record has none."""
    also: Sequence[str] = field(default=(), compare=False)
    """Other ways to type it."""

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
        return self.drawn

    @property
    def drawn(self) -> str:
        """The position as OpenSpiel draws it."""
        return _drawn(self.engine_game, self.actions)

    @property
    def may_swap(self) -> bool:
        """The second player may take the side of the first."""
        return bool(self.options.get("swap")) and self.ply == 1 and not self.turn and self.outcome is None

    @property
    def score(self) -> Sequence[str]:
        """The count of each side: ``Black 34``; none where nothing is counted."""
        counted = self.kind.score(self)
        return [f"{side} {count:g}" for side, count in zip(self.kind.sides, counted, strict=True)] if counted else ()

    @property
    def figure(self) -> Figure:
        """The board to be drawn."""
        return _figure(self)

    def places(self, step: Step) -> Sequence[str]:
        """Those that the step names."""
        return step.places

    @property
    def before_last_turn(self) -> HallPosition:
        """The position before the turn under way, or else before the last one."""
        played = sum(len(step.actions) for step in self.turn or self.last_turn) + self.passed
        return replace(self, actions=self.actions[: len(self.actions) - played], turn=(), outcome=None)

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


_KEPT = 4096
_states: OrderedDict[tuple[str, tuple[int, ...]], EngineState] = OrderedDict()
"""Those learnt last."""


def _state(game: str, actions: tuple[int, ...]) -> EngineState:
    known = _states.get((game, actions))
    if known is None:
        known = ENGINE.state(game, actions)
        _keep(game, actions, known)
    return known


def _drawn(game: str, actions: tuple[int, ...]) -> str:
    known = _state(game, actions)
    if not known.drawn:
        known = ENGINE.state(game, actions)
        _keep(game, actions, known)
    return known.drawn


def _keep(game: str, actions: tuple[int, ...], state: EngineState) -> None:
    _states[game, actions] = state
    while len(_states) > _KEPT:
        _states.popitem(last=False)


def forget() -> None:
    """Forget all states, so that they are asked for again."""
    _states.clear()
    _steps.cache_clear()


def expect(position: HallPosition, actions: Sequence[int]) -> None:
    """Ask for the states along some actions that follow a position at once; one that is not known ends them."""
    played = position.actions
    with suppress(EngineFailed):  # whoever plays them will hear of it
        for action, state in ENGINE.states(position.engine_game, played, actions):
            played = (*played, action)
            _keep(position.engine_game, played, state)


def _outcome(position: HallPosition) -> Outcome:
    returns = position.state.returns
    winners = tuple(position.seat_of(player) for player, value in enumerate(returns) if value == max(returns))
    if len(winners) == len(returns):
        return Outcome((), position.kind.draw_ending)
    return Outcome(winners, position.kind.ending)


class Act(NamedTuple):
    """A step as OpenSpiel tells it."""

    words: Sequence[str]
    """Those for its actions."""
    before: str = ""
    """The drawing of the position; empty unless the kind looks at it."""
    after: str = ""
    """The drawing behind the step; empty unless the kind looks ahead."""


class Writing(NamedTuple):
    """A step as players write it."""

    text: str
    places: Sequence[str] | None = None
    """Those by which it is chosen, if the text does not name them."""
    also: Sequence[str] = ()
    """Other ways to write it."""


Notation: TypeAlias = Callable[[Act], Writing]


def as_it_is(act: Act) -> Writing:
    """A step that OpenSpiel writes as players do, in small letters."""
    return Writing(act.words[0].lower())


_PLACE = re.compile(r"[a-z][0-9]{1,2}")


def places_of(text: str) -> Sequence[str]:
    """The places that the text of a step names."""
    return _PLACE.findall(text)


def _apart(text: str) -> str:
    return _SEPARATORS.sub(" ", text)


_SEPARATORS = re.compile(r"[,;/]")
"""Signs that some put between the steps of a turn."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that lies on a board, beside it and below; see `Layout.figure`."""

    pieces: Mapping[str, Piece]
    bars: Sequence[Bar] = ()
    beside: Sequence[tuple[At, str]] = ()
    held: Sequence[Held] = ()
    below: Sequence[str] = ()
    layout: Layout | None = None
    """The board, if it is not the same throughout a game."""
    changed: Collection[str] | None = None
    """The places of the last turn, if neither its text nor what lay on places of these names before can tell them."""


Images: TypeAlias = Mapping[str, str]
"""The image of each place under a symmetry, and of other words of the notation that stand for a place or direction."""


class Form(NamedTuple):
    """A position as it looks under a symmetry."""

    told: Sequence[Any]
    """All that tells it from others, in values of JSON."""
    images: Callable[[HallPosition, Step], Sequence[Any]]
    """A step from a position as it looks there, in all ways to write it, the usual one first."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A game of OpenSpiel's, as players know it."""

    name: str
    engine: str
    """OpenSpiel's name for it."""
    title: str
    sides: tuple[str, ...]
    """The names of the sides, the one that begins first."""
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
    colours: tuple[str, ...] = ()
    """Those of the sides, if they are not their names."""
    notation: Notation = as_it_is
    looks_ahead: bool = False
    """The notation asks for the drawing behind a step, too."""
    looks_at_board: bool = False
    """The notation asks for the drawing before a step; where it does not, the words for an action say all."""
    apart: Callable[[str], str] = _apart
    """Sets blanks between the steps of a turn that is written otherwise."""
    strokes_in_moves: bool = False
    """``/`` is part of the notation, or people put it between the steps of a turn."""
    filling: str = "-+#=!?x:.,;/()"
    """Signs that people leave out or put in as they please."""
    moves: Sequence[str] = ()
    """Moves that show what its notation may look like, beside the example and those that are legal."""
    parameters: Callable[[Mapping[str, Any]], Mapping[str, object]] = lambda _options: {}
    vocabulary: Vocabulary = Vocabulary(())
    can_be_won: Callable[[Mapping[str, Any]], bool] = lambda _options: True
    """False for options that leave no way to win."""
    score: Callable[[HallPosition], tuple[float, float] | None] = lambda _position: None
    """The count of each side, in games that are decided by a count; None in others."""
    ending: str = "won"
    """Why a game is over that somebody has won."""
    draw_ending: str = "drawn"
    depth: Callable[[HallPosition], int] = lambda _position: 1
    """The actions of the next step."""
    hidden: Callable[[tuple[int, ...], Sequence[Step]], Collection[tuple[int, ...]]] = lambda _actions, _steps: ()
    """The steps of OpenSpiel's that nobody is offered, of all those after some actions."""
    cost: Callable[[Mapping[str, Any]], int] = lambda _options: 1
    """The number of playouts of a quick game that take as long as one of this, under some options."""
    passes: Sequence[str] = ()
    """The texts of steps that are made by themselves if there is no other."""
    places: Callable[[str], Sequence[str]] = places_of
    """The places that the text of a step names."""
    marks_changes: bool = False
    """Mark the places whose contents the last turn has changed, instead of those that it names."""
    reader: Callable[[HallPosition, Layout], Contents] | None = None
    """Reads a drawing of OpenSpiel's that does not have the places one after the other."""
    symmetries: Callable[[Layout], Sequence[Images]] | None = None
    """The symmetries of the rules, if there are any; positions are alike then if what lies on the board is."""
    telling: Callable[[str], str] | None = None
    """All that matters of a drawing of OpenSpiel's; with symmetries what matters beside the pieces, by its places."""
    forms: Callable[[HallPosition], Iterable[Form]] | None = None
    """A position in each of its symmetries, for a game without a board."""

    def __post_init__(self) -> None:
        KINDS[self.name] = self

    def engine_game(self, options: Mapping[str, Any]) -> str:
        """OpenSpiel's name for it with its parameters."""
        told = ",".join(f"{name}={value}" for name, value in self.parameters(options).items())
        return f"{self.engine}({told})" if told else self.engine

    def steps(self, position: HallPosition) -> Sequence[Step]:
        """Every step, in the order of OpenSpiel."""
        return _steps(self, position.engine_game, position.actions, self.depth(position))

    def plain(self, text: str) -> str:
        """A text in small letters, without blanks and filling."""
        return "".join(sign for sign in text.lower() if not sign.isspace() and sign not in self.filling)

    def is_notation(self, text: str, legal: Sequence[Step]) -> bool:
        """Return True if a text looks like a step: as the legal ones do, but for their letters and numbers."""
        known = (*self.example.split(), *self.moves, *(each.text for each in legal))
        return _shape(self.plain(text)) in {_shape(self.plain(each)) for each in known}

    def step(self, actions: tuple[int, ...], act: Act) -> Step:
        """A step that OpenSpiel tells."""
        text, places, also = self.notation(act)
        return Step(actions, text, self.places(text) if places is None else places, also)

    def forced_pass(self, position: HallPosition) -> Step | None:
        """The pass that is made by itself, since nothing else is left."""
        if not self.passes or position.state.only is None:
            return None
        steps = self.steps(position)
        return steps[0] if len(steps) == 1 and steps[0].text in self.passes else None

    def figure(self, position: HallPosition) -> Figure:
        """The board to be drawn, with the places of the turn under way or else of the last one marked."""
        layout = _layout(self, tuple(sorted(position.options.items())))
        contents = self.contents(position, layout)
        layout = contents.layout or layout
        changed = self._changed(position, contents, layout) & layout.spots.keys()
        drawing = layout.figure(
            contents.pieces,
            changed,
            bars=contents.bars,
            beside=contents.beside,
            held=contents.held,
            below=contents.below,
        )
        marks = self.marks if all(self.marks) else ()
        return replace(
            drawing, sides=self.sides, colours=self.colours or tuple(map(str.lower, self.sides)), marks=marks
        )

    def _changed(self, position: HallPosition, contents: Contents, layout: Layout) -> set[str]:
        turn = position.turn or position.last_turn
        if contents.changed is not None:
            return set(contents.changed)
        if not self.marks_changes:
            return {place for step in turn for place in self.places(step.text)}
        if not turn:
            return set()
        before, now = self.contents(position.before_last_turn, layout).pieces, contents.pieces
        return {name for name in layout.spots if before.get(name) != now.get(name)}

    def contents(self, position: HallPosition, layout: Layout) -> Contents:
        """The pieces on a board, read from OpenSpiel's drawing."""
        if self.reader is not None:
            return self.reader(position, layout)
        known = {mark: Piece(side, mark) for side, mark in enumerate(self.marks)}
        known.update(self.others)
        lines = (found[1] for found in re.finditer(f"^{self.line}$", position.drawn, re.MULTILINE))
        letters = [letter for each in lines for letter in each if letter in known or letter == self.empty]
        named = zip(layout.spots, letters, strict=True)
        return Contents({name: known[letter] for name, letter in named if letter in known})


def _shape(plain: str) -> str:
    """A move with a letter in place of each, and one digit in place of each number."""
    return re.sub("[a-z]", "a", re.sub("[0-9]+", "0", plain))


@lru_cache(maxsize=1024)
def _steps(kind: Kind, game: str, actions: tuple[int, ...], depth: int) -> Sequence[Step]:
    told = ENGINE.steps(game, actions, depth, ahead=kind.looks_ahead)
    for each in told[:1]:
        if each.state is not None:
            _keep(game, (*actions, *each.actions), each.state)
    if kind.looks_at_board:
        before = _drawn(game, actions)
        steps = [kind.step(each.actions, Act(each.words, before, each.drawn)) for each in told]
    else:
        steps = [_step(kind, each.actions, each.words) for each in told]
    hidden = kind.hidden(actions, steps)
    offered = [step for step in steps if step.actions not in hidden] if hidden else steps
    has_ways = any(step.also for step in offered)
    ways = Counter(way for step in offered for way in {step.text, *step.also}) if has_ways else Counter[str]()
    # What could also be meant by another step is written in the longest way.
    return tuple(replace(step, text=step.also[-1]) if step.also and ways[step.text] > 1 else step for step in offered)


@lru_cache(maxsize=8192)
def _step(kind: Kind, actions: tuple[int, ...], words: tuple[str, ...]) -> Step:
    return kind.step(actions, Act(words))


@lru_cache(maxsize=32)
def _figure(position: HallPosition) -> Figure:
    """The board to be drawn, which the mails of a turn ask for again and again."""
    return position.kind.figure(position)


@lru_cache(maxsize=64)
def _layout(kind: Kind, options: tuple[tuple[str, Any], ...]) -> Layout:
    return kind.layout(dict(options))
