import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import (
    Eats,
    MostEaten,
    MostTerritory,
    TieBreak,
    break_tie,
    largest_closed,
    largest_loses,
    largest_wins,
    tied,
)
from pbem.games.hextile.grid import Colour
from pbem.games.hextile.layout import Layout
from tests.games.hextile.playing import figure_layout
from tests.games.hextile.tables import (
    BOTH_LOOP,
    COLOURS,
    DARK_HAS_EATEN_A_BRIDGE,
    EYE,
    LIGHT_DARK,
    OPEN_DARK_HAS_EATEN_TWO,
    RING,
    table,
)


@pytest.mark.parametrize(
    ("count", "layout", "colours", "values"),
    [
        (largest_wins, EYE, COLOURS, ((4,), (1,))),
        (largest_loses, EYE, COLOURS, ((-4,), (-1,))),
        (tied, EYE, COLOURS, ((), ())),
        (largest_wins, table("superbo", {(0, 0): 10}), COLOURS, ((-1,), (1,))),
        (largest_loses, table("superbo", {(0, 0): 10}), COLOURS, ((1,), (-1,))),
        (largest_wins, table("superbo", {(0, 0): 4}), COLOURS, ((0,), (1,))),
        (largest_closed, table("lambo", {(0, 0): 1}), LIGHT_DARK, ((-1, 0), (-1, 0))),
        (largest_closed, figure_layout("lambo/dark_wins"), LIGHT_DARK, ((0, 1), (1, 1))),
        (MostEaten(Eats()), OPEN_DARK_HAS_EATEN_TWO, LIGHT_DARK, ((-1, 0), (1, 2))),
        (MostEaten(Eats(size=1)), OPEN_DARK_HAS_EATEN_TWO, LIGHT_DARK, ((-1, 0), (1, 1))),
        (MostEaten(Eats(size=2)), OPEN_DARK_HAS_EATEN_TWO, LIGHT_DARK, ((-1, 0), (-1, 0))),
        (MostEaten(Eats(size=1)), DARK_HAS_EATEN_A_BRIDGE, LIGHT_DARK, ((-1, 0), (1, 1))),
        (MostTerritory(), RING, COLOURS, ((4, 4), (0, 0))),
        (MostTerritory(smallest=True), RING, COLOURS, ((4, -6), (0, 0))),
        (MostTerritory(), BOTH_LOOP, COLOURS, ((1, 1), (1, 1))),
        (MostTerritory(), table("mambo", {(0, 0): 1}), COLOURS, ((0, 0), (0, 0))),
    ],
)
def test_so_much_counts_when_nothing_is_left(
    count: TieBreak, layout: Layout, colours: tuple[Colour, Colour], values: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    assert (count(layout, *colours), count(layout, *colours[::-1])) == values
    ours, theirs = values
    winners = (0,) if ours > theirs else (1,) if theirs > ours else ()
    assert break_tie(layout, count, colours) == Outcome(winners, Ending.SUPPLY_EMPTY)
