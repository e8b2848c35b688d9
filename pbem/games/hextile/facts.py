"""Facts of a position, for sentences and as JSON: tiles, spaces, regions, and the groups that have decided it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from pbem.games.game import Ending
from pbem.games.hextile import endings
from pbem.games.hextile import endings as tie_breaks
from pbem.games.hextile.endings import Condition, territory
from pbem.games.hextile.grid import CORNER_NAMES, Cell, Colour, Point, State, States, cells_at, place, reading_order
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.position import Position
from pbem.games.hextile.regions import Region, parents

JsonObject: TypeAlias = "dict[str, object]"


@dataclass(frozen=True, slots=True)
class Group:
    """A region, white ones too, and what the rules of the family count of it."""

    colour: Colour
    points: tuple[Point, ...]
    """Its corners, or its white points, top to bottom, then left to right."""
    bridges: int
    loops: int
    closed: bool
    """None of its points touches an empty cell."""
    liberties: tuple[Cell, ...]
    """The spaces at its points that some state of the game fits, in the order of labels."""
    tiles: tuple[Cell, ...]
    """The tiles at its points, in reading order."""
    killed: bool | None
    """It is a coloured group without liberties; None in games that have no null points."""
    eyes: int
    """Closed white regions directly inside; a white region has none."""
    territory: int
    """Junctions, coloured and white, that its loops enclose."""
    parent: int | None
    """The index, in the list of all groups, of the one just outside its outer border, if there is one."""


def group_facts(layout: Layout) -> list[Group]:
    """All regions, in the order of their first points: top to bottom, then left to right."""
    counted = _Counted(layout)
    return [counted.group(name) for name in counted.order]


@lru_cache(maxsize=64)
def has_null_points(states: States) -> bool:
    """Neighbours can decide the corners of a space so that no state fits; only in Mambo."""
    return not all(states.fitting("".join(decided)) for decided in product(states.corner_colours, repeat=3))


def tiles_json(tiles: Mapping[Cell, State]) -> list[JsonObject]:
    """The tiles in reading order."""
    return [
        {
            "q": cell.q,
            "r": cell.r,
            "state": state.number,
            "bridge": state.bridge.value,
            "tip": state.tip.value,
            "corner": CORNER_NAMES[state.tip_at],
        }
        for cell, state in sorted(tiles.items(), key=lambda laid: reading_order(laid[0]))
    ]


def spaces_json(layout: Layout) -> list[JsonObject]:
    """The spaces in reading order, each with the states that fit by its corners; none fits a null point."""
    fitting = layout.states.fitting
    return [
        {"q": cell.q, "r": cell.r, "states": [state.number for state in fitting(layout.spaces[cell].decided)]}
        for cell in sorted(layout.spaces, key=reading_order)
    ]


def null_points_json(layout: Layout) -> list[JsonObject]:
    """The null points in reading order."""
    return [{"q": cell.q, "r": cell.r} for cell in sorted(layout.null_points, key=reading_order)]


def groups_json(groups: Iterable[Group]) -> list[JsonObject]:
    """The groups in their order, so that ``parent`` is an index; ``killed`` only in games with null points."""
    return [_group_json(group) for group in groups]


def _group_json(group: Group) -> JsonObject:
    killed = {} if group.killed is None else {"killed": group.killed}
    return {
        "colour": group.colour.value,
        "bridges": group.bridges,
        "loops": group.loops,
        "closed": group.closed,
        "liberties": len(group.liberties),
        **killed,
        "eyes": group.eyes,
        "territory": group.territory,
        "points": len(group.points),
        "parent": group.parent,
    }


class _Counted:
    """Counts made once for all groups of a layout, by the names of the regions."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._regions = layout.regions.by_name
        self._points = {name: tuple(sorted(region.points, key=place)) for name, region in self._regions.items()}
        self.order = sorted(self._points, key=lambda name: place(self._points[name][0]))
        self._numbers: dict[Point | None, int] = {name: number for number, name in enumerate(self.order)}
        self._parents = parents(layout.regions, layout.spaces)
        self._eyes = Counter(self._parents[name] for name, region in self._regions.items() if _may_be_eye(region))
        blocked = set(layout.null_points)
        self._playable = {cell: at for at, cell in enumerate(layout.spaces) if cell not in blocked}
        self._tiles = {cell: at for at, cell in enumerate(sorted(layout.tiles, key=reading_order))}
        self._knows_kills = has_null_points(layout.states)

    def group(self, name: Point) -> Group:
        """The facts of one region."""
        region, points = self._regions[name], self._points[name]
        liberties = _at(points, self._playable)
        return Group(
            colour=region.colour,
            points=points,
            bridges=region.bridges,
            loops=region.loops,
            closed=region.closed,
            liberties=liberties,
            tiles=_at(points, self._tiles),
            killed=region.is_coloured and not liberties if self._knows_kills else None,
            eyes=self._eyes[name],
            territory=territory(self._layout, region),
            parent=self._numbers.get(self._parents[name]),
        )


def _at(points: Iterable[Point], cells: Mapping[Cell, int]) -> tuple[Cell, ...]:
    """Those of ``cells`` that are at one of the points, in the order of their numbers."""
    found = {cell for point in points for cell in cells_at(point) if cell in cells}
    return tuple(sorted(found, key=cells.__getitem__))


def _may_be_eye(region: Region) -> bool:
    return region.colour is Colour.WHITE and region.closed


def decisive(position: Position, groups: Sequence[Group]) -> frozenset[int]:
    """The indices, in the list of all groups, of those that decided the game; none if no single groups did.

    A group that was killed or closed to the other's profit has decided it, too.
    """
    outcome = position.outcome
    if outcome is None or len(outcome.winners) != 1:
        return frozenset()
    (winner,) = outcome.winners
    own, enemy = position.colours[winner], position.colours[1 - winner]
    if outcome.ending == Ending.SUPPLY_EMPTY:
        return frozenset(_counted(position, groups, own, enemy))
    met = [condition for condition in position.rules.wins if condition.ending == outcome.ending]
    numbers = range(len(groups))
    return frozenset(n for n in numbers if any(_meets(condition, n, groups, own, enemy) for condition in met))


def deciding_tiles(position: Position) -> frozenset[Cell]:
    """The tiles of the groups that decided the game; none if no single groups did."""
    if position.outcome is None:
        return frozenset()
    groups = group_facts(position.layout)
    return frozenset(cell for number in decisive(position, groups) for cell in groups[number].tiles)


def _meets(condition: Condition, number: int, groups: Sequence[Group], own: Colour, enemy: Colour) -> bool:
    """Return True if the player of ``own`` meets a condition by this group."""
    group = groups[number]
    match condition:
        case endings.Kills():
            return group.colour is enemy and bool(group.killed)
        case endings.Closes():
            wanted = enemy if condition.enemy else own
            return group.colour is wanted and group.closed and group.bridges >= condition.size
        case endings.ClosesWithEye():
            return group.colour is own and group.closed and group.bridges >= condition.size and group.eyes > 0
        case endings.MakesLoops():
            return group.colour is own and group.loops >= condition.least
        case endings.Contains():
            inner = (each for each in groups if each.colour is enemy and each.closed)
            return group.colour is own and group.closed and any(number in _around(each, groups) for each in inner)
        case endings.Eats():
            inner = (each for each in groups if each.colour is enemy and each.closed and each.parent == number)
            eaten = [each for each in inner if each.bridges >= condition.size]
            return group.colour is own and len(eaten) >= condition.least
    return False


def _counted(position: Position, groups: Sequence[Group], own: Colour, enemy: Colour) -> Iterable[int]:
    """The groups whose size, or territory, was more than anything the other has; or, if that loses, the other's."""
    count = position.rules.tie_break
    if isinstance(count, tie_breaks.MostTerritory):
        sizes = {number: group.territory for number, group in enumerate(groups) if group.colour is own}
    elif count in (tie_breaks.largest_wins, tie_breaks.largest_loses, tie_breaks.largest_closed):
        loses, closed = count is tie_breaks.largest_loses, count is tie_breaks.largest_closed
        colour = enemy if loses else own
        counted = [(n, each) for n, each in enumerate(groups) if each.colour is colour and (each.closed or not closed)]
        sizes = {number: group.bridges for number, group in counted}
    else:
        sizes = {}
    return (number for number, size in sizes.items() if size == max(sizes.values()))


def _around(group: Group, groups: Sequence[Group]) -> Collection[int]:
    """The groups that one lies in, however deep."""
    found: list[int] = []
    while group.parent is not None and group.parent not in found:
        found.append(group.parent)
        group = groups[group.parent]
    return found
