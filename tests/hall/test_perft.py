"""Chess: the numbers of legal lines of play, which everybody who writes such rules publishes."""

from __future__ import annotations

import pytest

from pbem.hall.games import CHESS
from pbem.hall.positions import HallPosition

TACTICAL = """
    e4 b5 d4 b4 d5 Ba6 Nf3 e6 Ne5 g6 Nc3 Bg7 Qf3 Nf6 Bd2 Qe7 Be2 h5 Be3 h4 Bd2 h3
    Be3 Nc6 Bd2 Na5 Be3 Nc4 Bd2 Nb6
"""
"""Moves to the position that is known as Kiwipete: r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq."""


def lines(position: HallPosition, depth: int) -> int:
    """The lines of play of so many turns."""
    steps = position.legal()
    return len(steps) if depth == 1 else sum(lines(position.play(step), depth - 1) for step in steps)


def kiwipete() -> HallPosition:
    position = CHESS.begin({}, 2)
    for move in TACTICAL.split():
        position = CHESS.read_input(position, move).position
    assert position.state.drawn.startswith("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
    return position


@pytest.mark.parametrize(("depth", "count"), [(1, 20), (2, 400), (3, 8902)])
def test_the_first_turns_are_counted(depth: int, count: int) -> None:
    assert lines(CHESS.begin({}, 2), depth) == count


@pytest.mark.verify
def test_the_first_four_turns_are_counted() -> None:
    assert lines(CHESS.begin({}, 2), 4) == 197_281


@pytest.mark.parametrize(("depth", "count"), [(1, 48), (2, 2039)])
def test_a_tactical_position_has_every_line(depth: int, count: int) -> None:
    """With castling on both sides, en passant, pins and promotions near."""
    assert lines(kiwipete(), depth) == count


@pytest.mark.verify
def test_a_tactical_position_has_every_line_of_three_turns() -> None:
    assert lines(kiwipete(), 3) == 97_862
