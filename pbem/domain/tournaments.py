"""Tournaments and their rounds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from string import ascii_uppercase
from typing import Any

from pbem.domain.clocks import ClockRules
from pbem.domain.pairings import Contender, Drawn, Pair, round_robin, swiss
from pbem.domain.players import Player, Standing
from pbem.domain.tables import WIN, Played, Row, standings
from pbem.ids import BoardNumber, PlayerId, TournamentId

MOST_IN_POOL = 8
"""Of a round robin; more entrants are dealt to several pools of nearly the same size."""
MOST_ENTRANTS = 200
"""So that there is a letter for each pool."""
FEWEST_ENTRANTS = 2
MOST_ROUNDS = 20
"""That may be asked for."""
CREATOR_WAITED_FOR = timedelta(days=14)
"""The time since a sign of life during which only the creator can start a tournament."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")


class Kind(StrEnum):
    """The ways to decide who meets whom."""

    SWISS = "swiss"
    ROUND_ROBIN = "roundrobin"


class TournamentState(StrEnum):
    """The stages of a tournament."""

    OPEN = "open"
    """Players may join."""
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody who takes part."""

    player: PlayerId
    userid: str
    joined_at: datetime
    withdrawn_at: datetime | None = None
    """The moment from which they no longer take part; a player who withdraws before the start leaves no entry."""
    pool: str = ""
    """Its letter; empty before the start."""


@dataclass(frozen=True, slots=True)
class Bye:
    """Somebody has nobody to play in a round."""

    round: int
    player: PlayerId
    is_point: bool = True
    """It is worth a point; not for a player who could not be seated."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two who meet at a board."""

    board: BoardNumber
    round: int
    label: str
    """Such as ``A1``: the pool and the number of the board within it, counted through all rounds."""
    pair: Pair
    halves: tuple[int, int] | None = None
    """The score of each, in half points; None while they play."""

    @property
    def pool(self) -> str:
        """The letter of its pool."""
        return self.label[0]

    @property
    def is_over(self) -> bool:
        """Its board is over."""
        return self.halves is not None


@dataclass(frozen=True, slots=True)
class Seating:
    """A board that is to be begun."""

    label: str
    pair: Pair


@dataclass(frozen=True, slots=True)
class NextRound:
    """The games to be played next."""

    number: int
    seatings: tuple[Seating, ...]
    byes: tuple[Bye, ...] = ()


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament of one game, of two at a board; its boards are elsewhere, and told apart by their labels."""

    id: TournamentId
    name: str
    game: str
    kind: Kind
    creator: PlayerId
    created_at: datetime
    rounds: int | None = None
    """The number of rounds asked for, None: the usual number; once it runs, the number there are. See
    `rounds_planned`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    clock: ClockRules | None = None
    """None: that of the server's tournaments."""
    state: TournamentState = TournamentState.OPEN
    entries: tuple[Entry, ...] = ()
    """In the order in which they came."""
    round: int = 0
    """The one under way; 0 before the first."""
    byes: tuple[Bye, ...] = ()
    """In the order of rounds."""
    finished_at: datetime | None = None
    revision: int = 0
    """The number of times that it was written; storage refuses a write that is based on an older one."""

    def entry_of(self, player: PlayerId) -> Entry | None:
        """The entry of a player, withdrawn or not."""
        return next((each for each in self.entries if each.player == player), None)

    @property
    def staying(self) -> tuple[Entry, ...]:
        """The players who have not withdrawn."""
        return tuple(each for each in self.entries if each.withdrawn_at is None)

    @property
    def pools(self) -> tuple[str, ...]:
        """The letters of its pools."""
        return tuple(sorted({each.pool for each in self.entries if each.pool}))

    def of_pool(self, pool: str) -> tuple[PlayerId, ...]:
        """The players of a pool, in the order in which they came."""
        return tuple(each.player for each in self.entries if each.pool == pool)

    @property
    def rounds_planned(self) -> int:
        """The number of rounds, as it is or would be if it began now."""
        if self.state is not TournamentState.OPEN:
            return self.rounds or 0
        entrants = len(self.entries)
        if self.kind is Kind.ROUND_ROBIN:
            sizes = Counter(_dealt(entrants)).values()
            return max((_without_meeting_twice(size) for size in sizes), default=0)
        return min(self.rounds or (max(1, entrants) - 1).bit_length(), _without_meeting_twice(entrants))

    def joined(self, player: PlayerId, userid: str, at: datetime) -> Tournament:
        """The tournament with one entrant more."""
        return replace(self, entries=(*self.entries, Entry(player, userid, at)))

    def withdrawn(self, player: PlayerId, at: datetime) -> Tournament:
        """The tournament without an entrant; once it runs, their entry stays, marked as withdrawn."""
        if self.state is TournamentState.OPEN:
            return replace(self, entries=tuple(each for each in self.entries if each.player != player))
        entries = (replace(each, withdrawn_at=at) if each.player == player else each for each in self.entries)
        return replace(self, entries=tuple(entries))

    def started(self) -> Tournament:
        """The tournament with everybody dealt to a pool; its first round is not drawn yet."""
        pools = _dealt(len(self.entries)) if self.kind is Kind.ROUND_ROBIN else "A" * len(self.entries)
        entries = (replace(each, pool=pool) for each, pool in zip(self.entries, pools, strict=True))
        return replace(self, state=TournamentState.RUNNING, entries=tuple(entries), rounds=self.rounds_planned)

    def with_round(self, drawn: NextRound) -> Tournament:
        """The tournament with one round more."""
        return replace(self, round=drawn.number, byes=(*self.byes, *drawn.byes))

    def ended(self, at: datetime) -> Tournament:
        """The tournament after its last round."""
        return replace(self, state=TournamentState.OVER, finished_at=at)

    def called_off(self, at: datetime) -> Tournament:
        """The tournament as one that never began."""
        return replace(self, entries=()).ended(at)

    def waits_in_vain(self, creator: Player, at: datetime) -> bool:
        """Return True if the creator cannot be expected to start it: they cannot, or have long been silent."""
        last = max(self.created_at.date(), creator.seen_on or date.min)
        return creator.standing is not Standing.ACTIVE or at.date() - last >= CREATOR_WAITED_FOR

    def sitting_out(self) -> tuple[Bye, ...]:
        """The players who have no opponent in the round under way."""
        return tuple(each for each in self.byes if each.round == self.round)

    def table(self, pool: str, meetings: Sequence[Meeting]) -> tuple[Row, ...]:
        """The standings of a pool, after the boards that are over; a bye counts at once, as a won board does."""
        played = [Played(each.pair, each.halves) for each in meetings if each.halves is not None and each.pool == pool]
        byes = [each.player for each in self.byes if each.is_point]
        withdrawn = [each.player for each in self.entries if each.withdrawn_at is not None]
        return standings(self.of_pool(pool), played, byes, withdrawn)


def is_name(word: str) -> bool:
    """Return True if a tournament may have this name."""
    return _NAME.fullmatch(word) is not None


def name_key(name: str) -> str:
    """The common form of all spellings of a name."""
    return name.casefold()


def _without_meeting_twice(entrants: int) -> int:
    """In how many rounds so many can each meet each other once."""
    return entrants - 1 + entrants % 2 if entrants > 1 else 0


def _dealt(entrants: int) -> str:
    """The letter of each entrant's pool: one goes to each, then one to each the other way round, and so on."""
    pools = ascii_uppercase[: -(-entrants // MOST_IN_POOL)]
    there_and_back = pools + pools[::-1]
    return "".join(there_and_back[place % len(there_and_back)] for place in range(entrants))


def next_round(tournament: Tournament, meetings: Sequence[Meeting], can_play: Collection[PlayerId]) -> NextRound | None:
    """The next round, if there is anything left to play; every meeting until now must be over.

    In a round robin a round in which nobody can play is left out, and so is a bye that it would have.

    Args:
        tournament: one that runs.
        meetings: all until now.
        can_play: the players who can be seated at a board now; the others sit the round out without a point.
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
