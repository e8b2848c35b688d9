"""Boards of Mamba on pages, from the reader's side of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pbem.diagrams import Link
from pbem.diagrams.mamba import Picture, svg
from pbem.errors import PlayerError
from pbem.games.game import Game
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import Cell
from pbem.games.mamba.steps import PASS, Cut, Lay, Move, Step, Turn, in_words
from pbem.web.boards.views import BoardView, Choice, Forbidden, View, face
from pbem.wording.mamba import changed_cells


@dataclass(frozen=True)
class MambaFace:
    """A position of Mamba as a page shows it."""

    position: Position

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """Every laying and move, or every answer to a pending decision."""
        return tuple(self._choice(step) for step in self.position.legal() if step != PASS)

    @property
    def spare(self) -> Sequence[str]:
        """The pass, if it is allowed."""
        return ("pass",) if PASS in self.position.legal() else ()

    @cached_property
    def closed(self) -> Sequence[str]:
        """The cells of pieces that can do nothing."""
        if self.position.to_act is None:
            return ()
        used = {choice.place for choice in self.choices}
        names = self.position.rules.grid.names
        own = (names[cell] for cell in self.position.pieces(self.position.to_act))
        return tuple(name for name in own if name not in used)

    def why_closed(self, place: str) -> PlayerError | None:
        """None: the page says that the piece can do nothing."""
        return None

    def forbidden(self, place: str) -> Sequence[Forbidden]:
        """Nothing: a piece can go anywhere within its reach unless another lies there."""
        return ()

    def automatic(self, choice: Choice) -> Sequence[str]:
        """Nothing: pieces only move by hand."""
        return ()

    @property
    def definitions(self) -> str:
        """Nothing: cells are drawn in their places."""
        return ""

    def draw(self, view: View, label: str) -> str:
        """The board, with the edge of its viewer at the bottom."""
        rules, by_name = self.position.rules, self.position.rules.grid.by_name
        changed = changed_cells(self.position)
        picture = Picture(self.position.squares, rules.size, rules.edges, changed, view.viewer)
        ways, kinds = self._ways(view), self._kinds(view)
        links = {by_name[name]: Link(href, view.label(name), kinds(name)) for name, href in view.links.items()}
        signs = {by_name[name]: ("open", *ways.get(name, ())) for name in view.links}
        picked = None if view.picked is None else by_name.get(view.picked)
        return svg.draw_for_page(picture, links, signs, picked, label)

    def _ways(self, view: View) -> Mapping[str, Sequence[str]]:
        """The kinds of steps, ``move`` or ``lay``, of the chosen piece, by the cells that they end on."""
        ways: dict[str, list[str]] = {}
        for choice in self.choices:
            if choice.place == view.picked != choice.to:
                ways.setdefault(choice.to, []).append(choice.kind)
        return ways

    def _kinds(self, view: View) -> Callable[[str], str]:
        """The classes of the links of cells, by the names of the cells."""
        kinds = dict.fromkeys(self.closed, "place closed") | dict.fromkeys(self._ways(view), "place target")
        if view.asked:
            kinds[view.asked] = "place target asked"
        rest = "place answer" if self.position.decision else "place other" if view.picked else "place"
        return lambda name: kinds.get(name, rest)

    def _choice(self, step: Step) -> Choice:
        grid = self.position.rules.grid
        start, end = _ends(step)
        return Choice(in_words(grid, step), grid.names[start], grid.names[end], type(step).__name__.lower())


def _ends(step: Step) -> tuple[Cell, Cell]:
    """The cell by which a step is chosen, and the one that it ends on."""
    match step:
        case Lay(by, cell):
            return by, cell
        case Move(start, end):
            return start, end
        case Turn(cell) | Cut(cell):
            return cell, cell
    raise AssertionError(step)


@face.register(Position)
def _(position: Position, game: Game[Any, Any]) -> BoardView:
    return MambaFace(position)
