"""Searches for wins that go on where they were broken off."""

from __future__ import annotations

import json
import os
import time
from array import array
from collections.abc import Iterator, Mapping, MutableSequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

from pbem.bots.compiling import IS_COMPILED
from pbem.games.hextile.endings import tied
from pbem.games.hextile.grid import Cell, Colour
from pbem.games.hextile.position import Position
from tests.proofs import board as numbers
from tests.proofs.board import DARK, LIGHT, MIDDLE, SIDE, SYMMETRY, lay
from tests.proofs.search import BUDGET, DEPTH_SEEN, INFINITE, NODES, ROOM, SHIFT, prove

COLOURS = {Colour.O: DARK, Colour.WHITE: LIGHT}


def integers(count: int) -> MutableSequence[int]:
    """So many zeros of 64 bits."""
    return _of_64_bits(array("q", bytes(8 * count)))


def _of_64_bits(values: array[int]) -> MutableSequence[int]:
    """Integers as compiled functions take them."""
    if not IS_COMPILED:
        return values.tolist()
    import numpy as np

    found: Any = np.frombuffer(values, np.int64)
    return cast("MutableSequence[int]", found)


def to_integers(position: Position) -> MutableSequence[int]:
    """The board that shows a position at the start of a turn."""
    board, lots = integers(numbers.BOARD), Random("lots of tiles")
    for each in range(numbers.LOTS, numbers.BOARD):
        board[each] = lots.getrandbits(62)
    tiles = {cell: state.number for cell, state in position.layout.tiles.items()}
    maps = list(_symmetries(tiles))
    board[numbers.SYMMETRIES] = len(maps)
    for number, symmetry in enumerate(maps):
        at = numbers.SYMMETRIES + 1 + SYMMETRY * number
        board[at : at + SYMMETRY] = _of_64_bits(array("q", symmetry))
    board[numbers.LEFT] = sum(position.supply.values()) + len(tiles)
    for cell, state in tiles.items():
        lay(board, address(cell) * 4 + state)
    return board


def address(cell: Cell) -> int:
    """The number of a cell."""
    return MIDDLE + cell.q * SIDE + cell.r


def cell_at(at: int) -> Cell:
    """The cell with a number."""
    q, r = divmod(int(at), SIDE)
    return Cell(q - SIDE // 2, r - SIDE // 2)


def _symmetries(tiles: Mapping[Cell, int]) -> Iterator[tuple[int, ...]]:
    """Those of the plane under which some tiles are as before; see `board.SYMMETRIES`."""
    middle = SIDE // 2
    for reflects in (False, True):
        (a, b), (d, e), times = ((1, 0), (-1, -1), 2) if reflects else ((1, 0), (0, 1), 1)
        for turns in range(3):
            moved = {
                Cell(a * cell.q + b * cell.r, d * cell.q + e * cell.r): (times * (state - 1) + turns) % 3 + 1
                for cell, state in tiles.items()
            }
            one = min(moved)
            for other in tiles:
                q, r = other.q - one.q, other.r - one.r
                if {Cell(cell.q + q, cell.r + r): state for cell, state in moved.items()} == tiles:
                    yield a, b, middle + q - middle * (a + b), d, e, middle + r - middle * (d + e), times, turns
            (a, b), (d, e) = (-a - d, -b - e), (a, b)


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search."""

    proof: int
    disproof: int
    positions: int
    """Positions looked at, those more than once that were looked at again."""
    deepest: int
    seconds: float

    @property
    def won(self) -> bool | None:
        """True if the colour wins, False if it does not, None while that is open."""
        return True if self.proof == 0 else False if self.disproof == 0 else None


class Search:
    """A search whether a colour wins from a position, however the other plays."""

    def __init__(self, position: Position, seeker: Colour, size: int = 1 << 22) -> None:
        """Begin with a table of so many entries, a power of 2."""
        assert position.to_act is not None
        self.board, self.room = to_integers(position), integers(ROOM)
        self.table, self.size = integers(3 * size), size
        self.mover, self.seeker = COLOURS[position.colours[position.to_act]], COLOURS[seeker]
        self.counts = 0 if position.rules.tie_break is tied else 1
        self.progress = Progress(1, 1, 0, 0, 0)
        self.root = f"{position.contents} {sorted(position.supply.items())} {self.counts} {self.mover} {self.seeker}"

    def go_on(self, positions: int) -> Progress:
        """Look at so many positions more, or until it is settled."""
        began, before = time.monotonic(), self.progress
        self.room[BUDGET] = positions
        players = self.mover, self.seeker, self.counts
        found = int(prove(self.board, self.table, self.size, self.room, *players, INFINITE, INFINITE, 0))
        self.progress = Progress(
            found // SHIFT,
            found % SHIFT,
            int(self.room[NODES]),
            max(int(self.room[DEPTH_SEEN]), before.deepest),
            before.seconds + time.monotonic() - began,
        )
        return self.progress

    def look_from_here(self, positions: int) -> None:
        """Look at so many positions below the one that the board shows, where the seeker is to move and wins."""
        self.room[BUDGET] = positions
        players = self.seeker, self.seeker, self.counts
        prove(self.board, self.table, self.size, self.room, *players, INFINITE, INFINITE, 0)

    def save(self, path: Path) -> None:
        """Write all that was found to a file, which is whole even if the process is killed meanwhile."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        facts = asdict(self.progress) | {"size": self.size, "root": self.root}
        with part.open("wb") as file:
            file.write(json.dumps(facts).encode() + b"\n")
            array("q", self.table).tofile(file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def load(self, path: Path) -> None:
        """Go on with what a file has.

        Raises:
            ValueError: it is of another search.
        """
        with path.open("rb") as file:
            facts = json.loads(file.readline())
            self.size, root = facts.pop("size"), facts.pop("root")
            if root != self.root:
                raise ValueError(path)
            found = array("q")
            found.fromfile(file, 3 * self.size)
        self.table = _of_64_bits(found)
        self.progress = Progress(**facts)
        self.room[NODES] = self.progress.positions
