"""What can be seen on one row or column: alignments, who could turn there, what is too long (RULES 9 to 11).

Alignments and transformations never look beyond a line, so each line is looked at once and remembered.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

EMPTY = "."

LONGEST = 4
"""Pieces that an alignment may have (RULES 10)."""

Mark: TypeAlias = str
"""A piece's owner as it is printed: A to D."""

View: TypeAlias = "int | tuple[Mark, int]"
"""What a piece sees on one side: how many of its own follow, or the neighbour's owner and alignment; 0 is free."""


class Turnable(NamedTuple):
    """A piece on a line can turn, since its neighbour there is in a longer alignment (RULES 11)."""

    place: int
    """Of the piece on the line, from 0."""
    owner: Mark
    """Who would get it."""
    longer: int
    """His alignment."""
    shorter: int
    """The piece's own."""


class Line(NamedTuple):
    """One row or column, looked at."""

    turnable: tuple[Turnable, ...]
    views: tuple[tuple[View, View], ...]
    """For each place what a piece there sees before and behind it."""
    too_long: tuple[range, ...]
    """The places of alignments that are overpopulated."""


@lru_cache(maxsize=1 << 16)
def look(line: str) -> Line:
    """What can be seen on a line, given by its marks, low to high."""
    runs = [(mark, len(list(run))) for mark, run in groupby(line)]
    turnable, views, too_long = list[Turnable](), list[tuple[View, View]](), list[range]()
    start = 0
    for index, (mark, length) in enumerate(runs):
        before, behind = _beyond(runs, index - 1), _beyond(runs, index + 1)
        views.extend((each or before, length - 1 - each or behind) for each in range(length))
        if mark != EMPTY:
            for place, beyond in ((start, before), (start + length - 1, behind)):
                if isinstance(beyond, tuple) and beyond[1] > length:
                    turnable.append(Turnable(place, *beyond, length))
            if length > LONGEST:
                too_long.append(range(start, start + length))
        start += length
    return Line(tuple(turnable), tuple(views), tuple(too_long))


def _beyond(runs: list[tuple[Mark, int]], index: int) -> View:
    """What lies at that end of a run; off the board is as free as empty."""
    if index not in range(len(runs)) or runs[index][0] == EMPTY:
        return 0
    return runs[index]
