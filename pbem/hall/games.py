"""The games of the hall; without the extra ``hall`` they cannot be imported, and are not here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from pbem.games.figure import Piece
from pbem.games.layouts import Layout, hexagon, points, rhombus, square, triangle
from pbem.games.options import Option, Vocabulary
from pbem.hall.game import HallGame
from pbem.hall.positions import Kind, Words

if find_spec("pyspiel") is None:
    raise ModuleNotFoundError("the extra 'hall' is not installed", name="pyspiel")


def _size(lowest: int, highest: int, usual: int) -> Option:
    return Option("size", range(lowest, highest + 1), unsaid=usual)


def _sized(name: str, usual: int) -> Callable[[Mapping[str, Any]], Mapping[str, object]]:
    """The parameter of OpenSpiel's that an option sets."""
    return lambda options: {name: options.get("size", usual)}


def _on(layout: Callable[[int], Layout], usual: int) -> Callable[[Mapping[str, Any]], Layout]:
    return lambda options: layout(options.get("size", usual))


SWAP = Option("swap")
_RANKED = r" *[0-9]+ ?(.*)"


def _from_to(words: Words) -> str:
    """``a7a6``, ``b4a3*``."""
    return f"{words[0][:2]}-{words[0][2:4]}"


def _without_player(words: Words) -> str:
    """``B b8``, ``W PASS``."""
    return words[0].split()[-1].lower()


_NUMBERS = re.compile(r"\(([0-9]+), ([0-9]+)\)")
_QUEENS = 10
"""The rows and columns of Amazons."""


def _queens(words: Words) -> str:
    """``X From (7, 1)`` and ``X To (6, 2)``, then ``X Shoot: (6, 6)``: rows are counted from the top, from 1."""
    found = [_NUMBERS.findall(each)[0] for each in words]
    return "-".join(f"{chr(ord('a') - 1 + int(column))}{_QUEENS + 1 - int(row)}" for row, column in found)


OTHELLO = HallGame(
    Kind(
        "othello",
        "othello",
        "Othello",
        ("Black", "White"),
        lambda _: square(8, 8, down=True),
        "d3",
        ("x", "o"),
        "-",
        r"[1-8] (.*) [1-8]",
        passes=("pass",),
        ending="most_discs",
    )
)
BREAKTHROUGH = HallGame(
    Kind(
        "breakthrough",
        "breakthrough",
        "Breakthrough",
        ("Black", "White"),
        lambda _: square(8, 8),
        "a7-a6",
        ("b", "w"),
        line=_RANKED,
        notation=_from_to,
        ending="broken_through",
    )
)
LINES_OF_ACTION = HallGame(
    Kind(
        "loa",
        "lines_of_action",
        "Lines of Action",
        ("Black", "White"),
        lambda _: square(8, 8),
        "b1-h1",
        ("x", "o"),
        line=_RANKED,
        ending="gathered",
        draw_ending="repetition",
    )
)
AMAZONS = HallGame(
    Kind(
        "amazons",
        "amazons",
        "Amazons",
        ("White", "Black"),
        lambda _: square(_QUEENS, _QUEENS),
        "d1-d7 g7",
        ("X", "O"),
        others={"#": Piece(-1, "#", "wall")},
        notation=_queens,
        depths=(2, 1),
        ending="shut_in",
    )
)
GO = HallGame(
    Kind(
        "go",
        "go",
        "Go",
        ("Black", "White"),
        _on(points, 9),
        "d4",
        ("X", "O"),
        "+",
        r" *[0-9]+ (.*)",
        notation=_without_player,
        parameters=lambda options: {"board_size": options.get("size", 9), "komi": options.get("komi", 7) + 0.5},
        vocabulary=Vocabulary((_size(5, 19, 9), Option("komi", range(20), unsaid=7), SWAP)),
        ending="territory",
        draw_ending="repetition",
    )
)
HEX = HallGame(
    Kind(
        "hex",
        "hex",
        "Hex",
        ("Red", "Blue"),
        _on(rhombus, 11),
        "f6",
        ("x", "o"),
        parameters=_sized("board_size", 11),
        vocabulary=Vocabulary((_size(3, 19, 11), SWAP)),
        ending="connected",
    )
)
Y = HallGame(
    Kind(
        "y",
        "y",
        "Y",
        ("White", "Black"),
        _on(triangle, 13),
        "c5",
        ("O", "@"),
        line=r" *[0-9]+(.*)",
        parameters=_sized("board_size", 13),
        vocabulary=Vocabulary((_size(5, 19, 13), SWAP)),
        ending="connected",
    )
)
HAVANNAH = HallGame(
    Kind(
        "havannah",
        "havannah",
        "Havannah",
        ("White", "Black"),
        _on(hexagon, 8),
        "h8",
        ("O", "@"),
        line=r" *[0-9]+(.*)",
        parameters=_sized("board_size", 8),
        vocabulary=Vocabulary((_size(3, 10, 8), SWAP)),
        ending="ring_bridge_fork",
    )
)
