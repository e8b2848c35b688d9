from itertools import product

import pytest

from pbem.diagrams.hextile.letters import draw, draw_states
from pbem.diagrams.hextile.parse import read
from pbem.games.hextile.grid import Cell, State
from tests.games.hextile.playing import FIGURES, STATES, figure, start

NAMES = sorted(f"superbo/{path.stem}" for path in (FIGURES / "superbo").glob("tile_*.txt"))


@pytest.mark.parametrize("state", STATES, ids=lambda state: str(state.number))
def test_a_tile_alone_is_drawn_as_in_its_figure(state: State) -> None:
    (name,) = (name for name in NAMES if f"tile_{state.number:02}" in name)
    assert draw({Cell(7, -3): state}) == figure(name)


def test_spaces_show_their_labels_in_the_middle() -> None:
    layout = start().layout
    assert draw(layout.tiles, layout.labels) == "\n".join(
        (
            "      A",
            "",
            "F   .--oo   B",
            "   x   oo\\",
            "  xxx  oo )",
            "   x   oo/",
            "E   `--oo   C",
            "",
            "      D",
        )
    )


def test_a_label_of_two_letters_begins_where_one_would_stand() -> None:
    drawn = draw({Cell(0, 0): STATES[1]}, {Cell(0, 1): "AB"})
    assert drawn.splitlines()[-1] == "    AB"


def test_a_mark_is_drawn_where_a_label_would_be() -> None:
    assert draw({}, {Cell(3, 3): "-", Cell(4, 3): "m"}) == "-\n\n      m"


@pytest.mark.parametrize(
    ("second", "mark", "line", "column"),
    [(Cell(1, -1), ".", 4, 8), (Cell(1, 0), "`", 2, 8), (Cell(0, -1), ")", 4, 2)],
    ids=["ne", "se", "n"],
)
def test_a_white_point_of_two_tiles_shows_the_mark_of_the_empty_cell(
    second: Cell, mark: str, line: int, column: int
) -> None:
    lines = draw({Cell(0, 0): STATES[7], second: STATES[7]}).splitlines()
    assert lines[line][column] == mark


def test_a_white_point_of_three_tiles_is_a_dot() -> None:
    tiles = {Cell(0, 0): STATES[7], Cell(1, -1): STATES[7], Cell(1, 0): STATES[7]}
    assert draw(tiles).splitlines()[4][8] == "."


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw({}) == ""


def test_the_states_stand_in_rows_that_fit_a_mail() -> None:
    lines = draw_states(STATES).splitlines()
    assert max(map(len, lines)) <= 78
    assert not any(line != line.rstrip() for line in lines)
    assert [int(word) for word in " ".join((lines[2], lines[8])).split() if word.isdigit()] == [*range(1, 13)]


@pytest.mark.parametrize(("q", "r"), [*product((-2, 0, 3), (-1, 4))])
def test_a_drawing_does_not_tell_where_on_the_plane_it_lies(q: int, r: int) -> None:
    tiles = read(figure("superbo/o_wins_eye"), STATES)
    moved = {Cell(cell.q + q, cell.r + r): state for cell, state in tiles.items()}
    assert draw(moved) == draw(tiles)
