"""The largest matching of a graph."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.pairings import Graph, all_can_be_matched, largest_matching


def graph(size: int, edges: set[tuple[int, int]]) -> Graph:
    return {a: frozenset(b for b in range(size) if (a, b) in edges or (b, a) in edges) for a in range(size)}


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(0, 9))
    possible = list(combinations(range(size), 2))
    return graph(size, draw(st.sets(st.sampled_from(possible))) if possible else set())


def most_pairs(graph: Graph, free: frozenset[int]) -> int:
    """The size of the largest matching, by trying everything."""
    if not free:
        return 0
    vertex, rest = min(free), free - {min(free)}
    return max([most_pairs(graph, rest), *(1 + most_pairs(graph, rest - {each}) for each in graph[vertex] & rest)])


@given(graphs())
def test_no_matching_is_larger(some: Graph) -> None:
    mates = largest_matching(some)
    matched = [(vertex, mate) for vertex, mate in mates.items() if mate is not None]
    assert all(mate in some[vertex] and mates[mate] == vertex for vertex, mate in matched)
    assert len(matched) == 2 * most_pairs(some, frozenset(range(len(some))))


def test_an_odd_cycle_with_a_tail_is_matched_whole() -> None:
    tailed = graph(6, {(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (2, 5)})
    assert all_can_be_matched(tailed)


def test_two_triangles_cannot_be_matched_though_they_are_six() -> None:
    triangles = graph(6, {(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)})
    assert not all_can_be_matched(triangles)


def test_nobody_at_all_is_matched() -> None:
    assert largest_matching({}) == {}
    assert all_can_be_matched({})
