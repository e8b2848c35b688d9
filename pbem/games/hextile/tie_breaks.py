"""What counts when the supply is empty and nothing is decided, for the rulesets to name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import Eats, closed_groups
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.nesting import around
from pbem.games.hextile.regions import Region
from pbem.games.hextile.territory import territory
from pbem.games.hextile.tiles import Colour

TieBreak: TypeAlias = "Callable[[Layout, Colour, Colour], tuple[int, ...]]"
"""What counts for the player of the first colour when the supply is empty; the most wins, equal is a draw."""


def break_tie(layout: Layout, count: TieBreak, colours: tuple[Colour, Colour]) -> Outcome:
    """Who has won now that nothing is left to lay."""
    one, other = (count(layout, own, enemy) for own, enemy in (colours, colours[::-1]))
    winners = () if one == other else (int(other > one),)
    return Outcome(winners, Ending.SUPPLY_EMPTY)


def largest_wins(layout: Layout, own: Colour, enemy: Colour) -> tuple[int, ...]:
    """The bridges of one's largest group; no group at all ranks below one without bridges."""
    return (_largest(region for region in layout.regions.by_name.values() if region.colour is own),)


def largest_loses(layout: Layout, own: Colour, enemy: Colour) -> tuple[int, ...]:
    """The smaller one's largest group, the better."""
    (largest,) = largest_wins(layout, own, enemy)
    return (-largest,)


def tied(layout: Layout, own: Colour, enemy: Colour) -> tuple[int, ...]:
    """Nothing counts."""
    return ()


def largest_closed(layout: Layout, own: Colour, enemy: Colour) -> tuple[int, ...]:
    """One's largest closed group, then how many closed groups one has."""
    groups = tuple(closed_groups(layout.regions, own))
    return _largest(groups), len(groups)


@dataclass(frozen=True, slots=True)
class MostEaten:
    """The largest enemy group that one has eaten, then how many all of one's groups have."""

    eats: Eats

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> tuple[int, ...]:
        """Size and number."""
        regions = layout.regions
        eaten = [group for group in self.eats.eaten(regions, enemy) if around(regions, group) is not None]
        return _largest(eaten), len(eaten)


@dataclass(frozen=True, slots=True)
class MostTerritory:
    """The territory of one's best group (Browne, Mambo, "Mambogo").

    Between equals counts the territory of all one's groups, or, with ``smallest``, the fewer bridges of
    the best one. If nobody has any territory that is a draw.
    """

    smallest: bool = False

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> tuple[int, ...]:
        """Territory of the best group and what breaks the tie."""
        regions = layout.regions
        groups = [group for group in regions.by_name.values() if group.colour is own and group.loops]
        if not groups:
            return 0, 0
        ranked = [(territory(layout, group), -group.bridges) for group in groups]
        best, fewest = max(ranked)
        return best, fewest if self.smallest else sum(each for each, _ in ranked)


def _largest(groups: Iterable[Region]) -> int:
    return max((group.bridges for group in groups), default=-1)
