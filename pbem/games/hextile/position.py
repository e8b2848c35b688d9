"""Where a game stands: the tiles laid, the supply, and whose turn it is; mid-turn included."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pbem.games.game import Ending, Outcome
from pbem.games.hextile import endings, fills, turns
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.tie_breaks import break_tie

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games.game import Seat
    from pbem.games.hextile.fills import Laid
    from pbem.games.hextile.ruleset import Ruleset
    from pbem.games.hextile.tiles import Colour, State
    from pbem.games.hextile.turns import Placement, Step

MIDDLE = Cell(0, 0)
"""Where the first tile lies."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of any game of the family; it never changes."""

    rules: Ruleset
    layout: Layout
    supply: Mapping[str, int]
    """Tiles left of each kind."""
    first: Seat
    """The seat that began."""
    ply: int = 0
    turn: tuple[Laid, ...] = ()
    """The tiles laid so far in the turn under way, automatic ones included."""
    last_turn: tuple[Laid, ...] = ()
    """The tiles of the turn that was finished last."""
    outcome: Outcome | None = None
    swapped: bool = False
    """Whether the seats have exchanged their sides."""

    @property
    def colours(self) -> tuple[Colour, Colour]:
        """Whose colour is which, by seat."""
        return self.rules.colours[::-1] if self.swapped else self.rules.colours

    @property
    def may_swap(self) -> bool:
        """Whether the seat to act may take the other side instead of a turn."""
        return self.rules.swap and self.ply == 1 and not self.turn and self.outcome is None

    @property
    def to_act(self) -> Seat | None:
        """The seat that lays the next tile; None once the game is over."""
        return None if self.outcome else self._on_turn

    @property
    def mid_turn(self) -> bool:
        """Whether the seat to act has laid part of its turn."""
        return bool(self.turn)

    @property
    def contents(self) -> tuple[tuple[int, int, int], ...]:
        """The tiles: the coordinates of each and its state."""
        return tuple(sorted((cell.q, cell.r, state.number) for cell, state in self.layout.tiles.items()))

    @property
    def decision(self) -> None:
        """Nothing but placements and the swap is ever asked for."""
        return None

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Both seats; whoever leaves ends the game."""
        return (0, 1)

    @property
    def tiles_to_lay(self) -> int:
        """How many tiles the turn under way has, as far as they are laid by hand."""
        return self.rules.tiles_a_turn if self.ply else 1

    def legal(self) -> tuple[Step, ...]:
        """Every placement that the rules allow now, by label and state, then the swap; none once the game is over."""
        return tuple(turns.legal(self))

    def play(self, step: Step) -> Position:
        """The position after one more tile and what follows from it by itself, or after the swap.

        Raises:
            IllegalMove: one of `pbem.games.hextile.refusals`.
        """
        return turns.play(self, step)

    def leave(self, seat: Seat) -> Position:
        """The position after a player has left the game: the other has won."""
        return self if self.outcome else replace(self, outcome=Outcome((1 - seat,), Ending.LEFT))

    def fitting(self) -> dict[Cell, tuple[int, ...]]:
        """For each space, in the order of labels, the states that fit by corners and supply alone."""
        return {cell: tuple(state.number for state in self.fitting_at(cell)) for cell in self.layout.spaces}

    def fitting_at(self, cell: Cell) -> list[State]:
        """The states that fit one space by corners and supply alone."""
        decided = self.layout.spaces[cell].decided
        return [state for state in self.rules.states.fitting(decided) if self.supply[state.kind]]

    def after(self, step: Placement) -> Position:
        """The position after a tile that fits; whether the turn may be played so is not looked at."""
        state = self.rules.states[step.state]
        layout, supply, laid = fills.lay(self.rules, self.layout, self.supply, step.cell, state)
        turn, outcome = self.turn + laid, self._judged(layout, supply)
        if outcome is None and len(by_hand(turn)) < self.tiles_to_lay:
            return replace(self, layout=layout, supply=supply, turn=turn)
        return replace(self, layout=layout, supply=supply, ply=self.ply + 1, turn=(), last_turn=turn, outcome=outcome)

    def after_swap(self) -> Position:
        """The position after the seat to act has taken the other side; whether it may is not looked at."""
        return replace(self, ply=self.ply + 1, last_turn=(), swapped=not self.swapped)

    @property
    def _on_turn(self) -> Seat:
        return (self.first + self.ply) % len(self.rules.colours)

    def _judged(self, layout: Layout, supply: Mapping[str, int]) -> Outcome | None:
        """How the tile laid last has ended the game, if it has."""
        won = endings.judge(layout, self.rules.wins, self.colours, self._on_turn)
        if won is not None or any(supply.values()):
            return won
        return break_tie(layout, self.rules.tie_break, self.colours)


def begin(rules: Ruleset, first: Seat) -> Position:
    """The position before the first turn: the start tile lies in the middle, or the one space is there."""
    table = Layout(rules.states)
    if rules.start is None:
        return Position(rules, table.open_at(MIDDLE), rules.supply, first)
    start = rules.states[rules.start]
    supply = {kind: count - (kind == start.kind) for kind, count in rules.supply.items()}
    return Position(rules, table.lay(MIDDLE, start), supply, first)
