"""Who meets whom in a round of a tournament, and who moves first.

Written here, since no library fits: the Python packages that pair tournaments are made for
chess federations' files and colours, or pair greedily and so let people meet twice where that could be avoided.

**Round robin**: the circle method. One player stands still, the others move on by one place a round.

**Swiss**: the players of a pool in the order of their points, equal ones in the order in which they came. If they are
odd in number, one of those with the fewest byes has a bye, the lowest who can. Then from the top each gets, of those he
has not met, the one who has the nearest points; among equals the one half of them further down. Somebody is passed over
only if the rest could otherwise not be paired without two meeting again. People meet a second time only if there is no
way around it, then a third time, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

from pbem.domain.matching import Graph, all_can_be_matched
from pbem.ids import PlayerId

Pair: TypeAlias = "tuple[PlayerId, PlayerId]"
"""Two who meet; the first moves first."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn for one round of one pool."""

    pairs: tuple[Pair, ...]
    byes: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class Contender:
    """What counts about a player when a round is paired."""

    player: PlayerId
    halves: int = 0
    """Half points."""
    byes: int = 0
    met: Mapping[PlayerId, int] = field(default_factory=Counter)
    """How often he has met whom."""
    firsts: int = 0
    """How much more often he has moved first than second; below 0: less often."""

    def times_met(self, other: Contender) -> int:
        """How often these two have met."""
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
    """Who moves first when each meets each other once.

    An odd number stands in a circle: each moves first against the half that follows him. The one too many of an even
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
    """Who may have the bye, first choice first; nobody if all can play."""
    if len(ranked) % 2 == 0:
        return [None]
    fewest = min(each.byes for each in ranked)
    return [each for each in reversed(ranked) if each.byes == fewest]


def _graph(there: Sequence[Contender], most: int) -> Graph:
    """Who may meet whom, if nobody is to meet somebody whom he has met more than ``most`` times."""
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
    """Whom one would have somebody meet, first choice first."""
    equal = sum(each.halves == top.halves for each in left) + 1
    middle = equal // 2 - 1

    def distance(place: int) -> tuple[int, int, int]:
        other = left[place]
        lower = top.halves - other.halves
        return top.times_met(other), lower, place if lower else abs(place - middle)

    return [left[place] for place in sorted(range(len(left)), key=distance)]


def _sides(higher: Contender, lower: Contender, place: int) -> Pair:
    """Who has moved first less often does now; if both have as often, at one board the higher and at the next not."""
    is_higher_first = higher.firsts < lower.firsts or (higher.firsts == lower.firsts and place % 2 == 0)
    return (higher.player, lower.player) if is_higher_first else (lower.player, higher.player)
