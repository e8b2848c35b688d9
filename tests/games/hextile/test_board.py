from hypothesis import given, settings

from pbem.games.hextile.board import Board, survey
from pbem.games.hextile.grid import Cell, corners, neighbours
from pbem.games.hextile.position import Position
from pbem.games.hextile.tiles import UNDECIDED
from tests.games.hextile.playing import STATES, after, positions


def test_the_spaces_around_the_first_tile_are_labelled_clockwise_from_the_top() -> None:
    board = Board().lay(Cell(0, 0), STATES[1])
    assert list(board.labels.values()) == list("ABCDEF")
    assert tuple(board.labels) == neighbours(Cell(0, 0))


def test_a_filled_space_takes_its_label_along_and_new_ones_get_the_next() -> None:
    board = after("C2").board
    assert list(board.labels.values()) == ["A", "B", "D", "E", "F", "G", "H", "J"]
    assert board.space_labelled("C") is None
    assert board.space_labelled("G") == Cell(2, -1)


def test_a_label_that_was_given_is_remembered() -> None:
    board = after("C2").board
    assert board.was_labelled("C")
    assert board.was_labelled("J")
    assert not board.was_labelled("K")
    assert not board.was_labelled("I")


@given(positions())
@settings(max_examples=30)
def test_spaces_are_the_empty_cells_beside_tiles_with_the_corners_their_neighbours_show(
    position: Position,
) -> None:
    board = position.board
    beside = {cell for tile in board.tiles for cell in neighbours(tile)} - set(board.tiles)
    assert set(board.spaces) == beside
    shown = {
        point: str(colour)
        for cell, state in board.tiles.items()
        for point, colour in zip(corners(cell), state.colours, strict=True)
    }
    for cell, space in board.spaces.items():
        assert space.decided == "".join(shown.get(point, UNDECIDED) for point in corners(cell))


@given(positions())
@settings(max_examples=20)
def test_no_label_is_used_twice(position: Position) -> None:
    labels = list(position.board.labels.values())
    assert len(set(labels)) == len(labels)
    assert position.board.labels_given == len(labels) + len(position.board.tiles) - 1


@given(positions())
@settings(max_examples=20)
def test_a_survey_finds_the_same_spaces_and_regions(position: Position) -> None:
    surveyed = survey(position.board.tiles)
    assert surveyed.tiles == position.board.tiles
    assert {cell: space.decided for cell, space in surveyed.spaces.items()} == {
        cell: space.decided for cell, space in position.board.spaces.items()
    }
    assert _sizes(surveyed) == _sizes(position.board)


def _sizes(board: Board) -> list[tuple[str, int, int]]:
    return sorted((str(r.colour), r.bridges, r.ways_out) for r in board.regions.by_name.values())
