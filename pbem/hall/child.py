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
        if known < len(actions):
            state = state.clone()
        for count in range(known, len(actions)):
            if state.is_terminal() or actions[count] not in state.legal_actions():
                raise ValueError(f"{actions[count]} is not legal as action {count} of {game}")
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


def legal_in(state: Any) -> Sequence[int]:
    """The actions that are legal; none once the game is over."""
    legal: Sequence[int] = () if state.is_terminal() else state.legal_actions()
    return legal


def told(state: Any, legal: Sequence[int], *, drawn: bool = True) -> dict[str, Any]:
    """A state in JSON; its drawing costs more than all else."""
    over = state.is_terminal()
    return {
        "only": legal[0] if len(legal) == 1 else None,
        "drawn": str(state) if drawn else "",
        "player": None if over else state.current_player(),
        "returns": state.returns() if over else None,
    }


def single_steps(state: Any) -> tuple[Sequence[int], list[str]]:
    """Every action, and the words of OpenSpiel for each: there may be hundreds, and flat lists take least to tell."""
    legal, words = legal_in(state), state.action_to_string
    player = state.current_player()
    return legal, [words(player, action) for action in legal]


def behind_first(states: States, request: dict[str, Any], state: Any) -> dict[str, Any] | None:
    """The state behind the first action, which whoever asks for steps is likely to want next; it is not drawn."""
    if state.is_terminal():
        return None
    after = states.after(request["game"], [*request["actions"], state.legal_actions()[0]])
    return told(after, legal_in(after), drawn=False)


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


_DRAWN = 4
"""The states that are drawn at the end of many: a figure shows the last turn, and those are the actions of one."""


def along(state: Any, actions: Sequence[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The states behind each of some actions, with the action; one that is the only legal one may be left out.

    The last few alone are drawn.
    """
    state = state.clone()
    legal = legal_in(state)
    for left, wanted in zip(range(len(actions), 0, -1), actions, strict=True):
        while legal:
            action = wanted if wanted in legal else legal[0]
            if action != wanted and len(legal) > 1:
                return
            state.apply_action(action)
            legal = legal_in(state)
            yield action, told(state, legal, drawn=left <= _DRAWN)
            if action == wanted:
                break
        else:
            return


_CURIOSITY = 1.4
"""The constant of UCT, for results from -1 to 1: the larger, the more a search prefers what it has seen less."""
_MEGABYTES = 256
"""For a tree."""
_MOST_LINES, _LONGEST_LINE, _SEEN_ENOUGH = 5, 8, 8
"""Lines that are told, actions that are told behind a turn, and visits below which a line says nothing."""


def lines(game: str, state: Any, playouts: int, seed: int) -> Iterator[tuple[list[int], float, int, bool]]:
    """The best ways to go on, the best first: their actions, worth, visits, and whether that is proven.

    A line has the rest of the turn, for which it is searched again if need be, and what is expected to follow.
    """
    player = state.current_player()
    root = _searched(game, state, playouts, seed)
    for node in sorted(root.children, key=lambda each: _rank(each, player), reverse=True)[:_MOST_LINES]:
        if not node.explore_count:
            continue
        worth = node.outcome[player] if node.outcome else node.total_reward / node.explore_count
        line = list(_line(game, state, node, max(_SEEN_ENOUGH * 2, playouts // 4), seed))
        yield line, (worth + 1) / 2, node.explore_count, bool(node.outcome)


def _searched(game: str, state: Any, playouts: int, seed: int) -> Any:
    seed %= 2**31
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(_game(game), evaluator, _CURIOSITY, playouts, _MEGABYTES, True, seed, False)
    return bot.mcts_search(state)


def _rank(node: Any, player: int) -> tuple[float, int, float]:
    """Proven wins come first, proven losses last; between them the most visited."""
    return node.outcome[player] if node.outcome else 0.0, node.explore_count, node.total_reward


def _line(game: str, state: Any, node: Any, playouts: int, seed: int) -> Iterator[int]:
    player, after, behind = state.current_player(), state.clone(), 0
    while True:
        yield node.action
        after.apply_action(node.action)
        if after.is_terminal():
            return
        if after.current_player() == player and not behind:
            if not node.children or max(each.explore_count for each in node.children) < _SEEN_ENOUGH:
                node = _searched(game, after, playouts, seed)
        else:
            behind += 1
        if not node.children or behind > _LONGEST_LINE:
            return
        mover = after.current_player()
        node = max(node.children, key=lambda each: _rank(each, mover))
        if behind and node.explore_count < _SEEN_ENOUGH:
            return


def answered(states: States, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request; an error is part of it."""
    try:
        state = states.after(request["game"], request["actions"])
        if "playouts" in request:
            return {"lines": list(lines(request["game"], state, request["playouts"], request["seed"]))}
        if "following" in request:
            return {"states": list(along(state, request["following"]))}
        if request.get("depth") == 1 and not request["ahead"]:
            return {"single": single_steps(state), "behind": behind_first(states, request, state)}
        if "depth" in request:
            return {"steps": list(steps(state, request["depth"], ahead=request["ahead"]))}
        return told(state, legal_in(state))
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
