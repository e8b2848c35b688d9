"""Hive in the notation of the Universal Hive Protocol.

A move names the piece, and another one with a sign on the side on which the first comes to lie: ``wS1 bQ/``. Places
have names, too, so that they can be clicked and read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Any

from pbem.games.figure import Piece
from pbem.games.layouts import Layout
from pbem.hall.drawings import in_hand
from pbem.hall.growing import Place, board_around, symmetries
from pbem.hall.positions import Act, Contents, Form, HallPosition, Step, Writing

_BEYOND = {"/": (0, -1), "-": (1, 0), "\\": (1, 1)}
"""The columns and rows to the place beyond a sign that stands behind a piece; before it, they count the other way."""
_MOVE = re.compile(r"([wb][A-Z][1-3]?)(?: ([-/\\]?)([wb][A-Z][1-3]?)([-/\\]?))?")
_PIECES, _MORE = "AAAGGGBBSSQ", "MLP"
HIVE_MOVES = ("wS1", *(f"{piece} {before}{other}{behind}" for piece, other, before, behind in product(
    ("wQ", "wS1"), ("bQ", "bS1"), ("", *_BEYOND), ("", *_BEYOND)) if not (before and behind)))  # fmt: skip
"""One of each form of the notation."""


class _Hive:
    """The pieces of a game in progress, as OpenSpiel tells it: its kind, how it stands, whose turn it is, all moves."""

    def __init__(self, drawn: str) -> None:
        self.stacks: dict[Place, tuple[str, ...]] = {}
        """The pieces on each place, the lowest first."""
        self.places: dict[str, Place] = {}
        self._written: dict[tuple[str, Place], Writing] = {}
        for text in drawn.split(";")[3:]:
            if text not in ("", "pass"):
                piece, end = self.read(text)
                if (start := self.places.get(piece)) and (left := self.stacks.pop(start)[:-1]):
                    self.stacks[start] = left
                self.places[piece], self.stacks[end] = end, (*self.stacks.get(end, ()), piece)
        self.board = board_around(self.stacks)

    def read(self, text: str) -> tuple[str, Place]:
        """The piece of a move, and the place that it goes to."""
        piece, before, beside, behind = _MOVE.fullmatch(text).groups()  # type: ignore[union-attr]  # OpenSpiel's own
        (column, row), way = self.places.get(beside, (0, 0)), -1 if before else 1
        columns, rows = _BEYOND.get(before or behind, (0, 0))
        return piece, (column + way * columns, row + way * rows)

    def written(self, piece: str, end: Place) -> Writing:
        """A move by the first neighbour that says where; it can also be written by the others, or by places."""
        known = self._written.get((piece, end))
        if known is None:
            beside = [f"{piece} {where}" for where, other in self._wheres(end) if other != piece] or [piece]
            places = [self.board.names[place] for place in (self.places.get(piece), end) if place is not None]
            coordinates = "-".join(places) if places[1:] else f"{piece[1]}@{places[0]}"
            known = Writing(beside[0], places, (*beside[1:], coordinates, beside[0]))
            self._written[piece, end] = known
        return known

    def _wheres(self, end: Place) -> Sequence[tuple[str, str]]:
        """All ways to name a place, each with the piece by which it does: ``bQ/``."""
        return [(under, under) for under in self.stacks.get(end, ())[-1:]] or sorted(
            (sign + other if way < 0 else other + sign, other)
            for (sign, (columns, rows)), way in product(_BEYOND.items(), (1, -1))
            for other in self.stacks.get((end[0] - way * columns, end[1] - way * rows), ())
        )


_hive = lru_cache(maxsize=256)(_Hive)


def _told(name: str) -> str:
    """A piece on the board: White's in capitals."""
    return name[1:] if name[0] == "w" else name[1:].lower()


def read_hive(position: HallPosition, _layout: Layout) -> Contents:
    """The uppermost pieces, the stacks, and the pieces that are not yet there."""
    hive, before = _hive(position.drawn), _hive(position.before_last_turn.drawn).stacks
    stacks, (layout, names) = hive.stacks, hive.board
    pieces = {names[at]: Piece("wb".index(stack[-1][0]), _told(stack[-1]), "letter") for at, stack in stacks.items()}
    below = sorted(f"{names[at]}: {' < '.join(map(_told, stack))}" for at, stack in stacks.items() if len(stack) > 1)
    changed = [names[at] for at in {*before, *stacks} if at in names and before.get(at) != stacks.get(at)]
    kinds = _PIECES if position.options.get("base") else _PIECES + _MORE
    left = Counter(kinds + kinds.lower()) - Counter(_told(name)[0] for name in hive.places)
    held = tuple(in_hand(left.elements(), layout, usual="letter"))
    return Contents(pieces, held=held, below=below, layout=layout, changed=changed)


def write_hive(act: Act) -> Writing:
    """A move of OpenSpiel's, which has the same one by each neighbour."""
    (text,) = act.words
    if text == "pass":
        return Writing(text, ())
    hive = _hive(act.before)
    return hive.written(*hive.read(text))


def same_again(steps: Sequence[Step]) -> Collection[tuple[int, ...]]:
    """The steps that another one makes needless: it is the same, or lays the same kind by a lower number."""
    laid = {step.text.partition(" ")[0] for step in steps if len(step.places) == 1}
    needless, seen = set[tuple[int, ...]](), set[str]()
    for step in steps:
        piece = step.text.partition(" ")[0]
        lower = f"{piece[:-1]}{int(piece[-1]) - 1}" if piece in laid and piece[-1].isdigit() else ""
        if step.text in seen or lower in laid:
            needless.add(step.actions)
        seen.add(step.text)
    return needless


def hive_forms(position: HallPosition) -> Iterator[Form]:
    """A hive in each of its symmetries, its pieces by their kinds."""
    stacks = _hive(position.drawn).stacks
    for image in symmetries(stacks):
        told = sorted([*image(at), *(name[:2] for name in stack)] for at, stack in stacks.items())
        yield Form(told, partial(_images_of_step, image))


def _images_of_step(image: Callable[[Place], list[int]], position: HallPosition, step: Step) -> Sequence[Sequence[Any]]:
    """The kind of a piece, the place that it goes to, and the one that it comes from."""
    if step.text == "pass":
        return [[step.text]]
    hive = _hive(position.drawn)
    piece, end = hive.read(step.text)
    return [[piece[:2], *(image(at) for at in (end, hive.places.get(piece)) if at is not None)]]
