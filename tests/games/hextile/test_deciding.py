"""Which groups have decided a game that is over."""

from __future__ import annotations

from random import Random

import pytest

from pbem.games.game import Ending
from pbem.games.hextile.facts import decisive, group_facts
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from tests.games.hextile.playing import start
from tests.storage.stock import WON

DECIDED = (
    "superbo kill_own kill_size=0",
    "superbo kill_enemy",
    "mambo",
    "mambo mamba",
    "mambo mamboa",
    "mambo mambogo",
    "mambo largest_loses",
    "lambo",
    "lambo eat_enemy=1",
    "lambo must_contain",
    "palago",
)

OTHER_COUNTS = ("mambo mambogo", "lambo must_contain")
"""Variants in which not the largest of all groups counts when the supply is empty."""


def finished(variant: str, seed: int) -> Position:
    """A game played at random to its end."""
    rng, position = Random(seed), start(variant)
    while position.outcome is None:
        position = position.play(rng.choice(position.legal()))
    return position


@pytest.mark.parametrize("variant", DECIDED)
def test_whoever_has_won_has_a_group_to_show_for_it(variant: str) -> None:
    for position in (finished(variant, seed) for seed in range(3)):
        groups = group_facts(position.layout)
        found = decisive(position, groups)
        assert position.outcome is not None
        assert bool(found) == bool(position.outcome.winners)
        if not found:
            continue
        (winner,) = position.outcome.winners
        for number in found:
            group = groups[number]
            assert group.colour in position.colours
            if position.outcome.ending == Ending.KILLED:
                assert (group.colour, group.liberties) == (position.colours[1 - winner], ())
            if position.outcome.ending in (Ending.CLOSED, Ending.CONTAINED):
                assert group.closed
            if position.outcome.ending == Ending.LOOPS:
                assert group.loops > 0
            if position.outcome.ending == Ending.SUPPLY_EMPTY and variant not in OTHER_COUNTS:
                assert group.bridges == max(each.bridges for each in groups if each.colour is group.colour)


def test_the_group_with_the_eye_has_decided() -> None:
    position = SUPERBO.begin({}, 2)
    for turn in WON:
        position = SUPERBO.read_part(position, turn).position
    groups = group_facts(position.layout)
    (number,) = decisive(position, groups)
    assert (groups[number].colour, groups[number].eyes) == (position.colours[0], 1)


def test_the_group_that_closed_groups_of_the_other_lie_in_has_decided() -> None:
    position = finished("lambo must_contain", 5)
    assert position.outcome is not None
    assert position.outcome.ending is Ending.CONTAINED
    groups = group_facts(position.layout)
    found = decisive(position, groups)
    (winner,) = position.outcome.winners
    inner = [each for each in groups if each.closed and each.colour is position.colours[1 - winner]]
    assert found & {each.parent for each in inner}
    assert all(groups[number].closed and groups[number].colour is position.colours[winner] for number in found)


def test_nothing_has_decided_a_game_that_goes_on_or_that_somebody_has_left() -> None:
    position = start("mambo")
    position = position.play(position.legal()[0])
    groups = group_facts(position.layout)
    assert decisive(position, groups) == frozenset()
    assert decisive(position.leave(0), groups) == frozenset()
