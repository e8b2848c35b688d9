"""Which groups have decided a game that is over, for those who look at it; what decides: `endings`, `tie_breaks`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pbem.games.game import Ending
from pbem.games.hextile import endings
from pbem.games.hextile import territory as tie_breaks
from pbem.games.hextile.endings import Condition
from pbem.games.hextile.facts import Group
from pbem.games.hextile.position import Position
from pbem.games.hextile.tiles import Colour


def decisive(position: Position, groups: Sequence[Group]) -> frozenset[int]:
    """Where in the list of all groups those stand that have decided the game; none where no single groups have.

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


def _meets(condition: Condition, number: int, groups: Sequence[Group], own: Colour, enemy: Colour) -> bool:
    """Whether a group is what the player of ``own`` meets a condition by."""
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
