"""Symmetries of Mamba: positions that are alike but for a rotation, a reflection, or where the player on turn sits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from pbem.games.game import CanonicalForm, TurnRecord
from pbem.games.mamba.notation import read_line, resolved
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import EMPTY, MARKS, Cell
from pbem.games.mamba.steps import Cut, Lay, Move, Step, Turn, in_words

_Images: TypeAlias = tuple[Cell, ...]
"""The image of each cell."""


@lru_cache(maxsize=4)
def symmetries(size: int) -> tuple[_Images, ...]:
    """The eight symmetries of a board."""
    last, found = size - 1, []
    for turns in range(4):
        for reflects in (False, True):
            images = []
            for row, column in ((row, column) for row in range(size) for column in range(size)):
                place = (row, last - column) if reflects else (row, column)
                for _ in range(turns):
                    place = (last - place[1], place[0])
                images.append(place[0] * size + place[1])
            found.append(tuple(images))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The way from a position to its canonical form, and back."""

    position: Position
    images: _Images

    def told(self) -> list[Any]:
        """All that tells the position from others of as many turns, with the player on turn as the first."""
        position, seats = self.position, self.position.rules.players
        marks = {mark: MARKS[(seat - position.on_turn) % seats] for seat, mark in enumerate(MARKS[:seats])}
        squares = [EMPTY] * len(position.squares)
        for cell, mark in enumerate(position.squares):
            squares[self.images[cell]] = marks.get(mark, EMPTY)
        laid = sorted(self.images[cell] for cell in position.turn.laid)
        return ["".join(squares), laid, self._asked(seats)]

    def _asked(self, seats: int) -> list[Any]:
        """The decision under way: whose it is, and what can be chosen."""
        pending = self.position.pending
        if pending is None:
            return []
        cells = sorted([self.images[cell] for cell in option.cells] for option in pending.choice.options)
        return [(pending.choice.owner - self.position.on_turn) % seats, pending.choice.kind, cells]

    def record(self, steps: Sequence[Step]) -> TurnRecord:
        grid = self.position.rules.grid
        there = (_moved(step, self.images) for step in resolved(self.position, steps))
        return " ".join(in_words(grid, step) for step in there)

    def steps(self, record: TurnRecord) -> tuple[Step, ...]:
        back = sorted(range(len(self.images)), key=self.images.__getitem__)
        return tuple(_moved(typed.step, back) for typed in read_line(self.position.rules.grid, str(record)))


def canonical(position: Position) -> CanonicalForm[Step]:
    """The form that a position shares with all that are alike: seats count from the player on turn."""
    seats, on_turn = position.rules.players, position.on_turn
    told, images = min((_Frame(position, images).told(), images) for images in symmetries(position.rules.size))
    playing = sorted((seat - on_turn) % seats for seat in position.playing)
    key = json.dumps([position.ply, position.mid_turn, seats, playing, told])
    frame = _Frame(position, images)
    return CanonicalForm(key, frame.record, frame.steps)


def _moved(step: Step, images: Sequence[Cell]) -> Step:
    """The image of a step."""
    match step:
        case Lay(by, cell):
            return Lay(images[by], images[cell])
        case Move(start, end):
            return Move(images[start], images[end])
        case Turn(cell):
            return Turn(images[cell])
        case Cut(end, towards):
            return Cut(images[end], None if towards is None else images[towards])
        case _:
            return step
