from __future__ import annotations

import pytest

from pbem.bots.boards import DRAWN, SEATS, WINNER
from pbem.bots.compiling import floats
from pbem.bots.mamba import from_position
from pbem.bots.mamba.balance import appraise
from pbem.games.mamba.position import Position
from tests.bots.mamba.pairs import begun
from tests.games.mamba.playing import placed


def worths(position: Position, winner: int | None = None) -> list[float]:
    """The worth of a position for each seat, or its worth if a seat had won."""
    board, _ = from_position(position)
    if winner is not None:
        board[WINNER] = winner
    found = floats(int(board[SEATS]))
    appraise(board, found)
    return [float(each) for each in found]


def test_a_game_that_is_over_is_worth_what_it_brings() -> None:
    assert worths(begun("3"), winner=1) == [0, 1, 0]
    assert worths(begun("4 teams"), winner=1) == [0, 1, 0, 1]
    assert worths(begun("3"), winner=DRAWN) == pytest.approx([1 / 3] * 3)
    assert worths(begun("4 teams"), winner=DRAWN) == [0.5] * 4


def test_the_beginning_is_worth_the_same_to_all() -> None:
    assert worths(begun("2")) == [0.5, 0.5]
    assert worths(begun("4")) == [0.25] * 4


def test_who_has_more_pieces_has_more_to_expect() -> None:
    few, many = worths(placed("A: a1 b1 c1 d1 e2 B: g7 h7 i7 g6 h6 i6 g5"))
    assert few < 0.4
    assert many == pytest.approx(1 - few)


def test_a_piece_that_can_lay_is_worth_more_than_one_that_cannot() -> None:
    apart, together = worths(placed("A: a1 b1 c1 d1 e2 e5 B: a9 b9 c9 d9 e8 f8"))
    assert apart > together
    at_edge, inside = worths(placed("A: a1 b1 c1 d1 e2 i1 B: a9 b9 c9 d9 e8 h6", strict_isolation=True))
    assert at_edge < inside


def test_partners_have_what_both_can_expect() -> None:
    found = worths(placed("A: a1 b1 c1 B: g7 h7 i7 D: a4 a5 a6 C: i1 h1 g1 g2 h2", players=4, teams=True))
    assert found[0] == found[2] > found[1] == found[3]
    assert found[0] + found[1] == pytest.approx(1)
