"""The quick board of Lambo and Palago against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

import pytest

from pbem.games.hextile.grid import Cell
from pbem.games.hextile.position import Position
from pbem.games.hextile.symmetry import canonical
from tests.proofs import board as numbers
from tests.proofs.__main__ import position_after
from tests.proofs.board import DARK, LIGHT, SECOND, key_of, lay_turn, quiet_turns, winning_turns
from tests.proofs.check import turns
from tests.proofs.search import THREATS, can_win
from tests.proofs.solver import Search, cell_at
from tests.proofs.tree import played

COLOUR_OF_SEAT = (LIGHT, DARK)
Tiles = frozenset[tuple[Cell, int]]


@lru_cache
def game_by_lot(seed: int) -> tuple[Position, ...]:
    """The positions of a game of Palago at the beginnings of turns, the last one excluded."""
    lots, position = Random(f"palago {seed}"), position_after("palago size=14", ())
    found = list[Position]()
    while position.outcome is None:
        if position.ply > 0:
            found.append(position)
        position = lots.choice(list(turns(position)))
    return tuple(found)


def tiles_of_turn(position: Position) -> Tiles:
    return frozenset((tile.cell, tile.state.number) for tile in position.last_turn)


def tiles_of(turn: int) -> Tiles:
    parts = (turn % SECOND, turn // SECOND) if turn >= SECOND else (turn,)
    return frozenset((cell_at(part // 4), part % 4) for part in parts)


def by_rules(position: Position) -> tuple[set[Tiles], set[Tiles]]:
    """The turns that win at once, and those that close no group."""
    winning, quiet = set[Tiles](), set[Tiles]()
    for after in turns(position):
        if after.outcome is None or not after.outcome.winners:
            quiet.add(tiles_of_turn(after))
        elif after.outcome.winners == (position.to_act,):
            winning.add(tiles_of_turn(after))
    return winning, quiet


def positions() -> Iterator[Position]:
    for seed in (3, 15):
        yield from game_by_lot(seed)[:-1]


def test_turns_that_win_at_once_and_those_that_close_nothing_are_those_of_the_rules() -> None:
    won = 0
    for position in positions():
        assert position.to_act is not None
        search = Search(position, position.colours[0], size=4)
        winning, quiet = by_rules(position)
        count = winning_turns(search.board, COLOUR_OF_SEAT[position.to_act], search.room, THREATS)
        found = {tiles_of(int(each)) for each in search.room[THREATS : THREATS + count]}
        assert found <= winning
        assert bool(found) == bool(winning)
        assert {len(each) for each in winning - found} <= {2}
        assert all(any(each <= more for each in found) for more in winning)
        count = quiet_turns(search.board, search.room, 0)
        turns_found = [tiles_of(int(each)) for each in search.room[:count]]
        assert len(turns_found) == len(set(turns_found))
        assert set(turns_found) == quiet
        won += len(winning)
    assert won > 0


def test_after_a_turn_it_is_known_if_one_wins_at_once() -> None:
    answers, lots = list[bool](), Random(1)
    for position in positions():
        search = Search(position, position.colours[0], size=4)
        count = int(quiet_turns(search.board, search.room, 0))
        for turn in lots.sample([int(each) for each in search.room[:count]], min(count, 6)):
            for seat in (0, 1):
                colour = COLOUR_OF_SEAT[seat]
                threats = int(winning_turns(search.board, colour, search.room, THREATS))
                lay_turn(search.board, turn)
                found = bool(can_win(search.board, search.room, THREATS, threats, turn, colour))
                anew = bool(winning_turns(search.board, colour, search.room, THREATS))
                numbers.take_back_turn(search.board, turn)
                assert found == anew
                answers.append(found)
    assert {True, False} == set(answers)


@pytest.mark.parametrize(("first_turn", "symmetries"), [("A1", 2), ("B2", 2), ("A2", 1)])
def test_positions_with_one_key_are_alike_by_the_rules(first_turn: str, symmetries: int) -> None:
    position = position_after("palago", [first_turn])
    search = Search(position, position.colours[1], size=4)
    assert search.board[numbers.SYMMETRIES] == symmetries
    count, forms = int(quiet_turns(search.board, search.room, 0)), dict[int, set[str]]()
    for turn in [int(each) for each in search.room[:count]]:
        lay_turn(search.board, turn)
        forms.setdefault(int(key_of(search.board)), set()).add(canonical(played(position, turn)).key)
        numbers.take_back_turn(search.board, turn)
    assert {len(found) for found in forms.values()} == {1}
    assert len(forms) == count if symmetries == 1 else count / 2 <= len(forms) < count
