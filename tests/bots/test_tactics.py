"""Robots see what wins in a few turns, and do not overlook what loses at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from pbem.bootstrap.parts import stored_puzzles
from pbem.bots import tree
from pbem.bots.boards import LEVELS
from pbem.bots.thinking import think
from tests.bots.endgames import GAMES
from tests.bots.tactics import DEFEND, WANTED, Tactic, stored

ALL = stored()
BEFORE = (13, 24, 42, 85)
"""Puzzles; one turn before each of them robots once lost at once."""
FEW, MANY = LEVELS["robot2"].playouts, LEVELS["robot3"].playouts


def of_each(first: int, step: int) -> Iterator[Tactic]:
    """Some positions of each variant and task."""
    for variant, wanted in WANTED.items():
        for task in set(wanted) - {3}:  # those the tree may miss
            yield from [each for each in ALL if (each.variant, each.task) == (variant, task)][first::step]


def is_solved(tactic: Tactic, playouts: int) -> bool:
    """Return True if a search plays what is asked."""
    game = GAMES[tactic.variant.split()[0]]
    thought = think(game, tactic.position, playouts=playouts, seed=1)
    return tactic.is_solved_by(thought.candidates[0].moves[0])


def before(number: int) -> Tactic:
    """The position one turn before a puzzle that is won in one, where that is to be prevented."""
    puzzle = stored_puzzles()[number]
    return Tactic(puzzle.game, "|".join(puzzle.turns[:-1]), DEFEND)


def test_there_are_a_hundred_of_each_variant() -> None:
    found = Counter(each.variant for each in ALL)
    assert all(found[variant] >= 100 for variant in WANTED)
    assert len({(each.variant, each.turns) for each in ALL}) == len(ALL)


@pytest.mark.parametrize("tactic", list(of_each(0, 20)), ids=lambda each: f"{each.variant}-{each.task}")
def test_robots_do_what_a_position_asks(tactic: Tactic) -> None:
    assert is_solved(tactic, FEW)


@pytest.mark.verify
@pytest.mark.timeout(7200)
def test_robots_win_in_one_and_two_and_never_lose_at_once_where_they_need_not() -> None:
    asked, done = Counter[int](), Counter[int]()
    for tactic in ALL:
        asked[tactic.task] += 1
        done[tactic.task] += is_solved(tactic, MANY)
    assert done[1] == asked[1]
    assert done[DEFEND] == asked[DEFEND]
    assert done[2] >= 0.99 * asked[2]
    assert done[3] >= asked[3] / 2, "the tree alone has to find them"


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("number", BEFORE)
@pytest.mark.parametrize("level", ["robot2", "robot3", "robot4"])
def test_no_robot_lets_a_puzzle_come_to_be(number: int, level: str) -> None:
    assert is_solved(before(number), LEVELS[level].playouts)


@pytest.mark.parametrize("number", [5, 10, 30, 85, 90])
def test_a_search_ends_though_its_tree_is_full(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tactic = [each for each in ALL if each.variant == "mamba rounds=12"][number]
    monkeypatch.setattr(tree, "_MOST_NODES", 200)
    thought = think(GAMES["mamba"], tactic.position, playouts=FEW, seed=1)
    assert thought.candidates
    assert thought.playouts < 10 * FEW


def test_even_a_weak_robot_does_not_let_a_puzzle_come_to_be() -> None:
    assert is_solved(before(42), FEW)
