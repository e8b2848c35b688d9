"""How a game ends before the supply is empty: winning conditions, for the rulesets to name.

A condition is asked for the player of one colour; what it returns is how far he meets it, 0 being not at
all. Where both players meet one at once it is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pbem.games.game import Ending, Outcome, Seat
from pbem.games.hextile.grid import Cell, corners, place, white_points
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.nesting import around, enclosing
from pbem.games.hextile.regions import Region, Regions
from pbem.games.hextile.tiles import Colour, State


class Condition(Protocol):
    """A way to win before the supply is empty."""

    @property
    def ending(self) -> Ending:
        """What a game that ends so says."""

    def may_be_met(self, layout: Layout, cell: Cell, state: State) -> bool:
        """Whether this tile alone could meet it, as far as that is cheap to tell; nobody meets it yet."""

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """How far the player of ``own`` meets it; 0 if not at all."""


class _ByClosing:
    """What can only be met by closing a region."""

    __slots__ = ()

    def may_be_met(self, layout: Layout, cell: Cell, state: State) -> bool:
        """Whether the tile could close a region."""
        return layout.regions.may_close(cell, state)


@dataclass(frozen=True, slots=True)
class Kills:
    """An enemy group has no playable space at any of its corners (Browne, Mambo, "Winning")."""

    ending: ClassVar = Ending.KILLED

    def may_be_met(self, layout: Layout, cell: Cell, state: State) -> bool:
        """A null point may arise anywhere."""
        return True

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """1 if some enemy group is dead."""
        return int(any(region.colour is enemy for region in killed(layout)))


@dataclass(frozen=True, slots=True)
class Closes(_ByClosing):
    """A group of one's own, or of the enemy's, is closed and has ``size`` bridges or more."""

    size: int = 1
    enemy: bool = False
    ending: ClassVar = Ending.CLOSED

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """1 if such a group is closed."""
        return int(any(closed_groups(layout.regions, enemy if self.enemy else own, self.size)))


@dataclass(frozen=True, slots=True)
class ClosesWithEye(_ByClosing):
    """A closed group of one's own, of ``size`` bridges or more, has an eye (Browne, Superbo, "Winning")."""

    size: int = 1
    ending: ClassVar = Ending.EYE

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """1 if there is such a group."""
        regions = layout.regions
        rings = [group for group in closed_groups(regions, own, self.size) if group.loops]
        eyes = closed_groups(regions, Colour.WHITE) if rings else ()
        return int(any(around(regions, eye) in rings for eye in eyes))


@dataclass(frozen=True, slots=True)
class Contains(_ByClosing):
    """A closed group of one's own contains a closed enemy group (Browne, Lambo, variants)."""

    ending: ClassVar = Ending.CONTAINED

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """1 if some group does."""
        regions = layout.regions
        rings = [group for group in closed_groups(regions, own) if group.loops]
        inner = (each for each in closed_groups(regions, enemy) if any(_is_level_with(each, ring) for ring in rings))
        outer = (group for each in inner for group in enclosing(regions, layout.spaces, each))
        return int(any(group in rings for group in outer))


@dataclass(frozen=True, slots=True)
class Eats:
    """A group has ``least`` or more closed enemy groups of ``size`` bridges directly inside (Browne, Lambo)."""

    least: int = 2
    size: int = 0
    ending: ClassVar = Ending.EATEN

    def may_be_met(self, layout: Layout, cell: Cell, state: State) -> bool:
        """Whether the tile could close a region; or enough were eaten that may come together in one."""
        return layout.regions.may_close(cell, state) or len(layout.regions.closed) >= self.least

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """How many the greediest group has eaten, if enough."""
        meals = Counter(around(layout.regions, eaten) for eaten in self.eaten(layout.regions, enemy))
        most = max(meals.values(), default=0)
        return most if most >= self.least else 0

    def eaten(self, regions: Regions, enemy: Colour) -> Iterable[Region]:
        """The enemy groups that count."""
        return closed_groups(regions, enemy, self.size)


@dataclass(frozen=True, slots=True)
class MakesLoops:
    """A group of one's own has ``least`` loops (Browne, Mambo, "Mamba")."""

    least: int
    ending: ClassVar = Ending.LOOPS

    def may_be_met(self, layout: Layout, cell: Cell, state: State) -> bool:
        """Whether a bridge of the tile joins groups that have loops enough, with one more if it joins one to itself."""
        regions = layout.regions
        for points in (corners(cell), white_points(cell)):
            one, other = (regions.names.get(points[end]) for end in state.ends)
            loops = sum(regions.by_name[name].loops for name in {one, other} if name is not None)
            if loops + (one is not None and one == other) >= self.least:
                return True
        return False

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """1 if some group has."""
        groups = layout.regions.by_name.values()
        return int(any(group.colour is own and group.loops >= self.least for group in groups))


def killed(layout: Layout) -> tuple[Region, ...]:
    """The coloured groups that are closed, or whose every way out is a null point."""
    regions = layout.regions
    nulls = (corner for cell in layout.null_points for corner in corners(cell))
    blocked = Counter(regions.names[corner] for corner in nulls)
    dead = (regions.by_name[name] for name, ways in blocked.items() if regions.by_name[name].ways_out == ways)
    return tuple(region for region in regions.closed if region.is_coloured) + tuple(dead)


def closed_groups(regions: Regions, colour: Colour, size: int = 0) -> Iterable[Region]:
    """The closed regions of one colour with ``size`` bridges or more."""
    return (region for region in regions.closed if region.colour is colour and region.bridges >= size)


def judge(
    layout: Layout, conditions: Sequence[Condition], colours: tuple[Colour, Colour], mover: Seat
) -> Outcome | None:
    """Who has won, if anybody has.

    If both sides meet a condition at once, the one who meets it further wins, else the mover loses.
    """
    met = [_foremost(layout, conditions, own, enemy) for own, enemy in (colours, colours[::-1])]
    if met == [None, None]:
        return None
    reached = [found[0] if found else 0 for found in met]
    winner = reached.index(max(reached)) if reached[0] != reached[1] else 1 - mover
    found = met[winner]
    return None if found is None else Outcome((winner,), found[1])


def _foremost(layout: Layout, conditions: Sequence[Condition], own: Colour, enemy: Colour) -> tuple[int, Ending] | None:
    """How far the player of ``own`` meets the condition that he meets furthest, and which it is."""
    reached = ((condition(layout, own, enemy), condition.ending) for condition in conditions)
    return max((found for found in reached if found[0]), key=lambda found: found[0], default=None)


def _is_level_with(inner: Region, ring: Region) -> bool:
    """Whether a region lies between the left and right ends of another, as it does if it lies inside."""
    across = [place(point)[1] for point in ring.points]
    return min(across) <= place(inner.points[0])[1] <= max(across)
