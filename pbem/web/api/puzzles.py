"""Puzzles, for programs: never with what solves them, which is told to who tries (``puzzle answer``)."""

from __future__ import annotations

from pbem.bots.puzzles import Puzzle
from pbem.usecases.context import Context
from pbem.usecases.robots.puzzles import begun, find_puzzle, puzzles_of
from pbem.usecases.views.drafts import draft
from pbem.web.api.answers import look
from pbem.web.api.facts import options_of, record_facts, state_of
from pbem.web.api.positions import turns_of
from pbem.web.api.shapes import Json
from pbem.web.boards.unsent import LONGEST_DRAFT
from pbem.web.visits import Visit


def puzzles(visit: Visit) -> Json:
    """All puzzles, or those of one game.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return look(visit, lambda context: _puzzles(visit, context))


def _puzzles(visit: Visit, context: Context) -> Json:
    said = visit.asked("game")
    game = context.game(said).name if said else None
    return {"puzzles": [_in_list(each, visit) for each in puzzles_of(game, context)]}


def puzzle(visit: Visit) -> Json:
    """A puzzle.

    Raises:
        NoSuchPuzzle: there is none.
        UnreadableMove, IllegalMove: nor is the turn that was to be tried out.
    """
    return look(visit, lambda context: _puzzle(visit, context))


def _puzzle(visit: Visit, context: Context) -> Json:
    found = find_puzzle(int(visit.word("number")), None, context)
    game = context.games[found.game]
    board, course = begun(found, context)
    tried = draft(course, game, visit.asked("turn")[:LONGEST_DRAFT])
    return {
        "puzzle": _in_list(found, visit),
        "record": record_facts(board, course),
        "turns": turns_of(course),
        "state": state_of(tried.after, game, is_on=True, said=tried.said),
    }


def _in_list(puzzle: Puzzle, visit: Visit) -> Json:
    return {
        "number": puzzle.number,
        "url": f"{visit.site.url}/puzzles/{puzzle.number}",
        "game": puzzle.game,
        "options": options_of(puzzle.options),
        "wins_in": puzzle.wins_in,
    }
