"""Pairings of a round, by maximum weight matching."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

from pbem.ids import PlayerId

Graph: TypeAlias = "Mapping[int, frozenset[int]]"
"""For each vertex, the others that it may be matched with; the relation is symmetric."""


def largest_matching(graph: Graph) -> dict[int, int | None]:
    """Of each vertex the one it is matched with, or None, so that as few as possible are left over."""
    mates = _obvious(graph)
    for vertex in graph:
        if mates[vertex] is None:
            _Search(graph, mates).grow_from(vertex)
    return mates


def _obvious(graph: Graph) -> dict[int, int | None]:
    """A first matching: each with the first one that is free."""
    mates: dict[int, int | None] = dict.fromkeys(graph)
    for vertex, others in graph.items():
        if mates[vertex] is None:
            mate = next((each for each in others if mates[each] is None), None)
            if mate is not None:
                mates[vertex], mates[mate] = mate, vertex
    return mates


def all_can_be_matched(graph: Graph) -> bool:
    """Return True if nobody need be left over."""
    return len(graph) % 2 == 0 and None not in largest_matching(graph).values()


class _Search:
    """One search for a path along which the matching grows; odd cycles met on the way are shrunk to their base."""

    def __init__(self, graph: Graph, mates: dict[int, int | None]) -> None:
        self._graph = graph
        self._mates = mates
        self._came_from: dict[int, int] = {}
        """Of a vertex, by way of which other it was reached over an edge outside the matching."""
        self._bases = {vertex: vertex for vertex in graph}
        self._outer: set[int] = set()
        self._waiting: deque[int] = deque()

    def grow_from(self, root: int) -> None:
        """Match a vertex that has no mate, if that can be had by changing the mates of others."""
        self._reach(root)
        while self._waiting:
            here = self._waiting.popleft()
            for there in self._graph[here]:
                if (end := self._look(here, there, root)) is not None:
                    self._match_along(end)
                    return

    def _look(self, here: int, there: int, root: int) -> int | None:
        """Look along an edge; the vertex without a mate at which a path has come to its end, if one has."""
        if self._bases[here] == self._bases[there] or self._mates[here] == there:
            return None
        mate = self._mates[there]
        if there == root or (mate is not None and mate in self._came_from):
            self._shrink(here, there)
        elif there not in self._came_from:
            self._came_from[there] = here
            if mate is None:
                return there
            self._reach(mate)
        return None

    def _reach(self, vertex: int) -> None:
        self._outer.add(vertex)
        self._waiting.append(vertex)

    def _shrink(self, one: int, other: int) -> None:
        """Take the odd cycle that an edge closes for one vertex."""
        base = self._common_base(one, other)
        cycle = {*self._mark(one, base, other), *self._mark(other, base, one)}
        for vertex in self._graph:
            if self._bases[vertex] in cycle:
                self._bases[vertex] = base
                if vertex not in self._outer:
                    self._reach(vertex)

    def _common_base(self, one: int, other: int) -> int:
        seen = set(self._bases_above(one))
        return next(base for base in self._bases_above(other) if base in seen)

    def _bases_above(self, vertex: int) -> Iterator[int]:
        """The bases on the way from a vertex to the root."""
        while True:
            base = self._bases[vertex]
            yield base
            mate = self._mates[base]
            if mate is None:
                return
            vertex = self._came_from[mate]

    def _mark(self, vertex: int, base: int, child: int) -> Iterator[int]:
        """Note the way round the other side of a cycle; the bases on this side."""
        while self._bases[vertex] != base:
            mate = self._mates[vertex]
            if mate is None:
                raise AssertionError("only the root has no mate, and it is its own base")
            yield self._bases[vertex]
            yield self._bases[mate]
            self._came_from[vertex] = child
            child, vertex = mate, self._came_from[mate]

    def _match_along(self, end: int) -> None:
        """Exchange the edges in and outside the matching along the path that ends here."""
        vertex: int | None = end
        while vertex is not None:
            partner = self._came_from[vertex]
            following = self._mates[partner]
            self._mates[vertex], self._mates[partner] = partner, vertex
            vertex = following


Pair: TypeAlias = "tuple[PlayerId, PlayerId]"
"""Two who meet; the first moves first."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The draw for one round of one pool."""

    pairs: tuple[Pair, ...]
    byes: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class Contender:
    """The facts about a player that count when a round is paired."""

    player: PlayerId
    halves: int = 0
    """Half points."""
    byes: int = 0
    met: Mapping[PlayerId, int] = field(default_factory=Counter)
    """The number of meetings with each player."""
    firsts: int = 0
    """The number of times that they moved first minus those that they moved second."""

    def times_met(self, other: Contender) -> int:
        """Return the number of times that these two have met."""
        return self.met.get(other.player, 0)


def round_robin(players: Sequence[PlayerId]) -> tuple[Drawn, ...]:
    """All rounds in which each meets each other once.

    Of an odd number each sits out once. Nobody moves first more than once more, or less, than second.
    """
    circle: list[PlayerId | None] = [*players]
    if len(circle) % 2:
        circle.append(None)
    rounds = []
    for turn in range(max(0, len(circle) - 1)):
        ring = [*circle[:1], *_turned(circle[1:], turn)]
        met = [
            [player for player in pair if player is not None]
            for pair in zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True)
        ]
        pairs = tuple(_in_order(pair[0], pair[1], players) for pair in met if len(pair) == 2)
        rounds.append(Drawn(pairs, tuple(pair[0] for pair in met if len(pair) == 1)))
    return tuple(rounds)


def _turned(places: Sequence[PlayerId | None], by: int) -> list[PlayerId | None]:
    by %= max(1, len(places))
    return [*places[-by:], *places[:-by]] if by else [*places]


def _in_order(one: PlayerId, other: PlayerId, players: Sequence[PlayerId]) -> Pair:
    """The pairs, the one to move first in front, when each meets each other once.

    An odd number stands in a circle: each moves first against the half that follows. The one too many of an even
    number moves first against every other of them.
    """
    low, high = sorted((players.index(one), players.index(other)))
    odd = len(players) - 1 + len(players) % 2
    is_in_order = low % 2 == 0 if high == odd else (high - low) * 2 < odd
    return (players[low], players[high]) if is_in_order else (players[high], players[low])


def swiss(contenders: Sequence[Contender]) -> Drawn:
    """The next round of those who can play it, given in the order in which they came."""
    ranked = sorted(contenders, key=lambda each: -each.halves)
    if len(ranked) < 2:
        return Drawn((), tuple(each.player for each in ranked))
    sitting_out = _who_could_sit_out(ranked)
    for most in count():
        for absent in sitting_out:
            there = [each for each in ranked if each is not absent]
            if all_can_be_matched(_graph(there, most)):
                byes = () if absent is None else (absent.player,)
                return Drawn(tuple(_paired(there, most)), byes)
    raise AssertionError("however often they have met, it is a finite number")


def _who_could_sit_out(ranked: Sequence[Contender]) -> list[Contender | None]:
    """The players who may have the bye, first choice first; nobody if all can play."""
    if len(ranked) % 2 == 0:
        return [None]
    fewest = min(each.byes for each in ranked)
    return [each for each in reversed(ranked) if each.byes == fewest]


def _graph(there: Sequence[Contender], most: int) -> Graph:
    """The players who may meet, if nobody is to meet a player whom they have met more than ``most`` times."""
    everybody = frozenset(each.player for each in there)
    return {
        each.player: everybody - {each.player} - {other for other, times in each.met.items() if times > most}
        for each in there
    }


def _without(graph: Graph, *gone: PlayerId) -> Graph:
    return {player: others.difference(gone) for player, others in graph.items() if player not in gone}


def _paired(there: Sequence[Contender], most: int) -> list[Pair]:
    left, graph = list(there), _graph(there, most)
    pairs: list[Pair] = []
    while left:
        top = left.pop(0)
        for other in _wished_for(top, left):
            rest = _without(graph, top.player, other.player)
            if other.player in graph[top.player] and all_can_be_matched(rest):
                pairs.append(_sides(top, other, len(pairs)))
                left.remove(other)
                graph = rest
                break
    return pairs


def _wished_for(top: Contender, left: Sequence[Contender]) -> list[Contender]:
    """The preferred opponents of a player, first choice first."""
    equal = sum(each.halves == top.halves for each in left) + 1
    middle = equal // 2 - 1

    def distance(place: int) -> tuple[int, int, int]:
        other = left[place]
        lower = top.halves - other.halves
        return top.times_met(other), lower, place if lower else abs(place - middle)

    return [left[place] for place in sorted(range(len(left)), key=distance)]


def _sides(higher: Contender, lower: Contender, place: int) -> Pair:
    """The player who has moved first less often does now; if equal, the higher one at every other board."""
    is_higher_first = higher.firsts < lower.firsts or (higher.firsts == lower.firsts and place % 2 == 0)
    return (higher.player, lower.player) if is_higher_first else (lower.player, higher.player)
