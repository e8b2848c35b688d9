from hypothesis import given, settings

from pbem.games.hextile.fills import Laid
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.position import Placement, Position, begin
from tests.games.hextile.playing import STATES, after, positions, rules_of, rulesets, start


def test_the_start_tile_comes_out_of_the_supply() -> None:
    position = start()
    assert dict(position.layout.tiles) == {Cell(0, 0): STATES[1]}
    assert position.supply == {"O bridge": 31, "X bridge": 32}


def test_the_first_turn_has_one_tile_the_others_two() -> None:
    position = start()
    assert (position.to_act, position.ply, position.mid_turn) == (0, 0, False)
    position = position.play(Placement(Cell(1, 0), 2))
    assert (position.to_act, position.ply, position.mid_turn) == (1, 1, False)
    position = position.play(Placement(Cell(2, -1), 12))
    assert (position.to_act, position.ply, position.mid_turn) == (1, 1, True)
    position = position.play(Placement(Cell(2, 0), 4))
    assert (position.to_act, position.ply, position.mid_turn) == (0, 2, False)


def test_the_second_seat_may_begin() -> None:
    position = begin(rules_of("superbo"), first=1)
    assert position.to_act == 1
    assert position.play(Placement(Cell(1, 0), 2)).to_act == 0


def test_what_fits_goes_by_corners_and_supply() -> None:
    fitting = start().fitting()
    assert fitting[Cell(0, -1)] == (1, 2, 6, 7, 8, 9)
    assert sum(map(len, fitting.values())) == 36


def test_the_last_turn_is_remembered_with_its_labels() -> None:
    assert after("C2").last_turn == (Laid(Cell(1, 0), STATES[2], "C", automatic=False),)


@given(positions(rulesets()))
@settings(max_examples=20)
def test_the_supply_shrinks_by_what_is_laid(position: Position) -> None:
    tiles = position.layout.tiles
    turn = (*position.last_turn, *position.turn)
    assert all(tiles[tile.cell] is tile.state for tile in turn)
    assert min(position.supply.values()) >= 0
    for step in position.legal()[:1]:
        after = position.play(step)
        assert len(after.layout.tiles) - len(tiles) == _left(position) - _left(after)


def _left(position: Position) -> int:
    return sum(position.supply.values())


def test_playing_leaves_the_position_as_it_was() -> None:
    before = start()
    spaces, supply = dict(before.layout.spaces), dict(before.supply)
    before.play(Placement(Cell(1, 0), 2))
    assert before.layout.spaces == spaces
    assert before.supply == supply
    assert before == start()
