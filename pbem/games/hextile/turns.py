"""What may be laid in a turn: one tile or two, that fit, lie together and show both colours.

A placement is first held against its space, then the turn that it makes against the rules of turns. `play`
says what is wrong; `legal`, which is only asked yes or no, looks first whether `Foresight` settles it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pbem.games.game import Ending
from pbem.games.hextile import refusals
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.foresight import Foresight, colours_lacking
from pbem.games.hextile.grid import Cell, reached_from
from pbem.games.hextile.ruleset import Joined
from pbem.games.hextile.tiles import CORNER_NAMES, UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pbem.games.game import IllegalMove
    from pbem.games.hextile.fills import Laid
    from pbem.games.hextile.position import Position


class Placement(NamedTuple):
    """One tile laid by hand."""

    cell: Cell
    state: int
    """The number of the state."""


class Swap(NamedTuple):
    """The second player takes the first one's side, in place of a turn."""


SWAP: Final = Swap()

Step: TypeAlias = Placement | Swap
"""What is played in every game of the family."""


def play(position: Position, step: Step, typed: str | None = None) -> Position:
    """The position after ``step``, which the player typed as ``typed``.

    Raises:
        IllegalMove: one of `pbem.games.hextile.refusals`.
    """
    if position.outcome is not None:
        raise refusals.GameIsOver
    if isinstance(step, Swap):
        return _swap(position)
    placement, which = typed or in_words(position, step), _next(position)
    _check_space(position, step, placement, which)
    after = position.after(step)
    refusal = _refusal(position, after, placement, which)
    if refusal is not None:
        raise refusal
    return after


def legal(position: Position) -> Iterator[Step]:
    """Every step that `play` accepts: placements by label and state, then the swap."""
    if position.outcome is None:
        yield from _accepted(position, position.layout.spaces)
    if position.may_swap:
        yield SWAP


def firsts(position: Position) -> Iterator[tuple[Placement, bool]]:
    """For each space where something is legal the first placement of `legal`, and whether the turn goes on behind it.

    Only what settles this is looked at, which is a small part of what all legal placements ask for.
    """
    if position.outcome is not None:
        return
    foresight = Foresight(position)
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


def in_words(position: Position, step: Placement) -> str:
    """A placement as it is printed; a cell that is no space shows its coordinates."""
    space = position.layout.spaces.get(step.cell)
    return f"{space.label if space else tuple(step.cell)}{step.state}"


def _check_space(position: Position, step: Placement, placement: str, which: int) -> None:
    """Refuse a placement that its space or the supply forbids, whatever the turn."""
    space, states = position.layout.spaces.get(step.cell), position.rules.states
    if space is None:
        filled = step.cell in position.layout.tiles
        raise refusals.NoSuchSpace(placement, which, space=str(tuple(step.cell)), filled=filled)
    if step.state not in states:
        raise refusals.NoSuchState(placement, which, state=step.state, lowest=1, highest=len(states))
    if not states.fitting(space.decided):
        raise refusals.NullPoint(placement, which, space=space.label)
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
        # the latest spaces lie beside the tile laid last, so one of them settles it soon
        follows = next(_accepted(after, reversed(tuple(after.layout.spaces))), None)
        return refusals.NothingCouldFollow(placement, which) if follows is None else None
    if which == 1 and _is_decided(after):
        return None
    if which > 1 and not _lie_together(before.rules.joined, after.last_turn):
        return refusals.NotJoined(placement, which, joined=before.rules.joined)
    lacking = colours_lacking(before.rules, after.last_turn)
    return refusals.ColourMissing(placement, which, colour=min(lacking)) if lacking else None


def _swap(position: Position) -> Position:
    if not position.rules.swap:
        raise refusals.SwapNotAgreed
    if not position.may_swap:
        raise refusals.SwapTooLate
    return position.after_swap()


def _next(position: Position) -> int:
    """Which tile of the turn comes next, from 1."""
    return len(by_hand(position.turn)) + 1


def _is_decided(position: Position) -> bool:
    return position.outcome is not None and position.outcome.ending is not Ending.SUPPLY_EMPTY


def _lie_together(joined: Joined, turn: Sequence[Laid]) -> bool:
    """Whether the tiles of a whole turn are joined as the game asks."""
    match joined:
        case Joined.ANYWHERE:
            return True
        case Joined.ADJACENT:
            return _are_connected({tile.cell for tile in by_hand(turn)})
        case Joined.CONNECTED:
            return _are_connected({tile.cell for tile in turn})


def _are_connected(cells: set[Cell]) -> bool:
    return reached_from(next(iter(cells)), cells) == cells


def _accepted(position: Position, cells: Iterable[Cell]) -> Iterator[Placement]:
    """The placements in these spaces that fit and that the rules of turns allow."""
    foresight = Foresight(position)
    for cell in cells:
        yield from _accepted_at(position, cell, foresight)


def _accepted_at(position: Position, cell: Cell, foresight: Foresight) -> Iterator[Placement]:
    """The placements in one space that fit and that the rules of turns allow."""
    all_settled = foresight.settles_all(cell)
    for state in () if all_settled is False else position.fitting_at(cell):
        step = Placement(cell, state.number)
        settled = all_settled or foresight.settles(cell, state)
        if _stands_the_test(position, step) if settled is None else settled:
            yield step


def _stands_the_test(position: Position, step: Placement) -> bool:
    """Whether a tile that fits turns out to be legal once it is laid."""
    return _refusal(position, position.after(step), "", _next(position)) is None
