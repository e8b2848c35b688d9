"""Games of the hall played beside OpenSpiel itself."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pyspiel
import pytest

from pbem.hall import games
from pbem.hall.engine import ENGINE
from pbem.hall.game import HallGame
from pbem.hall.positions import SWAP, Act, HallPosition, Step
from pbem.hall.refusals import AmbiguousMove

GAMES = tuple(each for each in vars(games).values() if isinstance(each, HallGame))
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

LONGEST = 400
"""Steps of a game that is played at random."""


def same_state(position: HallPosition, state: Any) -> None:
    """Hold a position against the state of OpenSpiel's own."""
    assert position.contents == str(state)
    if state.is_terminal():
        assert position.outcome is not None
        best = max(state.returns())
        winners = [position.seat_of(player) for player, value in enumerate(state.returns()) if value == best]
        assert list(position.outcome.winners) == (winners if len(winners) == 1 else [])
        return
    assert position.outcome is None
    assert position.to_act == position.seat_of(state.current_player())


def played_beside(game: HallGame, options: Mapping[str, Any], seed: int, first: int = 0) -> HallPosition:
    """A game at random, each step typed as it is written, and every state compared."""
    lot, position = random.Random(seed), game.begin(options, 2, first)
    state = pyspiel.load_game(position.engine_game).new_initial_state()
    for _ in range(LONGEST):
        same_state(position, state)
        if position.outcome is not None:
            break
        steps = [step for step in position.legal() if step != SWAP]
        left_out = set(state.legal_actions()) - {step.actions[0] for step in steps}
        assert not left_out or left_out == hidden(position)
        step = lot.choice(steps)
        position = typed(game, position, step)
        for action in step.actions:
            state.apply_action(action)
        if position.passed and not position.mid_turn:
            (forced,) = state.legal_actions()
            state.apply_action(forced)
    return position


def hidden(position: HallPosition) -> set[int]:
    """The first actions of all steps that are not offered."""
    kind, actions = position.kind, position.actions
    told = ENGINE.steps(position.engine_game, actions, kind.depth(position), ahead=kind.looks_ahead)
    steps = [kind.step(each.actions, Act(each.words, position.drawn, each.drawn)) for each in told]
    return {each[0] for each in kind.hidden(actions, steps)}


def typed(game: HallGame, position: HallPosition, step: Step) -> HallPosition:
    """The position after a step that is typed; in capitals and otherwise it may be one of several."""
    for text in (step.text, f" {step.text} "):
        assert game.read_part(position, text).steps == (step,)
    for text in step.also:
        assert step in meant(game, position, text), text
    # In chess a capital means another man: BXC3 and bxc3.
    assert step in meant(game, position, step.text.upper()) or position.kind.name in CHESS
    return game.read_part(position, step.text).position


def meant(game: HallGame, position: HallPosition, text: str) -> list[Step]:
    """The steps that a text can mean, of which a player is told the first few if they are several."""
    try:
        return list(game.read_part(position, text).steps)
    except AmbiguousMove as ambiguous:
        named = ambiguous.meant
    found = [step for step in position.legal() if step.text in named]
    assert len(found) > 1
    return found if len(found) < MOST_MEANT else list(position.legal())


MOST_MEANT = 5
CHESS = ("chess", "antichess", "crazyhouse")
