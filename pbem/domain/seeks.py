"""Who looks for somebody to play with, and who of them make a board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pbem.domain.clocks import ClockRules
from pbem.domain.durations import duration_word
from pbem.domain.terms import Term, clock_words
from pbem.games.options import in_words
from pbem.ids import PlayerId, SeekId

USUAL_PLAYERS = 2
"""Of who does not say how many are to play."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a board is to be like. Seeks for the same can meet; in which order options were typed is all one."""

    game: str
    options: Mapping[str, Any]
    players: int
    clock: ClockRules | None = None
    """None: the server's usual one."""
    rated: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """The option words that ask for it, their dashes left out."""
        options = sorted(in_words(*each) for each in self.options.items())
        players = () if self.players == USUAL_PLAYERS else (f"{Term.PLAYERS}={self.players}",)
        unrated = () if self.rated else (Term.UNRATED.value,)
        return (*options, *players, *unrated, *(() if self.clock is None else clock_words(self.clock)))


@dataclass(frozen=True, slots=True)
class Seek:
    """A player looks for others."""

    id: SeekId
    player: PlayerId
    userid: str
    sought: Sought
    wanted: int
    """How many boards are still looked for; 0: none any more, and it is forgotten."""
    created_at: datetime
    pace: timedelta | None = None
    """The median time that the others may take for a move."""
    revision: int = 0
    """How often it was written; storage refuses a write that is based on an older one."""

    @property
    def fewer(self) -> Seek:
        """The seek once a board has come of it."""
        return replace(self, wanted=self.wanted - 1)

    @property
    def ended(self) -> Seek:
        """The seek once its player looks for nobody any more."""
        return replace(self, wanted=0)

    @property
    def words(self) -> tuple[str, ...]:
        """Its option words without their dashes."""
        pace = () if self.pace is None else (f"{Term.PACE}={duration_word(self.pace)}",)
        return (*self.sought.words, *pace)

    def likes(self, pace: timedelta | None) -> bool:
        """Whether somebody who moves so fast will do; of whom nothing is known (None) will."""
        return self.pace is None or pace is None or pace <= self.pace


def companions(seek: Seek, others: Sequence[Seek], fit: Callable[[Seek, Seek], bool]) -> tuple[Seek, ...] | None:
    """The seeks of others with which a seek makes a board, those first that have waited longest.

    Args:
        seek: that somebody is to be found for.
        others: that he may be found among, the oldest first.
        fit: whether two players may sit at one board; it is asked for as few as possible.
    """
    alike = [each for each in others if each.sought == seek.sought and each.player != seek.player]
    table = _filled((seek,), alike, fit)
    return None if table is None else table[1:]


def _filled(
    table: tuple[Seek, ...], waiting: Sequence[Seek], fit: Callable[[Seek, Seek], bool]
) -> tuple[Seek, ...] | None:
    if len(table) == table[0].sought.players:
        return table
    for place, each in enumerate(waiting):
        if all(one.player != each.player and fit(one, each) for one in table):
            found = _filled((*table, each), waiting[place + 1 :], fit)
            if found is not None:
                return found
    return None
