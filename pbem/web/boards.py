"""The page of a board: looked at, stepped through, and played on.

A turn in the making stands in the address of the page (``?turn=a1&pick=J``), so that everything works without a script,
and going back takes a step back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from pbem.commands.model import AcceptOffer, AskUndo, BoardMoment, MakeMove, ProposeDraw, RejectOffer, Resign
from pbem.errors import PlayerError
from pbem.ids import BoardNumber
from pbem.usecases.drafts import Draft, draft
from pbem.usecases.moves import find_board
from pbem.usecases.notifications import board_facts
from pbem.usecases.views import at_moment
from pbem.web.faces import View, face
from pbem.wording.boards import viewer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

    from pbem.commands.model import BoardCommand
    from pbem.domain.boards import Board
    from pbem.domain.courses import Course
    from pbem.games.game import Game, Position, Seat
    from pbem.usecases.context import Context
    from pbem.web.faces import Choice, Face
    from pbem.web.site import Visit

DEEDS: dict[str, type[BoardCommand]] = {
    "propose": ProposeDraw,
    "undo": AskUndo,
    "accept": AcceptOffer,
    "reject": RejectOffer,
    "resign": Resign,
}
"""What the buttons of a page ask for, by their verbs."""


@dataclass(frozen=True)
class Table:
    """A board as its page shows it to one visitor."""

    board: Board
    course: Course
    game: Game[Any, Any]
    viewer: Seat | None
    moveno: int | None
    """The move after which it is shown; None: as it stands."""
    draft: Draft
    pick: str
    wrong: PlayerError | None = None
    """Why the turn in the making cannot be."""

    @property
    def position(self) -> Position[Any]:
        """What is shown."""
        return self.draft.after

    @cached_property
    def face(self) -> Face:
        """What is shown, drawn."""
        return face(self.position, self.game)

    @property
    def can_draft(self) -> bool:
        """Whether turns can be tried out here."""
        return self.moveno is None and self.course.result is None

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """What can be played next, as long as the turn goes on."""
        return self.face.choices if self.can_draft and self.draft.goes_on else ()

    @cached_property
    def picked(self) -> Sequence[Choice]:
        """What can be played at the place that has been chosen."""
        return [choice for choice in self.choices if choice.place == self.pick]

    @cached_property
    def targets(self) -> Mapping[str, Choice]:
        """By the place where it ends, what can be played by the piece that has been chosen."""
        return {choice.to: choice for choice in self.picked if choice.to != choice.place}

    def with_step(self, text: str) -> str:
        """The address of the page after one more step."""
        return self.address(" ".join(filter(None, (self.draft.said, text))))

    def address(self, turn: str = "", pick: str = "") -> str:
        """The address of the page with a turn in the making."""
        fields = {name: value for name, value in (("turn", turn), ("pick", pick)) if value}
        return f"/boards/{self.board.number}" + (f"?{urlencode(fields)}" if fields else "")

    @property
    def links(self) -> Mapping[str, str]:
        """Where clicks on spaces and cells lead."""
        places = dict.fromkeys((*(choice.place for choice in self.choices), *self._closed))
        picks = {place: self.address(self.draft.said, place) for place in places}
        steps = {to: self.with_step(choice.text) for to, choice in self.targets.items()}
        only = {self.pick: self.with_step(self.picked[0].text)} if self._is_plain else {}
        return {**picks, **steps, **only}

    @property
    def _closed(self) -> Sequence[str]:
        return self.face.closed if self.can_draft and self.draft.goes_on else ()

    @cached_property
    def why_closed(self) -> PlayerError | None:
        """Why nothing can be played at the place that has been chosen."""
        return self.face.why_closed(self.pick) if self.pick and not self.picked and self.draft.goes_on else None

    @property
    def _is_plain(self) -> bool:
        """Whether a click on what is picked already can only mean one thing."""
        return len(self.picked) == 1 and not self.targets

    def draw(self, label: str) -> str:
        """The board as markup."""
        names = {choice.place: f"{choice.kind} {choice.place}" for choice in self.choices}
        drafted = None if self.draft.is_empty else self.draft.before
        steps = {choice.text: self.with_step(choice.text) for choice in self.picked}
        view = View(self.viewer, self.links, self.pick or None, steps, drafted, lambda place: names.get(place, place))
        return self.face.draw(view, label)


def show_board(visit: Visit) -> Response:
    """The page of a board."""
    facts = visit.look(lambda context: _facts(visit, context))
    return visit.page("board", facts)


def play(visit: Visit) -> Response:
    """Make the move that has been drafted."""
    visit.check_form()
    number, said = _number(visit), visit.form.get("turn", "")
    try:
        visit.tell(MakeMove(number, said), visit.form.get("comment", "").strip(), _event(visit))
    except PlayerError as wrong:
        return _with_wrong(visit, wrong)
    return visit.go(f"/boards/{number}")


def act(visit: Visit) -> Response:
    """Do what a button says: offer, answer, resign."""
    visit.check_form()
    number, verb = _number(visit), DEEDS.get(visit.form.get("verb", ""))
    if verb is None:
        return visit.go(f"/boards/{number}")
    try:
        visit.tell(verb(number), visit.form.get("comment", "").strip(), _event(visit))
    except PlayerError as wrong:
        return _with_wrong(visit, wrong)
    return visit.go(f"/boards/{number}")


def _with_wrong(visit: Visit, wrong: PlayerError) -> Response:
    """The page with what stood in the way."""
    facts = visit.look(lambda context: _facts(visit, context))
    return visit.page("board", {**facts, "wrong": wrong}, 409)


def _number(visit: Visit) -> BoardNumber:
    return BoardNumber(int(visit.word("number")))


def _event(visit: Visit) -> int | None:
    seen = visit.form.get("event", "")
    return int(seen) if seen.isdecimal() and len(seen) < 9 else None


def _facts(visit: Visit, context: Context) -> Mapping[str, object]:
    """What the page of a board shows.

    Raises:
        NoSuchBoard, NoSuchMove: it is not there.
    """
    number, player = _number(visit), context.speaker.player
    move = visit.asked("move")
    moveno = int(move) if move.isdecimal() and len(move) < 6 else None
    now = find_board(number, None, context)
    board = at_moment(BoardMoment(number, moveno), None, context)
    table = _table(board, moveno, visit, context)
    last = context.course(now).ply
    return {
        **board_facts(board, context, player),
        "table": table,
        "last_move": last,
        "shown_move": context.course(board).ply,
        "wrong": table.wrong,
    }


def _table(board: Board, moveno: int | None, visit: Visit, context: Context) -> Table:
    course, game, player = context.course(board), context.games[board.game], context.speaker.player
    nothing = draft(course, game, "")
    table = Table(board, course, game, viewer(board, course, player), moveno, nothing, visit.asked("pick"))
    said = visit.asked("turn") or visit.form.get("turn", "")
    if not table.can_draft or not said.strip():
        return table
    try:
        return replace(table, draft=draft(course, game, said[:1000]))
    except PlayerError as wrong:
        return replace(table, wrong=wrong)
