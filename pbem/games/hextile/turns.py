"""What may be laid in a turn: one tile or two, that fit, lie together and show both colours.

A placement is first held against its space, then the turn that it makes against the rules of turns. Both
have one answer for `play`, which says what is wrong, and for `legal`, which is only asked yes or no and
so may look first whether a cheap reason settles it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.games.game import Ending
from pbem.games.hextile import refusals
from pbem.games.hextile.board import UNTOUCHED
from pbem.games.hextile.fills import by_hand, forced
from pbem.games.hextile.grid import SHARED, Cell, neighbours
from pbem.games.hextile.ruleset import Joined
from pbem.games.hextile.tiles import CORNER_NAMES, UNDECIDED, Colour

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pbem.games.game import IllegalMove
    from pbem.games.hextile.fills import Laid
    from pbem.games.hextile.position import Position
    from pbem.games.hextile.tiles import State


class Placement(NamedTuple):
    """One tile laid by hand: a step of every game of the family."""

    cell: Cell
    state: int
    """The number of the state."""


def play(position: Position, step: Placement, typed: str | None = None) -> Position:
    """The position after ``step``, which the player typed as ``typed``.

    Raises:
        IllegalMove: one of `pbem.games.hextile.refusals`.
    """
    if position.outcome is not None:
        raise refusals.GameIsOver
    placement, which = typed or in_words(position, step), len(by_hand(position.turn)) + 1
    _check_space(position, step, placement, which)
    after = position.after(step)
    refusal = _refusal(position, after, placement, which)
    if refusal is not None:
        raise refusal
    return after


def legal(position: Position) -> Iterator[Placement]:
    """Every placement that `play` accepts, by label and state."""
    if position.outcome is None:
        steps = (Placement(cell, number) for cell, fit in position.fitting().items() for number in fit)
        yield from _accepted(position, steps)


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
    if now.outcome is not None and now.outcome.ending is Ending.KILLED:
        winners = now.outcome.winners
        raise refusals.AlreadyDecided(placement, which, deciding=laid[-1].text, winners=winners)
    supply_empty = len(laid) < start.tiles_to_lay
    raise refusals.TileNotAllowed(placement, which, allowed=len(laid), supply_empty=supply_empty)


def check_complete(start: Position, now: Position) -> None:
    """Refuse to end the turn that began at ``start`` if it is not over ``now``.

    Raises:
        TileNeeded: there is another tile to lay.
    """
    if now.ply == start.ply:
        laid = by_hand(now.turn)
        raise refusals.TileNeeded(laid[-1].text if laid else "", len(laid) + 1)


def colours_shown(turn: Collection[Laid]) -> set[Colour]:
    """The colours at the corners of a turn's tiles."""
    return {colour for tile in turn for colour in tile.state.colours}


def in_words(position: Position, step: Placement) -> str:
    """A placement as it is printed; a cell that is no space shows its coordinates."""
    space = position.board.spaces.get(step.cell)
    return f"{space.label if space else tuple(step.cell)}{step.state}"


def _check_space(position: Position, step: Placement, placement: str, which: int) -> None:
    """Refuse a placement that its space or the supply forbids, whatever the turn."""
    space, states = position.board.spaces.get(step.cell), position.rules.states
    if space is None:
        filled = step.cell in position.board.tiles
        raise refusals.NoSuchSpace(placement, which, space=str(tuple(step.cell)), filled=filled)
    if step.state not in states:
        raise refusals.NoSuchState(placement, which, state=step.state, lowest=1, highest=len(states))
    state = states[step.state]
    for corner, needed, shown in zip(CORNER_NAMES, space.decided, state.colours, strict=True):
        if needed not in (UNDECIDED, shown):
            facts = {"corner": corner, "needed": needed, "shown": str(shown)}
            raise refusals.CornerMismatch(placement, which, space=space.label, state=step.state, **facts)
    if not position.supply[state.kind]:
        raise refusals.NoTileLeft(placement, which, state=step.state, kind=state.kind)


def _refusal(before: Position, after: Position, placement: str, which: int) -> IllegalMove | None:
    """Why the rules of turns forbid the tile that leads from ``before`` to ``after``, if they do."""
    if after.mid_turn:
        follows = next(_accepted(after, _latest_first(after)), None)
        return refusals.NothingCouldFollow(placement, which) if follows is None else None
    if which == 1 and _is_decided(after):
        return None
    if which > 1 and not _lie_together(before.rules.joined, after.last_turn):
        return refusals.NotJoined(placement, which, joined=before.rules.joined)
    if before.rules.both_colours:
        for colour in before.rules.colours:
            if colour not in colours_shown(after.last_turn):
                return refusals.ColourMissing(placement, which, colour=colour)
    return None


def _is_decided(position: Position) -> bool:
    return position.outcome is not None and position.outcome.ending is Ending.KILLED


def _lie_together(joined: Joined, turn: Sequence[Laid]) -> bool:
    """Whether the tiles of a whole turn are joined as the game asks."""
    match joined:
        case Joined.ANYWHERE:
            return True
        case Joined.ADJACENT:
            return _is_connected(tile.cell for tile in by_hand(turn))
        case Joined.CONNECTED:
            return _is_connected(tile.cell for tile in turn)


def _is_connected(cells: Iterable[Cell]) -> bool:
    apart = set(cells)
    reached = [apart.pop()]
    while reached:
        touched = apart.intersection(neighbours(reached.pop()))
        apart -= touched
        reached.extend(touched)
    return not apart


def _latest_first(position: Position) -> Iterator[Placement]:
    """The placements that fit, those most likely to lie beside the tile laid last in front."""
    fitting = position.fitting()
    return (Placement(cell, number) for cell in reversed(fitting) for number in fitting[cell])


def _accepted(position: Position, steps: Iterable[Placement]) -> Iterator[Placement]:
    """Those of the placements, all of which fit, that the rules of turns allow."""
    look = _Look.at(position)
    for step in steps:
        settled = look.settles(step)
        if settled is None:
            settled = _refusal(position, position.after(step), "", look.which) is None
        if settled:
            yield step


class _Look(NamedTuple):
    """What can be said of the next tile of a turn without laying it."""

    position: Position
    which: int
    cells: frozenset[Cell]
    """The cells of the turn that the next tile may be joined to."""
    lacking: frozenset[Colour]
    """The colours that the turn does not show yet, if it has to."""

    @classmethod
    def at(cls, position: Position) -> _Look:
        rules, turn = position.rules, position.turn
        joining = by_hand(turn) if rules.joined is Joined.ADJACENT else turn
        lacking = frozenset(rules.colours) - colours_shown(turn) if rules.both_colours else frozenset()
        return cls(position, len(by_hand(turn)) + 1, frozenset(tile.cell for tile in joining), lacking)

    def settles(self, step: Placement) -> bool | None:
        """Whether a tile that fits is legal; None if only laying it can tell."""
        state = self.position.rules.states[step.state]
        around = self._spaces_around(step.cell, state)
        auto_follows = any(forced(self.position.rules, decided) for decided in around)
        if self.which < self.position.tiles_to_lay:
            return True if not auto_follows and self._could_follow(state, around) else None
        if self._is_joined(step.cell) and self.lacking.issubset(state.colours):
            return True
        return None if auto_follows or self.which == 1 else False

    def _is_joined(self, cell: Cell) -> bool:
        anywhere = self.which == 1 or self.position.rules.joined is Joined.ANYWHERE
        return anywhere or not self.cells.isdisjoint(neighbours(cell))

    def _spaces_around(self, cell: Cell, state: State) -> list[str]:
        """The decided corners of each empty cell beside a tile that would lie in ``cell``."""
        board, around = self.position.board, []
        for neighbour, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True):
            if neighbour not in board.tiles:
                space = board.spaces.get(neighbour, UNTOUCHED)
                around.append(space.deciding(theirs, state.colours[ours]).decided)
        return around

    def _could_follow(self, laid: State, around: Iterable[str]) -> bool:
        """Whether a tile beside the one that would be laid first completes the turn."""
        rules, supply = self.position.rules, self.position.supply
        lacking = self.lacking.difference(laid.colours)
        return any(
            supply[state.kind] > (state.kind == laid.kind) and lacking.issubset(state.colours)
            for decided in around
            for state in rules.states.fitting(decided)
        )
