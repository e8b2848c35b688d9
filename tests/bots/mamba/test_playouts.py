from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pbem.bots.boards import LOT, NOBODY, SEATS, WINNER, take_back
from pbem.bots.compiling import floats
from pbem.bots.mamba import from_position
from pbem.bots.mamba.board import PLY
from pbem.bots.mamba.playouts import play_out
from tests.bots.mamba.pairs import MambaPair, begun
from tests.games.mamba.playing import after, placed

PLAINLY = """
from tests.bots.mamba.test_playouts import worths_after
print(*(worths_after(variant, 20) for variant in ("2", "3 must_move", "4 teams")), sep="; ")
"""


def worths_after(variant: str, turns: int, tries: int = 3, seed: int = 2026) -> list[float]:
    """The worth of a random game for each seat after so many turns."""
    board, log = from_position(begun(variant))
    board[LOT] = seed
    worths = floats(int(board[SEATS]))
    play_out(board, log, worths, turns, tries)
    return [round(float(worth), 9) for worth in worths]


def test_games_by_lot_depend_on_the_seed_alone() -> None:
    assert worths_after("2", 40) == worths_after("2", 40)
    assert len({tuple(worths_after("2", 40, seed=seed)) for seed in range(1, 6)}) > 1


def test_without_the_compiler_games_go_as_with_it() -> None:
    plainly = subprocess.run(
        [sys.executable, "-c", PLAINLY],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    expected = [str(worths_after(variant, 20)) for variant in ("2", "3 must_move", "4 teams")]
    assert plainly.stdout.strip().split("; ") == expected


@pytest.mark.parametrize("variant", ["2", "3 must_move", "4 teams", "4 size=11 rounds=5"])
def test_what_was_played_can_be_taken_back(variant: str) -> None:
    pair = MambaPair(begun(variant))
    pair.board[LOT] = 7
    before, worths = pair.kept(), floats(4)
    play_out(pair.board, pair.log, worths, 60, 2)
    assert pair.board[PLY] == 60 or pair.board[WINNER] != NOBODY
    assert pair.kept() != before
    take_back(pair.board, pair.log, 0)
    assert pair.kept() == before


@pytest.mark.parametrize("variant", ["2", "3", "4 teams"])
def test_what_it_is_worth_to_all_sides_is_one_together(variant: str) -> None:
    for seed in range(1, 6):
        worths = worths_after(variant, 30, seed=seed)
        sides = worths[:2] if "teams" in variant else worths
        assert sum(sides) == pytest.approx(1)
        if "teams" in variant:
            assert worths[2:] == worths[:2]
        assert all(0 < worth < 1 for worth in sides)


def test_a_turn_under_way_is_ended_and_counts_for_none() -> None:
    position = placed("A: a1 a9 c5 e5 g5 i1 B: a4 b4 c2 c3 e9 f9 g9")
    for turns in range(3):
        board, log = from_position(position)
        play_out(board, log, floats(2), turns, 1)
        assert board[PLY] == turns
        board, log = from_position(after(position, "lay e5>e6"))
        play_out(board, log, floats(2), turns, 1)
        assert board[PLY] == turns + 1
