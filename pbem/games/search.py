"""The result of a search for the best turn, whoever makes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that may be played, or what is left of one; or the answer to a decision."""

    moves: tuple[str, ...]
    """The text of this input as it is typed, then the expected line, one text for each input."""
    worth: float
    """The share of the points that the player to act can expect, from 0 to 1."""
    visits: int
    """The number of playouts that went this way."""
    proven: bool
    """It is proven to be won (its worth is 1), drawn or lost (0)."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of thinking about a position."""

    candidates: tuple[Candidate, ...]
    """The best first; never empty."""
    playouts: int
    """The number of playouts."""
