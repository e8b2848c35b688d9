"""Puzzles on the web: all of them, and one with its board, on which the move is drafted and judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from starlette.responses import Response

from pbem.bots.puzzles import Goal, Puzzle
from pbem.commands.server import AnswerPuzzle
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.errors import PlayerError
from pbem.games.game import Game
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.previews import course_after, draft
from pbem.usecases.puzzles import begun, facts_of_puzzle, find_puzzle, puzzles_of, solved_by_speaker
from pbem.web.boards.pictures import replay, svg
from pbem.web.boards.tables import Table
from pbem.web.context import RequestContext

LONGEST = 200
"""Most characters of a move."""


@dataclass(frozen=True)
class PuzzleTable(Table):
    """The board of a puzzle, with the drafted move."""

    puzzle: int = 0

    def address(self, turn: str = "", pick: str = "", to: str = "") -> str:
        """The address of the page with another draft."""
        query = urlencode({name: said for name, said in (("turn", turn), ("pick", pick), ("to", to)) if said})
        return f"/puzzles/{self.puzzle}" + (f"?{query}" if query else "")


def show_puzzles(visit: RequestContext) -> Response:
    """All puzzles by game; those that the visitor has solved are marked."""
    return visit.page("puzzles", visit.look(_list))


def _list(context: Context) -> Mapping[str, object]:
    found: dict[str, dict[tuple[Goal, int], list[Puzzle]]] = {}
    there, solved = puzzles_of(None, context), solved_by_speaker(context)
    for each in sorted(there, key=lambda each: (each.goal is Goal.SURVIVE, each.wins_in, each.number)):
        found.setdefault(each.game, {}).setdefault((each.goal, each.wins_in), []).append(each)
    of_game = {name: [each.number for each in there if each.game == name] for name in found}
    rows = [
        (context.games[name], [*found[name].items()], len(solved & {*numbers}), len(numbers))
        for name, numbers in sorted(of_game.items())
    ]
    return {"rows": rows, "solved": solved}


def show_puzzle(visit: RequestContext) -> Response:
    """One puzzle, with a drafted move.

    Raises:
        NoSuchPuzzle: there is none.
    """
    facts = visit.look(lambda context: _facts(visit, context, visit.asked("turn")[:LONGEST]))
    return visit.page("puzzle", facts, 409 if facts["wrong"] else 200)


def show_picture(visit: RequestContext) -> Response:
    """The position of a puzzle.

    Raises:
        NoSuchPuzzle: there is none.
    """
    number = int(visit.word("number"))
    position = visit.look(lambda context: begun(find_puzzle(number, None, context), context)[1].position)
    return svg(replay(position, (position,)), "public, max-age=86400")


def answer(visit: RequestContext) -> Response:
    """Judge a move; a puzzle solved by a signed-in visitor is remembered.

    Raises:
        NoSuchPuzzle: there is none.
    """
    visit.check_form()
    said, number = visit.form.get("turn", "").strip()[:LONGEST], int(visit.word("number"))
    try:
        (told,) = visit.change(lambda context: dispatch(AnswerPuzzle(number, said), context))
    except PlayerError as wrong:
        facts = visit.look(lambda context: _facts(visit, context, ""))
        return visit.page("puzzle", {**facts, "typed": said, "wrong": wrong}, 409)
    after = visit.again()
    facts = after.look(lambda context: {**told.facts, **_facts(visit, context, ""), "judged": told.facts})
    board, course = cast("Board", told.facts["board"]), cast("GameState", told.facts["course"])
    game = cast("Game[Any, Any]", facts["game"])
    table = PuzzleTable(board, course, game, None, None, draft(course, game, ""), "", puzzle=number)
    return after.page("puzzle", {**facts, "table": table, "course": course})


def _facts(visit: RequestContext, context: Context, said: str) -> dict[str, object]:
    puzzle = find_puzzle(int(visit.word("number")), None, context)
    game = context.games[puzzle.game]
    board, course = begun(puzzle, context)
    wrong: PlayerError | None = None
    try:
        made = draft(course, game, said)
    except PlayerError as refused:
        made, wrong = draft(course, game, ""), refused
    pick, to = (visit.asked(name)[:20] for name in ("pick", "to"))
    table = PuzzleTable(board, course, game, course.to_act, None, made, pick, to=to, puzzle=puzzle.number)
    return {
        **facts_of_puzzle(puzzle, context),
        "table": table,
        "course": course_after(course, made),
        "wrong": wrong,
        "typed": said,
        "judged": None,
        "longest": LONGEST,
    }
