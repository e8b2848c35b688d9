"""The table of patterns tells who is better off, says the same of what is alike, and serves the games it is for."""

from __future__ import annotations

from statistics import mean

import pytest

from pbem.bots import kernel
from pbem.bots.boards import MOST_STEPS
from pbem.bots.compiling import zeros
from pbem.bots.hextile.patterns import KINDS, LOOPED, is_learned, learned, worth
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


def test_patterns_that_are_alike_by_a_rotation_or_reflection_have_one_number() -> None:
    table = learned()
    assert any(table[place] for place in range(LOOPED))
    for place in range(LOOPED):
        one, two, three = place // KINDS**2, place // KINDS % KINDS, place % KINDS
        assert table[place] == table[(two * KINDS + three) * KINDS + one] == table[(two * KINDS + one) * KINDS + three]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("mambo", True), ("mambo mambogo", False), ("mambo mamba", False), ("lambo", False)],
)
def test_only_games_of_killed_groups_have_a_table(variant: str, expected: bool) -> None:
    game, position = begun(variant)
    board, _ = kernel.from_position(position)
    assert is_learned(board) is expected
    with_table, without = (
        think(game, position, playouts=32, seed=5, settings=Settings(learned=weight)) for weight in (0.5, 0)
    )
    assert (with_table != without) is expected
