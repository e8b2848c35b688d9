"""Figures as pictures: SVG for pages, PNG for mails."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from pbem.diagrams import Link, figures
from pbem.games.figure import COLOURS, Bar, Figure, Piece
from pbem.games.layouts import hexagon, points, rhombus, square, triangle

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
    figure = rhombus(3).figure({}, set())
    assert {bar.side for bar in figure.bars} == {0, 1}
    still = figures.draw_still(Figure(figure.spots, {}, "", bars=(Bar((0, 0), (1, 0), 1),), colours=("red", "blue")))
    assert f'stroke="{figures.INKS["blue"].body}"' in still
