"""A board as its page shows it to one visitor: where clicks lead, and what letters would say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from pbem.commands.command import short_form
from pbem.commands.playing import MakeMove, QueueMove
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.errors import PlayerError
from pbem.games.game import Game, Position, Seat
from pbem.usecases.previews import Draft, DraftedTurn
from pbem.web.boards.views import BoardView, Choice, Forbidden, View, face

_TURNS_APART = " / "
"""As letters have the turns of a preview, where a turn may have blanks."""


@dataclass(frozen=True)
class Table:
    """A board as its page shows it to one visitor."""

    board: Board
    course: GameState
    game: Game[Any, Any]
    viewer: Seat | None
    moveno: int | None
    """The move after which it is shown; None: as it stands."""
    draft: Draft
    pick: str
    seats: tuple[Seat, ...] = ()
    """Those of the visitor."""
    typed: str = ""
    """The turns in the making, as the address has them."""
    wrong: PlayerError | None = None
    """Why they cannot be."""
    is_large: bool = False
    """Whether it is drawn large enough for thumbs, in a frame that scrolls."""
    last: Position[Any] | None = None
    """Where the board stands, when an earlier position is shown."""
    to: str = ""
    """Where what was picked is to go, if more than one of its steps ends there."""

    @property
    def position(self) -> Position[Any]:
        """What is shown."""
        return self.draft.after

    @cached_property
    def face(self) -> BoardView:
        """What is shown, drawn."""
        return face(self.position, self.game)

    @property
    def can_draft(self) -> bool:
        """Whether turns can be tried out here."""
        return self.moveno is None and self.course.result is None

    @property
    def is_mine(self) -> bool:
        """Whether the visitor is to act."""
        return self.course.to_act is not None and self.course.to_act in self.seats

    @property
    def drafts_own(self) -> bool:
        """Whether what is to be drafted next is for the visitor to play."""
        return self.position.to_act in self.seats

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """What can be played next, as long as the turn goes on."""
        return self.face.choices if self.can_draft and self.draft.goes_on else ()

    @property
    def spare(self) -> Sequence[str]:
        """What can be played next and belongs to no place."""
        return self.face.spare if self.can_draft and self.draft.goes_on else ()

    @cached_property
    def picked(self) -> Sequence[Choice]:
        """What can be played at the place that has been chosen."""
        return [choice for choice in self.choices if choice.place == self.pick]

    @cached_property
    def forbidden(self) -> Sequence[Forbidden]:
        """What would fit at the place that has been chosen, and cannot be played."""
        return self.face.forbidden(self.pick) if self.picked or self.pick in self._closed else ()

    @cached_property
    def targets(self) -> Mapping[str, Sequence[Choice]]:
        """By the place where it ends, what can be played by the piece that has been chosen."""
        found: dict[str, list[Choice]] = {}
        for choice in self.picked:
            if choice.to != choice.place:
                found.setdefault(choice.to, []).append(choice)
        return found

    @property
    def either(self) -> Sequence[Choice]:
        """The steps between which the visitor is asked to choose, since all of them end where he wants to go."""
        steps = self.targets.get(self.to, ())
        return steps if len(steps) > 1 else ()

    @cached_property
    def why_closed(self) -> PlayerError | None:
        """Why nothing can be played at the place that has been chosen."""
        return self.face.why_closed(self.pick) if self.pick and not self.picked and self.draft.goes_on else None

    def with_step(self, text: str) -> str:
        """The address of the page after one more step."""
        return self.address(self.draft.with_step(text))

    def address(self, turn: str = "", pick: str = "", to: str = "") -> str:
        """The address of the page with a turn in the making."""
        return self._address(turn=turn, pick=pick, to=to)

    def after_move(self, moveno: int) -> str:
        """The address of the page after a move."""
        return self._address(move=str(moveno))

    def _address(self, **fields: str) -> str:
        size = {"large": "yes"} if self.is_large else {}
        query = urlencode({name: value for name, value in (fields | size).items() if value})
        return f"/boards/{self.board.number}" + (f"?{query}" if query else "")

    @property
    def resized(self) -> str:
        """The address of the same in the other size."""
        other = replace(self, is_large=not self.is_large)
        return (
            other.address(self.draft.said, self.pick, self.to) if self.moveno is None else other.after_move(self.moveno)
        )

    @property
    def links(self) -> Mapping[str, str]:
        """Where clicks on spaces and cells lead."""
        places = dict.fromkeys((*(choice.place for choice in self.choices), *self._closed))
        picks = {place: self.address(self.draft.said, place) for place in places}
        steps = {to: self._way(to, choices) for to, choices in self.targets.items()}
        only = {self.pick: self.with_step(self.picked[0].text)} if self._is_plain else {}
        return {**picks, **steps, **only}

    def _way(self, to: str, choices: Sequence[Choice]) -> str:
        """Where a click on a target leads: it plays what ends there, or asks what is meant."""
        (first, *others), said = choices, self.draft.said
        return self.address(said, first.place, to) if others else self.with_step(first.text)

    @property
    def _closed(self) -> Sequence[str]:
        return self.face.closed if self.can_draft and self.draft.goes_on else ()

    @property
    def _is_plain(self) -> bool:
        """Whether a click on what is picked already can only mean one thing."""
        return len(self.picked) == 1 and not self.targets

    @property
    def first(self) -> DraftedTurn | None:
        """The turn that would be played now; None if none is drafted."""
        return self.draft.turns[0] if self.draft.turns else None

    @property
    def is_playable(self) -> bool:
        """Whether a turn is drafted that the visitor can send: a whole one, or in some games a part of one."""
        return self.is_mine and self.first is not None and (not self.first.is_open or self._parts_are_moves)

    @property
    def _parts_are_moves(self) -> bool:
        """Whether the game takes a turn in parts; of one that does not, a letter must have it whole."""
        first = self.first
        if first is None:
            return False
        try:
            self.game.read_input(first.before, first.said)
        except PlayerError:
            return False
        return True

    @property
    def queueable(self) -> str:
        """What the visitor could queue of the draft: his first turn in it, if it is not for him to act now."""
        own = (turn for turn in self.draft.turns if turn.seat in self.seats and not turn.is_open)
        first = None if self.is_mine else next(own, None)
        return first.text.move if first is not None else ""

    @cached_property
    def letter(self) -> tuple[str, str]:
        """The command that a mail would need for what is drafted, in its short form and in the one of old.

        Both are empty as long as there is nothing to send; of turns that are none of the visitor's it is a preview.
        """
        if self.draft.is_empty:
            return "", ""
        if self.is_playable and self.first is not None:
            return self._forms(short_form(MakeMove(self.board.number, self.first.text.move, self.course.ply + 1)))
        if self.queueable:
            return self._forms(short_form(QueueMove(self.board.number, self.queueable)))
        if self.is_mine:
            return "", ""
        turns = _TURNS_APART.join(turn.text.move for turn in self.draft.turns)
        return f"preview {self.board.number} {turns}", f"{self.game.name} preview {self.board.number} {turns}"

    def _forms(self, short: str) -> tuple[str, str]:
        verb, number, rest = short.split(" ", 2)
        userid = self.board.seats[self.seats[0]].userid
        return short, f"{self.game.name} {verb} {number} {userid} <password> {rest}"

    @property
    def drawn_since(self) -> Position[Any] | None:
        """The position since which what has come is told apart in the drawing; None: nothing is drafted."""
        return None if self.draft.is_empty else self.draft.start

    def draw(self, label: str, words: Mapping[str, str]) -> str:
        """The board as markup.

        Args:
            label: the board in a few words.
            words: what is said of the places that can be chosen, and of the steps there, by their names.
        """
        steps = {choice.text: self.with_step(choice.text) for choice in self.picked}
        told, pick = (lambda place: words.get(place, place)), self.pick or None
        asked = self.to if self.either else ""
        view = View(self.viewer, self.links, pick, steps, self.drawn_since, told, self.last, asked)
        return self.face.draw(view, label)

    @property
    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """How many steps of each kind can be played at each place: ``{"J": {"tile": 5}}``."""
        found: dict[str, dict[str, int]] = {place: {} for place in self._closed}
        for choice in self.choices:
            kinds = found.setdefault(choice.place, {})
            kinds[choice.kind] = kinds.get(choice.kind, 0) + 1
        return found
