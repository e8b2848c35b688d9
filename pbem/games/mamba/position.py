"""Where a game stands: the board, whose turn it is and how far it has come, and what has to be decided."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pbem.games.game import Ending
from pbem.games.mamba import endings, turns
from pbem.games.mamba.balance import MARKS
from pbem.games.mamba.events import Laid, Moved, Out
from pbem.games.mamba.lines import EMPTY
from pbem.games.mamba.ruleset import PIECES
from pbem.games.mamba.squares import isolated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games.game import Decision, Outcome, Seat
    from pbem.games.mamba.balance import Balance
    from pbem.games.mamba.decisions import Pending
    from pbem.games.mamba.events import Event
    from pbem.games.mamba.grid import Cell
    from pbem.games.mamba.ruleset import Ruleset
    from pbem.games.mamba.squares import Squares
    from pbem.games.mamba.steps import Step

TURNS_KEPT = 4
"""Finished turns that a position remembers: as many as anybody can miss between two of his own."""


@dataclass(frozen=True, slots=True)
class TurnSoFar:
    """A turn, finished or not."""

    began: Squares
    """The board before it."""
    happened: tuple[Event, ...] = ()
    laid: frozenset[Cell] = frozenset()
    """The pieces that have laid."""
    moved: bool = False
    """Whether the turn ends as soon as the board is at rest."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Mamba; it never changes."""

    rules: Ruleset
    squares: Squares
    first: Seat
    """The seat that began."""
    on_turn: Seat
    playing: tuple[Seat, ...]
    """The seats that are still in play, clockwise."""
    turn: TurnSoFar
    """The turn under way."""
    past: tuple[TurnSoFar, ...] = ()
    """The turns that were finished last, `TURNS_KEPT` at most, oldest first."""
    ply: int = 0
    round: int = 1
    """In each round everybody in play has one turn."""
    quiet: int = 0
    """Turns since the last laying, removal or transformation."""
    stood: Mapping[tuple[Squares, Seat], int] = field(default_factory=dict)
    """How often each board has stood at the beginning of a player's turn."""
    balance: Balance | None = None
    """The board on its way to rest, while it waits for a decision."""
    pending: Pending | None = None
    outcome: Outcome | None = None

    @property
    def to_act(self) -> Seat | None:
        """The seat that plays or decides next; None once the game is over."""
        if self.outcome is not None:
            return None
        return self.on_turn if self.pending is None else self.pending.choice.owner

    @property
    def mid_turn(self) -> bool:
        """Whether who is on turn has laid or moved; that somebody has left is no part of the turn."""
        return any(isinstance(each, Laid | Moved) for each in self.turn.happened)

    @property
    def decision(self) -> Decision | None:
        """What has to be decided before anything else."""
        return turns.decision(self)

    @property
    def contents(self) -> str:
        """The squares."""
        return self.squares

    @property
    def supply(self) -> int:
        """How many pieces are off the board."""
        return PIECES - len(self.squares) + self.squares.count(EMPTY)

    @property
    def latest(self) -> TurnSoFar | None:
        """The turn that there is to tell of: the one under way, or the last one."""
        told = (*self.past, self.turn) if self.turn.happened else self.past
        return told[-1] if told else None

    def pieces(self, seat: Seat) -> tuple[Cell, ...]:
        """The cells of a player's pieces, lowest first."""
        return tuple(cell for cell, mark in enumerate(self.squares) if mark == MARKS[seat])

    def isolated(self, seat: Seat) -> tuple[Cell, ...]:
        """A player's pieces that have nothing around them."""
        return isolated(self.rules.grid, self.squares, MARKS[seat], strict=self.rules.strict_isolation)

    def legal(self) -> tuple[Step, ...]:
        """The answers to a decision; else every laying, every move, and the pass. None once the game is over."""
        return tuple(turns.legal(self))

    def play(self, step: Step) -> Position:
        """The position after a step and all that follows from it by itself.

        Raises:
            IllegalMove: one of `pbem.games.mamba.refusals`.
        """
        return turns.play(self, step)

    def leave(self, seat: Seat) -> Position:
        """The position after a player has left the game: his pieces are taken off, and the others go on.

        A board that waits for a decision comes to rest first; the next in play picks for one who was on turn.
        """
        if seat not in self.playing or self.outcome is not None:
            return self
        playing = tuple(each for each in self.playing if each != seat)
        after = self.with_events(Out(seat, self.pieces(seat), left=True))
        after = replace(after, squares=endings.remove_players(self.squares, (seat,)), playing=playing, quiet=0)
        outcome = endings.last_in_play(self.rules, playing, Ending.LEFT)
        if outcome is not None:
            return after.turn_over(outcome)
        balance = self.balance
        if seat == self.on_turn and balance is None:
            return after.turn_over()
        if balance is None:
            return after if self.mid_turn else after.counted()
        picks = min(playing, key=lambda each: (each - balance.on_turn) % self.rules.players)
        return turns.go_on(after, balance.without_seat(seat, picks))

    def at_rest(self) -> Position:
        """The position after the board has come to rest: who has too few pieces is out, and the turn may be over."""
        gone = endings.too_few(self.rules, self.squares, self.playing)
        squares = endings.remove_players(self.squares, gone)
        after = self.with_events(*(Out(seat, self.pieces(seat)) for seat in gone))
        laid = frozenset(cell for cell in self.turn.laid if squares[cell] != EMPTY)
        after = replace(
            after,
            squares=squares,
            playing=tuple(seat for seat in self.playing if seat not in gone),
            turn=replace(after.turn, laid=laid),
            balance=None,
            pending=None,
        )
        outcome = endings.at_rest(self.rules, self.squares, self.playing)
        is_over = outcome is not None or self.turn.moved or self.on_turn not in after.playing
        return after.turn_over(outcome) if is_over else after

    def with_events(self, *happened: Event) -> Position:
        """The position with more to tell of the turn under way."""
        return replace(self, turn=replace(self.turn, happened=self.turn.happened + happened))

    def turn_over(self, outcome: Outcome | None = None) -> Position:
        """The position after the turn under way: the end of the game, or the next player's turn (RULES 7)."""
        after = replace(
            self,
            ply=self.ply + 1,
            turn=TurnSoFar(self.squares),
            past=(*self.past, self.turn)[-TURNS_KEPT:],
            balance=None,
            pending=None,
            outcome=outcome,
            quiet=self.quiet + 1 if endings.is_quiet(self.turn.happened) else 0,
        )
        return after if outcome is not None else after.next_begins()

    def next_begins(self) -> Position:
        """The position where the next player in play begins his turn, unless the game is over by then (RULES 16)."""
        clockwise = [(self.on_turn + steps) % self.rules.players for steps in range(1, self.rules.players + 1)]
        passed = next(count for count, seat in enumerate(clockwise, start=1) if seat in self.playing)
        seat = clockwise[passed - 1]
        new_round = self.first in clockwise[:passed]
        after = replace(self, on_turn=seat, round=self.round + new_round).counted()
        return replace(after, outcome=endings.turn_begins(after))

    def counted(self) -> Position:
        """The position where the board has stood at the beginning of this player's turn once more (RULES 16)."""
        now = (self.squares, self.on_turn)
        return replace(self, stood={**self.stood, now: self.stood.get(now, 0) + 1})


def begin(rules: Ruleset, first: Seat) -> Position:
    """The position before the first turn."""
    return Position(
        rules,
        rules.start,
        first,
        on_turn=first,
        playing=tuple(range(rules.players)),
        turn=TurnSoFar(rules.start),
        stood={(rules.start, first): 1},
    )
