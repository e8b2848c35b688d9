"""The child process in which OpenSpiel runs: a line of JSON asks, a line of JSON answers.

OpenSpiel may abort its process, so neither the server nor a page has it in its own. A state is asked for by its game
and the actions from the beginning; the last ones are kept, so that the next action costs no more than itself.
"""

from __future__ import annotations

import json
import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pyspiel

_KEPT = 512
"""States."""


class States:
    """The states of games, by their actions."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    def after(self, game: str, actions: Sequence[int]) -> Any:
        """The state of a game after some actions, each of which must be legal; nobody may change it.

        Raises:
            ValueError: one is not legal.
        """
        known = len(actions)
        while known and (game, *actions[:known]) not in self._kept:
            known -= 1
        state = self._kept[game, *actions[:known]] if known else _game(game).new_initial_state()
        for count in range(known, len(actions)):
            if state.is_terminal() or actions[count] not in state.legal_actions():
                raise ValueError(f"{actions[count]} is not legal as action {count} of {game}")
            state = state.clone()
            state.apply_action(actions[count])
        if actions:
            self._keep((game, *actions), state)
        return state

    def _keep(self, key: tuple[Any, ...], state: Any) -> None:
        self._kept[key] = state
        self._kept.move_to_end(key)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


@cache
def _game(game: str) -> Any:
    return pyspiel.load_game(game)


def told(state: Any) -> dict[str, Any]:
    """A state in JSON."""
    over = state.is_terminal()
    return {
        "drawn": str(state),
        "player": None if over else state.current_player(),
        "returns": state.returns() if over else None,
    }


def steps(state: Any, depth: int, *, ahead: bool) -> Iterator[tuple[list[int], list[str], str]]:
    """Every way to act so many times in a row: the actions, the words of OpenSpiel, and the drawing behind if asked."""
    if state.is_terminal():
        return
    player = state.current_player()
    for action in state.legal_actions():
        words = state.action_to_string(player, action)
        if depth == 1 and not ahead:
            yield [action], [words], ""
            continue
        after = state.clone()
        after.apply_action(action)
        if depth == 1:
            yield [action], [words], str(after)
            continue
        for actions, more, drawn in steps(after, depth - 1, ahead=ahead):
            yield [action, *actions], [words, *more], drawn


def answered(states: States, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request; an error is part of it."""
    try:
        state = states.after(request["game"], request["actions"])
        if "depth" in request:
            return {"steps": list(steps(state, request["depth"], ahead=request["ahead"]))}
        return told(state)
    except Exception as failed:  # noqa: BLE001 - the parent decides what it means
        return {"error": f"{type(failed).__name__}: {failed}"}


def main() -> None:
    """Answer until the parent is gone."""
    states = States()
    for line in sys.stdin.buffer:
        answer = json.dumps(answered(states, json.loads(line)))
        sys.stdout.buffer.write(answer.encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
