"""Hive, which has no board: pieces lie beside each other, and are named in the notation of the Universal Hive Protocol.

A move there names the piece, and another one with a sign on the side on which the first comes to lie: ``wS1 bQ/``. We
name the places, too, as on a board of Havannah, so that they can be clicked and read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import ceil, floor
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeAlias

from pbem.games.figure import At, Held, Piece, Spot
from pbem.games.layouts import Layout, hexagon
from pbem.hall.positions import Act, Contents, Form, HallPosition, Step, Writing

_Place: TypeAlias = tuple[int, int]
"""Column and row, counted from the first piece of the game: columns go down to the left, rows across."""
_Stacks: TypeAlias = Mapping[_Place, tuple[str, ...]]
_RIGHT = {"/": (0, -1), "-": (1, 0), "\\": (1, 1)}
_LEFT = {"/": (0, 1), "-": (-1, 0), "\\": (-1, -1)}
"""The columns and rows to the place beyond a sign that stands behind a piece, or before it."""
_MOVE = re.compile(r"([wb][A-Z][1-3]?)(?: ([-/\\]?)([wb][A-Z][1-3]?)([-/\\]?))?")
_FIRST = (8, 9)
"""The column, from 0, and the row of the first piece: ``i9``."""
_SHIFT = 8
"""Names change by so many columns or rows, so that they seldom do."""
_LETTERS = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase))
_STOCK = {"A": 3, "G": 3, "B": 2, "S": 2, "Q": 1}
_STOCK_MORE = {"M": 1, "L": 1, "P": 1}
_SPOT = hexagon(1).spots["a1"]
_ROW = hexagon(2).spots["a2"].at[1]


class _Hive:
    """The pieces of a game in progress.

    Args:
        drawn: the game in the protocol's words: its kind, how it stands, whose turn it is, then all moves.
    """

    def __init__(self, drawn: str) -> None:
        self.stacks: dict[_Place, tuple[str, ...]] = {}
        """The pieces on each place, the lowest first."""
        self.places: dict[str, _Place] = {}
        """The place of each piece."""
        self._wheres: dict[_Place, Sequence[tuple[str, str]]] = {}
        for text in drawn.split(";")[3:]:
            if text not in ("", "pass"):
                self._play(*self.read(text))
        ats = [(column - row / 2, row) for column, row in self.stacks or {(0, 0)}]
        xs, ys = [x for x, _ in ats], [y for _, y in ats]
        self.board: _Board = _board(*_span(xs), *_span(ys))

    def _play(self, piece: str, end: _Place) -> None:
        start = self.places.get(piece)
        if start is not None and (left := self.stacks.pop(start)[:-1]):
            self.stacks[start] = left
        self.places[piece] = end
        self.stacks[end] = (*self.stacks.get(end, ()), piece)

    def read(self, text: str) -> tuple[str, _Place]:
        """The piece of a move, and the place that it goes to."""
        piece, before, beside, behind = _MOVE.fullmatch(text).groups()  # type: ignore[union-attr]  # OpenSpiel's own
        column, row = self.places.get(beside, (0, 0))
        columns, rows = _LEFT[before] if before else _RIGHT[behind] if behind else (0, 0)
        return piece, (column + columns, row + rows)

    def wheres(self, end: _Place) -> Sequence[tuple[str, str]]:
        """All ways to name a place, each with the piece by which it does: ``bQ/``."""
        if end not in self._wheres:
            self._wheres[end] = sorted(self._beside(end))
        return self._wheres[end]

    def _beside(self, end: _Place) -> Iterator[tuple[str, str]]:
        if under := self.stacks.get(end):
            yield under[-1], under[-1]
            return
        for signs, form in ((_RIGHT, "{1}{0}"), (_LEFT, "{0}{1}")):
            for sign, (columns, rows) in signs.items():
                for other in self.stacks.get((end[0] - columns, end[1] - rows), ()):
                    yield form.format(sign, other), other


_hive = lru_cache(maxsize=256)(_Hive)
_STEP = 2
"""Boards grow by so many rows or columns, so that most turns leave them as they are."""
_LEAST = 3
"""Places to each side of the first piece for which there is room at once: a picture has it at its full scale."""


def _span(used: Sequence[float]) -> tuple[int, int]:
    """The first and the last place of a board on which these are used, and one beyond each can be reached."""
    least, most = min(-_LEAST, *used), max(_LEAST, *used)
    return floor((least - 1) / _STEP) * _STEP, ceil((most + 1) / _STEP) * _STEP


class _Board(NamedTuple):
    """The places around a hive; others cannot be reached at once."""

    layout: Layout
    names: Mapping[_Place, str]
    """The first piece lies on i9, unless the hive has moved beyond the letters or numbers."""


@lru_cache(maxsize=256)
def _board(left: int, right: int, low: int, high: int) -> _Board:
    rows = {row: range(ceil(left + row / 2), floor(right + row / 2) + 1) for row in range(low, high + 1)}
    first, last = min(row.start for row in rows.values()), max(row.stop for row in rows.values()) - 1
    columns, numbers = _FIRST
    if columns + first < 0 or columns + last >= len(ascii_lowercase):
        columns -= _SHIFT * ((columns + first) // _SHIFT)
    if numbers + low < 1:
        numbers -= _SHIFT * ((numbers + low - 1) // _SHIFT)
    names, spots, labels, headed = dict[_Place, str](), dict[str, Spot](), list[tuple[At, str]](), set[int]()
    for row, inside in rows.items():
        labels.append(((inside[0] - row / 2 - 1, row * _ROW), str(row + numbers)))
        for column in inside:
            at, letter = (column - row / 2, row * _ROW), _LETTERS[column + columns]
            names[column, row] = f"{letter}{row + numbers}"
            spots[names[column, row]] = replace(_SPOT, at=at)
            if column not in headed:
                headed.add(column)
                labels.append(((at[0] + 0.5, at[1] - _ROW), letter))
    return _Board(Layout(spots, labels, pitch=4), names)


def board() -> Layout:
    """The board before the first piece."""
    return _hive("").board.layout


def read_hive(position: HallPosition, _layout: Layout) -> Contents:
    """The uppermost pieces, what lies under them, and the pieces that are not yet there."""
    hive = _hive(position.drawn)
    stacks, (layout, names) = hive.stacks, hive.board
    named = {names[place]: stack for place, stack in stacks.items()}
    under = [f"{place}: {' < '.join(map(_told, stack))}" for place, stack in named.items() if len(stack) > 1]
    held = [each for side in range(2) for each in _held(position, stacks, side, layout)]
    pieces = {place: _piece(stack[-1]) for place, stack in named.items()}
    before = _hive(position.before_last_turn.drawn).stacks
    changed = [names[at] for at in {*before, *stacks} if at in names and before.get(at) != stacks.get(at)]
    return Contents(pieces, held=held, below=sorted(under), layout=layout, changed=changed)


def _piece(name: str) -> Piece:
    return Piece(int(name[0] == "b"), _told(name), "letter")


def _told(name: str) -> str:
    """The piece on the board: White's in capitals."""
    return name[1:] if name[0] == "w" else name[1:].lower()


def _held(position: HallPosition, stacks: _Stacks, side: int, layout: Layout) -> Iterator[Held]:
    """The pieces that a side has not laid yet: White's below the board, Black's above."""
    ats = [spot.at for spot in layout.spots.values()]
    x, y = min(x for x, _ in ats), max(y for _, y in ats) + _BELOW if side == 0 else min(y for _, y in ats) - _ABOVE
    laid = Counter(name[1] for stack in stacks.values() for name in stack if name[0] == "wb"[side])
    for kind, count in {**_STOCK, **({} if position.options.get("base") else _STOCK_MORE)}.items():
        if left := count - laid[kind]:
            yield Held((x, y), Piece(side, kind if side == 0 else kind.lower(), "letter"), left)
            x += 1.5 if left > 1 else 1


_BELOW, _ABOVE = 1.3, 2


HIVE_MOVES = (
    "wS1",
    *(
        f"{man} {form.format(other)}"
        for man in ("wQ", "wS1")
        for other in ("bQ", "bS1")
        for form in ("{}", "-{}", "{}-", "/{}", "{}/", "\\{}", "{}\\")
    ),
)
"""One of each form of the notation."""


def write_hive(act: Act) -> Writing:
    """A move by the first neighbour that says where; it can also be written by the others, or by places."""
    (text,) = act.words
    if text == "pass":
        return Writing(text, ())
    hive = _hive(act.before)
    piece, end = hive.read(text)
    start = hive.places.get(piece)
    beside = [f"{piece} {where}" for where, other in hive.wheres(end) if other != piece] or [piece]
    places = [hive.board.names[place] for place in (start, end) if place is not None]
    coordinates = "-".join(places) if start else f"{piece[1]}@{places[0]}"
    return Writing(beside[0], places, (*beside[1:], coordinates, beside[0]))


def same_again(steps: Sequence[Step]) -> Collection[tuple[int, ...]]:
    """The steps that another one makes needless: it is the same, or lays the same kind by a lower number."""
    named = [(step, step.text.partition(" ")[0]) for step in steps]
    held, needless, seen = (
        {piece for step, piece in named if len(step.places) == 1},
        list[tuple[int, ...]](),
        set[str](),
    )
    for step, piece in named:
        lower = f"{piece[:-1]}{int(piece[-1]) - 1}" if piece[-1].isdigit() and len(step.places) == 1 else ""
        if step.text in seen or lower in held:
            needless.append(step.actions)
        seen.add(step.text)
    return frozenset(needless)


def hive_forms(position: HallPosition) -> Iterator[Form]:
    """A hive in each of its twelve symmetries, its pieces by their kinds, and shifted to the edges of a board."""
    stacks = _hive(position.drawn).stacks
    for reflects in (False, True):
        for turns in range(6):
            placed = {_turned(place, turns, reflects=reflects): stack for place, stack in stacks.items()}
            least = min((at[0] for at in placed), default=0), min((at[1] for at in placed), default=0)
            told = sorted([*_shifted(at, least), *(name[:2] for name in stack)] for at, stack in placed.items())
            yield Form(told, partial(_images_of_step, turns, reflects, least))


def _images_of_step(
    turns: int, reflects: bool, least: _Place, position: HallPosition, step: Step
) -> Sequence[Sequence[Any]]:
    """The kind of a piece, the place that it goes to, and the one that it comes from."""
    if step.text == "pass":
        return [[step.text]]
    hive = _hive(position.drawn)
    piece, end = hive.read(step.text)
    places = [place for place in (end, hive.places.get(piece)) if place is not None]
    return [[piece[:2], *(list(_shifted(_turned(place, turns, reflects=reflects), least)) for place in places)]]


def _turned(place: _Place, turns: int, *, reflects: bool) -> _Place:
    """The image of a place, rotated by sixths of a turn after the reflection."""
    column, row = place[::-1] if reflects else place
    for _ in range(turns):
        column, row = column - row, column
    return column, row


def _shifted(place: _Place, least: _Place) -> _Place:
    return place[0] - least[0], place[1] - least[1]
