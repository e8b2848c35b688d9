import pytest

from pbem.diagrams import XY, Area, Curve, Disc, Element, Stroke, Text, polygon
from pbem.diagrams.hextile import Scale
from pbem.diagrams.png import Pen

RIGHT, BELOW = XY(0.5, 0), XY(0, 0.5)
SQUARE = polygon(XY(0.3, -0.2), XY(0.7, -0.2), XY(0.7, 0.2), XY(0.3, 0.2))
EVERY = [
    Area("area", SQUARE, "black"),
    Stroke("line", SQUARE, "black", 0.1),
    Disc("disc", RIGHT, 0.2, "black"),
    Text("text", RIGHT, "H", 0.4, "black", bold=True),
]


def inked(element: Element) -> tuple[float, float]:
    """The centre of the ink, in sides from the middle."""
    scale = Scale(48)
    pen = Pen(scale, "white")
    pen.put(element)
    dark = pen.finished().convert("L").point([255 * (light < 128) for light in range(256)])
    left, top, right, bottom = dark.getbbox() or (0, 0, 0, 0)
    x, y = scale.middle
    return ((left + right) / 2 - x) / scale.side, ((top + bottom) / 2 - y) / scale.side


@pytest.mark.parametrize("element", EVERY, ids=lambda element: element.name)
@pytest.mark.parametrize("quarters", range(4))
def test_an_element_is_drawn_where_it_was_turned_to(element: Element, quarters: int) -> None:
    assert inked(element.turned(quarters)) == pytest.approx(RIGHT.turned(quarters), abs=0.04)


def test_letters_stay_upright() -> None:
    text = Text("text", RIGHT, "A", 0.4, "black")
    assert text.turned(1) == Text("text", BELOW, "A", 0.4, "black")
    assert text.turned(1).baseline.y > text.turned(1).centre.y


def test_bold_letters_have_more_ink() -> None:
    def ink(*, bold: bool) -> int:
        pen = Pen(Scale(48), "white")
        pen.put(Text("text", XY(0, 0), "H", 0.6, "black", bold=bold))
        return sum(255 - light for light in pen.finished().convert("L").tobytes())

    assert ink(bold=True) > ink(bold=False) > 0


def test_a_line_is_closed_if_it_comes_back() -> None:
    assert Stroke("line", SQUARE, "black", 0.1).is_closed
    assert not Stroke("line", SQUARE[:-1], "black", 0.1).is_closed
    assert not Stroke("line", (Curve(RIGHT, BELOW),), "black", 0.1).is_closed
