"""The rules of the hexagonal tile games a second time, from their text alone (docs and help pages), without `pbem`.

All is reckoned anew from the tiles whenever it is asked for. What lies inside what is not found by walking along
borders but by taking a region away: what can then not be reached from outside, from region to region, lies inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeAlias

Cell: TypeAlias = tuple[int, int]
Tiles: TypeAlias = dict[Cell, int]

AROUND: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Clockwise from n, by column and row along the column."""

MEETING: tuple[tuple[Cell, Cell], ...] = (((-1, 0), (-1, 1)), ((0, -1), (1, -1)), ((1, 0), (0, 1)))
"""The other two cells at the corners W, NE, SE."""
MEETING_WHITE: tuple[tuple[Cell, Cell], ...] = (((1, -1), (1, 0)), ((-1, 1), (0, 1)), ((-1, 0), (0, -1)))
"""The other two cells at the white points E, SW, NW, each opposite the corner of the same place."""

FACES = {"mambo": ("ox", "xo"), "superbo": ("ox", "xo", "oo", "xx"), "lambo": ("oo",), "palago": ("oo",)}
"""Bridge and tip; three states each, with the tip at W, NE, SE."""

EMPTY = "empty"


@dataclass(frozen=True, eq=False)
class Point:
    """A point where three cells meet; there is one object for each."""

    cells: frozenset[Cell]


point_of = cache(Point)


@cache
def beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + q, cell[1] + r) for q, r in AROUND]


@cache
def points(cell: Cell) -> list[Point]:
    """Three corners, then three white points."""
    q, r = cell
    meeting = (((q + one[0], r + one[1]), (q + other[0], r + other[1])) for one, other in (*MEETING, *MEETING_WHITE))
    return [point_of(frozenset((cell, *others))) for others in meeting]


@dataclass(eq=False)
class Region:
    """A connected part of one colour: ``o``, ``x`` or ``white``."""

    colour: str
    points: set[Point]
    tiles: Tiles
    bridges: int = 0

    @cached_property
    def ways_out(self) -> set[Cell]:
        """The empty cells that it touches."""
        return {cell for point in self.points for cell in point.cells} - self.tiles.keys()

    @property
    def loops(self) -> int:
        return self.bridges - len(self.points) + 1

    @property
    def closed(self) -> bool:
        return not self.ways_out


@cache
def corners(faces: tuple[str, ...], state: int) -> str:
    """The colours that a state shows at W, NE, SE."""
    face = faces[(state - 1) // 3]
    bridge, tip = face[0], face[1]
    return "".join(tip if corner == (state - 1) % 3 else bridge for corner in range(3))


@cache
def matching(faces: tuple[str, ...], decided: tuple[str | None, ...]) -> list[int]:
    """The states that show the colours that are decided."""
    return [
        state
        for state in range(1, 3 * len(faces) + 1)
        if all(there in (None, here) for there, here in zip(decided, corners(faces, state), strict=True))
    ]


class HextileTable:
    """Tiles, and what they show."""

    def __init__(self, faces: tuple[str, ...], tiles: Tiles) -> None:
        self.faces = faces
        self.tiles = tiles

    @cached_property
    def shown(self) -> dict[Point, str]:
        """The colours of the corners that are decided."""
        return {
            point: colour
            for cell, state in self.tiles.items()
            for point, colour in zip(points(cell)[:3], corners(self.faces, state), strict=True)
        }

    @cached_property
    def spaces(self) -> set[Cell]:
        return {other for cell in self.tiles for other in beside(cell)} - self.tiles.keys() or (
            set() if self.tiles else {(0, 0)}
        )

    def decided(self, cell: Cell) -> tuple[str | None, ...]:
        return tuple(self.shown.get(point) for point in points(cell)[:3])

    def fitting(self, cell: Cell) -> list[int]:
        return matching(self.faces, self.decided(cell))

    @cached_property
    def regions(self) -> list[Region]:
        return list({id(region): region for region in self.at.values()}.values())

    @cached_property
    def at(self) -> dict[Point, Region]:
        """The region of every point of every tile."""
        found: dict[Point, Region] = {}
        for cell, state in self.tiles.items():
            around, tip = points(cell), (state - 1) % 3
            for point, colour in zip(around, (*corners(self.faces, state), "white", "white", "white"), strict=True):
                if point not in found:
                    found[point] = Region(colour, {point}, self.tiles)
            for first in (0, 3):  # the coloured bridge, then the white one
                one, other = found[around[first + (tip + 1) % 3]], found[around[first + (tip + 2) % 3]]
                if one is not other:
                    one.bridges += other.bridges
                    one.points |= other.points
                    found.update(dict.fromkeys(other.points, one))
                one.bridges += 1
        return found

    @cached_property
    def touching(self) -> dict[int | Cell, set[int | Cell]]:
        """Which regions, by ``id``, and empty cells lie side by side; one cell more around the tiles than there are."""
        found: dict[int | Cell, set[int | Cell]] = {}

        def join(one: int | Cell, other: int | Cell) -> None:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)

        for cell in self.tiles:
            around = [self.at[point] for point in points(cell)]
            tip = (self.tiles[cell] - 1) % 3
            end = (tip + 1) % 3
            bridge, white = around[end], around[3 + end]
            # bridge | white bridge | tip, and on the other side of the bridge the white tip
            join(id(bridge), id(white))
            join(id(white), id(around[tip]))
            join(id(bridge), id(around[3 + tip]))
        for cell in self.outside:
            for other_cell in beside(cell):
                if other_cell in self.outside:
                    join(cell, other_cell)
            for point in points(cell):
                if point in self.at:
                    join(cell, id(self.at[point]))
        return found

    @cached_property
    def outside(self) -> set[Cell]:
        """The empty cells of a box around the tiles; its first one certainly lies outside of everything."""
        columns, rows = [cell[0] for cell in self.tiles], [cell[1] for cell in self.tiles]
        box = {(q, r) for q in range(min(columns) - 2, max(columns) + 3) for r in range(min(rows) - 2, max(rows) + 3)}
        return box - self.tiles.keys()

    def inside(self, ring: Region) -> set[int | Cell]:
        """The regions, by ``id``, and the empty cells that a region parts from the outside."""
        start = min(self.outside)
        seen: set[int | Cell] = {id(ring), start}
        waiting: list[int | Cell] = [start]
        while waiting:
            for other in self.touching[waiting.pop()] - seen:
                seen.add(other)
                waiting.append(other)
        return self.touching.keys() - seen

    def surrounds(self, ring: Region, inner: Region) -> bool:
        return ring.loops > 0 and id(inner) in self.inside(ring)

    def directly_inside(self, ring: Region, inner: Region) -> bool:
        return id(inner) in self.touching[id(ring)] and self.surrounds(ring, inner)

    def territory(self, ring: Region) -> int:
        """The number of points that a group's loops enclose, in empty cells too."""
        if ring.loops == 0:
            return 0
        inside = self.inside(ring)
        enclosed = {point for region in self.regions if id(region) in inside for point in region.points}
        enclosed |= {point for cell in inside if isinstance(cell, tuple) for point in points(cell)}
        return len(enclosed - ring.points)

    def of(self, colour: str) -> list[Region]:
        return [region for region in self.regions if region.colour == colour]


class Rules:
    """A game under options, as records have them."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game, self.options = game, options
        self.faces = FACES[game]
        self.is_light_and_dark = game in ("lambo", "palago")
        self.preset = next((name for name in ("mamba", "mamboa", "mambogo") if name in options), "")
        self.colours = ("white", "o") if self.is_light_and_dark else ("o", "x")
        self.tiles_a_turn = 1 if game == "mambo" or "single" in options else 2
        full = "full" if self.preset in ("mamba", "mambogo") else "limited"
        self.auto = "none" if self.is_light_and_dark else options.get("auto", full)
        least = {"mamba": 4, "mamboa": 2}.get(self.preset, 0)
        self.loops = options.get("loops", least) if not self.is_light_and_dark else 0
        self.both_colours = game == "superbo" and "any_colour" not in options
        self.connected = game == "superbo" and not options.keys() & {"adjacent_pair", "anywhere", "single"}
        self.adjacent = "adjacent_pair" in options or (self.is_light_and_dark and "anywhere" not in options)

    @property
    def supply(self) -> list[int]:
        """Tiles of each kind; Superbo has one for each colour of bridges."""
        if self.game == "superbo":
            return [self.options.get("num_tiles", 32)] * 2
        return [self.options.get("size", 48)]

    def kind(self, state: int) -> int:
        return int(self.game == "superbo" and self.faces[(state - 1) // 3][0] == "x")

    def forced(self, table: HextileTable, cell: Cell) -> int | None:
        """The tile that fills a space by itself."""
        decided, fitting = table.decided(cell), table.fitting(cell)
        if self.auto == "none" or len(fitting) != 1 or (self.auto == "limited" and None in decided):
            return None
        return fitting[0]

    def met(self, table: HextileTable, own: str, enemy: str) -> int:
        """The progress of a colour's player towards a win; only meals are counted."""
        if self.loops and any(group.loops >= self.loops for group in table.of(own)):
            return 1
        if self.game == "mambo":
            return int(self._kills and any(self._is_dead(table, group) for group in table.of(enemy)))
        if self.game == "superbo":
            return self._met_in_superbo(table, own, enemy)
        if "must_contain" in self.options:
            inner = [group for group in table.of(enemy) if group.closed]
            rings = [group for group in table.of(own) if group.closed]
            return int(any(table.surrounds(ring, each) for ring in rings for each in inner))
        if self._eats:
            most = max((len(self._eaten(table, group, enemy)) for group in table.of(own)), default=0)
            return most if most >= self.options.get("eat_enemy", 2) else 0
        return int(any(group.closed and group.bridges for group in table.of(own)))

    def _met_in_superbo(self, table: HextileTable, own: str, enemy: str) -> int:
        size = self.options.get("kill_size", 1)
        closes = enemy if "kill_enemy" in self.options else own
        groups = [group for group in table.of(closes) if group.closed and group.bridges >= size]
        if self.options.keys() & {"kill_enemy", "kill_own"}:
            return int(bool(groups))
        eyes = [region for region in table.of("white") if region.closed]
        return int(any(table.directly_inside(group, eye) for group in groups for eye in eyes))

    @property
    def _kills(self) -> bool:
        return "kill" in self.options or ("no_kill" not in self.options and self.preset in ("", "mamboa"))

    def _is_dead(self, table: HextileTable, group: Region) -> bool:
        return all(not table.fitting(cell) for cell in group.ways_out)

    @property
    def _eats(self) -> bool:
        return bool(self.options.keys() & {"eat_enemy", "eat_size"})

    def _eaten(self, table: HextileTable, group: Region, enemy: str) -> list[Region]:
        if group.loops == 0:
            return []
        least = self.options.get("eat_size", 0)
        eaten = (each for each in table.of(enemy) if each.closed and each.bridges >= least)
        return [each for each in eaten if table.directly_inside(group, each)]

    def counted(self, table: HextileTable, own: str, enemy: str) -> tuple[int, ...]:
        """The counts of a player that decide when the supply is empty."""
        groups, named = table.of(own), self.options.keys()
        largest = max((group.bridges for group in groups), default=-1)
        if self.game == "palago" or "tied" in named:
            return ()
        if "must_contain" in named:
            closed = [group for group in groups if group.closed]
            return max((group.bridges for group in closed), default=-1), len(closed)
        if self.game == "lambo" and self._eats:
            eaten = [each for group in groups for each in self._eaten(table, group, enemy)]
            return max((each.bridges for each in eaten), default=-1), len(eaten)
        other = named & {"largest_wins", "largest_loses"}
        if "territory" in named or (self.preset == "mambogo" and not other):
            ranked = [(table.territory(group), -group.bridges) for group in groups if group.loops]
            best, fewest = max(ranked, default=(0, 0))
            return best, fewest if self.options.get("tiebreak") == "smallest" else sum(each for each, _ in ranked)
        loses = "largest_loses" in named or (self.preset == "mamba" and not other)
        return (-largest if loses else largest,)


@dataclass(frozen=True)
class State:
    """A state of a game; ``turn`` has the tiles of the turn under way, ``hand`` those of them laid by hand."""

    rules: Rules
    table: HextileTable
    supply: tuple[int, ...]
    ply: int = 0
    turn: tuple[tuple[Cell, int], ...] = ()
    hand: tuple[Cell, ...] = ()
    swapped: bool = False
    winner: int | None = None
    is_over: bool = False
    early: bool = False
    """True if the game was decided before the supply counted."""
    by_both: bool = False
    """True if both players had won at once."""
    autos: tuple[tuple[Cell, int], ...] = ()
    """The auto moves that followed the tile laid last."""

    @property
    def colours(self) -> tuple[str, str]:
        one, other = self.rules.colours
        return (other, one) if self.swapped else (one, other)

    @property
    def to_lay(self) -> int:
        return self.rules.tiles_a_turn if self.ply else 1


def begin(game: str, options: dict[str, Any]) -> State:
    rules = Rules(game, options)
    if game == "mambo":
        return State(rules, HextileTable(rules.faces, {}), tuple(rules.supply))
    first, *others = rules.supply
    return State(rules, HextileTable(rules.faces, {(0, 0): 1}), (first - 1, *others))


def swapped(state: State) -> State:
    return State(state.rules, state.table, state.supply, ply=state.ply + 1, swapped=not state.swapped)


def laid(state: State, cell: Cell, number: int) -> State:
    """The game after a tile that fits, whether or not the turn may be played so."""
    rules, tiles, supply = state.rules, dict(state.table.tiles), list(state.supply)
    waiting: list[Cell] = []
    autos: list[tuple[Cell, int]] = []
    following: tuple[Cell, int] | None = (cell, number)
    while following is not None:
        tiles[following[0]] = following[1]
        supply[rules.kind(following[1])] -= 1
        autos.append(following)
        table = HextileTable(rules.faces, tiles.copy())
        spaces = table.spaces if rules.auto != "none" else ()
        new = [each for each in spaces if each not in waiting and rules.forced(table, each) is not None]
        waiting += sorted(new, key=lambda each: (2 * each[1] + each[0], each[0]))
        following = None
        for each in waiting:
            forced = rules.forced(table, each) if each not in tiles else None
            if forced is not None and supply[rules.kind(forced)]:
                following = each, forced
                break
    return _judged(state, table, tuple(supply), tuple(autos))


def _judged(state: State, table: HextileTable, supply: tuple[int, ...], autos: tuple[tuple[Cell, int], ...]) -> State:
    rules, hand = state.rules, (*state.hand, autos[0][0])
    turn = (state.turn if state.hand else ()) + autos
    one, other = state.colours
    met = rules.met(table, one, other), rules.met(table, other, one)
    winner, is_over, mover = None, False, state.ply % 2
    if any(met):
        is_over, winner = True, int(met[1] > met[0]) if met[0] != met[1] else 1 - mover
    elif not any(supply):
        counts, theirs = rules.counted(table, one, other), rules.counted(table, other, one)
        is_over, winner = True, None if counts == theirs else int(theirs > counts)
    goes_on = not is_over and len(hand) < state.to_lay
    return State(
        rules,
        table,
        supply,
        ply=state.ply if goes_on else state.ply + 1,
        turn=turn,
        hand=hand if goes_on else (),
        swapped=state.swapped,
        winner=winner,
        is_over=is_over,
        early=any(met),
        by_both=all(met),
        autos=autos[1:],
    )


def fitting(state: State) -> Iterator[tuple[Cell, int]]:
    """All that fits by corners and supply."""
    for cell in state.table.spaces:
        for number in state.table.fitting(cell):
            if state.supply[state.rules.kind(number)]:
                yield cell, number


def may_lay(state: State, cell: Cell, number: int) -> bool:
    """Return True if the turn may be played this way."""
    after = laid(state, cell, number)
    if after.hand:
        return any(may_lay(after, *step) for step in _near_first(after))
    if not state.hand and after.early:
        return True
    return _is_joined(state, after, cell) and not _lacks_a_colour(after)


def _near_first(state: State) -> Iterable[tuple[Cell, int]]:
    near = {each for cell in state.hand for each in beside(cell)}
    return sorted(fitting(state), key=lambda step: step[0] not in near)


def _is_joined(before: State, after: State, cell: Cell) -> bool:
    rules = after.rules
    if not before.hand or not (rules.connected or rules.adjacent):
        return True
    if rules.adjacent:
        return cell in beside(before.hand[0])
    apart = {each for each, _ in after.turn}
    waiting = [apart.pop()]
    while waiting:
        found = apart & set(beside(waiting.pop()))
        apart -= found
        waiting.extend(found)
    return not apart


def _lacks_a_colour(after: State) -> bool:
    shown = {colour for _, number in after.turn for colour in corners(after.rules.faces, number)}
    return after.rules.both_colours and not {"o", "x"} <= shown


def legal(state: State) -> set[tuple[Cell, int]]:
    return set() if state.is_over else {step for step in fitting(state) if may_lay(state, *step)}
