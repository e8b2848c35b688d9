from __future__ import annotations

from collections.abc import Iterator, MutableSequence

import pytest

from pbem.bots.boards import LOT, MOST_STEPS, NOBODY, WINNER, lot, take_back
from pbem.bots.compiling import integers
from pbem.bots.forcing import Foresight
from pbem.bots.hextile import begin, new_board
from pbem.bots.hextile.board import LEFT_IN_ALL, TURN
from pbem.bots.hextile.endings import on_turn
from pbem.bots.hextile.playouts import play_out
from pbem.bots.hextile.ruleset import encode
from pbem.bots.hextile.turns import play, steps
from pbem.bots.hextile.wins import win_at_once
from tests.games.hextile.playing import rules_of

SINGLE = ["superbo single kill_own auto=none", "superbo single kill_enemy auto=none", "mambo no_kill loops=1 auto=none"]
"""One tile wins by what it closes itself, or by the loop that it makes."""


def positions(variant: str, games: int) -> Iterator[tuple[MutableSequence[int], MutableSequence[int], list[int]]]:
    """Every position of games by lot, and the steps that win at once."""
    board, log = new_board(encode(rules_of(variant)))
    begin(board, log, 0)
    board[LOT] = 5
    found = integers([0] * 2 * MOST_STEPS)
    for _ in range(games):
        while board[WINNER] == NOBODY:
            count = steps(board, log, found, MOST_STEPS)
            legal, seat = [int(each) for each in found[:count]], on_turn(board)
            yield board, log, [step for place, step in enumerate(legal) if found[MOST_STEPS + place] == seat]
            play(board, log, legal[lot(board, count)])
        take_back(board, log, 0)


TWO = ["lambo", "palago", "superbo kill_own auto=none any_colour"]
"""Two tiles win by what they close."""


@pytest.mark.parametrize("variant", SINGLE)
def test_a_tile_that_wins_is_found(variant: str) -> None:
    won = 0
    for board, log, winning in positions(variant, 2):
        if board[LEFT_IN_ALL] > 1:  # in the end it is counted
            won += len(winning) > 0
            assert wins(board, log) == (len(winning) > 0)
    assert won > 2


@pytest.mark.parametrize("variant", ["superbo single kill_own", "superbo single kill_enemy"])
def test_nearly_all_tiles_that_win_are_found_where_spaces_fill_themselves(variant: str) -> None:
    found, won = 0, 0
    for board, log, winning in positions(variant, 2):
        if board[LEFT_IN_ALL] > 1 and winning:
            found, won = found + wins(board, log), won + 1
    assert won > 10
    assert found > 0.9 * won


@pytest.mark.parametrize("variant", TWO)
def test_two_tiles_that_win_are_found(variant: str) -> None:
    won, number = 0, 0
    for board, log, _ in positions(variant, 1):
        if board[LEFT_IN_ALL] > 2 and board[TURN] == 0 and number < 12:
            has_won = bool(Foresight(board, log).winning_turn(1, 1_000_000))
            won, number = won + has_won, number + 1
            assert wins(board, log) == has_won
    assert won > 1


def test_most_turns_that_win_by_eating_are_found() -> None:
    found, won = 0, 0
    for board, log, _ in positions("lambo eat_enemy", 2):
        if 2 < board[LEFT_IN_ALL] < 32 and board[TURN] == 0 and Foresight(board, log).winning_turn(1, 1_000_000):
            found, won = found + wins(board, log), won + 1
    assert won > 4
    assert found > 0.8 * won


def wins(board: MutableSequence[int], log: MutableSequence[int]) -> bool:
    """Return True if a turn that wins is found, which is then taken back."""
    mark, seat, before = log[0], on_turn(board), list(board[:LOT])
    found = bool(win_at_once(board, log))
    assert (board[WINNER] == seat) == found
    take_back(board, log, mark)
    assert list(board[:LOT]) == before
    return found


def test_nothing_is_looked_for_where_nothing_decides_before_the_end() -> None:
    assert not any(wins(board, log) for board, log, _ in positions("mambo mambogo", 1))


def test_who_looks_for_a_turn_that_wins_wins_more_often() -> None:
    found, plain, number = 0, 0, 0
    for board, log, winning in positions("superbo single kill_own", 1):
        if winning:
            mark, seat, number = log[0], on_turn(board), number + 1
            for looks in (0, 1):
                won = 0
                for _ in range(10):
                    won += play_out(board, log, looks) == seat
                    take_back(board, log, mark)
                found, plain = (found + won, plain) if looks else (found, plain + won)
    assert number
    assert found > 1.3 * plain
