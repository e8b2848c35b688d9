"""Positions, moves and events of Mamba as templates need them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from typing import Any

from pbem.diagrams import mamba as letters
from pbem.diagrams.mamba import Picture, png
from pbem.games.game import Game, Seat
from pbem.games.mamba import events
from pbem.games.mamba.balance import Kind, Option, line_of, line_of_alignment
from pbem.games.mamba.events import Event
from pbem.games.mamba.position import Position
from pbem.games.mamba.ruleset import PIECES, QUIET_ROUNDS, REPETITIONS
from pbem.games.mamba.squares import MARKS, Cell, Grid, look_at
from pbem.games.mamba.steps import PASS, Lay, Move, Step, in_words
from pbem.wording.boards import Shown, example_turn, show


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
    """The cells that it clears; or the piece that it treats."""
    old: Seat
    """Their owner."""
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
    """The player who decides."""
    on_turn: Seat
    """The player whose turn continues then."""
    certain: bool
    """The answers are known to lead to different ends."""
    answers: tuple[DecisionAnswer, ...]
    too_long: tuple[TooLong, ...]
    """For a cut, the alignments that are too long."""


def asked(position: Position) -> OpenDecision | None:
    """The decision that must be made before anything else."""
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


_MOST_TRIED = 20
"""Layings and moves that are looked at for an example that ends nothing."""

_QUIET_TOLD = QUIET_ROUNDS * 2 // 3
"""Rounds without laying, removal or transformation after which mails begin to count them."""

_TELLING = 3
"""Pieces that an alignment has at least to be worth telling of."""


@dataclass(frozen=True, slots=True)
class EventTold:
    """An event, for the templates."""

    kind: str
    """Its class in lower case: ``turned``."""
    event: Event
    cells: tuple[str, ...]
    """The names of its cells: those that a piece came from and went to, or those that were taken off."""


@dataclass(frozen=True, slots=True)
class TurnTold:
    """A turn, finished or not, and what has happened in it."""

    number: int
    is_finished: bool
    events: tuple[EventTold, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """An alignment, for the templates."""

    line: str
    """``4`` for row 4, ``e`` for column e."""
    cells: tuple[str, ...]


@dataclass(frozen=True)
class MambaShown(Shown):
    """A position of Mamba as mails show it."""

    family = "mamba"

    position: Position
    """The position itself, for what it says of supply, rounds and players."""

    def picture(self, viewer: Seat | None) -> bytes:
        """The board as PNG, the edge of its viewer below."""
        rules = self.position.rules
        return png.draw(Picture(self.position.squares, rules.size, rules.edges, changed_cells(self.position), viewer))

    def is_turned(self, viewer: Seat | None) -> bool:
        """The viewer's edge is not the lower one."""
        return viewer is not None and self.position.rules.edges[viewer] != "bottom"

    @property
    def pieces_in_all(self) -> int:
        """Those on the board and those off it."""
        return PIECES

    @cached_property
    def turns(self) -> tuple[TurnTold, ...]:
        """The last turns and the one under way, oldest first."""
        position = self.position
        first = position.ply - len(position.past) + 1
        told = [
            TurnTold(number, is_finished=True, events=self._told(turn.happened))
            for number, turn in enumerate(position.past, start=first)
        ]
        if position.turn.happened:
            told.append(TurnTold(position.ply + 1, is_finished=False, events=self._told(position.turn.happened)))
        return tuple(told)

    @cached_property
    def pieces(self) -> tuple[tuple[str, ...], ...]:
        """For each seat where its pieces stand, column by column."""
        return tuple(self._names(self.position.pieces(seat)) for seat in range(self.position.rules.players))

    @cached_property
    def isolated(self) -> tuple[tuple[str, ...], ...]:
        """For each seat its pieces that have nothing around them."""
        return tuple(self._names(self.position.isolated(seat)) for seat in range(self.position.rules.players))

    @cached_property
    def have_laid(self) -> tuple[str, ...]:
        """The pieces that have laid in the turn under way."""
        return self._names(self.position.turn.laid)

    @cached_property
    def asked(self) -> OpenDecision | None:
        """A decision that a player must make."""
        return asked(self.position)

    @cached_property
    def layings(self) -> Mapping[str, tuple[str, ...]]:
        """For each piece that can lay now the cells that it can lay on."""
        return self._ways((step.by, step.cell) for step in self._steps if isinstance(step, Lay))

    @cached_property
    def moves(self) -> Mapping[str, tuple[str, ...]]:
        """For each piece that can move now the cells where it can go."""
        return self._ways((step.start, step.end) for step in self._steps if isinstance(step, Move))

    @property
    def may_pass(self) -> bool:
        """The turn may end without a move."""
        return PASS in self._steps

    @property
    def quiet_rounds(self) -> int:
        """The full rounds without laying, removal or transformation, if they are so many that a draw comes near."""
        rounds = self.position.quiet // max(1, len(self.position.playing))
        return rounds if rounds >= _QUIET_TOLD else 0

    @property
    def rounds_to_draw(self) -> int:
        """After how many such rounds the game is a draw."""
        return QUIET_ROUNDS

    @property
    def comes_again(self) -> bool:
        """The game is a draw if this board occurs once more with the same player to move."""
        position = self.position
        if position.mid_turn or position.outcome is not None:
            return False
        return position.stood[position.squares, position.on_turn] == REPETITIONS - 1

    @cached_property
    def alignments(self) -> tuple[tuple[Row, ...], ...]:
        """For each seat its alignments of some length, the longest first."""
        marks = self.position.rules.players
        return tuple(tuple(sorted(self._rows(seat), key=lambda row: -len(row.cells))) for seat in range(marks))

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        return () if self.position.pending else self.position.legal()

    def _in_line(self, cells: Iterable[Cell]) -> tuple[str, ...]:
        """The names of cells in the order that they have."""
        return tuple(self.position.rules.grid.names[cell] for cell in cells)

    def _names(self, cells: Iterable[Cell]) -> tuple[str, ...]:
        """The names of cells, column by column."""
        grid = self.position.rules.grid
        return self._in_line(sorted(cells, key=lambda cell: (grid.column_of(cell), cell)))

    def _ways(self, pairs: Iterable[tuple[Cell, Cell]]) -> Mapping[str, tuple[str, ...]]:
        ways: dict[Cell, list[Cell]] = {}
        for start, end in pairs:
            ways.setdefault(start, []).append(end)
        names = self.position.rules.grid.names
        return {names[start]: self._names(ends) for start, ends in ways.items()}

    def _told(self, happened: Iterable[Event]) -> tuple[EventTold, ...]:
        return tuple(EventTold(type(each).__name__.lower(), each, self._cells_of(each)) for each in happened)

    def _cells_of(self, event: Event) -> tuple[str, ...]:
        return self._names(event.cells) if isinstance(event, events.Out) else self._in_line(_cells(event))

    def _rows(self, seat: Seat) -> Iterator[Row]:
        grid, own = self.position.rules.grid, set(self.position.pieces(seat))
        lines = [(str(row + 1), range(row * grid.size, (row + 1) * grid.size)) for row in range(grid.size)]
        lines += [(letter, range(column, grid.size**2, grid.size)) for column, letter in enumerate(grid.columns)]
        for name, line in lines:
            for is_own, run in groupby(line, own.__contains__):
                cells = self._in_line(run)
                if is_own and len(cells) >= _TELLING:
                    yield Row(name, cells)


@show.register(Position)
def _(position: Position) -> MambaShown:
    drawn = letters.draw(position.squares, position.rules.size, changed_cells(position))
    return MambaShown(drawn, position)


@example_turn.register(Position)
def _(position: Position, game: Game[Any, Any]) -> str:
    """An answer to what has to be decided; else a laying, if one is possible, and a move."""
    if position.pending is not None:
        return in_words(position.rules.grid, position.legal()[0])
    layings = [step for step in position.legal() if isinstance(step, Lay)]
    for step in layings[:_MOST_TRIED]:
        after = position.play(step)
        if after.mid_turn and after.pending is None and after.outcome is None:
            return " ".join(in_words(position.rules.grid, each) for each in (step, _last_step(after)))
    return in_words(position.rules.grid, _last_step(position))


def _last_step(position: Position) -> Step:
    """A move that neither ends the game nor stops at a decision if there is one, else the pass."""
    moves = [step for step in position.legal() if isinstance(step, Move)]
    for step in islice(moves, _MOST_TRIED):
        after = position.play(step)
        if after.outcome is None and after.pending is None:
            return step
    return next((step for step in position.legal() if step == PASS), moves[0] if moves else PASS)


def changed_cells(position: Position) -> frozenset[Cell]:
    """The cells that the latest turn has changed."""
    turn = position.latest
    if turn is None:
        return frozenset()
    return frozenset(cell for cell, mark in enumerate(position.squares) if mark != turn.began[cell])


def _cells(event: Event) -> tuple[Cell, ...]:
    """The cells that an event is about."""
    match event:
        case events.Laid(by=start, cell=end) | events.Moved(start=start, end=end):
            return start, end
        case events.Suffocated(cell=cell) | events.Turned(cell=cell) | events.Blocked(cell=cell):
            return (cell,)
        case events.Cut(cells=cells) | events.Out(cells=cells):
            return cells
        case events.Passed():
            return ()
