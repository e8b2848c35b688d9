"""A variant that is tried out: a board without opponents, on which every turn is drafted and none is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from pbem.domain.game_state import GameState, begin
from pbem.errors import PlayerError
from pbem.games.game import Position
from pbem.usecases.context import Context
from pbem.usecases.views.drafts import Draft, course_after, draft
from pbem.web.boards.tables import Table
from pbem.web.context import RequestContext
from pbem.web.pages.variants import Variant, read_variant

LONGEST = 2000
"""Characters of turns that are read."""


@dataclass(frozen=True)
class Trial(Table):
    """A board that nobody has begun, with the turns that are tried out."""

    variant: Variant | None = None

    def address(self, turn: str = "", pick: str = "", to: str = "") -> str:
        """The address of the page with other turns."""
        if self.variant is None:
            raise AssertionError("a trial without a variant")
        return self.variant.address("/try", turn=turn, pick=pick, to=to)

    @property
    def drawn_since(self) -> Position[Any] | None:
        """Of many turns only what belongs to the last one is told apart."""
        return None if self.draft.last is None else self.draft.last.before


def try_variant(visit: RequestContext) -> Response:
    """The board after the turns that the address has; it goes on with whoever is to act.

    Raises:
        NoSuchGame: there is no such game.
    """
    variant = read_variant(visit)
    if variant.wrong is not None:
        return visit.go(variant.address())
    facts = visit.look(lambda context: _facts(variant, visit, context))
    return visit.page("variant_try", facts, 409 if facts["wrong"] else 200)


def _facts(variant: Variant, visit: RequestContext, context: Context) -> Mapping[str, object]:
    board = variant.board(context)
    course = begin(board, variant.game)
    said, wrong = visit.asked("turn")[:LONGEST], None
    try:
        made = _going_on(variant, course, said)
    except PlayerError as refused:
        made, wrong = draft(course, variant.game, ""), refused
    pick, to = (visit.asked(name)[:20] for name in ("pick", "to"))
    table = Trial(board, course, variant.game, course.to_act, None, made, pick, typed=said, to=to, variant=variant)
    ahead = course_after(course, made)
    return {
        "game": variant.game,
        "variant": variant,
        "board": board,
        "table": table,
        "course": ahead,
        "sides": variant.game.sides(made.after),
        "wrong": wrong,
        "longest": LONGEST,
    }


def _going_on(variant: Variant, course: GameState, said: str) -> Draft:
    """The draft, with the turn of whoever is next to be drafted once one is whole."""
    made = draft(course, variant.game, said)
    return made if made.goes_on or made.after.outcome is not None else replace(made, goes_further=True)
