from typing import Any

import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.hextile import notation
from pbem.games.hextile.endings import Closes, Contains, Eats, MostEaten, largest_closed, largest_wins
from pbem.games.hextile.grid import Cell, neighbours
from pbem.games.hextile.lambo import LAMBO
from pbem.games.hextile.ruleset import Auto, Joined
from pbem.games.options import OptionOutOfRange, OptionsContradict
from tests.games.hextile.playing import arranged, figure_layout, placements, rules_of, start


@pytest.mark.parametrize(
    ("words", "joined", "win", "tie_break"),
    [
        ("", Joined.ADJACENT, Closes(), largest_wins),
        ("adjacent no_contain", Joined.ADJACENT, Closes(), largest_wins),
        ("anywhere", Joined.ANYWHERE, Closes(), largest_wins),
        ("eat_enemy", Joined.ADJACENT, Eats(2), MostEaten(Eats(2))),
        ("eat_enemy=20", Joined.ADJACENT, Eats(20), MostEaten(Eats(20))),
        ("eat_size=1", Joined.ADJACENT, Eats(2, 1), MostEaten(Eats(2, 1))),
        ("eat-size=0 eat-enemy=1", Joined.ADJACENT, Eats(1), MostEaten(Eats(1))),
        ("must_contain anywhere", Joined.ANYWHERE, Contains(), largest_closed),
    ],
)
def test_options_say_how_tiles_are_joined_and_what_wins(
    words: str, joined: Joined, win: Any, tie_break: object
) -> None:
    rules = rules_of(f"lambo {words}")
    assert (rules.joined, rules.wins, rules.tie_break) == (joined, (win,), tie_break)
    assert (rules.supply, rules.tiles_a_turn, rules.auto) == ({"tile": 48}, 2, Auto.NONE)


@pytest.mark.parametrize(
    ("words", "clash"),
    [
        ("adjacent anywhere", "joined"),
        ("must_contain no_contain", "goal"),
        ("eat_enemy=2 must_contain", "goal"),
        ("eat_enemy=3 no_contain", "goal"),
        ("eat_size=3 must_contain", "goal"),
        ("eat_size=0 no_contain", "goal"),
    ],
)
def test_options_that_contradict_each_other_are_refused(words: str, clash: str) -> None:
    with pytest.raises(OptionsContradict) as refused:
        LAMBO.read_options(words.split())
    assert (refused.value.facts["one"], refused.value.facts["other"]) == tuple(words.split())
    assert refused.value.facts["clash"] == clash


@pytest.mark.parametrize("word", ["eat_enemy=0", "eat_enemy=21", "eat_size=101", "eat_size", "size=3", "size=401"])
def test_numbers_beyond_their_range_are_refused(word: str) -> None:
    with pytest.raises(OptionOutOfRange):
        LAMBO.read_options([word])


def test_light_begins_beside_a_tile_in_state_1() -> None:
    position = start("lambo")
    assert LAMBO.sides(position) == ("Light", "Dark")
    assert position.supply == {"tile": 47}
    assert len(position.legal()) == 18


RING = dict.fromkeys(neighbours(Cell(0, 0)), 1)
"""Six tiles around a hole; whatever is laid there, no second tile can touch it."""


def test_a_single_hole_takes_no_first_tile() -> None:
    position = arranged(RING, "lambo")
    hole = position.layout.labels[Cell(0, 0)]
    for state in (1, 2, 3):
        with pytest.raises(notation.NothingCouldFollow):
            LAMBO.read_input(position, f"{hole}{state}")
    assert all(step.cell != Cell(0, 0) for step in placements(position))


def test_a_single_hole_takes_a_first_tile_where_tiles_need_not_touch() -> None:
    position = arranged(RING, "lambo anywhere")
    assert {step.state for step in placements(position) if step.cell == Cell(0, 0)} == {1, 2, 3}


def test_a_single_hole_takes_the_last_tile_of_the_supply() -> None:
    position = arranged(RING, "lambo", t=1)
    hole = position.layout.labels[Cell(0, 0)]
    _, end, _ = LAMBO.read_input(position, f"{hole}1")
    assert end.outcome is not None


def test_a_single_hole_takes_a_first_tile_that_decides() -> None:
    tiles = {cell: state.number for cell, state in figure_layout("lambo/dark_wins").tiles.items()}
    last = tiles.pop(Cell(1, 1))
    position = arranged(tiles, "lambo")
    hole = position.layout.labels[Cell(1, 1)]
    assert all(cell in position.layout.tiles for cell in neighbours(Cell(1, 1)))
    _, end, _ = LAMBO.read_input(position, f"{hole}{last}")
    assert end.outcome == Outcome((1,), Ending.CLOSED)
    assert {step.state for step in placements(position) if step.cell == Cell(1, 1)} == {
        state for state in (1, 2, 3) if _decides(tiles, state)
    }


def _decides(tiles: dict[Cell, int], state: int) -> bool:
    position = arranged({**tiles, Cell(1, 1): state}, "lambo")
    conditions = [(win, *position.colours) for win in position.rules.wins]
    return any(win(position.layout, a, b) or win(position.layout, b, a) for win, a, b in conditions)


def test_a_hole_of_two_cells_is_filled_in_one_turn() -> None:
    halves = {Cell(0, 0), Cell(0, 1)}
    around = {cell for half in halves for cell in neighbours(half)} - halves
    position = arranged(dict.fromkeys(around, 1), "lambo anywhere")
    hole = position.layout.labels[Cell(0, 0)]
    _, then, _ = LAMBO.read_input(position, f"{hole}1,s1")
    assert halves <= set(then.layout.tiles)
