from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from pbem.diagrams import Area, Disc, Element, Stroke, Text
from pbem.diagrams.mamba import Picture, board
from pbem.diagrams.mamba.svg import SIDE, draw_for_page
from pbem.games.mamba.squares import EMPTY, grid
from tests.diagrams.mamba.boards import PLAYERS, crowded, picture, start

SVG = "{http://www.w3.org/2000/svg}"


def draw(shown: Picture, label: str = "") -> str:
    return draw_for_page(shown, {}, {}, None, label)


def parsed(shown: Picture, label: str = "") -> ET.Element:
    """The drawing, with what is defined once in the places where it is used."""
    drawn = ET.fromstring(draw(shown, label))  # noqa: S314  our own text
    (defined,) = drawn.findall(f"{SVG}defs")
    drawn.remove(defined)
    shapes = {f"#{each.attrib['id']}": list(each) for each in defined}
    for group in drawn.iter(f"{SVG}g"):
        group[:] = [shape for each in group for shape in shapes.get(each.get("href", ""), [each])]
    return drawn


def cells(shown: Picture) -> dict[str, ET.Element]:
    groups = list(parsed(shown).iter(f"{SVG}g"))
    assert not [name for name, count in Counter(group.attrib["data-cell"] for group in groups).items() if count > 1]
    return {group.attrib["data-cell"]: group for group in groups}


def told(part: ET.Element) -> tuple[str | None, str | None, str | None]:
    """The tag, class and colour of a shape."""
    return part.tag.removeprefix(SVG), part.get("class"), part.get("fill") or part.get("stroke")


def expected(element: Element) -> tuple[str, str, str]:
    match element:
        case Area(name, _, fill):
            return "path", name, fill
        case Stroke(name, _, stroke):
            return "path", name, stroke
        case Disc(name, _, _, fill):
            return "circle", name, fill
        case Text(name, _, _, _, fill):
            return "text", name, fill


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_every_cell_tells_its_name_its_piece_and_whether_it_changed(players: int, viewer: int | None) -> None:
    shown = picture(crowded(players), viewer)
    drawn = cells(shown)
    assert drawn.keys() == {*grid(9).names}
    for cell, mark in enumerate(shown.squares):
        group = drawn[grid(9).names[cell]]
        assert group.get("data-mark", EMPTY) == mark
        assert ("changed" in group.attrib["class"].split()) == (cell in shown.changed)
        assert [text.text for text in group.iter(f"{SVG}text")] == [mark] * (mark != EMPTY)


@pytest.mark.parametrize("viewer", range(4))
def test_the_shapes_are_those_that_pixels_are_drawn_of(viewer: int) -> None:
    shown = picture(crowded(4, size=11), viewer)
    table, drawn = board.table(shown), cells(shown)
    around = [part for part in parsed(shown) if part.tag != f"{SVG}g"]
    assert [told(part) for part in around] == [expected(element) for element in table.around]
    for cell, mark in enumerate(shown.squares):
        group = drawn[grid(11).names[cell]]
        face = table.face(mark, changed=cell in shown.changed)
        assert [told(part) for part in group] == [expected(element) for element in board.elements(face)]
        place = group.attrib["transform"].removeprefix("translate(").removesuffix(")")
        assert tuple(float(each) / SIDE for each in place.split()) == table.middle(cell)


def test_letters_stay_upright() -> None:
    assert all("rotate" not in draw(picture(crowded(4), viewer)) for viewer in range(4))


def test_what_it_is_called_is_escaped() -> None:
    label = '<a href="x">&\''
    drawn = parsed(picture(start(2)), label)
    assert (drawn.get("role"), drawn.get("aria-label")) == ("group", label)


@pytest.mark.parametrize("size", [9, 11])
def test_everything_lies_within_the_view(size: int) -> None:
    drawn = parsed(picture(start(4, size)))
    x, y, width, height = map(float, drawn.attrib["viewBox"].split())
    assert x == y == -width / 2 == -height / 2
    assert (drawn.get("width"), drawn.get("height")) == (f"{width:g}", f"{height:g}")
    for text in drawn.iter(f"{SVG}text"):
        if text.get("class") == "coordinate":
            assert max(abs(float(text.attrib["x"])), abs(float(text.attrib["y"]))) + SIDE / 4 < width / 2


def test_the_same_picture_is_the_same_text() -> None:
    assert draw(picture(crowded(3), 2)) == draw(picture(crowded(3), 2))
