from math import hypot, isclose

import pytest

from pbem.diagrams import XY, Area, Disc, Stroke, Text
from pbem.diagrams.mamba import inks, snakes
from pbem.diagrams.mamba.snakes import COIL, COIL_RADIUS, NECK_END, NECK_START, piece
from pbem.diagrams.png import places
from pbem.games.mamba.squares import MARKS

OWNERS = (XY(0, 1), XY(-1, 0), XY(0, -1), XY(1, 0))
"""The direction in which the owner sits, by quarter turns clockwise."""


def towards(owner: XY, place: XY) -> float:
    return owner.x * place.x + owner.y * place.y


def heads(mark: str, quarters: int) -> list[XY]:
    (head,) = (part for part in piece(mark, quarters) if isinstance(part, Area) and part.name == "head")
    assert head.fill == inks.HEAD
    return places(head.outline)


def reach(part: Area | Stroke | Disc) -> float:
    """The distance of a shape's farthest point from the middle of its cell, across or down."""
    match part:
        case Disc(_, centre, radius):
            return max(map(abs, centre)) + radius
        case Area(_, outline):
            return max(max(map(abs, place)) for place in places(outline))
        case Stroke(_, curves, _, width):
            return max(max(map(abs, place)) for place in places(curves)) + width / 2


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("quarters", range(4))
def test_the_tail_is_towards_the_owner_and_the_head_away(mark: str, quarters: int) -> None:
    owner = OWNERS[quarters]
    (tail,) = (part for part in piece(mark, quarters) if isinstance(part, Disc) and part.name == "body")
    assert towards(owner, tail.centre) > 0.1
    assert max(towards(owner, place) for place in heads(mark, quarters)) < -0.1
    assert tail.fill == inks.INKS[mark].body


@pytest.mark.parametrize("quarters", range(4))
def test_a_piece_stays_within_its_cell(quarters: int) -> None:
    for part in piece("A", quarters):
        if not isinstance(part, Text):
            assert reach(part) < 0.5


def test_the_letter_stands_on_the_tail() -> None:
    for quarters in range(4):
        (letter,) = (part for part in piece("C", quarters) if isinstance(part, Text))
        assert (letter.text, letter.centre) == ("C", COIL.turned(quarters))
        assert letter.size / 2 < COIL_RADIUS - inks.BORDER_WIDTH


def test_the_neck_goes_smoothly_from_the_tail_into_the_head() -> None:
    lower, upper = snakes.neck()
    way = places((lower, upper))
    assert way[0] == NECK_START
    assert way[-1] == pytest.approx(NECK_END)
    assert lower.centre is not None
    assert upper.centre is not None
    # arcs that touch: the place where they meet lies between their centres
    apart = hypot(lower.centre.x - upper.centre.x, lower.centre.y - upper.centre.y)
    assert isclose(apart, lower.radius + upper.radius, abs_tol=1e-9)
    # upright at both ends: the centres lie level with them
    assert isclose(lower.centre.y, NECK_START.y)
    assert isclose(upper.centre.y, NECK_END.y)


def test_the_outline_of_the_head_is_closed() -> None:
    (head,) = (part for part in piece("A", 0) if isinstance(part, Area) and part.name == "head")
    for curve, following in zip(head.outline, head.outline[1:] + head.outline[:1], strict=True):
        assert curve.end == following.start
