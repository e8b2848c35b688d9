from collections import Counter
from dataclasses import replace
from math import dist
from xml.etree import ElementTree as ET

import pytest

from pbem.diagrams.hextile import HALF_HEIGHT, Picture, inks, ribbons
from pbem.diagrams.hextile.ribbons import BORDER, OVERLAP
from pbem.diagrams.hextile.svg import draw
from pbem.games.hextile.grid import Cell, Colour, State
from tests.diagrams.hextile.pictures import STATES, block, column, row

SVG = "{http://www.w3.org/2000/svg}"
ONE = Picture({Cell(0, 0): STATES[1]}, {})


def parsed(picture: Picture) -> ET.Element:
    return ET.fromstring(draw(picture))  # noqa: S314  our own text


def groups(picture: Picture, kind: str) -> list[ET.Element]:
    return [group for group in parsed(picture).iter(f"{SVG}g") if group.get("class") == kind]


def cells(groups_found: list[ET.Element]) -> Counter[Cell]:
    return Counter(Cell(int(group.attrib["data-q"]), int(group.attrib["data-r"])) for group in groups_found)


def test_every_tile_and_space_is_drawn_once() -> None:
    picture = block(5)
    assert cells(groups(picture, "tile")) == Counter(picture.tiles.keys())
    assert cells(groups(picture, "space")) == Counter(picture.labels.keys())


def test_a_tile_tells_its_state_and_a_space_its_label() -> None:
    picture = row(12)
    assert [group.get("data-state") for group in groups(picture, "tile")] == [
        str(state.number) for state in picture.tiles.values()
    ]
    for group, label in zip(groups(picture, "space"), picture.labels.values(), strict=True):
        assert group.get("data-label") == group.findtext(f"{SVG}text") == label


@pytest.mark.parametrize("state", STATES, ids=lambda state: str(state.number))
def test_a_tile_is_drawn_with_its_colours(state: State) -> None:
    drawn = parsed(Picture({Cell(0, 0): state}, {}))
    fills = {path.get("class"): path.get("fill") for path in drawn.iter(f"{SVG}path")}
    assert fills[f"bridge {state.bridge}"] == inks.ink(state.bridge, dark=False).fill
    assert fills[f"tip {state.tip}"] == inks.ink(state.tip, dark=False).fill


def test_a_tip_bulges_into_the_tile_and_a_bridge_bends_around_the_white_point() -> None:
    drawn = parsed(ONE)
    paths = {path.get("class"): path.attrib["d"] for path in drawn.iter(f"{SVG}path")}
    assert paths["tip x"] == "M-40.48 0L-30.36 -17.53L-30 -17.32A20 20 0 0 1 -30 17.32L-30.36 17.53L-40.48 0"
    assert "L30 -17.32A20 20 0 0 0 30 17.32L" in paths["bridge o"]


@pytest.mark.parametrize("shape", [*map(ribbons.tip, range(3)), *map(ribbons.bridge, range(3))])
def test_a_shape_reaches_over_the_rim_where_it_goes_on(shape: ribbons.Shape) -> None:
    drawn = shape.overlapping
    assert [each.end for each in drawn] == [each.start for each in (*drawn[1:], drawn[0])]
    assert [each for each in drawn if each in shape.borders] == list(shape.borders)
    along = [each for each in drawn if each not in shape.borders and dist(each.start, each.end) > BORDER / 2]
    assert len(along) == len([each for each in shape.outline if each not in shape.borders])
    for (x, y), (u, v) in ((each.start, each.end) for each in along):
        assert abs(x * v - y * u) / dist((x, y), (u, v)) == pytest.approx(OVERLAP * HALF_HEIGHT)


def test_no_two_states_look_alike() -> None:
    drawn = {draw(Picture({Cell(0, 0): state}, {})).replace(f'data-state="{state.number}"', "") for state in STATES}
    assert len(drawn) == len(STATES)


def test_the_side_called_dark_is_drawn_so() -> None:
    picture = replace(ONE, tiles={Cell(0, 0): STATES[7]})
    assert inks.RED.fill in draw(picture)
    assert inks.RED.fill not in draw(replace(picture, dark=True))


def test_tiles_of_the_last_turn_are_marked_by_who_laid_them() -> None:
    picture = replace(row(4), last=[Cell(0, 0)], automatic=[Cell(1, 0), Cell(2, -1)])
    by_hand, automatic = groups(picture, "last"), groups(picture, "automatic")
    assert cells(by_hand) == Counter([Cell(0, 0)])
    assert cells(automatic) == Counter([Cell(1, 0), Cell(2, -1)])
    looks = [[circle.get("fill") for circle in group.iter(f"{SVG}circle")] for group in (by_hand[0], automatic[0])]
    assert looks[0] != looks[1]


def test_null_points_are_marked() -> None:
    picture = replace(ONE, null_points=[Cell(1, 0)])
    assert cells(groups(picture, "null-point")) == Counter([Cell(1, 0)])


def test_labels_and_title_are_escaped() -> None:
    label = '<a href="x">&\''
    picture = replace(ONE, labels={Cell(1, 0): label}, title=label)
    (space,) = groups(picture, "space")
    assert space.get("data-label") == space.findtext(f"{SVG}text") == label
    assert parsed(picture).findtext(f"{SVG}title") == label


def test_only_a_picture_with_a_title_claims_to_be_one_image() -> None:
    assert parsed(ONE).find(f"{SVG}title") is None
    assert parsed(ONE).get("role") is None
    assert parsed(replace(ONE, title="A tile")).get("role") == "img"


@pytest.mark.parametrize("picture", [Picture({}, {}), Picture({}, {Cell(0, 0): "A"}), row(50), column(9), block(8)])
def test_everything_lies_within_the_view(picture: Picture) -> None:
    drawn = parsed(picture)
    x, y, width, height = map(float, drawn.attrib["viewBox"].split())
    assert (drawn.get("width"), drawn.get("height")) == (f"{width:g}", f"{height:g}")
    for group in drawn.iter(f"{SVG}g"):
        middle_x, middle_y = map(float, group.attrib["transform"][len("translate(") : -1].split())
        assert x + 40 < middle_x < x + width - 40
        assert y + 34 < middle_y < y + height - 34


def test_shapes_of_x_have_a_line_along_their_borders() -> None:
    drawn = parsed(replace(ONE, tiles={Cell(0, 0): STATES[10]}))
    inlays = [path.get("class") for path in drawn.iter(f"{SVG}path") if str(path.get("class")).startswith("inlay")]
    assert inlays == [f"inlay {Colour.X}"] * 2


def test_the_same_picture_is_the_same_text() -> None:
    assert draw(block(4)) == draw(block(4))
