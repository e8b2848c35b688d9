"""Searches with OpenSpiel's own Monte Carlo tree search, which plays games out with random moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.game import Candidate, Game, SearchResult
from pbem.hall.engine import ENGINE
from pbem.hall.positions import SWAP, HallPosition, Step

_FEWEST = 4
"""Playouts, however long they take."""


def think(game: Game[HallPosition, Step], position: HallPosition, playouts: int, seed: int) -> SearchResult:
    """Think about a position of a game that is not over.

    Args:
        game: the game.
        position: the position.
        playouts: the number of playouts for a game whose playouts are short; others have fewer, as their kind says.
        seed: of the random numbers; the same one gives the same result.

    Raises:
        EngineFailed: OpenSpiel cannot.
    """
    made = max(_FEWEST, playouts // position.kind.cost(position.options))
    found = list[Candidate]()
    for line in ENGINE.search(position.engine_game, position.actions, made, seed):
        if moves := tuple(_moves(game, position, line.actions)):
            found.append(Candidate(moves, line.worth, line.visits, line.proven))
    if position.may_swap and found:
        best = found[0]
        swap = Candidate((str(SWAP),), 1 - best.worth, best.visits, best.proven)
        found.insert(int(swap.worth <= best.worth), swap)
    if not found:  # what was found is not offered
        step = position.legal()[0]
        found.append(Candidate((game.input_text(position.play(step), [step]).move,), 0.5, 0, proven=False))
    is_solved = len(found) >= len(position.legal()) and all(each.proven for each in found)
    return SearchResult(tuple(found), made, is_solved)


def _moves(game: Game[HallPosition, Step], position: HallPosition, actions: Sequence[int]) -> Iterator[str]:
    """The texts of whole turns along a line of actions, as far as it has whole turns that can be played."""
    line, steps = (*position.actions, *actions), list[Step]()
    while position.outcome is None and len(position.actions) < len(line):
        rest = line[len(position.actions) :]
        offered = position.legal()
        step = next((each for each in offered if each.actions and each.actions == rest[: len(each.actions)]), None)
        if step is None:
            return
        position = position.play(step)
        if position.actions != line[: len(position.actions)]:
            return
        steps.append(step)
        if not position.mid_turn:
            yield game.input_text(position, steps).move
            steps = []
