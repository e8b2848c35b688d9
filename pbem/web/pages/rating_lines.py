"""The way of a rating as a line, for a small drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH, HEIGHT = 240, 48
"""Of the drawing, in its own units."""
MARGIN = 4
"""Around the line, for its dots."""
_FLAT = 20
"""Points of a rating that the whole height shows at the least: a small change is to look small."""


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A rating in the course of time."""

    points: tuple[tuple[float, float], ...]
    """Across and down, the oldest first, a game like the next however long it took."""
    values: tuple[int, ...]
    since: datetime
    until: datetime

    @property
    def path(self) -> str:
        """The points as SVG has them."""
        return " ".join(f"{across:g},{down:g}" for across, down in self.points)

    @property
    def first(self) -> int:
        """What the rating was at first."""
        return self.values[0]

    @property
    def last(self) -> int:
        """What it is now."""
        return self.values[-1]

    @property
    def lowest(self) -> int:
        """The least that it has been."""
        return min(self.values)

    @property
    def highest(self) -> int:
        """The most that it has been."""
        return max(self.values)


def line(way: Sequence[tuple[datetime, int]]) -> RatingLine | None:
    """The line of a rating; None if it has not changed since it came to be.

    Args:
        way: when it changed, and what it was from then on, the oldest first.
    """
    if len(way) < 2:
        return None
    values = tuple(value for _, value in way)
    room = max(max(values) - min(values), _FLAT)
    lowest = (max(values) + min(values) - room) / 2
    across, down = (WIDTH - 2 * MARGIN) / (len(values) - 1), (HEIGHT - 2 * MARGIN) / room
    heights = (HEIGHT - MARGIN - down * (value - lowest) for value in values)
    rounded = tuple((round(MARGIN + across * place, 1), round(y, 1)) for place, y in enumerate(heights))
    return RatingLine(rounded, values, way[0][0], way[-1][0])
