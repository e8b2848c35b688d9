from __future__ import annotations

import subprocess
import sys
from collections.abc import MutableSequence

import pytest

from pbem.bots.boards import DRAWN, LOT, WINNER, lot, take_back
from pbem.bots.hextile import begin, new_board
from pbem.bots.hextile.board import PLY, RULES, closed_at, near_at, waiting_at
from pbem.bots.hextile.playouts import play_many, play_out
from pbem.bots.hextile.ruleset import encode
from tests.games.hextile.playing import rules_of

PLAINLY = """
import sys
sys.modules["numba"] = None  # as if it were not installed
from tests.bots.hextile.test_playouts import scored
print(*(scored(variant, 20) for variant in ("mambo", "superbo", "lambo")))
"""


def scored(variant: str, count: int, seed: int = 2026) -> int:
    """The result of this many random games."""
    board, log = new_board(encode(rules_of(variant)))
    begin(board, log, 0)
    board[LOT] = seed
    return int(play_many(board, log, count))


def test_games_by_lot_depend_on_the_seed_alone() -> None:
    assert scored("mambo", 500) == scored("mambo", 500)
    assert len({scored("mambo", 500, seed) for seed in range(1, 6)}) > 1


def test_without_the_compiler_games_go_as_with_it() -> None:
    plainly = subprocess.run(
        [sys.executable, "-c", PLAINLY],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert plainly.stdout.split() == [str(scored(variant, 20)) for variant in ("mambo", "superbo", "lambo")]


def kept(board: MutableSequence[int]) -> list[int]:
    """All that can be taken back: not the lots, nor what waits or is drawn from."""
    return [*board[:LOT], *board[RULES : waiting_at(board)], *board[closed_at(board) : near_at(board)]]


@pytest.mark.parametrize("variant", ["mambo", "mambo mambogo", "superbo", "lambo must_contain"])
def test_what_was_played_can_be_taken_back(variant: str) -> None:
    board, log = new_board(encode(rules_of(variant)))
    begin(board, log, 1)
    board[LOT] = 7
    before = kept(board)
    mark = log[0]
    play_out(board, log, 1)
    assert board[WINNER] >= DRAWN
    assert board[PLY] > 0
    take_back(board, log, mark)
    assert kept(board) == before


def test_lots_fall_everywhere() -> None:
    board, _ = new_board(encode(rules_of("mambo")))
    board[LOT] = 1
    found = [lot(board, 6) for _ in range(6000)]
    assert sorted(set(found)) == [0, 1, 2, 3, 4, 5]
    assert all(900 < found.count(each) < 1100 for each in range(6))
