"""Positions of the hexagonal tile games as mails show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from pbem.diagrams.hextile import letters, picture_of, png
from pbem.games.game import Seat
from pbem.games.hextile import SWAP_WORD, facts, notation
from pbem.games.hextile import position as positions
from pbem.games.hextile.endings import ClosesWithEye, Contains, Kills
from pbem.games.hextile.facts import decisive
from pbem.games.hextile.grid import Cell, Colour, States, cells_at
from pbem.games.hextile.position import Position, begin
from pbem.games.hextile.ruleset import Ruleset
from pbem.wording.boards import Shown, legal_steps, play_legal, show
from pbem.wording.layout import columns, ranges


class Fitting(NamedTuple):
    """A space, and what can be laid there."""

    label: str
    states: str
    """Numbers and ranges of them: ``1 3 7-9``."""

    def __str__(self) -> str:
        return f"{self.label:<2} {self.states}"


@dataclass(frozen=True, slots=True)
class Group:
    """A connected part of one colour, and the facts about it."""

    number: int
    """Its place among all groups, by which drawings on pages know it."""
    seat: Seat
    """Its owner."""
    bridges: int
    loops: int
    eyes: int
    territory: int
    """The area that its loops enclose, as the game counts it."""
    closed: bool
    killed: bool
    ways_out: tuple[str, ...]
    """The labels of the spaces where it can grow."""
    tiles: tuple[str, ...]
    """If there are none, the tiles where it is: the labels of the spaces they fill, empty for the start tile."""
    null_points: tuple[str, ...]
    """The labels of those at its corners."""
    is_eye: bool = False
    """It is an eye; it has the seat and the bridges of the group around it."""
    decisive: bool = False
    """It has decided the game."""

    @property
    def room(self) -> int:
        """In how many spaces it can grow."""
        return len(self.ways_out)


@dataclass(frozen=True)
class HexTileShown(Shown):
    """A position of these games as mails show it. What not every reader wants is made when it is asked for."""

    family = "hextile"

    states: str
    """The states that tiles can be laid in, drawn small and numbered."""
    each_state: tuple[str, ...]
    """The same one by one, for readers who have room for few beside each other."""
    supply: Mapping[str, int]
    """The tiles left, by kind."""
    spaces: tuple[Fitting, ...]
    """The spaces where a tile is legal, in the order of their labels."""
    sizes: tuple[tuple[int, ...], ...]
    """For each seat the bridges of its groups that have any, the largest first."""
    make_picture: Callable[[], bytes]
    make_spots: Callable[[], tuple[tuple[int, int], tuple[png.Spot, ...]]]
    make_parts: Callable[[], tuple[Group, ...]]
    make_moves: Callable[[], Mapping[str, str]]
    laid: bool = False
    """The last turn has laid something."""
    least_bridges: int = 1
    """Those of the smallest group that can decide the game."""
    lone_tips: tuple[int, ...] = ()
    """For each seat how many groups without a bridge it has; empty where they cannot decide the game."""
    null_points: tuple[str, ...] = ()
    """The labels of the spaces where nothing will ever fit."""
    tiles_wanted: int = 1
    """The number of tiles of the turn, unless the game is over before."""
    may_swap: bool = False
    """The player to move may take the other side instead."""
    tiles_a_turn: int = 1
    """The number of tiles of every turn but the first, unless the game is over before."""

    def lacks_tiles(self, kept: str) -> bool:
        """Return True if a readable move has fewer tiles than a turn."""
        return kept.strip().lower() != SWAP_WORD and len(notation.read_words(kept)) < self.tiles_a_turn

    @cached_property
    def table(self) -> str:
        """The spaces in columns."""
        return columns(self.spaces)

    @cached_property
    def spots(self) -> tuple[tuple[int, int], tuple[png.Spot, ...]]:
        """The size of the picture, and where in it the spaces are."""
        return self.make_spots()

    def picture(self, viewer: Seat | None) -> bytes:
        """The same as PNG, which looks the same from all sides."""
        return self._picture

    @cached_property
    def _picture(self) -> bytes:
        return self.make_picture()

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups, the largest first; those without a bridge only where they can decide the game."""
        return tuple(each for each in self.parts if each.bridges >= self.least_bridges and not each.is_eye)

    @cached_property
    def parts(self) -> tuple[Group, ...]:
        """All groups, the largest first, and behind them the eyes where the game counts those."""
        return self.make_parts()

    @cached_property
    def moves(self) -> Mapping[str, str]:
        """For each space that may be played now the beginning of a legal turn there, in words of the notation."""
        return self.make_moves()


@show.register
def _(position: Position) -> HexTileShown:
    layout, nulls = position.layout, position.layout.null_points
    labels = {cell: label for cell, label in layout.labels.items() if cell not in nulls}
    return HexTileShown(
        board=letters.draw(layout.tiles, labels | dict.fromkeys(nulls, letters.NULL_POINT)),
        states=_states(position.rules.states),
        each_state=_each_state(position.rules.states),
        supply=position.supply,
        spaces=tuple(_playable(position)),
        sizes=_sizes(position),
        lone_tips=_lone_tips(position),
        null_points=tuple(layout.spaces[cell].label for cell in nulls),
        make_picture=lambda: png.draw(picture_of(position, labels, facts.deciding_tiles(position))),
        make_spots=lambda: png.spots(picture_of(position, labels)),
        make_parts=lambda: parts(position),
        make_moves=lambda: _moves(position),
        laid=bool(position.last_turn),
        least_bridges=0 if _tips_count(position.rules) else 1,
        tiles_wanted=min(position.tiles_to_lay, sum(position.supply.values())),
        may_swap=position.may_swap,
        tiles_a_turn=position.rules.tiles_a_turn,
    )


def _playable(position: Position) -> Iterator[Fitting]:
    """The spaces where something is legal, each with the states that are; of a turn of two tiles, for the first."""
    for cell, states in positions.legal_states(position):
        yield Fitting(position.layout.spaces[cell].label, ranges(states))


@lru_cache(maxsize=64)
def _states(states: States) -> str:
    """The same for all boards of a game."""
    return letters.draw_states(states)


@lru_cache(maxsize=64)
def _each_state(states: States) -> tuple[str, ...]:
    return tuple(letters.draw_states((state,)) for state in states)


def _sizes(position: Position) -> tuple[tuple[int, ...], ...]:
    by_colour: dict[Colour, list[int]] = {colour: [] for colour in position.colours}
    for region in position.layout.regions.by_name.values():
        if region.bridges and region.colour in by_colour:
            by_colour[region.colour].append(region.bridges)
    return tuple(tuple(sorted(sizes, reverse=True)) for sizes in by_colour.values())


def _tips_count(rules: Ruleset) -> bool:
    """Return True if a group without a bridge may decide the game."""
    return any(isinstance(each, (Kills, Contains)) or getattr(each, "size", 1) == 0 for each in rules.wins)


def _lone_tips(position: Position) -> tuple[int, ...]:
    if not _tips_count(position.rules):
        return ()
    lone = [region.colour for region in position.layout.regions.by_name.values() if not region.bridges]
    return tuple(lone.count(colour) for colour in position.colours)


def parts(position: Position) -> tuple[Group, ...]:
    """The groups of the players, then the eyes in them."""
    found = facts.group_facts(position.layout)
    told = [(number, fact) for number, fact in enumerate(found) if fact.colour in position.colours]
    labels = labels_when_laid(position) if any(not fact.liberties for _, fact in told) else {}
    largest_first = sorted(told, key=lambda each: -each[1].bridges)
    deciding = decisive(position, found)
    groups = [_group(position, number, fact, labels, number in deciding) for number, fact in largest_first]
    return (*groups, *_eyes(position, found, {each.number: each for each in groups}))


def _eyes(position: Position, found: Sequence[facts.Group], groups: Mapping[int, Group]) -> Iterator[Group]:
    """The eyes of groups, where they count."""
    if not any(isinstance(each, ClosesWithEye) for each in position.rules.wins):
        return
    for number, fact in enumerate(found):
        group = groups.get(-1 if fact.parent is None else fact.parent)
        if fact.colour is Colour.WHITE and fact.closed and group is not None:
            yield replace(group, number=number, eyes=0, is_eye=True)


def labels_when_laid(position: Position) -> dict[Cell, str]:
    """The label of the space that each tile fills; the start tile has none."""
    table, labels = begin(position.rules, 0).layout, {}
    for cell, state in position.layout.tiles.items():
        if cell not in table.tiles:
            labels[cell] = table.spaces[cell].label
            table = table.lay(cell, state)
    return labels


def _group(position: Position, number: int, fact: facts.Group, labels: Mapping[Cell, str], has_decided: bool) -> Group:
    spaces, around = position.layout.spaces, {cell for point in fact.points for cell in cells_at(point)}
    return Group(
        number=number,
        seat=position.colours.index(fact.colour),
        bridges=fact.bridges,
        loops=fact.loops,
        eyes=fact.eyes,
        territory=fact.territory,
        closed=fact.closed,
        killed=bool(fact.killed),
        ways_out=tuple(spaces[cell].label for cell in fact.liberties),
        tiles=() if fact.liberties else tuple(labels.get(cell, "") for cell in fact.tiles),
        null_points=tuple(spaces[cell].label for cell in position.layout.null_points if cell in around),
        decisive=has_decided,
    )


def _moves(position: Position) -> dict[str, str]:
    """The first legal placement of each space; a comma tells that a second tile is wanted behind it."""
    spaces = position.layout.spaces
    return {
        spaces[step.cell].label: f"{spaces[step.cell].label}{step.state}{',' if goes_on else ''}"
        for step, goes_on in positions.firsts(position)
    }


legal_steps.register(Position, positions.legal_steps)
play_legal.register(Position, positions.after_legal)
