"""Boards of the hexagonal tile games for pages."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from pbem.diagrams import Link
from pbem.diagrams.hextile import Picture
from pbem.diagrams.hextile.page import BoardPicture, Laying, TileGroups, definitions, draw, tile
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.superbo import SUPERBO

POSITION = SUPERBO.begin({}, 2)
STATES = POSITION.rules.states
HERE, THERE = Cell(0, 0), Cell(1, 0)
PICTURE = Picture({HERE: STATES[1]}, {THERE: "A&B"}, last={HERE})


def parsed(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314 - ours


def used(drawn: str) -> set[str]:
    return {each.attrib["href"].removeprefix("#") for each in parsed(drawn).iter("use")}


@pytest.mark.parametrize("dark", [False, True])
def test_all_that_is_used_is_defined(dark: bool) -> None:
    defined = [each.attrib["id"] for each in parsed(definitions(STATES, dark=dark)).iter("g") if "id" in each.attrib]
    assert len(defined) == len(set(defined))
    assert used(draw(BoardPicture(PICTURE), "a board")) <= set(defined)
    assert all(used(tile(state)) <= set(defined) for state in STATES)


def test_a_space_that_can_be_chosen_is_a_link_and_says_its_name() -> None:
    scene = BoardPicture(PICTURE, {THERE: Link("/x?a=1&b=2", 'space "A"')}, picked=THERE)
    (link,) = parsed(draw(scene, "a board")).iter("a")
    assert (link.attrib["href"], link.attrib["aria-label"]) == ("/x?a=1&b=2", 'space "A"')
    (space,) = link.iter("g")
    assert (space.attrib["class"], space.attrib["data-label"]) == ("picked", "A&B")


def test_ghosts_turning_tiles_and_groups_are_marked() -> None:
    layings = [Laying(Link(f"/{n}", f"A{n}", "ghost", f"A{n}"), STATES[n]) for n in (1, 2)]
    scene = BoardPicture(PICTURE, {}, frozenset({HERE}), THERE, layings, {HERE: TileGroups(3, 4)})
    drawn = parsed(draw(scene, "a board"))
    kinds = [each.attrib.get("class") for each in drawn.iter("g")]
    assert "ghost" in kinds
    assert [(each.attrib["href"], each.attrib["data-step"]) for each in drawn.iter("a")] == [("/1", "A1"), ("/2", "A2")]
    assert {each.attrib["data-group"] for each in drawn.iter("use") if "data-group" in each.attrib} == {"3", "4"}


def test_what_would_be_laid_by_itself_belongs_to_the_tile_that_brings_it_about_and_lies_within_the_drawing() -> None:
    far = Cell(0, 4)
    laying = Laying(Link("/1", "A1", "ghost"), STATES[1], {far: STATES[2]})
    drawn = parsed(draw(BoardPicture(PICTURE, picked=THERE, layings=[laying]), "a board"))
    (link,) = drawn.iter("a")
    kinds = [(each.attrib["class"], each.attrib["transform"]) for each in link.iter("g")]
    assert kinds == [("tile", "translate(60 34.6)"), ("by-itself", "translate(0 277.1)")]
    (place,) = [each.attrib["transform"] for each in link.iter("g") if each.attrib["class"] == "by-itself"]
    top, height = (float(number) for number in drawn.attrib["viewBox"].split()[1::2])
    assert top < float(place.rstrip(")").split()[-1]) < top + height


def test_a_null_point_is_marked_in_the_place_of_its_label_and_can_be_chosen() -> None:
    picture = replace(PICTURE, null_points={THERE})
    drawn = parsed(draw(BoardPicture(picture, {THERE: Link("/", "space")}), "a board"))
    (link,) = drawn.iter("a")
    assert [each.attrib["href"] for each in link.iter("use")] == ["#null"]
    assert [each.attrib["data-label"] for each in link.iter("g")] == ["A&B"]
    assert not list(link.iter("text"))


def test_white_parts_are_drawn_where_they_belong_to_a_group() -> None:
    drawn = parsed(draw(BoardPicture(PICTURE, groups={HERE: TileGroups(1, 2, white_tip=5)}), "a board"))
    assert [
        (each.attrib["href"], each.attrib["data-group"]) for each in drawn.iter("use") if "data-group" in each.attrib
    ] == [
        ("#bo0", "1"),
        ("#tx0", "2"),
        ("#w0", "5"),
    ]


def test_what_has_decided_the_game_is_marked() -> None:
    parts = {HERE: TileGroups(1, 2)}
    assert 'class="hextile decided"' not in draw(BoardPicture(PICTURE, groups=parts), "a board")
    drawn = parsed(draw(BoardPicture(PICTURE, groups=parts, decisive={2}), "a board"))
    assert drawn.attrib["class"] == "hextile decided"
    marked = [each.attrib["data-group"] for each in drawn.iter("use") if each.attrib.get("class") == "decisive"]
    assert marked == ["2"]


def test_a_drawing_keeps_the_scale_of_its_frame() -> None:
    small, large = BoardPicture(PICTURE), BoardPicture(PICTURE, frame=[Cell(-3, 0), Cell(3, 4)])
    assert large.box[2] > small.box[2]
    assert large.box == BoardPicture(Picture({}, {HERE: "", Cell(-3, 0): "", Cell(3, 4): ""})).box


def test_of_the_room_around_its_frame_a_drawing_covers_half_of_each_cell_whether_it_can_be_chosen_or_not() -> None:
    frame, room = [HERE, THERE], {Cell(0, 3), Cell(-2, 0)}
    without = BoardPicture(PICTURE, frame=frame).box
    left, top, width, height = BoardPicture(PICTURE, frame=frame, room=room).box
    assert (left, top) == pytest.approx((-120, -40 * 3**0.5))
    assert (left + width, top + height) == pytest.approx((without[0] + without[2], 120 * 3**0.5))
    links = {cell: Link("/", "space") for cell in room}
    tiles = replace(PICTURE, tiles=dict.fromkeys((HERE, *room), STATES[1]))
    assert BoardPicture(tiles, links, frame=frame, room=room).box == (left, top, width, height)


def test_the_board_tells_what_it_is() -> None:
    root = parsed(draw(BoardPicture(PICTURE), '<b> & "quotes"'))
    assert root.attrib["aria-label"] == '<b> & "quotes"'
    assert root.attrib["role"] == "group"
