"""Positions as pages show them, with the places that can be clicked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, singledispatch
from typing import Any, Protocol

from pbem.diagrams import Link, figures
from pbem.errors import PlayerError
from pbem.games.figure import Figure
from pbem.games.game import Game, Position, Seat
from pbem.wording.boards import show

PLACE = "place"
"""The kind of a step that is all that can be played at its place: a click there plays it."""
LINE = "line"
"""The kind of a step that joins two places, with no piece on the first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A step that can be played next."""

    text: str
    """As it is typed after the turn so far."""
    place: str
    """The space or cell by which it is chosen: that of the laid tile, or of the piece."""
    to: str
    """The space or cell where it ends."""
    kind: str
    """The kind of step, in a word of the game: ``tile``, ``lay``, ``move``, ``turn``, ``cut``."""
    art: str = ""
    """A small picture of it, as markup; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Steps that would fit but are forbidden by one and the same rule."""

    choices: Sequence[Choice]
    why: PlayerError
    """The reason, for all of them at once."""


@dataclass(frozen=True, slots=True)
class View:
    """The details of a position that a page wants to show beside its pieces."""

    viewer: Seat | None = None
    """The seat from whose side the table is seen."""
    links: Mapping[str, str] = field(default_factory=dict)
    """The address that a click on a space or cell leads to, by its name."""
    picked: str | None = None
    """The space or cell that has been chosen."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """The addresses of the steps that can be played there, by their text."""
    drafted: Position[Any] | None = None
    """The position before the drafted turn, if any: changes since then are not sent yet."""
    label: Callable[[str], str] = str
    """Returns the label of the link of a space or cell, or of a step there, by its name."""
    frame: Position[Any] | None = None
    """The position whose drawing sets the size of this one: the last of the game, if an earlier one is shown."""
    turn_start: Position[Any] | None = None
    """The position before the turn that is drafted, which sets the size of the drawing for the whole turn."""
    cancel: str = ""
    """The address of the page without what has been chosen; empty if nothing has."""
    sends: str = ""
    """The address of the button that sends the draft; empty if there is nothing to send."""
    completes: bool = False
    """True if any step at the picked place completes a turn of the visitor's: it is laid and sent at once."""
    asked: str = ""
    """The cell that was chosen second, if more than one step of that piece ends there; else empty."""


class BoardView(Protocol):
    """A position as a page shows it."""

    @property
    def choices(self) -> Sequence[Choice]:
        """Every step that may be played now and belongs to a place, in the order of the rules."""

    @property
    def spare(self) -> Sequence[str]:
        """The steps that belong to no place, as they are typed: ``pass``, ``swap``."""

    @property
    def closed(self) -> Sequence[str]:
        """Places that are visible but cannot be played; a click on one tells why."""

    def why_closed(self, place: str) -> PlayerError | None:
        """The reason against playing at a place; None if the game has no word for it."""

    def forbidden(self, place: str) -> Sequence[Forbidden]:
        """The steps that would fit at a place but that the rules forbid, grouped by reason."""

    def automatic(self, choice: Choice) -> Sequence[str]:
        """The automatic moves that would follow a step, as in the list of moves."""

    @property
    def definitions(self) -> str:
        """Markup that the drawings of one page share."""

    def draw(self, view: View, label: str) -> str:
        """The board as markup; ``label`` describes it to those who do not see it."""


@dataclass(frozen=True, slots=True)
class LettersFace:
    """A position of a game that no page can draw."""

    position: Position[Any]
    choices: Sequence[Choice] = ()
    spare: Sequence[str] = ()
    closed: Sequence[str] = ()
    definitions: str = ""

    def why_closed(self, place: str) -> PlayerError | None:
        """None: there are no places."""
        return None

    def forbidden(self, place: str) -> Sequence[Forbidden]:
        """Nothing: there are no places."""
        return ()

    def automatic(self, choice: Choice) -> Sequence[str]:
        """Nothing: there are no choices."""
        return ()

    def draw(self, view: View, label: str) -> str:
        """Nothing: the page shows the board in letters, as mails do."""
        return ""

    @property
    def board(self) -> str:
        """The board in letters."""
        return show(self.position).board


@dataclass(frozen=True)
class FigureFace:
    """A position as a page shows it."""

    position: Position[Any]
    game: Game[Any, Any]
    figure: Figure
    closed: Sequence[str] = ()
    definitions: str = ""

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """Every step that places belong to: a piece that moves is chosen first, then where to; lines at either end."""
        placed = [(step, self.position.places(step)) for step in self.position.legal()]
        steps = Counter(places[0] for _, places in placed if places)
        return tuple(
            choice
            for step, places in placed
            if places
            for choice in self._choices(step, places, is_alone=steps[places[0]] == 1)
        )

    def _choices(self, step: Any, places: Sequence[str], *, is_alone: bool) -> Iterator[Choice]:
        text, (start, end) = self.game.step_text(self.position, step), (places[0], places[-1])
        if start != end and start not in self.figure.pieces:
            yield Choice(text, start, end, LINE)
            yield Choice(text, end, start, LINE)
        else:
            yield Choice(text, start, end, PLACE if len(places) == 1 and is_alone else "move")

    @cached_property
    def spare(self) -> Sequence[str]:
        """The steps to which no place belongs."""
        steps = (step for step in self.position.legal() if not self.position.places(step))
        return tuple(self.game.step_text(self.position, step) for step in steps)

    def why_closed(self, place: str) -> PlayerError | None:
        """None: the game has no word for it."""
        return None

    def forbidden(self, place: str) -> Sequence[Forbidden]:
        """Nothing: what cannot be played is not said to fit."""
        return ()

    def automatic(self, choice: Choice) -> Sequence[str]:
        """Nothing is told of it."""
        return ()

    def draw(self, view: View, label: str) -> str:
        """The board, which looks alike from all sides."""
        targets = {choice.to for choice in self.choices if choice.place == view.picked != choice.to}
        links = {
            name: Link(href, view.label(name), "place target" if name in targets else "place", self._step(view, name))
            for name, href in view.links.items()
        }
        return figures.draw_for_page(self.figure, links, view.picked, label)

    def _step(self, view: View, name: str) -> str:
        return next((text for text, href in view.steps.items() if href == view.links.get(name)), "")


@singledispatch
def face(position: Position[Any], game: Game[Any, Any]) -> BoardView:
    """The view of a position by the family of its game, or by the figure that it describes."""
    figure = position.figure
    return LettersFace(position) if figure is None else FigureFace(position, game, figure)


_TURNS = 14
"""Turns of an example."""
_STRIDE, _START = 7, 3
"""They select steps among all legal ones: some that are apart, and always the same ones."""


def example_game(game: Game[Any, Any]) -> Sequence[Position[Any]]:
    """The positions between the turns of a game that nobody has played, by steps that the rules allow."""
    position = game.begin({}, game.players.start)
    positions, taken = [position], _START
    while position.outcome is None and position.ply < _TURNS:
        steps = position.legal()
        position = position.play(steps[taken % len(steps)])
        taken += _STRIDE
        if position.outcome is None and not position.mid_turn:
            positions.append(position)
    return positions


@dataclass(frozen=True)
class Showcase:
    """A position that nobody has played, to look at."""

    game: Game[Any, Any]
    position: Position[Any]

    @cached_property
    def face(self) -> BoardView:
        """The view of it on pages."""
        return face(self.position, self.game)

    def draw(self, label: str) -> str:
        """The drawing as markup; ``label`` describes it to those who do not see it."""
        return self.face.draw(View(), label)
