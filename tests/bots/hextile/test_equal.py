"""Whole games by lot, played by the rules and on integers alike."""

from __future__ import annotations

from random import Random

import pytest

from pbem.games.hextile.position import SWAP
from tests.bots.hextile.pairs import HextilePair
from tests.games.hextile.playing import VARIANTS, options_of

MORE = (
    "mambo mamba swap",
    "mambo mambogo tiebreak=smallest size=60",
    "mambo no_kill loops=2 auto=none largest_loses",
    "mambo size=120",
    "superbo anywhere num_tiles=8 swap",
    "superbo kill_enemy kill_size=3 loops=2",
    "superbo kill_size=4 num_tiles=12 auto=none",
    "superbo num_tiles=5 tied",
    "lambo eat_enemy=1",
    "lambo eat_enemy=2 eat_size=1 size=80",
    "lambo no_contain",
    "palago size=12 swap",
)
"""Cases that the variants of the rules leave out: other numbers, ties, and the swap."""


def play(variant: str, lots: Random, held: int) -> HextilePair:
    """A game by lot; every so many steps all that is legal is held against the rules."""
    game, options = options_of(variant)
    pair, steps = HextilePair(game, options, lots.randrange(2)), lots.randrange(held)
    assert pair.shown() == pair.expected()
    while pair.position.outcome is None:
        legal = pair.legal()
        if steps % held == 0:
            assert pair.carried_over() == pair.shown()
            assert legal == set(pair.position.legal())
        if not legal:
            break
        swaps = SWAP in legal and lots.random() < 0.5
        pair.play(SWAP if swaps else lots.choice(sorted(legal - {SWAP})))
        assert pair.shown() == pair.expected()
        steps += 1
    return pair


@pytest.mark.parametrize("variant", [*VARIANTS, *MORE])
def test_a_game_by_lot_is_the_same_by_the_rules_and_on_integers(variant: str) -> None:
    play(variant, Random(f"{variant} 0"), held=9)


@pytest.mark.verify
@pytest.mark.timeout(3600)  # minutes in quiet; others may compute, too
@pytest.mark.parametrize("variant", [*VARIANTS, *MORE])
def test_hundreds_of_games_are_the_same(variant: str) -> None:
    for seed in range(200):
        play(variant, Random(f"{variant} {seed}"), held=1 + seed % 5)
