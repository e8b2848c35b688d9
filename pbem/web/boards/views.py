"""Positions as pages show them, and what can be clicked there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, singledispatch
from typing import Any, Protocol

from pbem.domain.boards import Board
from pbem.errors import PlayerError
from pbem.games.game import Game, Position, Seat
from pbem.wording.boards import show


@dataclass(frozen=True, slots=True)
class Choice:
    """A step that can be played next."""

    text: str
    """As it is typed behind the turn so far."""
    place: str
    """The space or cell by which it is chosen: of a tile where it is laid, of a piece where it stands."""
    to: str
    """The space or cell where it ends."""
    kind: str
    """What is done, in a word of the game: ``tile``, ``lay``, ``move``, ``turn``, ``cut``."""
    art: str = ""
    """A small picture of it, as markup; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Steps that would fit and that one and the same rule forbids."""

    choices: Sequence[Choice]
    why: PlayerError
    """Told of all of them at once."""


@dataclass(frozen=True, slots=True)
class View:
    """What a page wants to show of a position beside what stands there."""

    viewer: Seat | None = None
    """From whose side of the table it is looked at."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Where a click on a space or cell leads, by its name."""
    picked: str | None = None
    """The space or cell that has been chosen."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """Where the steps lead that can be played there, by how they are typed."""
    drafted: Position[Any] | None = None
    """The position before the turn that is being made, if one is: what has come since is not sent yet."""
    label: Callable[[str], str] = str
    """What the link of a space or cell, or of a step there, is called, by its name."""
    frame: Position[Any] | None = None
    """The position whose drawing this one is to be as large as: the last of the game, when an earlier one is shown."""
    asked: str = ""
    """The cell that was chosen besides, where more than one step of that piece ends; empty if none was."""


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
        """Places that can be seen and not be played; a click on one is told why."""

    def why_closed(self, place: str) -> PlayerError | None:
        """What stands in the way of playing at a place; None if the game has no word for it."""

    def forbidden(self, place: str) -> Sequence[Forbidden]:
        """The steps that would fit at a place and that the rules forbid, those of one reason together."""

    def automatic(self, choice: Choice) -> Sequence[str]:
        """What the game would do by itself in answer to a step, as the list of moves has it."""

    @property
    def definitions(self) -> str:
        """Markup that the drawings of one page share."""

    def draw(self, view: View, label: str) -> str:
        """The board as markup; ``label`` tells those who do not see it what it is."""


@dataclass(frozen=True, slots=True)
class LettersFace:
    """A position of a game that no page can draw."""

    position: Position[Any]
    choices: Sequence[Choice] = ()
    spare: Sequence[str] = ()
    closed: Sequence[str] = ()
    definitions: str = ""

    def why_closed(self, place: str) -> PlayerError | None:
        """There are no places."""
        return None

    def forbidden(self, place: str) -> Sequence[Forbidden]:
        """There are no places."""
        return ()

    def automatic(self, choice: Choice) -> Sequence[str]:
        """There are no choices."""
        return ()

    def draw(self, view: View, label: str) -> str:
        """Nothing: the page shows the letters that mails have."""
        return ""

    @property
    def board(self) -> str:
        """The board in letters."""
        return show(self.position).board


@singledispatch
def face(position: Position[Any], game: Game[Any, Any]) -> BoardView:
    """A position as its family shows it."""
    return LettersFace(position)


_TURNS = 14
"""Of an example."""
_STRIDE, _START = 7, 3
"""By which its steps are taken from all that are legal: some that lie apart, and always the same ones."""


@dataclass(frozen=True)
class Showcase:
    """A position, and the board where it stands; None: it is an example."""

    game: Game[Any, Any]
    position: Position[Any]
    board: Board | None = None

    @cached_property
    def face(self) -> BoardView:
        """How pages show it."""
        return face(self.position, self.game)

    def draw(self, label: str) -> str:
        """The drawing as markup; ``label`` tells those who do not see it what it is."""
        return self.face.draw(View(), label)


def in_play(rows: Sequence[Mapping[str, Any]]) -> Showcase | None:
    """The board of a table of boards where something has happened last; None if the table has none."""
    begun = [row for row in rows if row["course"].ply]
    if not begun:
        return None
    latest = max(begun, key=lambda row: (row["board"].last_at, row["board"].number))
    return Showcase(latest["game"], latest["course"].position, latest["board"])


def example(game: Game[Any, Any]) -> Showcase:
    """A board that nobody has played on, after some turns that the rules allow."""
    position = shown = game.begin({}, game.players.start)
    taken = _START
    while position.outcome is None and position.ply < _TURNS:
        steps = position.legal()
        position = position.play(steps[taken % len(steps)])
        taken += _STRIDE
        if position.outcome is None and not position.mid_turn:
            shown = position
    return Showcase(game, shown)
