"""Boards of hexagons without an edge, which grow with what lies on them, and their symmetries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from math import ceil, floor
from string import ascii_lowercase
from typing import NamedTuple, TypeAlias

from pbem.games.figure import At, Spot
from pbem.games.layouts import Layout, hexagon

Place: TypeAlias = tuple[int, int]
"""Column and row, counted from the first piece of the game: columns go down to the left, rows across."""
_FIRST = (8, 9)
"""The column, from 0, and the row of the first piece: ``i9``."""
_SHIFT = 8
"""Names change by so many columns or rows, so that they seldom do."""
_LETTERS = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase))
_SPOT = hexagon(1).spots["a1"]
_ROW = hexagon(2).spots["a2"].at[1]
_STEP = 2
"""Boards grow by so many rows or columns, so that most turns leave them as they are."""
_LEAST = 3
"""Places to each side of the first piece for which there is room at once: a picture has it at its full scale."""


class GrowingBoard(NamedTuple):
    """The places around those that are used; others cannot be reached at once."""

    layout: Layout
    names: Mapping[Place, str]
    """The first piece lies on i9, unless the others have moved beyond the letters or numbers."""


def board_around(used: Collection[Place]) -> GrowingBoard:
    """The board on which some places are used."""
    xs, ys = [column - row / 2 for column, row in used], [row for _, row in used]
    return _board(*_span(xs), *_span(ys))


def _span(used: Collection[float]) -> tuple[int, int]:
    """The first and the last place of a board on which these are used, and one beyond each can be reached."""
    least, most = min((-_LEAST, *used)), max((_LEAST, *used))
    return floor((least - 1) / _STEP) * _STEP, ceil((most + 1) / _STEP) * _STEP


@lru_cache(maxsize=256)
def _board(left: int, right: int, low: int, high: int) -> GrowingBoard:
    rows = {row: range(ceil(left + row / 2), floor(right + row / 2) + 1) for row in range(low, high + 1)}
    first, last = min(row.start for row in rows.values()), max(row.stop for row in rows.values()) - 1
    columns, numbers = _FIRST
    if columns + first < 0 or columns + last >= len(ascii_lowercase):
        columns -= _SHIFT * ((columns + first) // _SHIFT)
    if numbers + low < 1:
        numbers -= _SHIFT * ((numbers + low - 1) // _SHIFT)
    names, spots, labels, headed = dict[Place, str](), dict[str, Spot](), list[tuple[At, str]](), set[int]()
    for row, inside in rows.items():
        labels.append(((inside[0] - row / 2 - 1, row * _ROW), str(row + numbers)))
        for column in inside:
            at, letter = (column - row / 2, row * _ROW), _LETTERS[column + columns]
            names[column, row] = f"{letter}{row + numbers}"
            spots[names[column, row]] = replace(_SPOT, at=at)
            if column not in headed:
                headed.add(column)
                labels.append(((at[0] + 0.5, at[1] - _ROW), letter))
    return GrowingBoard(Layout(spots, labels, pitch=4), names)


def symmetries(used: Collection[Place]) -> Iterator[Callable[[Place], list[int]]]:
    """The image of a place under each of the twelve symmetries, counted from the first column and row that are used."""
    for reflects in (False, True):
        for turns in range(6):
            images = [_turned(place, turns, reflects=reflects) for place in used] or [(0, 0)]
            least = min(column for column, _ in images), min(row for _, row in images)
            yield partial(_image, turns, reflects, least)


def _image(turns: int, reflects: bool, least: Place, place: Place) -> list[int]:
    column, row = _turned(place, turns, reflects=reflects)
    return [column - least[0], row - least[1]]


def _turned(place: Place, turns: int, *, reflects: bool) -> Place:
    """The image of a place, rotated by sixths of a turn after the reflection."""
    column, row = place[::-1] if reflects else place
    for _ in range(turns):
        column, row = column - row, column
    return column, row
