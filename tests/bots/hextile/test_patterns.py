"""The network of patterns tells who is better off, says the same of what is alike, and serves the games it is for."""

from __future__ import annotations

import math
from statistics import mean

import pytest

from pbem.bots import kernel
from pbem.bots.boards import MOST_STEPS
from pbem.bots.compiling import floats, zeros
from pbem.bots.hextile.patterns import HIDDEN, INPUTS, KINDS, LOOPED, WIDTH, is_learned, learned, worth
from pbem.bots.thinking import think
from pbem.bots.tree import Settings
from tests.bots.endgames import begun
from tests.bots.tactics import DEFEND, stored


def worths(task: int) -> list[float]:
    """The worths of stored positions of Mambo with a task."""
    found = [each.position for each in stored() if (each.variant, each.task) == ("mambo", task)]
    return [worth(kernel.from_position(each)[0], learned(), zeros(MOST_STEPS)) for each in found]


def test_who_wins_in_two_is_better_off_than_who_has_to_defend() -> None:
    assert mean(worths(2)) > mean(worths(DEFEND)) + 0.1
    assert all(0 < each < 1 for each in worths(DEFEND))


def test_the_worth_is_that_of_what_stands_there_and_of_the_hidden_units_above_zero() -> None:
    board, room = kernel.from_position(begun("mambo")[1])[0], zeros(MOST_STEPS)
    network, row = floats(INPUTS * WIDTH + HIDDEN), WIDTH * (INPUTS - 1)
    assert worth(board, network, room) == 1 / 2
    network[row] = 1
    network[row + 1], network[INPUTS * WIDTH] = 2, 0.25
    network[row + 2], network[INPUTS * WIDTH + 1] = -2, 5
    assert worth(board, network, room) == pytest.approx(1 / (1 + math.exp(-1.5)))


def test_patterns_that_are_alike_by_a_rotation_or_reflection_have_the_same_weights() -> None:
    network = list(learned())
    weights = [network[place * WIDTH :][:WIDTH] for place in range(INPUTS)]
    assert any(weights[0])
    for place in range(LOOPED):
        one, two, three = place // KINDS**2, place // KINDS % KINDS, place % KINDS
        assert weights[place] == weights[(two * KINDS + three) * KINDS + one]
        assert weights[place] == weights[(two * KINDS + one) * KINDS + three]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("mambo", True), ("mambo mambogo", False), ("mambo mamba", False), ("lambo", False)],
)
def test_only_games_of_killed_groups_have_a_network(variant: str, expected: bool) -> None:
    game, position = begun(variant)
    board, _ = kernel.from_position(position)
    assert is_learned(board) is expected
    with_network, without = (
        think(game, position, playouts=32, seed=5, settings=Settings(learned=weight)) for weight in (0.5, 0)
    )
    assert (with_network != without) is expected
