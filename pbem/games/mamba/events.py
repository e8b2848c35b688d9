"""Events of a turn, and the ways in which a game ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.game import Ending, Outcome, Seat
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import MARKS, Cell, Squares, without


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece laid a new one beside it (RULES 5)."""

    seat: Seat
    by: Cell
    cell: Cell


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece moved (RULES 6)."""

    seat: Seat
    start: Cell
    end: Cell


@dataclass(frozen=True, slots=True)
class Passed:
    """A player ended the turn without a move (RULES 6)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Suffocated:
    """A piece had no empty cell at its sides and was removed (RULES 8)."""

    seat: Seat
    """Its owner."""
    cell: Cell


@dataclass(frozen=True, slots=True)
class Cut:
    """Surplus pieces were taken off one end of an alignment (RULES 10)."""

    seat: Seat
    """The owner of the alignment."""
    cells: tuple[Cell, ...]
    """The end first."""
    length: int
    """Of the alignment before."""
    line: str
    """``row 4`` is 4, ``column e`` is e."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A piece changed its owner (RULES 11)."""

    cell: Cell
    old: Seat
    new: Seat
    longer: int
    """The alignment that it was turned by."""
    shorter: int
    """The alignment that it was in, on the same line."""
    line: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """A piece was turned in a circle and stays as it is (RULES 12)."""

    cell: Cell
    seat: Seat
    """Its owner."""


@dataclass(frozen=True, slots=True)
class Out:
    """A player has too few pieces, or has left the game; their pieces are taken off the board (RULES 14)."""

    seat: Seat
    cells: tuple[Cell, ...]
    left: bool = False
    """The player has left of their own will or by the clock, rather than by the rules."""


Event: TypeAlias = Laid | Moved | Passed | Suffocated | Cut | Turned | Blocked | Out


def too_few(rules: Ruleset, squares: Squares, playing: Sequence[Seat]) -> tuple[Seat, ...]:
    """The players who have too few pieces to go on (RULES 14)."""
    return tuple(seat for seat in playing if squares.count(MARKS[seat]) <= rules.too_few)


def remove_players(squares: Squares, seats: Sequence[Seat]) -> Squares:
    """The board without the pieces of some players."""
    marks = {MARKS[seat] for seat in seats}
    return without(squares, (cell for cell, mark in enumerate(squares) if mark in marks))


def last_in_play(rules: Ruleset, playing: Sequence[Seat], ending: Ending = Ending.LAST_IN_PLAY) -> Outcome | None:
    """The outcome if only one player, or one team, is left (RULES 15)."""
    parties = {rules.party(seat) for seat in playing}
    return Outcome(rules.winners(parties.pop()), ending) if len(parties) == 1 else None


def at_rest(rules: Ruleset, squares: Squares, playing: Sequence[Seat]) -> Outcome | None:
    """The outcome of a board that has come to rest, if the game is over (RULES 14, 15)."""
    gone = too_few(rules, squares, playing)
    if len(gone) == len(playing):
        return Outcome(rules.most_pieces(squares, playing), Ending.ALL_OUT)
    return last_in_play(rules, [seat for seat in playing if seat not in gone])


def is_quiet(happened: Sequence[Event]) -> bool:
    """Return True if a turn had no laying, removal or transformation."""
    return all(isinstance(each, Moved | Passed) for each in happened)
