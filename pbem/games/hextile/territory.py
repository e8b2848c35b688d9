"""Territory, and tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import Eats, closed_groups
from pbem.games.hextile.grid import Cell, Point, cells_at, corners, white_points
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.nesting import around
from pbem.games.hextile.regions import Region
from pbem.games.hextile.tiles import Colour, State


def territory(layout: Layout, region: Region) -> int:
    """How many junctions the loops of a region enclose, in empty cells too."""
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
