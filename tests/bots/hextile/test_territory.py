from __future__ import annotations

from random import Random

import pytest

from pbem.bots.hextile.territory import territory
from pbem.games.hextile.endings import MostTerritory
from pbem.games.hextile.grid import Colour
from tests.bots.hextile.pairs import HextilePair
from tests.games.hextile.playing import options_of

MANY = 1 << 20
"""By which the territory of the best group is multiplied."""


def held(seed: int, size: int) -> int:
    """Hold the territories after each turn of a game by lot against the rules; how many positions had any."""
    lots, found = Random(seed), 0
    pair = HextilePair(*options_of(f"mambo mambogo size={size} auto={lots.choice(('full', 'limited', 'none'))}"))
    while pair.position.outcome is None and (legal := pair.position.legal()):
        pair.play(lots.choice(sorted(legal)))
        layout = pair.position.layout
        for own, enemy in ((Colour.O, Colour.X), (Colour.X, Colour.O)):
            best, total = MostTerritory()(layout, own, enemy)
            assert territory(pair.board, int(own is Colour.X), 0) == best * MANY + total
            best, bridges = MostTerritory(smallest=True)(layout, own, enemy)
            assert territory(pair.board, int(own is Colour.X), 1) == best * MANY + MANY // 2 + bridges
            found += best > 0
    return found


@pytest.mark.parametrize("size", [12, 48, 150])
def test_territories_are_those_of_the_rules(size: int) -> None:
    assert sum(held(seed, size) for seed in range(3)) > 3


@pytest.mark.verify
@pytest.mark.timeout(3600)  # minutes in quiet; others may compute, too
def test_territories_are_those_of_the_rules_in_hundreds_of_games() -> None:
    assert sum(held(seed, size) for size in (20, 48, 100) for seed in range(200)) > 1000
