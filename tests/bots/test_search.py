"""Trees: what they say of steps, and that they go on with a game."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.bots import kernel
from pbem.bots.thinking import Memory, think
from pbem.bots.tree import Search, Settings
from pbem.games.game import Position
from tests.bots.endgames import begun


def grown(position: Position[Any], playouts: int = 150) -> Search:
    search = Search(*kernel.from_position(position), Settings(), seed=3, playouts=playouts)
    assert search.add(playouts) == playouts
    return search


@pytest.mark.parametrize(("variant", "players"), [("lambo size=20", 2), ("mamba", 3)])
def test_all_that_a_game_is_worth_is_shared_out(variant: str, players: int) -> None:
    search = grown(begun(variant, players)[1], 40)
    assert sum(search.worth_of(seat) for seat in range(players)) == pytest.approx(1)


def test_the_visits_of_the_steps_are_those_of_all_playouts_but_the_first() -> None:
    search = grown(begun("mambo size=20")[1])
    assert sum(branch.visits for branch in search.branches(search.root)) == 149
    assert all(0 <= branch.worth <= 1 for branch in search.branches(search.root))


def test_a_game_that_goes_on_keeps_what_is_known_of_the_step() -> None:
    position = begun("mambo size=20")[1]
    search = grown(position)
    best = search.branches(search.root)[0]
    below = search.branches(best.node)
    assert search.advance(kernel.to_step(search.board, best.step))
    assert search.root == best.node
    assert search.branches(search.root) == below
    assert not search.advance(position.legal()[0])


def test_a_memory_forgets_what_is_not_in_its_tree() -> None:
    game, position = begun("mambo size=20")
    memory = Memory()
    thought = think(game, position, playouts=150, seed=1, memory=memory)
    played = game.read_input(position, thought.candidates[0].moves[0])
    memory.follow(played.steps)
    kept = memory.search
    assert kept is not None
    again = think(game, played.position, playouts=50, seed=1, memory=memory)
    assert memory.search is kept
    assert sum(each.visits for each in kept.branches(kept.root)) > again.playouts
    memory.follow([played.steps[0]])
    assert memory.search is None


def test_a_position_of_no_family_is_refused() -> None:
    with pytest.raises(TypeError):
        kernel.from_position("no position")  # type: ignore[arg-type]
