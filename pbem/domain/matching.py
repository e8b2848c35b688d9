"""Who can be paired with whom: the largest matching of a graph (Edmonds, "Paths, trees, and flowers", 1965)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import TypeAlias

Graph: TypeAlias = "Mapping[int, frozenset[int]]"
"""Of each vertex, which others it may be matched with; whom one may have may have him."""


def largest_matching(graph: Graph) -> dict[int, int | None]:
    """Of each vertex the one it is matched with, or None, so that as few as possible are left over."""
    mates = _obvious(graph)
    for vertex in graph:
        if mates[vertex] is None:
            _Search(graph, mates).grow_from(vertex)
    return mates


def _obvious(graph: Graph) -> dict[int, int | None]:
    """A matching to begin with: each with the first who is free."""
    mates: dict[int, int | None] = dict.fromkeys(graph)
    for vertex, others in graph.items():
        if mates[vertex] is None:
            mate = next((each for each in others if mates[each] is None), None)
            if mate is not None:
                mates[vertex], mates[mate] = mate, vertex
    return mates


def all_can_be_matched(graph: Graph) -> bool:
    """Whether nobody need be left over."""
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
