"""Boards of squares, points and hexagons: their places, and how they are drawn with letters."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from pbem.games.figure import Piece
from pbem.games.layouts import Layout, hexagon, points, rhombus, square, triangle

LAYOUTS = {
    "square": (square(4, 3), 12),
    "rows counted down": (square(3, 3, down=True), 9),
    "points": (points(9), 81),
    "rhombus": (rhombus(5), 25),
    "hexagon": (hexagon(3), 19),
    "triangle": (triangle(4), 10),
}
each_layout = pytest.mark.parametrize(("layout", "count"), LAYOUTS.values(), ids=LAYOUTS)


@each_layout
def test_places_are_a_unit_apart(layout: Layout, count: int) -> None:
    assert len(layout.spots) == count
    apart = [dist(one.at, other.at) for one, other in combinations(layout.spots.values(), 2)]
    assert min(apart) == pytest.approx(1)


@each_layout
def test_every_place_is_drawn_once_and_what_changed_in_brackets(layout: Layout, count: int) -> None:
    names = list(layout.spots)
    pieces = {names[0]: Piece(0, "x"), names[-1]: Piece(1, "o")}
    drawn = layout.figure(pieces, {names[0]}).letters
    body = [line for line in drawn.splitlines() if "." in line or "[x]" in line or "o" in line.split()]
    written = "".join(body)
    assert written.count(".") == count - 2
    assert written.count("[x]") == 1


def test_a_board_of_hex() -> None:
    drawn = rhombus(3).figure({"b2": Piece(0, "x"), "a3": Piece(1, "o")}, {"b2"}).letters
    assert drawn == " a b c\n1 . . . 1\n 2 .[x]. 2\n  3 o . . 3\n     a b c"


def test_a_board_of_squares() -> None:
    assert square(3, 2).figure({"a1": Piece(0, "x")}, set()).letters == "  a b c\n2 . . . 2\n1 x . . 1\n  a b c"
    assert square(1, 2, down=True).figure({"a1": Piece(0, "x")}, set()).letters == "  a\n1 x 1\n2 . 2\n  a"


def test_points_of_go_have_no_i_and_nine_stars_on_a_large_board() -> None:
    layout = points(19)
    assert "i1" not in layout.spots
    assert "t19" in layout.spots
    stars = {name for name, spot in layout.spots.items() if spot.shade}
    assert stars == {f"{column}{row}" for column in "dkq" for row in (4, 10, 16)}
