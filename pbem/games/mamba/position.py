"""Positions: the board, whose turn it is and how far it has come, and the legal steps (RULES 5 to 7).

In a turn these are layings, one move, and the answers to decisions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.games import game
from pbem.games.game import Decision, Ending, Outcome, Seat
from pbem.games.mamba import events, refusals
from pbem.games.mamba import events as endings
from pbem.games.mamba.balance import Balance, Choice, Kind, Option, take, unsettled
from pbem.games.mamba.events import Event
from pbem.games.mamba.ruleset import PIECES, QUIET_ROUNDS, REPETITIONS, Ruleset
from pbem.games.mamba.squares import EMPTY, MARKS, Cell, Squares, isolated, look_at, with_mark
from pbem.games.mamba.steps import PASS, Cut, Lay, Move, Pass, Pending, Step, Turn, in_words, settle

TURNS_KEPT = 4
"""Finished turns that a position remembers: the most that can lie between two turns of one player."""


@dataclass(frozen=True, slots=True)
class TurnSoFar:
    """A turn, finished or not."""

    began: Squares
    """The board before it."""
    happened: tuple[Event, ...] = ()
    laid: frozenset[Cell] = frozenset()
    """The pieces that have laid."""
    moved: bool = False
    """The turn ends as soon as the board is at rest."""


@dataclass(frozen=True, slots=True)
class Position(game.Position[Step]):
    """A position of Mamba."""

    rules: Ruleset
    squares: Squares
    on_turn: Seat
    turn: TurnSoFar
    """The turn under way."""
    playing: tuple[Seat, ...] = (0, 1)
    """The seats that are still in play, clockwise."""
    past: tuple[TurnSoFar, ...] = ()
    """The turns that were finished last, `TURNS_KEPT` at most, oldest first."""
    round: int = 1
    """In each round everybody in play has one turn."""
    quiet: int = 0
    """Turns since the last laying, removal or transformation."""
    stood: Mapping[tuple[Squares, Seat], int] = field(default_factory=dict)
    """Occurrences of each board at the beginning of a player's turn."""
    balance: Balance | None = None
    """The board on its way to rest, while it waits for a decision."""
    pending: Pending | None = None

    @property
    def to_act(self) -> Seat | None:
        """The seat that plays or decides next; None once the game is over."""
        if self.outcome is not None:
            return None
        return self.on_turn if self.pending is None else self.pending.choice.owner

    @property
    def mid_turn(self) -> bool:
        """The player on turn has laid or moved; someone's leaving is no part of the turn."""
        return any(isinstance(each, events.Laid | events.Moved) for each in self.turn.happened)

    @property
    def decision(self) -> Decision | None:
        """The decision that must be made before anything else."""
        return _decision(self)

    @property
    def contents(self) -> str:
        """The squares."""
        return self.squares

    @property
    def supply(self) -> int:
        """The number of pieces off the board."""
        return PIECES - len(self.squares) + self.squares.count(EMPTY)

    @property
    def latest(self) -> TurnSoFar | None:
        """The latest turn: the one under way, or the last one."""
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
        return tuple(legal_steps(self))

    def play(self, step: Step) -> Position:
        """The position after a step and all that follows from it by itself.

        Raises:
            IllegalMove: one of `pbem.games.mamba.refusals`.
        """
        return play_step(self, step)

    def leave(self, seat: Seat) -> Position:
        """The position after a player has left the game: their pieces are taken off, and the others go on.

        A board that waits for a decision comes to rest first; the next in play picks in place of the player on turn.
        """
        if seat not in self.playing or self.outcome is not None:
            return self
        playing = tuple(each for each in self.playing if each != seat)
        after = self.with_events(events.Out(seat, self.pieces(seat), left=True))
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
        return go_on(after, balance.without_seat(seat, picks))

    def at_rest(self) -> Position:
        """The position once the board is at rest: players with too few pieces are out, and the turn may be over."""
        gone = endings.too_few(self.rules, self.squares, self.playing)
        squares = endings.remove_players(self.squares, gone)
        after = self.with_events(*(events.Out(seat, self.pieces(seat)) for seat in gone))
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
        """The position where the next player in play begins their turn, unless the game is over by then (RULES 16)."""
        clockwise = [(self.on_turn + steps) % self.rules.players for steps in range(1, self.rules.players + 1)]
        passed = next(count for count, seat in enumerate(clockwise, start=1) if seat in self.playing)
        seat = clockwise[passed - 1]
        new_round = self.first in clockwise[:passed]
        after = replace(self, on_turn=seat, round=self.round + new_round).counted()
        return replace(after, outcome=_outcome_before_turn(after))

    def counted(self) -> Position:
        """The position where the board has stood at the beginning of this player's turn once more (RULES 16)."""
        now = (self.squares, self.on_turn)
        return replace(self, stood={**self.stood, now: self.stood.get(now, 0) + 1})


def begin(rules: Ruleset, first: Seat) -> Position:
    """The position before the first turn."""
    return Position(
        rules,
        rules.start,
        on_turn=first,
        turn=TurnSoFar(rules.start),
        playing=tuple(range(rules.players)),
        first=first,
        stood={(rules.start, first): 1},
    )


def play_step(position: Position, step: Step, typed: str | None = None, which: int = 1) -> Position:
    """The position after a step, which the player typed as ``typed`` and as number ``which`` of their line.

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


def legal_steps(position: Position) -> Iterator[Step]:
    """Every step that `Position.play` accepts."""
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


def _decision(position: Position) -> Decision | None:
    """The pending decision, in words of the notation."""
    if position.pending is None:
        return None
    choice = position.pending.choice
    options = tuple(in_words(position.rules.grid, answer) for answer in answers(choice))
    return Decision(choice.kind, choice.owner, options, position.pending.certain)


def answers(choice: Choice) -> tuple[Turn | Cut, ...]:
    """The possible answers of a choice's owner, lowest cell first."""
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
    mark, mover = position.squares[cell], MARKS[position.on_turn]
    if mark != mover:
        owner = None if mark == EMPTY else mark
        raise refusals.NotOwnPiece(said, which, cell=position.rules.grid.names[cell], owner=owner, mover=mover)


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


def _outcome_before_turn(position: Position) -> Outcome | None:
    """The outcome at the beginning of a player's turn, if the game is over (RULES 16)."""
    rules, playing = position.rules, position.playing
    if rules.rounds is not None and position.round > rules.rounds:
        return Outcome(rules.most_pieces(position.squares, playing), Ending.ROUNDS)
    if position.stood[position.squares, position.on_turn] >= REPETITIONS:
        return Outcome((), Ending.REPETITION)
    if position.quiet >= QUIET_ROUNDS * len(playing):
        return Outcome((), Ending.QUIET)
    return None
