"""Laying the grid over a text."""

import pytest

from pbem.diagrams.hextile.letters import BRIDGES, TIPS, draw, letters, spot
from pbem.diagrams.hextile.parse import CORE, INSIDE, TILE_MARKS, Fault, grids
from pbem.games.hextile.grid import Cell, State, neighbours
from tests.games.hextile.playing import STATES, figure, figure_layout

LETTERED = {within for corner in TIPS for within in TIPS[corner] + BRIDGES[corner]}


def characters(text: str) -> dict[tuple[int, int], str]:
    lines = text.splitlines()
    return {
        (column, line): character
        for line, row in enumerate(lines)
        for column, character in enumerate(row)
        if character != " "
    }


def test_inside_of_a_cell_no_other_has_letters() -> None:
    elsewhere = {spot(beside, within) for beside in neighbours(Cell(0, 0)) for within in LETTERED}
    assert LETTERED - elsewhere == INSIDE


@pytest.mark.parametrize("state", STATES, ids=lambda state: str(state.number))
def test_every_tile_has_letters_at_the_spots_that_tell_one(state: State) -> None:
    spots = {(piece.column + at, piece.line) for piece in letters(state) for at in range(len(piece.text))}
    assert spots >= set(TILE_MARKS)
    assert CORE[state.tip_at] == spots & INSIDE


@pytest.mark.parametrize("margin", [(0, 0), (1, 2), (5, 3), (17, 9)])
def test_one_grid_alone_explains_a_drawing(margin: tuple[int, int]) -> None:
    text = "\n" * margin[1] + "\n".join(" " * margin[0] + line for line in figure("superbo/o_wins_eye").splitlines())
    overlaid = grids(characters(text), STATES)
    assert len(overlaid) <= 24
    (right,) = (grid for grid in overlaid if not grid.faults(grid.tiles()))
    assert sorted(state.number for state in right.tiles().values()) == sorted(
        state.number for state in figure_layout("superbo/o_wins_eye").tiles.values()
    )
    assert right.nearest() == right.tiles()


def test_a_tile_with_a_wrong_letter_is_still_the_nearest() -> None:
    drawn = characters(draw({Cell(0, 0): STATES[1]}))
    drawn[1, 2] = "?"
    overlaid = grids(drawn, STATES)
    assert not any(grid.tiles() for grid in overlaid)
    nearest = min(overlaid, key=lambda grid: len(grid.faults(grid.nearest())))
    assert list(nearest.nearest().values()) == [STATES[1]]
    assert nearest.faults(nearest.nearest()) == [Fault(2, 1, "?", "x")]


def test_labels_are_found_in_the_spaces() -> None:
    layout = figure_layout("mambo/null_point")
    labels = layout.labels | {Cell(0, 1): "-"}
    (right,) = (
        grid for grid in grids(characters(draw(layout.tiles, labels)), layout.states) if not grid.faults(grid.tiles())
    )
    assert sorted(right.labels(right.tiles()).values()) == sorted(labels.values())
