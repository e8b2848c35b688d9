from pbem.diagrams.hextile import Extent, Picture
from pbem.games.hextile.grid import Cell
from tests.diagrams.hextile.pictures import STATES


def test_the_extent_holds_tiles_spaces_and_null_points() -> None:
    picture = Picture({Cell(0, 0): STATES[1]}, {Cell(-1, 0): "A"}, null_points=[Cell(2, 1)])
    assert picture.extent == Extent(left=-1, right=2, top=-1, bottom=4)


def test_an_empty_picture_shows_as_much_as_one_cell() -> None:
    assert Picture({}, {}).extent == Extent(0, 0, 0, 0)


def test_what_is_covered_or_can_be_played_is_not_blocked() -> None:
    cells = [Cell(q, 0) for q in range(3)]
    picture = Picture({cells[0]: STATES[1]}, {cells[1]: "A"}, null_points=cells)
    assert picture.blocked == {cells[2]}
