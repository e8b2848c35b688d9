"""Boards of Mamba to draw, and drawn ones read back."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import NamedTuple

from pbem.diagrams.mamba import Picture
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import Cell, Squares

PLAYERS = (2, 3, 4)

_ROW = re.compile(r"[\s>]*(?P<row>\d+)\s(?P<cells>(?: [.A-D] |\[[.A-D]\])+)\s(?P=row)\s*")
"""Indented or quoted, perhaps."""


class Drawing(NamedTuple):
    """The content of a drawing."""

    squares: Squares
    size: int
    changed: frozenset[Cell] = frozenset()
    """The cells in brackets."""


def start(players: int, size: int = 9) -> Position:
    """Before the first turn."""
    return MAMBA.begin({"size": size}, players)


@cache
def crowded(players: int, size: int = 9, seed: int = 1) -> Position:
    """The fullest position among those of some random turns, at rest or not."""
    chance, now = random.Random(seed), start(players, size)
    fullest = now
    for _ in range(150):
        now = now.play(chance.choice(now.legal()))
        if now.outcome is not None:
            break
        fullest = min(now, fullest, key=lambda each: each.supply)
    return fullest


def picture(position: Position, viewer: int | None = None) -> Picture:
    """The picture of a position in a mail."""
    turn = position.latest
    before = position.squares if turn is None else turn.began
    changed = (cell for cell, mark in enumerate(position.squares) if mark != before[cell])
    return Picture(position.squares, position.rules.size, position.rules.edges, frozenset(changed), viewer)


def read(text: str) -> Drawing:
    """Read a drawing back, quoted perhaps; lines that are no rows of a board are passed over.

    Raises:
        ValueError: it is not one whole board.
    """
    found = [match for line in text.splitlines() if (match := _ROW.fullmatch(line))]
    rows = {int(match["row"]): match["cells"] for match in found}
    size = len(found)
    if not found or rows.keys() != {*range(1, size + 1)} or any(len(cells) != 3 * size for cells in rows.values()):
        raise ValueError(f"not one whole board: {text!r}")
    cells = "".join(rows[row] for row in range(1, size + 1))
    changed = frozenset(cell for cell, bracket in enumerate(cells[::3]) if bracket == "[")
    return Drawing(cells[1::3], size, changed)
