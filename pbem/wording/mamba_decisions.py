"""What a player of Mamba has to decide, and what each answer means, for the words of the mails."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.game import Seat
from pbem.games.mamba.balance import Kind, Option, line_of, line_of_alignment
from pbem.games.mamba.grid import Grid
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import MARKS, look_at


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a piece can turn."""

    new: Seat
    """In whose favour."""
    longer: int
    shorter: int
    line: str
    """``4`` for row 4, ``e`` for column e."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """An alignment that is too long."""

    cells: tuple[str, ...]
    line: str
    surplus: int


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    """One of the answers."""

    text: str
    """As it is typed."""
    cells: tuple[str, ...]
    """What it takes off; or the piece that it treats."""
    old: Seat
    """Whose they are."""
    line: str = ""
    """For a cut the line that it shortens."""
    reasons: tuple[Reason, ...] = ()
    """For a piece the players in whose favour it can turn, in the order in which they are looked at."""


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision that is waited for."""

    kind: str
    """``cut`` or ``turn``."""
    owner: Seat
    """Who decides."""
    on_turn: Seat
    """Whose turn goes on then."""
    certain: bool
    """Whether the answers are known to lead to different ends."""
    answers: tuple[DecisionAnswer, ...]
    too_long: tuple[TooLong, ...]
    """For a cut, the alignments that are too long."""


def asked(position: Position) -> OpenDecision | None:
    """What has to be decided before anything else."""
    decision, pending = position.decision, position.pending
    if decision is None or pending is None:
        return None
    choice, grid = pending.choice, position.rules.grid
    alignments = dict.fromkeys(option.alignment for option in choice.options if option.alignment)
    return OpenDecision(
        kind=choice.kind,
        owner=choice.owner,
        on_turn=position.on_turn,
        certain=decision.certain,
        answers=tuple(
            _cut(grid, text, option) if choice.kind is Kind.CUT else _turn(position, text, option)
            for text, option in zip(decision.options, choice.options, strict=True)
        ),
        too_long=tuple(
            TooLong(tuple(grid.names[cell] for cell in each.cells), line_of_alignment(grid, each), each.surplus)
            for each in alignments
        ),
    )


def _cut(grid: Grid, text: str, option: Option) -> DecisionAnswer:
    if option.alignment is None:
        raise AssertionError("a cut is one of an alignment")
    cells = tuple(grid.names[cell] for cell in option.cells)
    return DecisionAnswer(text, cells, MARKS.index(option.alignment.owner), line_of_alignment(grid, option.alignment))


def _turn(position: Position, text: str, option: Option) -> DecisionAnswer:
    grid, (cell,) = position.rules.grid, option.cells
    favours = look_at(grid, position.squares).favours().get(cell, {})
    order = ((position.on_turn + steps) % position.rules.players for steps in range(position.rules.players))
    reasons = tuple(
        Reason(seat, found.longer, found.shorter, line_of(grid, cell, on_row=found.on_row))
        for seat in order
        if (found := favours.get(MARKS[seat]))
    )
    return DecisionAnswer(text, (grid.names[cell],), MARKS.index(position.squares[cell]), reasons=reasons)
