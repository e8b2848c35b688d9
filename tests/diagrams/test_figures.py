"""Figures as pictures: SVG for pages, PNG for mails."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageColor

from pbem.diagrams import Link, figures
from pbem.games.figure import COLOURS, Bar, Figure, Held, Piece
from pbem.games.layouts import crossings, hexagon, points, rhombus, square, triangle

SVG = "{http://www.w3.org/2000/svg}"


def board() -> Figure:
    return square(3, 3).figure({"a1": Piece(0, "x"), "b2": Piece(1, "K", "king"), "c3": Piece(-1, "#", "wall")}, {"a1"})


def drawn(figure: Figure) -> Image.Image:
    return Image.open(BytesIO(figures.draw(figure))).convert("RGB")


@pytest.mark.parametrize(
    "figure",
    [layout.figure({}, set()) for layout in (square(8, 8), points(19), rhombus(11), hexagon(8), triangle(13))],
)
def test_a_picture_fits_into_mails(figure: Figure) -> None:
    picture = drawn(figure)
    assert max(picture.size) <= figures.MOST_PIXELS + 2
    assert max(picture.size) > figures.MOST_PIXELS / 2
    assert len(figures.draw(figure)) < 30_000


def test_pieces_have_the_colours_of_their_sides() -> None:
    for colour in COLOURS:
        figure = square(1, 1).figure({"a1": Piece(0, "x")}, set())
        shown = Figure(figure.spots, figure.pieces, "", colours=(colour,))
        found = drawn(shown)
        middle = found.getpixel((found.width // 2, found.height // 2))
        assert isinstance(middle, tuple)
        assert "#{:02x}{:02x}{:02x}".format(*middle) == figures.INKS[colour].body


def test_pieces_next_to_the_board_are_drawn_with_their_number() -> None:
    held = [
        Held((0, 4), Piece(0, "P", "pawn"), 3),
        Held((1.5, 4), Piece(0, "N", "knight")),
        Held((0, -2), Piece(1, "q", "queen")),
    ]
    figure = replace(square(3, 3).figure({}, set(), held=held), colours=("white", "black"))
    lines = figure.letters.splitlines()
    assert (lines[0].strip(), lines[-1].strip()) == ("q", "3P N")
    for drawing in figures.draw_still(figure), figures.draw_for_page(figure, {}, None, "A board"):
        page = ET.fromstring(drawing)  # noqa: S314 - our own
        assert [each.text for each in page.iter(f"{SVG}text") if each.get("class") == "count"] == ["3"]
        assert len([each for each in page.iter(f"{SVG}path") if each.get("class") == "tray"]) == 3
    picture = drawn(figure)
    assert picture.height > drawn(replace(figure, held=())).height * 1.2, "there is room for them"
    colours = {picture.getpixel((x, y)) for x in range(picture.width) for y in range(picture.height)}
    assert {(43, 39, 36), (255, 253, 248)} <= colours, "the bodies of a black and of a white piece"


def test_an_arrow_is_no_letter() -> None:
    figure = square(2, 2).figure({}, set(), beside=[((0, -2), "\\/"), ((3, 0), "->"), ((-2, 0), "v")])
    page = ET.fromstring(figures.draw_still(figure))  # noqa: S314 - our own
    assert len([each for each in page.iter(f"{SVG}path") if each.get("class") == "arrow"]) == 2
    assert "v" in [each.text for each in page.iter(f"{SVG}text")]
    assert "->" in figure.letters


def test_a_page_links_its_places_and_marks_what_is_picked_and_in_reach() -> None:
    links = {"a1": Link("/pick", "a1"), "b2": Link("/go", "to b2", "place target", "a1-b2")}
    page = ET.fromstring(figures.draw_for_page(board(), links, "a1", "A board"))  # noqa: S314 - our own
    assert page.get("aria-label") == "A board"
    anchors = {each.get("href"): each for each in page.iter(f"{SVG}a")}
    assert set(anchors) == {"/pick", "/go"}
    assert anchors["/go"].get("data-step") == "a1-b2"
    kinds = {href: {part.get("class") for part in each.iter()} for href, each in anchors.items()}
    assert "ring" in kinds["/pick"]
    assert "changed" in kinds["/pick"]
    assert "sign" in kinds["/go"]
    cells = [each.attrib["data-cell"] for each in page.iter(f"{SVG}g") if "data-cell" in each.attrib]
    assert sorted(cells) == sorted(board().spots)


def test_a_replay_shows_each_piece_while_it_is_there() -> None:
    layout = square(2, 1)
    moves = [layout.figure({place: Piece(0, "x")}, {place}) for place in ("a1", "b1", "a1")]
    replay = ET.fromstring(figures.draw_replay(moves))  # noqa: S314 - our own
    assert len(list(replay.iter(f"{SVG}animate"))) == 3
    assert len(ET.fromstring(figures.draw_still(moves[0])).findall(f".//{SVG}circle[@class='body']")) == 1  # noqa: S314


def test_bars_have_the_colour_of_their_side() -> None:
    figure = replace(rhombus(3).figure({}, set()), colours=("red", "blue"))
    assert {bar.side for bar in figure.edges} == {0, 1}
    laid = replace(figure, edges=(), bars=(Bar((0, 0), (1, 0), 1),))
    for shown, inks in (figure, ("red", "blue")), (laid, ("blue",)):
        still, picture = figures.draw_still(shown), drawn(shown)
        pixels = {picture.getpixel((x, y)) for x in range(picture.width) for y in range(picture.height)}
        for ink in inks:
            body = figures.INKS[ink].body
            assert f'stroke="{body}"' in still
            assert ImageColor.getrgb(body) in pixels


def test_a_replay_shows_bars_and_signs_while_they_are_there() -> None:
    layout, bar = crossings(2, 1), Bar((0, 0), (1, 0), 1)
    moves = [
        layout.figure({}, (), beside=[((0, -2), "7")]),
        layout.figure({}, (), bars=(bar,), beside=[((0, -2), "8")]),
        layout.figure({}, (), beside=[((0, -2), "9")]),
    ]
    replay = ET.fromstring(figures.draw_replay(moves))  # noqa: S314 - our own
    shown = [each for each in replay.iter(f"{SVG}g") if each.find(f"{SVG}animate") is not None]
    assert [each[0].text for each in shown if each[0].get("class") == "coordinate"] == ["7", "8", "9"]
    assert [each[0].get("class") for each in shown].count("edge") == 1
