"""Whole games by lot, played by the rules and on integers alike."""

from __future__ import annotations

from random import Random

import pytest

from pbem.bots.mamba import board
from pbem.games.mamba import ruleset, squares
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.ruleset import PIECES, Ruleset
from pbem.games.mamba.steps import Move
from tests.bots.mamba.pairs import VARIANTS, MambaPair, begun, expected, shown
from tests.games.mamba.playing import dense, placed


def play(variant: str, lots: Random, held: int, most: int = 3000) -> MambaPair:
    """A game by lot; every so many steps all that is legal is held against the rules."""
    return play_on(MambaPair(begun(variant, lots.randrange(int(variant[0])))), lots, held, most)


def play_on(pair: MambaPair, lots: Random, held: int, most: int) -> MambaPair:
    """The same from where a pair stands."""
    for number in range(most):
        assert shown(pair.position, pair.board) == expected(pair.position)
        if number % held == 0:
            assert pair.legal() == list(pair.position.legal())
        if number % (8 * held) == 5:
            assert pair.kept() == MambaPair(pair.position).kept()
        if pair.position.outcome is not None:
            break
        pair.play(pair.by_lot(lots))
    return pair


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_by_lot_is_the_same_by_the_rules_and_on_integers(variant: str) -> None:
    play(variant, Random(variant), held=6, most=120)


def test_dense_boards_come_to_rest_alike() -> None:
    lots = Random(1)
    for players in [2, 3, 4] * 12:
        rules = Ruleset(players, lots.choice((9, 11)), version=lots.choice((1, 2)))
        play_on(MambaPair(dense(lots, rules, lots.randint(20, 39))), lots, held=9, most=5)


@pytest.mark.parametrize(("version", "left"), [(1, 11), (2, 10)])
def test_a_piece_that_is_blocked_at_its_own_start_goes_on_as_the_version_of_the_rules_has_it(
    version: int, left: int
) -> None:
    start = placed("A: b3 b4 b5 e5 h1 f1 B: a5 d5 c6 h9 f9", "B", version=version)
    pair, names = MambaPair(start), start.rules.grid.by_name
    pair.play(Move(names["c6"], names["c5"]))
    assert shown(pair.position, pair.board) == expected(pair.position)
    assert PIECES - pair.position.supply == left


@pytest.mark.slow
def test_ten_thousand_dense_boards_come_to_rest_alike() -> None:
    for seed in range(10_000):
        lots = Random(seed)
        rules = Ruleset(lots.randint(2, 4), lots.choice((9, 11)), version=1 if seed % 4 == 3 else MAMBA.rules)
        play_on(MambaPair(dense(lots, rules, lots.randint(20, 39))), lots, held=9, most=2)


def test_the_numbers_of_the_rules_are_the_same() -> None:
    there = ruleset.PIECES, squares.LONGEST, ruleset.QUIET_ROUNDS, ruleset.REPETITIONS
    assert there == (board.PIECES_IN_ALL, board.LONGEST, board.QUIET_ROUNDS, board.REPETITIONS)


@pytest.mark.verify
@pytest.mark.timeout(3600)  # minutes in quiet; others may compute, too
@pytest.mark.parametrize("variant", VARIANTS)
def test_hundreds_of_games_are_the_same(variant: str) -> None:
    for seed in range(200):
        play(variant, Random(f"{variant} {seed}"), held=1 + seed % 5)
