"""Puzzles on the web: cards of them, and one with its board, on which a turn is drafted and judged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, cast
from urllib.parse import urlencode

from starlette.responses import Response

from pbem.bots.puzzles import Difficulty, Goal, Puzzle, Verdict
from pbem.commands.server import AnswerPuzzle
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.watches import ListPart
from pbem.errors import PlayerError
from pbem.games.game import Game
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.previews import Draft, course_after, draft
from pbem.usecases.puzzles import begun, facts_of_puzzle, find_puzzle, puzzles_of, solved_by_speaker
from pbem.web.boards.pictures import replay, svg
from pbem.web.boards.tables import Table
from pbem.web.context import NoSuchValueAsked, RequestContext
from pbem.web.paging import leaf

LONGEST = 200
"""Most characters of a move."""
MOST_CARDS = 20
"""Puzzles on a page of the list: whole rows of five, four or two."""
THEMES = ("one", "two", "three", "survive")
"""Win in so many turns, or survive."""
_DIFFICULTIES = tuple(Difficulty)


def theme_of(puzzle: Puzzle) -> str:
    """The theme of a puzzle, one of `THEMES`."""
    return THEMES[-1] if puzzle.goal is Goal.SURVIVE else THEMES[puzzle.wins_in - 1]


@dataclass(frozen=True)
class Filter:
    """The puzzles that a visitor looks for; a field that is empty stands for all."""

    game: str = ""
    theme: str = ""
    difficulty: str = ""
    unsolved: bool = False
    """True: only those that the visitor has not solved."""

    def shows(self, puzzle: Puzzle) -> bool:
        """Return True if the puzzle is among them, solved or not."""
        return (
            self.game in ("", puzzle.game)
            and self.theme in ("", theme_of(puzzle))
            and self.difficulty in ("", puzzle.difficulty)
        )

    def select(self, context: Context) -> list[Puzzle]:
        """These puzzles, the easy ones first, solved or not."""
        found = (each for each in puzzles_of(None, context) if self.shows(each))
        return sorted(found, key=lambda each: (_DIFFICULTIES.index(each.difficulty), each.number))

    def following(self, puzzle: Puzzle, context: Context) -> Puzzle | None:
        """The next of them that the speaker has not solved, or else the first; None if no other is left."""
        solved = solved_by_speaker(context)
        there = self.select(context)
        place = there.index(puzzle) if puzzle in there else -1
        return next((each for each in there[place + 1 :] + there[: max(place, 0)] if each.number not in solved), None)

    @property
    def fields(self) -> Mapping[str, str]:
        """The fields of an address that say the same."""
        said = {"game": self.game, "theme": self.theme, "difficulty": self.difficulty}
        return {name: value for name, value in (said | {"unsolved": "yes" if self.unsolved else ""}).items() if value}

    def address(self, path: str, fields: Mapping[str, str] | None = None) -> str:
        """The address of a page of these puzzles."""
        query = urlencode({**self.fields, **(fields or {})})
        return path + (f"?{query}" if query else "")


def _filter(visit: RequestContext, context: Context) -> Filter:
    """The filter in the address.

    Raises:
        NoSuchGame, NoSuchValueAsked: a value is unknown.
    """
    game = visit.asked("game")
    return Filter(
        context.game(game).name if game else "",
        _one_of("theme", THEMES, visit),
        _one_of("difficulty", _DIFFICULTIES, visit),
        visit.asked("unsolved") == "yes" and visit.player is not None,
    )


def _one_of(name: str, known: Sequence[str], visit: RequestContext) -> str:
    said = visit.asked(name)
    if said and said not in known:
        raise NoSuchValueAsked(name, said, known)
    return said


@dataclass(frozen=True, slots=True)
class Chip:
    """A choice for one field of a filter, as a link."""

    value: str
    """Empty: all."""
    address: str
    is_chosen: bool


def _chips(chosen: Filter, name: str, values: Sequence[str], context: Context) -> list[Chip]:
    """The choices for a field that leave at least one puzzle."""
    own = str(getattr(chosen, name))
    others = {value: replace(chosen, **cast("Any", {name: value})) for value in ("", *values)}
    return [
        Chip(value, other.address("/puzzles"), value == own)
        for value, other in others.items()
        if value in ("", own) or other.select(context)
    ]


@dataclass(frozen=True)
class PuzzleTable(Table):
    """The board of a puzzle, with the drafted move."""

    puzzle: int = 0
    chosen: Filter = Filter()

    def address(self, turn: str = "", pick: str = "", to: str = "") -> str:
        """The address of the page with another draft."""
        fields = {name: said for name, said in (("turn", turn), ("pick", pick), ("to", to)) if said}
        return self.chosen.address(f"/puzzles/{self.puzzle}", fields)


def show_puzzles(visit: RequestContext) -> Response:
    """A page of the puzzles that a filter leaves; those that the visitor has solved are marked.

    Raises:
        NoSuchGame, NoSuchValueAsked, NoSuchPart: there is no such filter, or no such page.
    """
    facts, leaves = leaf(visit, visit.look, lambda part, context: _list(visit, part, context))
    return visit.page("puzzles", {**facts, "leaves": leaves})


def _list(visit: RequestContext, part: ListPart, context: Context) -> dict[str, object]:
    chosen, solved = _filter(visit, context), solved_by_speaker(context)
    alike = chosen.select(context)
    shown = [each for each in alike if not (chosen.unsolved and each.number in solved)]
    begin = part.skipped(MOST_CARDS)
    games = sorted({each.game for each in puzzles_of(None, context)})
    return {
        "rows": [(each, theme_of(each), context.games[each.game]) for each in shown[begin : begin + MOST_CARDS]],
        "more": len(shown) > begin + MOST_CARDS,
        "leaf_count": ceil(len(shown) / MOST_CARDS),
        "solved": solved,
        "done": sum(each.number in solved for each in alike),
        "count": len(alike),
        "chosen": chosen,
        "games": {name: context.games[name].title for name in games},
        "chips": {
            "game": _chips(chosen, "game", games, context),
            "theme": _chips(chosen, "theme", THEMES, context),
            "difficulty": _chips(chosen, "difficulty", _DIFFICULTIES, context),
        },
        "toggled": replace(chosen, unsolved=not chosen.unsolved).address("/puzzles"),
    }


def show_puzzle(visit: RequestContext) -> Response:
    """One puzzle, with a drafted move.

    Raises:
        NoSuchPuzzle: there is none.
        NoSuchGame, NoSuchValueAsked: the filter that leads on to others is unknown.
    """
    said = visit.asked("turn")[:LONGEST]
    facts = visit.look(lambda context: _facts(visit, context, said))
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
    """Judge a move; a puzzle solved by a signed-in visitor is remembered. Unless it is right, the draft stays.

    Raises:
        NoSuchPuzzle: there is none.
        NoSuchGame, NoSuchValueAsked: the filter that leads on to others is unknown.
    """
    visit.check_form()
    said, number = visit.form.get("turn", "").strip()[:LONGEST], int(visit.word("number"))
    before = visit.form.get("draft", "")[:LONGEST]
    try:
        (told,) = visit.change(lambda context: dispatch(AnswerPuzzle(number, said), context))
    except PlayerError as wrong:
        facts = visit.look(lambda context: _facts(visit, context, said or before, *_beginnings(said), before))
        return visit.page("puzzle", {**facts, "wrong": wrong}, 409)
    after, verdict = visit.again(), cast("Verdict", told.facts["verdict"])
    facts = after.look(lambda context: {**told.facts, **_facts(after, context, said, verdict.line[0])})
    facts |= {"judged": told.facts, "wrong": None}
    if verdict.is_right:
        board, course = cast("Board", told.facts["board"]), cast("GameState", told.facts["course"])
        shown = cast("PuzzleTable", facts["table"])
        facts |= {"table": replace(shown, board=board, course=course, draft=Draft(course.position)), "course": course}
    return after.page("puzzle", facts)


_BETWEEN_TILES = re.compile(r"[\s,;]+")


def _beginnings(said: str) -> list[str]:
    """The parts with which a typed turn begins, the longest first, without the whole."""
    return [said[: found.start()] for found in reversed(list(_BETWEEN_TILES.finditer(said))) if found.start()]


def _facts(visit: RequestContext, context: Context, *said: str) -> dict[str, object]:
    """The facts of the page; the draft is the first of some that can be played, at least in part."""
    puzzle, chosen = find_puzzle(int(visit.word("number")), None, context), _filter(visit, context)
    game = context.games[puzzle.game]
    board, course = begun(puzzle, context)
    made, wrong = _first_draft(course, game, said)
    pick, to = (visit.asked(name)[:20] for name in ("pick", "to"))
    table = PuzzleTable(
        board, course, game, course.to_act, None, made, pick, to=to, puzzle=puzzle.number, chosen=chosen
    )
    return {
        **facts_of_puzzle(puzzle, context),
        "table": table,
        "course": course_after(course, made),
        "wrong": wrong,
        "typed": said[0],
        "judged": None,
        "longest": LONGEST,
        "theme": theme_of(puzzle),
        "following": chosen.following(puzzle, context),
    }


def _first_draft(course: GameState, game: Game[Any, Any], said: Sequence[str]) -> tuple[Draft, PlayerError | None]:
    """The first of some drafts that can be played, or an empty one; and what is wrong with the very first."""
    wrong = None
    for each in said:
        try:
            return draft(course, game, each), wrong
        except PlayerError as refused:
            wrong = wrong or refused
    return Draft(course.position), wrong
