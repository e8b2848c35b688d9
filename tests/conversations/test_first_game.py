"""A first game: signing up, challenging, moving by reply and by command."""

from __future__ import annotations

import pytest

from tests.support.server import RunningServer


@pytest.mark.postgresql
def test_a_game_goes_from_signup_to_the_win_by_replies_alone(running: RunningServer) -> None:
    alice, bob = running.player("alice"), running.player("bob", None)
    alice.says("superbo challenge bob")
    board = alice.hears()
    assert board.subject == "New superbo Board 101 alice"
    assert board.text.startswith("A new superbo board (101) has been started\n\nYour move, alice.\n")
    assert bob.hears().subject == "New superbo Board 101 alice"
    turns = ["B3", "C4,K5", "G2,H7", "D8,R10", "A7,V6"]
    for ply, turn in enumerate(turns):
        mover, other = (alice, bob) if ply % 2 == 0 else (bob, alice)
        mover.answers(board, turn)
        after = mover.hears()
        board = other.hears()
        assert board.subject == after.subject
    assert board.subject == "superbo Board 101"
    assert "\nalice won. alice played A7,V6.\n" in board.text
    assert "Your rating is 1400 (provisional). alice's rating is 1800 (provisional).\n" in board.text
