"""The rules under the options of a challenge: the board, the seating, the fewest pieces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pbem.games.game import Seat
from pbem.games.mamba.squares import EMPTY, MARKS, Cell, Grid, Squares, grid, with_mark

PIECES = 40
"""All there are, on the board and off it (RULES 1)."""

QUIET_ROUNDS = 30
"""Rounds without laying, removal or transformation after which the game is a draw (RULES 16)."""

REPETITIONS = 3
"""Times that a board comes with the same player to move until the game is a draw (RULES 16)."""

EDGES = {2: ("bottom", "top"), 3: ("left", "top", "right"), 4: ("bottom", "left", "top", "right")}
"""The edge that each seat begins at, by the number of players (RULES 2)."""

VERSION = 2
"""Of the rules. In version 1 a series that was blocked back at its own start made the piece rest (RULES 13c)."""

_TOO_FEW = {2: 4, 3: 3, 4: 2}
_TOO_FEW_ON_11 = {**_TOO_FEW, 2: 6}

_H = ((-1, 0), (-1, 1), (-1, 2), (0, 1), (1, 0), (1, 1), (1, 2))
"""The pieces of a player at the start: how far right of the middle of the edge, and how far from the edge."""


@dataclass(frozen=True)
class Ruleset:
    """The rules that one board is played by."""

    players: int
    size: int = 9
    teams: bool = False
    must_move: bool = False
    strict_isolation: bool = False
    rounds: int | None = None
    """After which the most pieces win."""
    version: int = VERSION

    @property
    def grid(self) -> Grid:
        """The cells."""
        return grid(self.size)

    @property
    def edges(self) -> tuple[str, ...]:
        """The edge that each seat sits at: ``bottom``, ``left``, ``top`` or ``right``."""
        return EDGES[self.players]

    @property
    def too_few(self) -> int:
        """With this many pieces or less a player is out (RULES 14)."""
        return (_TOO_FEW_ON_11 if self.size == 11 else _TOO_FEW)[self.players]

    @cached_property
    def start(self) -> Squares:
        """The board before the first turn (RULES 3)."""
        squares = EMPTY * self.size**2
        for seat, edge in enumerate(self.edges):
            for cell in self._home(edge):
                squares = with_mark(squares, cell, MARKS[seat])
        return squares

    def party(self, seat: Seat) -> Seat:
        """The lowest seat of those that win together with this one: itself, or a partner opposite (RULES 2)."""
        return seat % 2 if self.teams else seat

    def winners(self, party: Seat) -> tuple[Seat, ...]:
        """All seats that win together, those that are out too."""
        return tuple(seat for seat in range(self.players) if self.party(seat) == party)

    def most_pieces(self, squares: Squares, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """The winners by pieces; a team counts as its better member, and equal is a draw (RULES 15)."""
        best: dict[Seat, int] = {}
        for seat in seats:
            party = self.party(seat)
            best[party] = max(best.get(party, 0), squares.count(MARKS[seat]))
        leading = [party for party, count in best.items() if count == max(best.values())]
        return self.winners(leading[0]) if len(leading) == 1 else ()

    def _home(self, edge: str) -> list[Cell]:
        last, middle = self.size - 1, self.size // 2
        places = [(middle + along, inwards) for along, inwards in _H]
        if edge in ("left", "right"):
            places = [(inwards, along) for along, inwards in places]
        if edge == "top":
            places = [(column, last - row) for column, row in places]
        if edge == "right":
            places = [(last - column, row) for column, row in places]
        return [row * self.size + column for column, row in places]
