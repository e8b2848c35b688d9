"""The table of a tournament's pool: points, tie-breaks and places.

A win is worth one point, a draw a half; so is a bye one. Between equal points stand, one after the other: Buchholz, the
points of all opponents; the direct result, the points made against those who are still level; Sonneborn-Berger,
the points of those one has beaten and half of those one has drawn with; who came first. Who has withdrawn stands last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pbem.domain.pairings import Pair
from pbem.ids import PlayerId

WIN, DRAW, LOSS = 2, 1, 0
"""In half points, as everything here is reckoned."""


@dataclass(frozen=True, slots=True)
class Played:
    """One meeting that is over."""

    pair: Pair
    halves: tuple[int, int]
    """The score of each."""

    def sides(self) -> tuple[tuple[PlayerId, PlayerId, int], ...]:
        """The meeting as seen by each: the player, the other, and the player's score."""
        (first, second), (of_first, of_second) = self.pair, self.halves
        return (first, second, of_first), (second, first, of_second)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    player: PlayerId
    halves: int = 0
    """Half points, as `buchholz` and `direct` are."""
    played: int = 0
    """Meetings that are over."""
    byes: int = 0
    buchholz: int = 0
    direct: int = 0
    """The score against those who are level on points and Buchholz."""
    berger: int = 0
    """Quarter points."""
    has_withdrawn: bool = False
    place: int = 0
    """From 1; players who are level in everything share one."""

    @property
    def rank(self) -> tuple[object, ...]:
        """The sort key of the places; the least comes first."""
        return self.has_withdrawn, -self.halves, -self.buchholz, -self.direct, -self.berger


def standings(
    players: Sequence[PlayerId],
    meetings: Iterable[Played],
    byes: Iterable[PlayerId] = (),
    withdrawn: Iterable[PlayerId] = (),
) -> tuple[Row, ...]:
    """The table of a pool, best first.

    Args:
        players: all in the pool, in the order in which they came.
        meetings: those that are over.
        byes: the players who have had one, as often as they have.
        withdrawn: the players who have left the tournament.
    """
    sides = [side for meeting in meetings for side in meeting.sides()]
    sitting, gone = Counter(byes), set(withdrawn)
    points = Counter({player: WIN * sitting[player] for player in players})
    for player, _, halves in sides:
        points[player] += halves
    rows = [
        Row(
            player=player,
            halves=points[player],
            played=sum(one == player for one, _, _ in sides),
            byes=sitting[player],
            buchholz=sum(points[other] for one, other, _ in sides if one == player),
            berger=sum(points[other] * halves for one, other, halves in sides if one == player),
            has_withdrawn=player in gone,
        )
        for player in players
    ]
    return _placed(_with_direct(rows, sides))


def _with_direct(rows: Sequence[Row], sides: Sequence[tuple[PlayerId, PlayerId, int]]) -> list[Row]:
    """The rows with what those who are level have made against each other."""
    level = {row.player: (row.has_withdrawn, row.halves, row.buchholz) for row in rows}
    direct: Counter[PlayerId] = Counter()
    for player, other, halves in sides:
        direct[player] += halves if level[player] == level[other] else 0
    return [replace(row, direct=direct[row.player]) for row in rows]


def _placed(rows: Sequence[Row]) -> tuple[Row, ...]:
    placed: list[Row] = []
    for _, equal in groupby(sorted(rows, key=lambda row: row.rank), key=lambda row: row.rank):
        place = len(placed) + 1
        placed += [replace(row, place=place) for row in equal]
    return tuple(placed)
