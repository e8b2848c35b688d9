"""Drawing the next round of a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from pbem.domain.pairings import Contender, Drawn, round_robin, swiss
from pbem.domain.tables import WIN, Played
from pbem.domain.tournaments import Bye, Kind, Meeting, NextRound, Seating, Tournament
from pbem.ids import PlayerId


def next_round(tournament: Tournament, meetings: Sequence[Meeting], can_play: Collection[PlayerId]) -> NextRound | None:
    """What is to be played next, if there is anything left; every meeting until now must be over.

    In a round robin a round in which nobody can play is left out, and so is a bye that somebody would have in it.

    Args:
        tournament: one that runs.
        meetings: all until now.
        can_play: who can be seated at a board now; who cannot sits the round out without a point.
    """
    staying = [each.player for each in tournament.staying if each.player in can_play]
    for number in range(tournament.round + 1, tournament.rounds_planned + 1):
        drawn = {pool: _draw(tournament, pool, number, meetings, staying) for pool in tournament.pools}
        seatings = [seating for pool, each in drawn.items() for seating in _labelled(pool, each, meetings)]
        if seatings:
            byes = [Bye(number, player) for each in drawn.values() for player in each.byes]
            absent = [each.player for each in tournament.staying if each.player not in staying]
            return NextRound(
                number, tuple(seatings), (*byes, *(Bye(number, player, is_point=False) for player in absent))
            )
        if tournament.kind is Kind.SWISS:
            return None
    return None


def _labelled(pool: str, drawn: Drawn, meetings: Sequence[Meeting]) -> list[Seating]:
    begun = sum(each.pool == pool for each in meetings)
    return [Seating(f"{pool}{begun + place}", pair) for place, pair in enumerate(drawn.pairs, 1)]


def _draw(
    tournament: Tournament, pool: str, number: int, meetings: Sequence[Meeting], staying: Collection[PlayerId]
) -> Drawn:
    players = tournament.of_pool(pool)
    if tournament.kind is Kind.SWISS:
        byes = Counter(each.player for each in tournament.byes if each.is_point)
        return swiss([_contender(each, meetings, byes[each]) for each in players if each in staying])
    schedule = round_robin(players)
    return _of_those(staying, schedule[number - 1]) if number <= len(schedule) else Drawn(())


def _of_those(staying: Collection[PlayerId], drawn: Drawn) -> Drawn:
    """A round without those who cannot play it; whoever was to meet one of them has a bye."""
    pairs = tuple(pair for pair in drawn.pairs if all(player in staying for player in pair))
    left = [*drawn.byes, *(player for pair in drawn.pairs if pair not in pairs for player in pair)]
    return Drawn(pairs, tuple(player for player in left if player in staying))


def _contender(player: PlayerId, meetings: Sequence[Meeting], byes: int) -> Contender:
    sides = [
        (other, halves, meeting.pair[0] == player)
        for meeting in meetings
        if meeting.halves is not None
        for one, other, halves in Played(meeting.pair, meeting.halves).sides()
        if one == player
    ]
    return Contender(
        player,
        halves=WIN * byes + sum(halves for _, halves, _ in sides),
        byes=byes,
        met=Counter(other for other, _, _ in sides),
        firsts=sum(1 if is_first else -1 for _, _, is_first in sides),
    )
