"""Ends of games: winning conditions, territory, and tie-breaks for an empty supply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

from pbem.games.game import Ending, Outcome, Seat
from pbem.games.hextile.grid import Cell, Colour, Point, State, cells_at, corners, place, white_points
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.regions import Region, Regions, around, enclosing


class Condition(Protocol):
    """A way to win before the supply is empty."""

    @property
    def ending(self) -> Ending:
        """The ending that is recorded for a game that ends so."""

    def may_be_met(self, layout: Layout, cell: Cell, state: State) -> bool:
        """Return False if this tile alone cannot meet it and that is cheap to tell; nobody meets it yet."""

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """Return how far the player of ``own`` meets it; 0 if not at all."""


class _ByClosing:
    """A condition that can only be met by closing a region."""

    __slots__ = ()

    def may_be_met(self, layout: Layout, cell: Cell, state: State) -> bool:
        """Return True if the tile could close a region."""
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
        """Return 1 if a group that counts is closed."""
        return int(any(closed_groups(layout.regions, enemy if self.enemy else own, self.size)))


@dataclass(frozen=True, slots=True)
class ClosesWithEye(_ByClosing):
    """A closed group of one's own, of ``size`` bridges or more, has an eye (Browne, Superbo, "Winning")."""

    size: int = 1
    ending: ClassVar = Ending.EYE

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """Return 1 if a group that counts exists."""
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
        """Return True if the tile could close a region, or if there are enough closed groups to come together."""
        return layout.regions.may_close(cell, state) or len(layout.regions.closed) >= self.least

    def __call__(self, layout: Layout, own: Colour, enemy: Colour) -> int:
        """Return the number of groups that the greediest group has eaten, if there are enough."""
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
        """Return True if a bridge of the tile joins groups with enough loops; joining a group to itself adds one."""
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
    """Return the outcome if a player has won.

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
    """The condition that the player of ``own`` meets furthest, and how far."""
    reached = ((condition(layout, own, enemy), condition.ending) for condition in conditions)
    return max((found for found in reached if found[0]), key=lambda found: found[0], default=None)


def _is_level_with(inner: Region, ring: Region) -> bool:
    """Return True if a region lies between the left and right ends of another, as it does if it lies inside."""
    across = [place(point)[1] for point in ring.points]
    return min(across) <= place(inner.points[0])[1] <= max(across)


def territory(layout: Layout, region: Region) -> int:
    """The number of junctions that the loops of a region enclose, also in empty cells."""
    return len(enclosed(layout, region)) if region.loops else 0


def enclosed(layout: Layout, region: Region) -> set[Point]:
    """The points that the loops of a region enclose; its own points are not among them."""
    wall = _looped(layout, region)
    if not wall:
        return set()
    # one cell more on every side, so that outside is in one piece
    columns = range(min(cell.q for cell in wall) - 1, max(cell.q for cell in wall) + 2)
    rows = range(min(cell.r for cell in wall) - 1, max(cell.r for cell in wall) + 2)
    box = [Cell(q, r) for q in columns for r in rows]
    outside = _reached(wall, {point for cell in box for point in _points(cell)}, _points(box[0]))
    return {point for cell in box for point in _points(cell)} - outside - set(region.points)


def _looped(layout: Layout, region: Region) -> dict[Cell, _Bridge]:
    """The bridges that the loops of a region are made of, without its branches, by the cells of their tiles."""
    joined: dict[Point, dict[Cell, Point]] = {point: {} for point in region.points}
    bridges = {cell: _bridge(layout.tiles[cell], cell, region.is_coloured) for cell in _tiles_at(layout, region)}
    bridges = {cell: bridge for cell, bridge in bridges.items() if bridge.one in joined and bridge.other in joined}
    for cell, (one, other, _) in bridges.items():
        joined[one][cell], joined[other][cell] = other, one
    loose = [point for point, others in joined.items() if len(others) == 1]
    while loose:
        for cell, other in joined.pop(loose.pop(), {}).items():
            del bridges[cell], joined[other][cell]
            if len(joined[other]) == 1:
                loose.append(other)
    return bridges


def _tiles_at(layout: Layout, region: Region) -> set[Cell]:
    return {cell for point in region.points for cell in cells_at(point) if cell in layout.tiles}


class _Bridge(NamedTuple):
    """A bridge on a tile: its ends, and the point of the tile that it parts from all others."""

    one: Point
    other: Point
    apart: Point


def _bridge(state: State, cell: Cell, is_coloured: bool) -> _Bridge:
    """The coloured or the white bridge of a tile."""
    own, others = corners(cell), white_points(cell)
    if not is_coloured:
        own, others = others, own
    one, other = state.ends
    return _Bridge(own[one], own[other], others[state.tip_at])


def _reached(wall: Mapping[Cell, _Bridge], points: set[Point], start: Iterable[Point]) -> set[Point]:
    """Those of ``points`` that are reached from some of them without crossing the wall, and the wall itself."""
    unseen = points - {end for bridge in wall.values() for end in bridge[:2]}
    to_visit = list(start)
    unseen.difference_update(to_visit)
    while to_visit:
        point = to_visit.pop()
        for cell in cells_at(point):
            bridge = wall.get(cell)
            if bridge is not None and point == bridge.apart:
                continue
            found = unseen.intersection(_points(cell))
            if bridge is not None:
                found.discard(bridge.apart)
            unseen -= found
            to_visit.extend(found)
    return points - unseen


def _points(cell: Cell) -> tuple[Point, ...]:
    return corners(cell) + white_points(cell)


TieBreak: TypeAlias = "Callable[[Layout, Colour, Colour], tuple[int, ...]]"
"""Counts for the player of the first colour when the supply is empty; the most wins, equal is a draw."""


def break_tie(layout: Layout, count: TieBreak, colours: tuple[Colour, Colour]) -> Outcome:
    """Return the winner now that nothing is left to lay."""
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
