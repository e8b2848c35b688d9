"""Boards to look at on pages about something else."""

from __future__ import annotations

import pytest

import pbem.web.boards.hextile
import pbem.web.boards.mamba  # noqa: F401 - both register how their positions are shown
from pbem.bootstrap import find_games
from pbem.web.boards.views import example

GAMES = find_games()


@pytest.mark.parametrize("name", GAMES)
def test_an_example_goes_on_and_is_the_same_each_time(name: str) -> None:
    shown = example(GAMES[name])
    assert shown.position.outcome is None
    assert not shown.position.mid_turn
    assert shown.position.ply > 5
    assert shown.draw("a board") == example(GAMES[name]).draw("a board")


@pytest.mark.parametrize("name", GAMES)
def test_a_board_that_is_only_looked_at_has_no_links(name: str) -> None:
    drawn = example(GAMES[name]).draw("a board")
    assert drawn.startswith("<svg")
    assert "<a" not in drawn
