"""How a game ends: winning conditions and tie-breaks, each a small function for the rulesets to name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.nesting import eyes
from pbem.games.hextile.regions import Regions
from pbem.games.hextile.tiles import Colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games.game import Seat
    from pbem.games.hextile.regions import Region

Condition: TypeAlias = Callable[[Regions, Colour], bool]
"""Whether the player of a colour has met a winning condition."""

TieBreak: TypeAlias = Callable[[Regions, Colour], int]
"""What counts for the player of a colour when the supply is empty; the most wins, equal is a draw."""


def closed_groups(regions: Regions, colour: Colour) -> tuple[Region, ...]:
    """The closed groups of one colour that have a bridge."""
    return tuple(region for region in regions.closed if region.colour is colour and region.bridges)


def kills_with_eye(regions: Regions, colour: Colour) -> bool:
    """A closed group of one's colour has an eye (Browne, Superbo, "Winning")."""
    return any(eyes(regions, group) for group in closed_groups(regions, colour))


def largest_group(regions: Regions, colour: Colour) -> int:
    """The bridges of one's largest group; no group at all ranks below one without bridges."""
    sizes = (region.bridges for region in regions.by_name.values() if region.colour is colour)
    return max(sizes, default=-1)


def judge(regions: Regions, conditions: Sequence[Condition], colours: Sequence[Colour], mover: Seat) -> Outcome | None:
    """Who has won, if anybody has; if both sides meet a condition at once, the mover loses."""
    met = [seat for seat, colour in enumerate(colours) if any(condition(regions, colour) for condition in conditions)]
    if len(met) > 1:
        met.remove(mover)
    return Outcome(tuple(met), Ending.KILLED) if met else None


def break_tie(regions: Regions, count: TieBreak, colours: Sequence[Colour]) -> Outcome:
    """Who has won now that nothing is left to lay."""
    counts = [count(regions, colour) for colour in colours]
    best = [seat for seat, counted in enumerate(counts) if counted == max(counts)]
    return Outcome(tuple(best) if len(best) == 1 else (), Ending.SUPPLY_EMPTY)
