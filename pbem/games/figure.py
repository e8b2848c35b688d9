"""Boards of pieces on named places, as any game can describe its own: all drawings are made of that.

A unit is the distance between two neighbouring places; x goes to the right and y down.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

At: TypeAlias = tuple[float, float]
"""A place on the plane."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, or anything else that fills a place."""

    side: int
    """The place of its side among those of the figure; -1: nobody's."""
    letter: str
    """The character for it where boards are drawn with letters."""
    kind: str = "man"
    """The kind of piece, in a word of the game; drawings know ``man``, ``king``, ``wall`` and the pieces of chess."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A named place."""

    at: At
    outline: Sequence[At] = ()
    """The corners around it; none: a point where lines meet."""
    shade: int = 0
    """The ground, of two that alternate."""
    free: str = "."
    """The character for it where boards are drawn with letters, while nothing is on it."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A line that belongs to somebody: a bridge, a fence, an edge of the board that is a goal."""

    start: At
    end: At
    side: int = -1
    """As of a `Piece`."""


@dataclass(frozen=True, slots=True)
class Held:
    """Pieces of one kind that a side can still put on the board."""

    at: At
    """The place next to the board where they are drawn."""
    piece: Piece
    count: int = 1

    @property
    def letters(self) -> str:
        """As they are written where boards are drawn with letters: ``3p``."""
        return self.piece.letter if self.count == 1 else f"{self.count}{self.piece.letter}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A board that can be drawn."""

    spots: Mapping[str, Spot]
    pieces: Mapping[str, Piece]
    letters: str
    """The board drawn with letters."""
    lines: Sequence[tuple[At, At]] = ()
    """Of the ground."""
    edges: Sequence[Bar] = ()
    """Those of the ground: the sides that somebody connects."""
    labels: Sequence[tuple[At, str]] = ()
    """Coordinates, and signs that are always next to the board; those in `ARROWS` are drawn as arrows."""
    bars: Sequence[Bar] = ()
    """Those that were laid in the game."""
    beside: Sequence[tuple[At, str]] = ()
    """Signs next to the board that change."""
    held: Sequence[Held] = ()
    """The pieces next to the board."""
    last: Collection[str] = field(default=frozenset())
    """The places that the last turn has changed."""
    sides: Sequence[str] = ("First", "Second")
    """The names of the sides, as `Game.sides` has them but always in the same order."""
    colours: Sequence[str] = ("black", "white")
    """Those of the sides, of `COLOURS`."""
    marks: Sequence[str] = ()
    """The character for a piece of each side where boards are drawn with letters, if it is one for all."""


ARROWS: Mapping[str, At] = {"->": (1, 0), "<-": (-1, 0), "\\/": (0, 1), "/\\": (0, -1)}
"""The directions of arrows, by the signs for them where boards are drawn with letters."""

COLOURS = ("black", "white", "red", "blue", "green", "yellow")
"""The colours that drawings know."""
