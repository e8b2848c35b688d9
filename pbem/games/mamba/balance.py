"""Brings the board to rest after a laying or a move: asphyxia, overpopulation, transformations (RULES 8 to 13).

`advance` goes on by itself to the next choice; `take` makes it. `decisions` finds out if a choice is worth asking for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from pbem.games.game import Seat
from pbem.games.mamba import events
from pbem.games.mamba.events import Event
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import (
    MARKS,
    Alignment,
    Cell,
    Favour,
    Grid,
    Signature,
    Squares,
    look_at,
    suffocated,
    with_mark,
    without,
)


class Kind(StrEnum):
    """The kinds of choice."""

    TURN = "turn"
    """The piece to be treated next; the choice of the player on turn (RULES 12)."""
    CUT = "cut"
    """The end of an alignment to lose; the choice of its owner (RULES 10)."""


class Option(NamedTuple):
    """One of the things that can be chosen."""

    cells: tuple[Cell, ...]
    """For a cut the pieces to be taken off, the end first; else the one piece."""
    alignment: Alignment | None = None
    """For a cut, the alignment."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that has to be chosen before the board can come to rest."""

    kind: Kind
    owner: Seat
    options: tuple[Option, ...]
    """Lowest cell first; at least one."""


@dataclass(frozen=True, slots=True)
class Series:
    """The transformations of one piece, one after the other (RULES 12)."""

    cell: Cell
    next: Seat
    """The first player to be considered as the one in whose favour the piece can turn."""
    seen: frozenset[Squares]
    """The boards that make a block if they come again."""
    began: Squares | None = None
    """The board at its start, unless that was an earlier moment of choice, too, and so counts (RULES 13c)."""


@dataclass(frozen=True, slots=True)
class Balance:
    """A board on its way to rest."""

    grid: Grid
    seats: int
    on_turn: Seat
    squares: Squares
    before: frozenset[tuple[Cell, Signature]]
    """The pieces that could turn already before the laying or move, as they were then (RULES 13b)."""
    start_counts: bool = False
    """A series that comes back to its own start makes its piece rest, as in version 1 of the rules."""
    blocked: frozenset[tuple[Cell, Signature]] = frozenset()
    """The pieces that were blocked, as they were then (RULES 13a)."""
    resting: frozenset[Cell] = frozenset()
    """The pieces whose series led back to a board of before; until the next removal (RULES 13c)."""
    moments: frozenset[Squares] = frozenset()
    """The boards at moments of choice since the last removal, the one at which the series began among them."""
    series: Series | None = None
    happened: tuple[Event, ...] = field(default=(), compare=False)
    """Events so far."""

    def offered(self) -> tuple[Cell, ...]:
        """The pieces that can turn and may be treated now, lowest first."""
        sight = look_at(self.grid, self.squares)
        stale = self.before | self.blocked
        return tuple(
            cell
            for cell in sorted(sight.favours())
            if cell not in self.resting and (cell, sight.signature(cell)) not in stale
        )

    def without_seat(self, seat: Seat, on_turn: Seat) -> Balance:
        """The board without the pieces of a player who has left; a removal like any other.

        From now on ``on_turn`` picks the pieces to be treated.
        """
        gone = [cell for cell, mark in enumerate(self.squares) if mark == MARKS[seat]]
        return replace(_removed(self, gone), on_turn=on_turn)


def unsettled(rules: Ruleset, on_turn: Seat, squares: Squares, before: frozenset[tuple[Cell, Signature]]) -> Balance:
    """A board right after a laying or a move, asphyxia done."""
    gone = suffocated(rules.grid, squares)
    happened = tuple(events.Suffocated(MARKS.index(squares[cell]), cell) for cell in gone)
    left, start_counts = without(squares, gone), rules.version == 1
    return Balance(rules.grid, rules.players, on_turn, left, before, start_counts, happened=happened)


def advance(balance: Balance) -> tuple[Balance, Choice | None]:
    """Go on to the next choice, even if it has only one option; None: the board is at rest."""
    while True:
        too_long = look_at(balance.grid, balance.squares).too_long()
        if too_long:
            return balance, Choice(Kind.CUT, MARKS.index(too_long[0].owner), tuple(_ends(too_long)))
        if balance.series is None:
            offered = balance.offered()
            if not offered:
                return balance, None
            return balance, Choice(Kind.TURN, balance.on_turn, tuple(Option((cell,)) for cell in offered))
        balance = _transformed(balance, balance.series)


def take(balance: Balance, choice: Choice, option: Option) -> Balance:
    """The board after one of the options was chosen, where `advance` can go on."""
    if option.alignment is None:
        start, moments = balance.squares, balance.moments
        began = None if balance.start_counts or start in moments else start
        series = Series(option.cells[0], choice.owner, frozenset((start,)), began)
        return replace(balance, moments=moments | {start}, series=series)
    owner, length = MARKS.index(option.alignment.owner), len(option.alignment.cells)
    cut = events.Cut(owner, option.cells, length, line_of_alignment(balance.grid, option.alignment))
    return _removed(replace(balance, happened=(*balance.happened, cut)), option.cells)


def line_of(grid: Grid, cell: Cell, *, on_row: bool) -> str:
    """The number of a cell's row, or the letter of its column."""
    return str(grid.row_of(cell) + 1) if on_row else grid.columns[grid.column_of(cell)]


def line_of_alignment(grid: Grid, alignment: Alignment) -> str:
    """The number of the row, or the letter of the column, that an alignment of several pieces lies on."""
    first, second, *_ = alignment.cells
    return line_of(grid, first, on_row=second == first + 1)


def _ends(too_long: Sequence[Alignment]) -> Iterator[Option]:
    """Both ends of each alignment; equal ones once, since they come to the same."""
    options = [
        Option(cells, each)
        for each in too_long
        if each.owner == too_long[0].owner
        for cells in (each.cells[: each.surplus], each.cells[: -each.surplus - 1 : -1])
    ]
    first = {option.cells: option for option in reversed(options)}
    yield from sorted(first.values(), key=lambda option: option.cells)


def _removed(balance: Balance, cells: Sequence[Cell]) -> Balance:
    """Without some pieces: what was remembered of boards with more pieces says nothing any more (RULES 12, 13c)."""
    series = balance.series
    if series is not None:
        series = None if series.cell in cells else replace(series, seen=frozenset(), began=None)
    return replace(
        balance,
        squares=without(balance.squares, cells),
        resting=frozenset(),
        moments=frozenset(),
        series=series,
    )


def _transformed(balance: Balance, series: Series) -> Balance:
    """After the next transformation of a series, or after its end."""
    cell, squares = series.cell, balance.squares
    favours = look_at(balance.grid, squares).favours().get(cell, {})
    order = [(series.next + turn) % balance.seats for turn in range(balance.seats)]
    new = next((seat for seat in order if MARKS[seat] in favours), None)
    if new is None:
        return _ended(balance, series)
    turned = with_mark(squares, cell, MARKS[new])
    happened = (*balance.happened, _event(balance, cell, new, favours[MARKS[new]]))
    going_on = replace(series, next=(new + 1) % balance.seats, seen=series.seen | {turned})
    after = replace(balance, squares=turned, series=going_on, happened=happened)
    if turned not in series.seen:
        return after
    blocked = after.blocked | {(cell, look_at(balance.grid, turned).signature(cell))}
    return _ended(replace(after, blocked=blocked, happened=(*happened, events.Blocked(cell, new))), series)


def _event(balance: Balance, cell: Cell, new: Seat, favour: Favour) -> Event:
    old = MARKS.index(balance.squares[cell])
    line = line_of(balance.grid, cell, on_row=favour.on_row)
    return events.Turned(cell, old, new, favour.longer, favour.shorter, line)


def _ended(balance: Balance, series: Series) -> Balance:
    """After the end of a series; its piece rests if that has led back to an earlier moment of choice."""
    is_back = balance.squares in balance.moments and balance.squares != series.began
    return replace(balance, series=None, resting=balance.resting | {series.cell} if is_back else balance.resting)
