"""Drawings of boards in mails, and figures of help pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import dedent
from typing import Any, Self

from markupsafe import Markup

from pbem.diagrams.hextile import Picture, picture_of, svg
from pbem.diagrams.hextile.letters import NULL_POINT, draw, draw_states
from pbem.games.game import Game
from pbem.games.hextile.grid import Cell, Colour, State
from pbem.games.hextile.position import Position
from pbem.wording.boards import show
from pbem.wording.layout import columns

_APART = "\n\n"


@dataclass(frozen=True)
class Drawing:
    """A board, or a tile, as SVG."""

    make: Callable[[], str]
    """Makes it; hardly any is ever looked at in letters alone."""
    caption: str = ""
    """The text below it: the number of a tile's state."""
    phase: str = ""
    """``before`` or ``after``, if it is one of two that show what a turn brings."""

    @property
    def svg(self) -> Markup:
        """The drawing as markup."""
        return Markup(self.make())  # noqa: S704 - made by `pbem.diagrams`


class Letters(str):
    """A board in letters that knows its drawings."""

    drawings: Sequence[Drawing]

    @classmethod
    def drawn(cls, letters: str, drawings: Sequence[Drawing]) -> Self:
        """The letters, with what they show."""
        found = cls(letters)
        found.drawings = drawings
        return found


class Drawings:
    """The drawings of all boards in letters that templates have asked for, by their letters.

    Templates are text, so a board is known again by its letters alone when their text is made into a page.
    """

    def __init__(self) -> None:
        self._known: dict[str, Sequence[Drawing]] = {}

    def keep(self, letters: str, drawings: Sequence[Drawing]) -> Letters:
        """The letters, of which these are the drawings from now on."""
        self._known[_plain(letters)] = drawings
        return Letters.drawn(letters, drawings)

    def of(self, letters: str) -> Sequence[Drawing]:
        """The drawings of a board in letters, wherever it stands in its line; none if it is something else."""
        return self._known.get(_plain(letters), ())

    def split(self, text: str) -> Iterator[tuple[str, Sequence[Drawing]]]:
        """Lines that stay as they are, boards apart from what else stands there; each board with its drawings."""
        parts, other = text.split(_APART), list[str]()
        while parts:
            size = next((n for n in range(len(parts), 0, -1) if self.of(_APART.join(parts[:n]))), 0)
            if size and other:
                yield _APART.join(other), ()
                other = []
            if size:
                board = _APART.join(parts[:size])
                yield board, self.of(board)
            other, parts = [*other, *parts[:1]] if not size else [], parts[size or 1 :]
        if other:
            yield _APART.join(other), ()


def drawings_in(figures: Sequence[str]) -> Sequence[Drawing]:
    """The drawings of several boards, in their order."""
    return [each for figure in figures if isinstance(figure, Letters) for each in figure.drawings]


def _plain(letters: str) -> str:
    return dedent("\n".join(line.rstrip() for line in letters.strip("\n").split("\n")))


INDENT = " " * 4
"""Before every line of a figure, which sets it off from the text."""

STATES_A_ROW = 3
"""One for each corner of the tip."""


class BadFigure(Exception):
    """A figure does not show what its page says: our mistake, found when the pages are tested."""


class Figures:
    """Draws positions of games that are given by name.

    Args:
        games: by name; asking for another raises `KeyError`.
        drawings: where it is kept what their letters show.
    """

    def __init__(self, games: Mapping[str, Game[Any, Any]], drawings: Drawings | None = None) -> None:
        self._games = games
        self._drawings = drawings or Drawings()

    @property
    def functions(self) -> dict[str, Callable[..., str]]:
        """The functions that templates may call, by name."""
        return {
            "figure": self.figure,
            "game_moves": self.moves,
            "tile_states": self.states,
            "beside": self.beside,
            "before_and_after": self.before_and_after,
        }

    def figure(
        self, game: str, moves: str, options: str = "", *, labels: str | None = None, won: str | None = None
    ) -> str:
        """The board after some moves.

        Args:
            game: its name.
            moves: whole turns as players type them, blanks between the turns, commas within: ``A1 C9,ne4``.
            options: the words of a challenge, without dashes.
            labels: of the spaces that show theirs; None: all of them.
            won: the side that must have won by then, ``nobody`` for a draw.

        Raises:
            IllegalMove, UnreadableMove: one of the moves.
            BadFigure: the game ends otherwise, or with moves left.
        """
        position = self._played(game, moves, options)[-1]
        if won is not None and won != self._winner(game, position):
            raise BadFigure(game, moves, won)
        layout, wanted = position.layout, None if labels is None else labels.upper().split()
        shown = {cell: label for cell, label in layout.labels.items() if wanted is None or label in wanted}
        drawing = Drawing(lambda: svg.draw(picture_of(position, shown)))
        if wanted is None:
            return self._drawings.keep(indented(show(position).board), [drawing])
        letters = draw(layout.tiles, shown | dict.fromkeys(layout.null_points, NULL_POINT))
        return self._drawings.keep(indented(letters), [drawing])

    def moves(self, game: str, moves: str, options: str = "", auto: str = "(Auto)") -> str:
        """The moves with their numbers, in columns; automatic tiles behind the move that brought them."""
        cells = []
        for position in self._played(game, moves, options)[1:]:
            text = self._games[game].input_text(position, ())
            automatic = f" {auto} {' '.join(text.automatic)}" if text.automatic else ""
            cells.append(f"{position.ply}. {text.move}{automatic}")
        return columns(cells, len(INDENT))

    def states(self, game: str, *numbers: int) -> str:
        """Some states of a tile, small and numbered; all of them if no numbers are given."""
        start = self._played(game, "", "")[0]
        states = start.rules.states
        wanted = [states[number] for number in numbers] or list(states)
        rows = (wanted[first : first + STATES_A_ROW] for first in range(0, len(wanted), STATES_A_ROW))
        letters = indented("\n\n".join(draw_states(row) for row in rows))
        is_dark = Colour.WHITE in start.colours
        return self._drawings.keep(letters, [_drawn(state, dark=is_dark) for state in wanted])

    def _played(self, name: str, moves: str, options: str) -> list[Position]:
        """The positions from the beginning to the end of the last turn."""
        game = self._games[name]
        positions: list[Position] = [game.begin(game.read_options(options.split()), 2)]
        for turn in moves.split():
            positions.append(game.read_input(positions[-1], turn)[1])
        return positions

    def _winner(self, name: str, position: Position) -> str | None:
        if position.outcome is None:
            return None
        sides = self._games[name].sides(position)
        return sides[position.outcome.winners[0]] if position.outcome.winners else "nobody"

    def beside(self, *figures: str) -> str:
        """Figures side by side."""
        return self._drawings.keep(beside(*figures), drawings_in(figures))

    def before_and_after(self, before: str, after: str) -> str:
        """A board before and after a turn, side by side."""
        phases = zip(drawings_in([before, after]), ("before", "after"), strict=True)
        return self._drawings.keep(beside(before, after), [replace(each, phase=phase) for each, phase in phases])


def _drawn(state: State, *, dark: bool) -> Drawing:
    """One state of a tile, small, with its number."""
    picture = Picture({Cell(0, 0): state}, {}, dark=dark)
    return Drawing(lambda: svg.draw(picture), str(state.number))


def beside(*figures: str, gap: int = 6) -> str:
    """Figures side by side, in letters alone."""
    drawn = [figure.split("\n") for figure in figures]
    widths = [max(map(len, lines)) + gap for lines in drawn]
    rows = zip_longest(*drawn, fillvalue="")
    return "\n".join("".join(_cells(row, widths)).rstrip() for row in rows)


def _cells(row: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    for number, (line, width) in enumerate(zip(row, widths, strict=True)):
        yield (line[len(INDENT) :] if number else line).ljust(width)


def indented(drawing: str) -> str:
    """A drawing, set off from the text."""
    return "\n".join(INDENT + line for line in drawing.split("\n"))
