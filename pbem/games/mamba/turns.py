"""What may be played in a turn: layings, one move, and the answers to decisions (RULES 5 to 7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.games.game import Decision
from pbem.games.mamba import endings, events, refusals
from pbem.games.mamba.balance import MARKS, Kind, take, unsettled
from pbem.games.mamba.decisions import settle
from pbem.games.mamba.lines import EMPTY
from pbem.games.mamba.ruleset import PIECES
from pbem.games.mamba.squares import look_at, with_mark
from pbem.games.mamba.steps import PASS, Cut, Lay, Move, Pass, Turn, in_words

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from pbem.games.mamba.balance import Balance, Choice, Option
    from pbem.games.mamba.grid import Cell
    from pbem.games.mamba.position import Position
    from pbem.games.mamba.steps import Step


def play(position: Position, step: Step, typed: str | None = None, which: int = 1) -> Position:
    """The position after a step, which the player typed as ``typed`` and as number ``which`` of his line.

    Raises:
        IllegalMove: one of `pbem.games.mamba.refusals`.
    """
    said = typed or in_words(position.rules.grid, step)
    if position.outcome is not None:
        raise refusals.GameIsOver(said, which)
    if position.pending is not None:
        return _decide(position, position.pending.choice, step, said, which)
    match step:
        case Lay():
            return _lay(position, step, said, which)
        case Move():
            return _move(position, step, said, which)
        case Pass():
            return _pass(position, said, which)
        case Turn() | Cut():
            raise refusals.NothingToDecide(said, which)


def legal(position: Position) -> Iterator[Step]:
    """Every step that `play` accepts."""
    if position.outcome is not None:
        return
    if position.pending is not None:
        yield from answers(position.pending.choice)
        return
    if position.supply:
        for by in _layers(position):
            yield from (Lay(by, cell) for cell in position.rules.grid.around[by])
    moves = tuple(_moves(position))
    yield from moves
    if not (moves and position.rules.must_move):
        yield PASS


def decision(position: Position) -> Decision | None:
    """What has to be decided, in words of the notation."""
    if position.pending is None:
        return None
    choice = position.pending.choice
    options = tuple(in_words(position.rules.grid, answer) for answer in answers(choice))
    return Decision(choice.kind, choice.owner, options, position.pending.certain)


def answers(choice: Choice) -> tuple[Turn | Cut, ...]:
    """What the owner of a choice may answer, lowest cell first."""
    if choice.kind is Kind.TURN:
        return tuple(Turn(option.cells[0]) for option in choice.options)
    return tuple(_cut(option) for option in choice.options)


def resolve(position: Position, step: Step, said: str, which: int) -> Step:
    """A step as it is recorded: the end to lose is written as `answers` has it.

    Raises:
        DecisionNeeded, NoSuchOption, AmbiguousCut: the answer to a decision is none, or not clear.
    """
    if position.pending is None:
        return step
    choice = position.pending.choice
    return dict(zip(choice.options, answers(choice), strict=True))[_option(position, choice, step, said, which)]


def go_on(position: Position, balance: Balance) -> Position:
    """The position after the board has come to rest, or to a decision."""

    def rest(balance: Balance) -> Hashable:
        gone = endings.too_few(position.rules, balance.squares, position.playing)
        outcome = endings.at_rest(position.rules, balance.squares, position.playing)
        return endings.remove_players(balance.squares, gone), outcome

    balance, pending = settle(balance, rest)
    after = replace(position.with_events(*balance.happened), squares=balance.squares)
    if pending is None:
        return after.at_rest()
    return replace(after, balance=replace(balance, happened=()), pending=pending)


def _decide(position: Position, choice: Choice, step: Step, said: str, which: int) -> Position:
    option = _option(position, choice, step, said, which)
    if position.balance is None:
        raise AssertionError("a decision is pending on a board at rest")
    return go_on(replace(position, balance=None, pending=None), take(position.balance, choice, option))


def _option(position: Position, choice: Choice, step: Step, said: str, which: int) -> Option:
    """The option that an answer means."""
    allowed = answers(choice)
    options = [in_words(position.rules.grid, answer) for answer in allowed]
    if not isinstance(step, Turn | Cut):
        raise refusals.DecisionNeeded(said, which, options=options)
    found = [option for option, answer in zip(choice.options, allowed, strict=True) if answer == step]
    if not found and isinstance(step, Cut) and choice.kind is Kind.CUT:
        found = [option for option in choice.options if _is_meant(option, step)]
    if not found:
        raise refusals.NoSuchOption(said, which, options=options)
    if len(found) > 1:
        meant = [in_words(position.rules.grid, _cut(option)) for option in found]
        raise refusals.AmbiguousCut(said, which, options=meant)
    return found[0]


def _is_meant(option: Option, step: Cut) -> bool:
    alignment = option.alignment.cells if option.alignment else ()
    return step.end == option.cells[0] and (step.towards is None or step.towards in alignment)


def _cut(option: Option) -> Cut:
    """A cut by the end alone, or by the first and the last piece to be taken off."""
    return Cut(option.cells[0], option.cells[-1] if len(option.cells) > 1 else None)


def _lay(position: Position, step: Lay, said: str, which: int) -> Position:
    grid = position.rules.grid
    by, cell = grid.names[step.by], grid.names[step.cell]
    _check_own(position, step.by, said, which)
    if step.by in position.turn.laid:
        raise refusals.HasLaid(said, which, cell=by)
    if step.by not in position.isolated(position.on_turn):
        beside = [grid.names[each] for each in grid.around[step.by] if position.squares[each] != EMPTY]
        raise refusals.NotIsolated(said, which, cell=by, beside=beside, strict=not beside)
    if step.cell not in grid.around[step.by]:
        raise refusals.NotBeside(said, which, by=by, cell=cell)
    if not position.supply:
        raise refusals.NoPieceLeft(said, which, pieces=PIECES)
    turn = replace(position.turn, laid=position.turn.laid | {step.by})
    after = replace(position, turn=turn).with_events(events.Laid(position.on_turn, step.by, step.cell))
    return _come_to_rest(after, with_mark(position.squares, step.cell, MARKS[position.on_turn]))


def _move(position: Position, step: Move, said: str, which: int) -> Position:
    grid = position.rules.grid
    start, end = grid.names[step.start], grid.names[step.end]
    _check_own(position, step.start, said, which)
    ways = _ways(position, step.start, step.end)
    if ways is None:
        raise refusals.OutOfReach(said, which, start=start, end=end)
    if position.squares[step.end] != EMPTY:
        raise refusals.CellTaken(said, which, cell=end, owner=position.squares[step.end])
    if ways and all(position.squares[each] != EMPTY for each in ways):
        raise refusals.WayTaken(said, which, start=start, end=end, between=[grid.names[each] for each in ways])
    after = replace(position, turn=replace(position.turn, moved=True))
    after = after.with_events(events.Moved(position.on_turn, step.start, step.end))
    lifted = with_mark(position.squares, step.start, EMPTY)
    moved = with_mark(lifted, step.end, MARKS[position.on_turn])
    return _come_to_rest(after, moved, moved_to={step.start: step.end})


def _pass(position: Position, said: str, which: int) -> Position:
    if position.rules.must_move:
        move = next(_moves(position), None)
        if move is not None:
            raise refusals.MustMove(said, which, example=in_words(position.rules.grid, move))
    return position.with_events(events.Passed(position.on_turn)).turn_over()


def _come_to_rest(position: Position, squares: str, moved_to: dict[Cell, Cell] | None = None) -> Position:
    """The position after a laying or a move has changed the board; a piece that moved is the same piece (RULES 13b)."""
    moved_to = moved_to or {}
    before = look_at(position.rules.grid, position.squares).turnable()
    before = frozenset((moved_to.get(cell, cell), signature) for cell, signature in before)
    return go_on(position, unsettled(position.rules, position.on_turn, squares, before))


def _check_own(position: Position, cell: Cell, said: str, which: int) -> None:
    mark = position.squares[cell]
    if mark != MARKS[position.on_turn]:
        owner = None if mark == EMPTY else mark
        raise refusals.NotOwnPiece(said, which, cell=position.rules.grid.names[cell], owner=owner)


def _layers(position: Position) -> Iterable[Cell]:
    return (cell for cell in position.isolated(position.on_turn) if cell not in position.turn.laid)


def _ways(position: Position, start: Cell, end: Cell) -> Sequence[Cell] | None:
    """The cells that a piece may pass on its way, one of them; none for a single step, and None out of reach."""
    beside = position.rules.grid.orthogonal
    if end in beside[start]:
        return ()
    ways = [cell for cell in beside[start] if end in beside[cell]]
    return ways if ways and end != start else None


def _moves(position: Position) -> Iterator[Move]:
    """Every move of the player on turn, piece by piece."""
    squares, beside = position.squares, position.rules.grid.orthogonal
    for start in position.pieces(position.on_turn):
        first = [cell for cell in beside[start] if squares[cell] == EMPTY]
        second = [cell for way in first for cell in beside[way] if squares[cell] == EMPTY]
        yield from (Move(start, end) for end in sorted({*first, *second}))
