from hypothesis import assume, given, settings

from pbem.games.hextile.grid import UNDECIDED, Cell, corners, neighbours
from pbem.games.hextile.layout import Layout, survey
from pbem.games.hextile.position import Position
from tests.games.hextile.playing import STATES, after, positions, rulesets


def test_the_spaces_around_the_first_tile_are_labelled_clockwise_from_the_top() -> None:
    layout = Layout(STATES).lay(Cell(0, 0), STATES[1])
    assert list(layout.labels.values()) == list("ABCDEF")
    assert tuple(layout.labels) == neighbours(Cell(0, 0))


def test_a_filled_space_takes_its_label_along_and_new_ones_get_the_next() -> None:
    layout = after("C2").layout
    assert list(layout.labels.values()) == ["A", "B", "D", "E", "F", "G", "H", "J"]
    assert layout.space_labelled("C") is None
    assert layout.space_labelled("G") == Cell(2, -1)


def test_a_label_that_was_given_is_remembered() -> None:
    layout = after("C2").layout
    assert layout.was_labelled("C")
    assert layout.was_labelled("J")
    assert not layout.was_labelled("K")
    assert not layout.was_labelled("I")


@given(positions(rulesets()))
@settings(max_examples=30)
def test_spaces_are_the_empty_cells_beside_tiles_with_the_corners_their_neighbours_show(
    position: Position,
) -> None:
    assume(position.layout.tiles)
    layout = position.layout
    beside = {cell for tile in layout.tiles for cell in neighbours(tile)} - set(layout.tiles)
    assert set(layout.spaces) == beside
    shown = {
        point: str(colour)
        for cell, state in layout.tiles.items()
        for point, colour in zip(corners(cell), state.colours, strict=True)
    }
    for cell, space in layout.spaces.items():
        assert space.decided == "".join(shown.get(point, UNDECIDED) for point in corners(cell))


@given(positions(rulesets()))
@settings(max_examples=20)
def test_no_label_is_used_twice(position: Position) -> None:
    labels = list(position.layout.labels.values())
    assert len(set(labels)) == len(labels)
    assert position.layout.labels_given == len(labels) + len(position.layout.tiles) - (position.rules.start is not None)


@given(positions(rulesets()))
@settings(max_examples=20)
def test_a_survey_finds_the_same_spaces_and_regions(position: Position) -> None:
    assume(position.layout.tiles)
    surveyed = survey(position.layout.tiles, position.layout.states)
    assert surveyed.tiles == position.layout.tiles
    assert {cell: space.decided for cell, space in surveyed.spaces.items()} == {
        cell: space.decided for cell, space in position.layout.spaces.items()
    }
    assert _sizes(surveyed) == _sizes(position.layout)


def _sizes(layout: Layout) -> list[tuple[str, int, int]]:
    return sorted((str(r.colour), r.bridges, r.ways_out) for r in layout.regions.by_name.values())
