"""A board as its page shows it to one visitor: the links of its places, and the letters that would do the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from pbem.commands.command import moveno_words, short_form
from pbem.commands.playing import MakeMove, QueueMove
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.errors import PlayerError
from pbem.games.game import BETWEEN_TURNS, Game, Position, Seat
from pbem.games.plans import Branch, one_line
from pbem.usecases.previews import Draft, DraftedTurn
from pbem.web.boards.views import LINE, PLACE, BoardView, Choice, Forbidden, View, face


@dataclass(frozen=True)
class Table:
    """A board as its page shows it to one visitor."""

    board: Board
    course: GameState
    game: Game[Any, Any]
    viewer: Seat | None
    moveno: int | None
    """The move after which it is shown; None: as it is now."""
    draft: Draft
    pick: str
    seats: tuple[Seat, ...] = ()
    """The seats of the visitor."""
    typed: str = ""
    """The drafted turns, as in the address."""
    wrong: PlayerError | None = None
    """The reason why they cannot be played."""
    is_large: bool = False
    """True if it is drawn large enough for thumbs, in a frame that scrolls."""
    last: Position[Any] | None = None
    """The present position of the board, if an earlier one is shown."""
    awaits_robot: bool = False
    """True if the visitor plays here, has drafted nothing, and a computer opponent is about to move."""
    is_sent: bool = False
    """True if the address has a turn that the visitor has played already, as after a step back in the browser."""
    to: str = ""
    """The place where the picked piece is to go, if more than one of its steps ends there."""

    @property
    def position(self) -> Position[Any]:
        """The position shown."""
        return self.draft.after

    @cached_property
    def face(self) -> BoardView:
        """The view of the position shown."""
        return face(self.position, self.game)

    @property
    def can_draft(self) -> bool:
        """Turns can be tried out here: nothing has ended the game by the rules, and no answer of a robot is awaited."""
        return self.draft.start.outcome is None and not self.awaits_robot

    @property
    def is_line(self) -> bool:
        """Whatever is tried out here is a line of the visitor's own: the position is a past one, or the last of all."""
        return self.moveno is not None or self.course.result is not None

    @property
    def is_mine(self) -> bool:
        """The visitor is to act, and sees the position in which they do."""
        return not self.is_line and self.course.to_act in self.seats

    @property
    def drafts_own(self) -> bool:
        """The next step of the draft is the visitor's to play."""
        return self.position.to_act in self.seats

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """The steps that can be played next, as long as the turn goes on."""
        return self.face.choices if self.can_draft and self.draft.goes_on else ()

    @property
    def spare(self) -> Sequence[str]:
        """The steps that can be played next and belong to no place."""
        return self.face.spare if self.can_draft and self.draft.goes_on else ()

    @cached_property
    def picked(self) -> Sequence[Choice]:
        """The steps that can be played at the chosen place."""
        return [choice for choice in self.choices if choice.place == self.pick]

    @cached_property
    def lays(self) -> bool:
        """Whoever plays here lays something on a place; no piece is chosen first."""
        return all(choice.place == choice.to or choice.kind == LINE for choice in self.face.choices)

    @cached_property
    def forbidden(self) -> Sequence[Forbidden]:
        """The steps that would fit at the chosen place, but cannot be played."""
        return self.face.forbidden(self.pick) if self.picked or self.pick in self._closed else ()

    @cached_property
    def targets(self) -> Mapping[str, Sequence[Choice]]:
        """The steps of the chosen piece, by the place where they end."""
        found: dict[str, list[Choice]] = {}
        for choice in self.picked:
            if choice.to != choice.place:
                found.setdefault(choice.to, []).append(choice)
        return found

    @property
    def either(self) -> Sequence[Choice]:
        """The steps that the visitor must choose from, since all of them end on the place they have clicked."""
        steps = self.targets.get(self.to, ())
        return steps if len(steps) > 1 else ()

    @cached_property
    def why_closed(self) -> PlayerError | None:
        """The reason why nothing can be played at the chosen place."""
        return self.face.why_closed(self.pick) if self.pick and not self.picked and self.draft.goes_on else None

    def with_step(self, text: str) -> str:
        """The address of the page after one more step."""
        return self.address(self.draft.with_step(text))

    def address(self, turn: str = "", pick: str = "", to: str = "") -> str:
        """The address of the page with a drafted turn."""
        move = "" if self.moveno is None else str(self.moveno)
        return self._address(move=move, turn=turn, pick=pick, to=to)

    def after_move(self, moveno: int) -> str:
        """The address of the page after a move."""
        return replace(self, moveno=moveno).address()

    @property
    def now(self) -> str:
        """The address of the page with the present position."""
        return replace(self, moveno=None).address()

    def _address(self, **fields: str) -> str:
        size = {"large": "yes"} if self.is_large else {}
        query = urlencode({name: value for name, value in (fields | size).items() if value})
        return f"/boards/{self.board.number}" + (f"?{query}" if query else "")

    @property
    def resized(self) -> str:
        """The address of the same page in the other size."""
        return replace(self, is_large=not self.is_large).address(self.draft.said, self.pick, self.to)

    @property
    def links(self) -> Mapping[str, str]:
        """The addresses that clicks on spaces and cells lead to."""
        places = dict.fromkeys((*(choice.place for choice in self.choices), *self._closed))
        picks = {place: self.address(self.draft.said, place) for place in places}
        picks |= {choice.place: self.with_step(choice.text) for choice in self.choices if choice.kind == PLACE}
        steps = {to: self._way(to, choices) for to, choices in self.targets.items()}
        only = {self.pick: self.with_step(self.picked[0].text)} if self._is_plain else {}
        return {**picks, **steps, **only}

    def _way(self, to: str, choices: Sequence[Choice]) -> str:
        """The address of a click on a target: it plays the step that ends there, or asks which one is meant."""
        (first, *others), said = choices, self.draft.said
        return self.address(said, first.place, to) if others else self.with_step(first.text)

    @property
    def _closed(self) -> Sequence[str]:
        return self.face.closed if self.can_draft and self.draft.goes_on else ()

    @property
    def _is_plain(self) -> bool:
        """A click on the place already picked can only mean one thing."""
        return len(self.picked) == 1 and not self.targets

    @property
    def first(self) -> DraftedTurn | None:
        """The turn that would be played now; None if none is drafted."""
        return self.draft.turns[0] if self.draft.turns else None

    @property
    def is_playable(self) -> bool:
        """A turn is drafted that the visitor can send: a whole one, or in some games a part of one."""
        return self.is_mine and self.first is not None and (not self.first.is_open or self._parts_are_moves)

    @cached_property
    def completes(self) -> bool:
        """Any step at the picked place completes a turn that the visitor can send."""
        is_first = self.is_mine and not self.draft.goes_further and self.draft.goes_on
        return is_first and bool(self.picked) and all(self._ends_turn(each) for each in self.picked)

    def _ends_turn(self, choice: Choice) -> bool:
        try:
            after = self.game.read_input(self.draft.start, self.draft.with_step(choice.text)).position
        except PlayerError:
            return False
        return after.outcome is not None or after.to_act != self.position.to_act

    @property
    def _parts_are_moves(self) -> bool:
        """The game takes a turn in parts; if it does not, a letter must have the whole turn."""
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
        """The visitor's first turn in the draft, which they could queue; empty if they are to act now."""
        own = (turn for turn in self.draft.turns if turn.seat in self.seats and not turn.is_open)
        first = None if self.is_mine or self.is_line else next(own, None)
        return first.text.move if first is not None else ""

    @property
    def plannable(self) -> str:
        """The draft as a branch of a plan, up to the visitor's last turn in it; empty if it is none."""
        if self.is_mine or self.is_line or self.course.result is not None or not self.queueable:
            return ""
        found: list[tuple[str, str]] = []
        played: list[str] = []
        for turn in self.draft.turns:
            if turn.seat not in self.seats:
                played.append(turn.text.move)
            elif turn.is_open or not played:
                break
            else:
                found.append((BETWEEN_TURNS.join(played), turn.text.move))
                played = []
        branches: tuple[Branch, ...] = ()
        for condition, reply in reversed(found):
            branches = (Branch(condition, reply, branches),)
        return one_line(branches)

    @cached_property
    def letter(self) -> tuple[str, str]:
        """The command that would mail the draft, in its short form and in its classic one.

        Both are empty as long as there is nothing to send; for turns that are not the visitor's they are a preview.
        """
        if self.draft.is_empty:
            return "", ""
        if self.is_playable and self.first is not None:
            return self._forms(short_form(MakeMove(self.board.number, self.first.text.move, self.course.ply + 1)))
        if self.plannable:
            return self._forms(f"plan {self.board.number} add {self.plannable}")
        if self.queueable:
            return self._forms(short_form(QueueMove(self.board.number, self.queueable)))
        if self.is_mine or self.course.result is not None:
            return "", ""
        turns = BETWEEN_TURNS.join(turn.text.move for turn in self.draft.turns)
        moment = "".join((str(self.board.number), *moveno_words(self.moveno)))
        return f"preview {moment} {turns}", f"{self.game.name} preview {moment} {turns}"

    def _forms(self, short: str) -> tuple[str, str]:
        verb, number, rest = short.split(" ", 2)
        userid = self.board.seats[self.seats[0]].userid
        return short, f"{self.game.name} {verb} {number} {userid} <password> {rest}"

    @property
    def drawn_since(self) -> Position[Any] | None:
        """The position after which changes are highlighted in the drawing; None: nothing is drafted."""
        return None if self.draft.is_empty else self.draft.start

    def draw(self, label: str, words: Mapping[str, str]) -> str:
        """The board as markup.

        Args:
            label: the board in a few words.
            words: the labels of the places that can be chosen, and of the steps there, by their names.
        """
        steps = {choice.text: self.with_step(choice.text) for choice in self.picked}
        told, pick = (lambda place: words.get(place, place)), self.pick or None
        asked = self.to if self.either else ""
        cancel = self.address(self.draft.said) if self.pick else self.address(self.draft.said_before)
        sends = "#send" if self.is_playable and not self.pick else ""
        view = View(
            self.viewer,
            self.links,
            pick,
            steps,
            self.drawn_since,
            told,
            self.last,
            self.draft.last.before if self.draft.last is not None else self.position,
            cancel,
            sends,
            self.completes,
            asked,
        )
        return self.face.draw(view, label)

    @property
    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """The number of steps of each kind that can be played at each place: ``{"J": {"tile": 5}}``."""
        found: dict[str, dict[str, int]] = {place: {} for place in self._closed}
        for choice in self.choices:
            kinds = found.setdefault(choice.place, {})
            kinds[choice.kind] = kinds.get(choice.kind, 0) + 1
        return found
