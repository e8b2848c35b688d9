"""Whole games by lot, played by the rules and on integers alike."""

from __future__ import annotations

from random import Random

import pytest

from tests.bots.mamba.pairs import VARIANTS, Pair, begun, expected, shown


def play(variant: str, lots: Random, held: int, most: int = 3000) -> Pair:
    """A game by lot; every so many steps all that is legal is held against the rules."""
    pair = Pair(begun(variant, lots.randrange(int(variant[0]))))
    for number in range(most):
        assert shown(pair.position, pair.board) == expected(pair.position)
        if number % held == 0:
            assert pair.legal() == list(pair.position.legal())
        if number % (8 * held) == 5:
            assert pair.kept() == Pair(pair.position).kept()
        if pair.position.outcome is not None:
            break
        pair.play(pair.by_lot(lots))
    return pair


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_by_lot_is_the_same_by_the_rules_and_on_integers(variant: str) -> None:
    play(variant, Random(variant), held=6, most=200)  # noqa: S311 - lots of a game


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_hundreds_of_games_are_the_same(variant: str) -> None:
    for seed in range(200):
        play(variant, Random(f"{variant} {seed}"), held=1 + seed % 5)  # noqa: S311 - lots of a game
