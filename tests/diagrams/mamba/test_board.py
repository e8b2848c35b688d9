"""The table as each player sees it."""

from dataclasses import replace

import pytest

from pbem.diagrams import Area, Element, Stroke, Text
from pbem.diagrams.mamba import inks
from pbem.diagrams.mamba.board import MARGIN, Face, Table, elements, table
from pbem.games.mamba.squares import EMPTY, MARKS, grid
from tests.diagrams.mamba.boards import PLAYERS, picture, start

VIEWS = [(players, size, viewer) for players in PLAYERS for size in (9, 11) for viewer in (None, *range(players))]


def seen(players: int, size: int, viewer: int | None) -> Table:
    return table(picture(start(players, size), viewer))


def texts(parts: tuple[Element, ...], name: str) -> list[Text]:
    return [part for part in parts if isinstance(part, Text) and part.name == name]


def names(face: Face) -> list[str]:
    return [part.name for part in elements(face)]


@pytest.mark.parametrize(("players", "size", "viewer"), VIEWS)
def test_the_viewer_has_his_own_pieces_below(players: int, size: int, viewer: int | None) -> None:
    position, view = start(players, size), seen(players, size, viewer)
    if viewer is None:
        below = [cell for cell in range(size**2) if view.middle(cell).y == size // 2]
        assert below == [*range(size)]
    else:
        assert view.facing(MARKS[viewer]) == 0
        assert min(view.middle(cell).y for cell in position.pieces(viewer)) == size // 2 - 2


@pytest.mark.parametrize(("players", "size", "viewer"), VIEWS)
def test_every_cell_lies_between_the_coordinates_of_its_name(players: int, size: int, viewer: int | None) -> None:
    view = seen(players, size, viewer)
    shown = texts(view.around, "coordinate")
    for cell, name in enumerate(grid(size).names):
        x, y = view.middle(cell)
        above = [text for text in shown if text.centre.x == x and abs(text.centre.y) > size / 2]
        beside = [text for text in shown if text.centre.y == y and abs(text.centre.x) > size / 2]
        for first, second in ((above, beside), (beside, above)):
            assert len(first) == 2
            assert len({text.text for text in first}) == 1
            if first[0].text.isalpha():
                assert first[0].text + second[0].text == name


@pytest.mark.parametrize(("players", "size", "viewer"), VIEWS)
def test_going_round_the_table_the_players_sit_clockwise(players: int, size: int, viewer: int | None) -> None:
    view = seen(players, size, viewer)
    facing = [view.facing(MARKS[seat]) for seat in range(players)]
    assert len({*facing}) == players
    assert sum((after - before) % 4 for before, after in zip(facing, facing[1:] + facing[:1], strict=True)) == 4


@pytest.mark.parametrize(("players", "size", "viewer"), VIEWS)
def test_the_mark_of_a_player_stands_at_his_edge(players: int, size: int, viewer: int | None) -> None:
    view, position = seen(players, size, viewer), start(players, size)
    marks = texts(view.around, "mark")
    assert "".join(text.text for text in marks) == MARKS[:players]
    for seat, text in enumerate(marks):
        home = [view.middle(cell) for cell in position.pieces(seat)]
        x, y = (sum(places) / len(home) for places in zip(*home, strict=True))
        assert abs(text.centre.x) + abs(text.centre.y) > size / 2
        assert text.centre.x * x + text.centre.y * y == pytest.approx(
            (text.centre.x**2 + text.centre.y**2) ** 0.5 * (x**2 + y**2) ** 0.5
        )


def test_the_seat_of_a_player_without_pieces_is_blank() -> None:
    shown = picture(start(3))
    left = table(replace(shown, squares=shown.squares.replace("B", EMPTY)))
    seats = [part.fill for part in left.around if isinstance(part, Area) and part.name == "seat"]
    assert seats == [inks.INKS["A"].body, inks.PAPER, inks.INKS["C"].body]
    letters = [text.fill for text in texts(left.around, "mark")]
    assert letters == [inks.INKS["A"].letter, inks.INKS["B"].border, inks.INKS["C"].letter]


def test_nothing_lies_beyond_the_margin() -> None:
    view = seen(4, 9, None)
    for part in view.around:
        curves = part.outline if isinstance(part, Area) else part.curves if isinstance(part, Stroke) else ()
        for curve in curves:
            assert max(map(abs, curve.end)) <= 4.5 + MARGIN


@pytest.mark.parametrize("mark", [EMPTY, *MARKS])
def test_a_cell_that_changed_is_told_by_ground_and_ring(mark: str) -> None:
    plain, changed = Face(mark, 0, changed=False), Face(mark, 0, changed=True)
    assert [part.fill for part in elements(plain)[:1] if isinstance(part, Area)] == [inks.GROUND]
    assert [part.fill for part in elements(changed)[:1] if isinstance(part, Area)] == [inks.CHANGED]
    assert "ring" in names(changed)
    assert "ring" not in names(plain)


def test_a_cell_that_was_emptied_is_crossed_out() -> None:
    assert "cross" in names(Face(EMPTY, 0, changed=True))
    assert names(Face(EMPTY, 0, changed=False)) == ["ground", "line"]
    assert "cross" not in names(Face("A", 0, changed=True))


def test_empty_cells_look_the_same_from_everywhere() -> None:
    assert {seen(4, 9, viewer).face(EMPTY, changed=False) for viewer in range(4)} == {Face(EMPTY, 0, changed=False)}
