"""Positions: the tiles laid, the supply, whose turn it is, mid-turn included, and the legal placements.

A turn is one tile or two that fit, lie together and show both colours. A placement is first held against its space,
then the turn that it makes against the rules of turns. `play_step` says what is wrong; `legal_steps`, which is only
asked yes or no, looks first whether `Foresight` settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from pbem.games import game
from pbem.games.game import Ending, IllegalMove, Outcome, Seat
from pbem.games.hextile import endings, fills, notation
from pbem.games.hextile.endings import break_tie
from pbem.games.hextile.fills import Foresight, Laid, by_hand, colours_lacking
from pbem.games.hextile.grid import CORNER_NAMES, UNDECIDED, Cell, Colour, State, reached_from
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.ruleset import Joined, Ruleset

MIDDLE = Cell(0, 0)
"""The cell of the first tile."""


class Placement(NamedTuple):
    """One tile laid by hand."""

    cell: Cell
    state: int
    """The number of the state."""


class Swap(NamedTuple):
    """The second player takes the first one's side, in place of a turn."""


SWAP: Final = Swap()

Step: TypeAlias = Placement | Swap
"""One step of play in every game of the family."""


@dataclass(frozen=True, slots=True)
class Position(game.Position[Step]):
    """A position of any game of the family."""

    rules: Ruleset
    layout: Layout
    supply: Mapping[str, int]
    """Tiles left of each kind."""
    turn: tuple[Laid, ...] = ()
    """The tiles laid so far in the turn under way, automatic ones included."""
    last_turn: tuple[Laid, ...] = ()
    """The tiles of the turn that was finished last."""
    swapped: bool = False
    """The seats have exchanged their sides."""

    @property
    def colours(self) -> tuple[Colour, Colour]:
        """The colours of the seats."""
        return self.rules.colours[::-1] if self.swapped else self.rules.colours

    @property
    def may_swap(self) -> bool:
        """The seat to act may take the other side instead of a turn."""
        return self.rules.swap and self.ply == 1 and not self.turn and self.outcome is None

    @property
    def mid_turn(self) -> bool:
        """The seat to act has laid part of its turn."""
        return bool(self.turn)

    @property
    def contents(self) -> tuple[tuple[int, int, int], ...]:
        """The tiles: the coordinates of each and its state."""
        return tuple(sorted((cell.q, cell.r, state.number) for cell, state in self.layout.tiles.items()))

    @property
    def tiles_to_lay(self) -> int:
        """The number of tiles laid by hand in the turn under way."""
        return self.rules.tiles_a_turn if self.ply else 1

    def legal(self) -> tuple[Step, ...]:
        """Every placement that the rules allow now, by label and state, then the swap; none once the game is over."""
        return tuple(legal_steps(self))

    def play(self, step: Step) -> Position:
        """The position after one more tile and what follows from it by itself, or after the swap.

        Raises:
            IllegalMove: one of `pbem.games.hextile.notation`.
        """
        return play_step(self, step)

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
        """The outcome, if the tile laid last has ended the game."""
        won = endings.judge(layout, self.rules.wins, self.colours, self._on_turn)
        if won is not None or any(supply.values()):
            return won
        return break_tie(layout, self.rules.tie_break, self.colours)


def begin(rules: Ruleset, first: Seat) -> Position:
    """The position before the first turn: the start tile lies in the middle, or the one space is there."""
    table = Layout(rules.states)
    if rules.start is None:
        return Position(rules, table.open_at(MIDDLE), rules.supply, first=first)
    start = rules.states[rules.start]
    supply = {kind: count - (kind == start.kind) for kind, count in rules.supply.items()}
    return Position(rules, table.lay(MIDDLE, start), supply, first=first)


def play_step(position: Position, step: Step, typed: str | None = None) -> Position:
    """The position after ``step``, which the player typed as ``typed``.

    Raises:
        IllegalMove: one of `pbem.games.hextile.notation`.
    """
    if position.outcome is not None:
        raise notation.GameIsOver
    if isinstance(step, Swap):
        return _swap(position)
    placement, which = typed or in_words(position, step), _next(position)
    _check_space(position, step, placement, which)
    after = position.after(step)
    refusal = _refusal(position, after, placement, which)
    if refusal is not None:
        raise refusal
    return after


def after_legal(position: Position, step: Step) -> Position:
    """The position after one of `legal_steps`, which need not be looked at again."""
    return position.after_swap() if isinstance(step, Swap) else position.after(step)


def legal_steps(position: Position) -> Iterator[Step]:
    """Every step that `Position.play` accepts: placements by label and state, then the swap."""
    if position.outcome is None:
        foresight = foresight_of(position)
        for cell in position.layout.spaces:
            yield from _accepted_at(position, cell, foresight)
    if position.may_swap:
        yield SWAP


def legal_states(position: Position) -> Iterator[tuple[Cell, tuple[int, ...]]]:
    """The spaces in which `legal_steps` has placements, each with their states."""
    if position.outcome is not None:
        return
    foresight = foresight_of(position)
    for cell in position.layout.spaces:
        if states := tuple(_accepted_states(position, cell, foresight)):
            yield cell, states


def firsts(position: Position) -> Iterator[tuple[Placement, bool]]:
    """The first legal placement in each space that has one, and whether the turn goes on behind it.

    Only what settles this is looked at, which is a small part of what all legal placements ask for.
    """
    if position.outcome is not None:
        return
    foresight = foresight_of(position)
    for cell in position.layout.spaces:
        step = next(_accepted_at(position, cell, foresight), None)
        if step is not None:
            goes_on = foresight.goes_on(cell, position.rules.states[step.state])
            yield step, position.after(step).mid_turn if goes_on is None else goes_on


def check_goes_on(start: Position, now: Position, placement: str) -> None:
    """Refuse one more tile if the turn that began at ``start`` is over ``now``.

    Raises:
        AlreadyDecided: the tiles before have ended the game.
        TileNotAllowed: the turn is complete.
    """
    if now.ply == start.ply:
        return
    laid = by_hand(now.last_turn)
    which = len(laid) + 1
    if now.outcome is not None and _is_decided(now):
        winners = now.outcome.winners
        raise notation.AlreadyDecided(placement, which, deciding=laid[-1].text, winners=winners)
    supply_empty = len(laid) < start.tiles_to_lay
    raise notation.TileNotAllowed(placement, which, allowed=len(laid), supply_empty=supply_empty)


def check_complete(start: Position, now: Position) -> None:
    """Refuse to end the turn that began at ``start`` if it is not over ``now``.

    Raises:
        TileNeeded: there is another tile to lay.
    """
    if now.ply == start.ply:
        laid = by_hand(now.turn)
        raise notation.TileNeeded(laid[-1].text if laid else "", len(laid) + 1)


def in_words(position: Position, step: Placement) -> str:
    """A placement as it is printed; a cell that is no space shows its coordinates."""
    space = position.layout.spaces.get(step.cell)
    return f"{space.label if space else tuple(step.cell)}{step.state}"


def _check_space(position: Position, step: Placement, placement: str, which: int) -> None:
    """Refuse a placement that its space or the supply forbids, whatever the turn."""
    space, states = position.layout.spaces.get(step.cell), position.rules.states
    if space is None:
        filled = step.cell in position.layout.tiles
        raise notation.NoSuchSpace(placement, which, space=str(tuple(step.cell)), filled=filled)
    if step.state not in states:
        raise notation.NoSuchState(placement, which, state=step.state, lowest=1, highest=len(states))
    if not states.fitting(space.decided):
        raise notation.NullPoint(placement, which, space=space.label)
    state = states[step.state]
    for corner, needed, shown in zip(CORNER_NAMES, space.decided, state.colours, strict=True):
        if needed not in (UNDECIDED, shown):
            facts = {"corner": corner, "needed": needed, "shown": str(shown)}
            raise notation.CornerMismatch(placement, which, space=space.label, state=step.state, **facts)
    if not position.supply[state.kind]:
        raise notation.NoTileLeft(placement, which, state=step.state, kind=state.kind)


def _refusal(before: Position, after: Position, placement: str, which: int) -> IllegalMove | None:
    """Why the rules of turns forbid the tile that leads from ``before`` to ``after``, if they do."""
    if after.mid_turn:
        return None if _goes_on(after) else notation.NothingCouldFollow(placement, which)
    if which == 1 and _is_decided(after):
        return None
    if which > 1 and not _lie_together(before.rules.joined, after.last_turn):
        return notation.NotJoined(placement, which, joined=before.rules.joined)
    lacking = colours_lacking(before.rules, after.last_turn)
    return notation.ColourMissing(placement, which, colour=min(lacking)) if lacking else None


def _goes_on(position: Position) -> bool:
    """Return True if the turn under way has another legal tile."""
    foresight = foresight_of(position)
    # the latest spaces lie beside the tile laid last, so one of them settles it soon
    cells = reversed(tuple(foresight.eligible()))
    return any(True for cell in cells for _ in _accepted_states(position, cell, foresight))


def _swap(position: Position) -> Position:
    if not position.rules.swap:
        raise notation.SwapNotAgreed
    if not position.may_swap:
        raise notation.SwapTooLate
    return position.after_swap()


def _next(position: Position) -> int:
    """Which tile of the turn comes next, from 1."""
    return len(by_hand(position.turn)) + 1


def _is_decided(position: Position) -> bool:
    return position.outcome is not None and position.outcome.ending is not Ending.SUPPLY_EMPTY


def _lie_together(joined: Joined, turn: Sequence[Laid]) -> bool:
    """Return True if the tiles of a whole turn are joined as the game asks."""
    match joined:
        case Joined.ANYWHERE:
            return True
        case Joined.ADJACENT:
            return _are_connected({tile.cell for tile in by_hand(turn)})
        case Joined.CONNECTED:
            return _are_connected({tile.cell for tile in turn})


def _are_connected(cells: set[Cell]) -> bool:
    return reached_from(next(iter(cells)), cells) == cells


def _accepted_at(position: Position, cell: Cell, foresight: Foresight) -> Iterator[Placement]:
    """The placements in one space that fit and that the rules of turns allow."""
    for number in _accepted_states(position, cell, foresight):
        yield Placement(cell, number)


def _accepted_states(position: Position, cell: Cell, foresight: Foresight) -> Iterable[int]:
    """The states of the same placements."""
    all_settled = foresight.settles_all(cell)
    if all_settled is False:
        return ()
    fitting = foresight.fitting(cell)
    if all_settled:
        return [state.number for state in fitting]
    return (state.number for state in fitting if _is_accepted(position, cell, state, foresight))


def _is_accepted(position: Position, cell: Cell, state: State, foresight: Foresight) -> bool:
    settled = foresight.settles(cell, state)
    return _stands_the_test(position, Placement(cell, state.number)) if settled is None else settled


def _stands_the_test(position: Position, step: Placement) -> bool:
    """Return True if a tile that fits turns out to be legal once it is laid."""
    return _refusal(position, position.after(step), "", _next(position)) is None


def foresight_of(position: Position) -> Foresight:
    """Look ahead at the next tile of the turn under way."""
    return Foresight(position.rules, position.layout, position.supply, position.turn, position.tiles_to_lay)
