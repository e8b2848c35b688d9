"""Games that nobody has played, with which pages show what a game without a sample is like."""

from __future__ import annotations

import pytest

import pbem.web.boards.hextile
import pbem.web.boards.mamba  # noqa: F401 - both register how their positions are shown
from pbem.bootstrap import find_games
from pbem.web.boards.views import Showcase, example_game

GAMES = find_games()


@pytest.mark.parametrize("name", GAMES)
def test_an_example_goes_on_and_is_the_same_each_time(name: str) -> None:
    positions = example_game(GAMES[name])
    assert positions == example_game(GAMES[name])
    assert len(positions) > 5
    assert not [each for each in positions if each.outcome or each.mid_turn]


@pytest.mark.parametrize("name", GAMES)
def test_a_board_that_is_only_looked_at_has_no_links(name: str) -> None:
    drawn = Showcase(GAMES[name], example_game(GAMES[name])[-1]).draw("a board")
    assert drawn.startswith("<svg")
    assert "<a" not in drawn
