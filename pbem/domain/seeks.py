"""Seeks, the terms of boards, and the matching of seeks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pbem.domain.clocks import ClockRules, duration_word, read_duration
from pbem.errors import NotAllowed, PlayerError, Unreadable
from pbem.games.options import Clash, NoSuchValue, OptionsContradict, in_words
from pbem.ids import PlayerId, SeekId

_SHORTEST = 3
"""Letters that are enough of a name."""


class Term(StrEnum):
    """The names, as they are typed behind the dashes."""

    RANDOM = "random"
    """The order of the players is drawn."""
    RATED = "rated"
    """A game against a computer opponent counts for the ratings, too; others do anyway."""
    UNRATED = "unrated"
    PAIR = "pair"
    """Two boards, with the sides swapped."""
    NAG = "nagtime"
    FORFEIT = "forfeittime"
    TOTAL = "totaltime"
    PACE = "pace"
    """The others are to take no longer for a move."""
    PLAYERS = "players"
    """The number of players, the seeker included."""


OF_CLOCK = (Term.NAG, Term.FORFEIT, Term.TOTAL)
OF_CHALLENGE = (Term.RANDOM, Term.RATED, Term.UNRATED, Term.PAIR, *OF_CLOCK)
OF_SEEK = (Term.RANDOM, Term.RATED, Term.UNRATED, *OF_CLOCK, Term.PACE, Term.PLAYERS)
_FLAGS = (Term.RANDOM, Term.RATED, Term.UNRATED, Term.PAIR)


class TimeNeeded(Unreadable):
    """The term says nothing without a time."""

    option: str


class TermOutOfPlace(NotAllowed):
    """The term exists, but does not apply here."""

    option: str


class NagTooLate(NotAllowed):
    """A player who keeps the others waiting would lose before being reminded."""

    nag: timedelta
    forfeit: timedelta


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that the players agreed on."""

    clock: ClockRules | None = None
    """None: the server's usual one."""
    rated: bool = True
    with_robots: bool = False
    """It is rated even if a computer opponent plays: that was asked for."""
    random: bool = False
    pair: bool = False
    pace: timedelta | None = None
    players: int | None = None


@dataclass(slots=True)
class TermsRead:
    """Option words, told apart."""

    terms: Terms = Terms()
    words: list[str] = field(default_factory=list)
    """The others, which the game is to read."""
    reasons: list[PlayerError] = field(default_factory=list)
    """Everything that stands against the terms."""


def read_terms(
    words: Iterable[str], allowed: Collection[Term], usual: ClockRules, players: range = range(2, 3)
) -> TermsRead:
    """Find the terms among option words, dashes taken off.

    Args:
        words: as they were typed.
        allowed: the terms that may be said here.
        usual: the clock of who does not speak of one.
        players: for how many the game is.
    """
    read = TermsRead()
    said: dict[Term, str] = {}
    found: dict[Term, timedelta | int | bool] = {}
    for word in words:
        name, _, text = word.partition("=")
        term = _meant(name)
        if term is None:
            read.words.append(word)
            continue
        try:
            value = _value(term, text.strip().lower(), allowed, players)
        except PlayerError as wrong:
            read.reasons.append(wrong)
            continue
        if found.setdefault(term, value) != value:
            read.reasons.append(OptionsContradict(said[term], f"{term}={text}", Clash.TWICE))
        said.setdefault(term, f"{term}={text}")
    read.terms = _terms(found, usual, read.reasons)
    return read


def _meant(name: str) -> Term | None:
    spelled = name.strip().lower().replace("-", "").replace("_", "")
    return next((term for term in Term if len(spelled) >= _SHORTEST and term.startswith(spelled)), None)


def _value(term: Term, text: str, allowed: Collection[Term], players: range) -> timedelta | int | bool:
    if term not in allowed:
        raise TermOutOfPlace(term.value)
    if term in _FLAGS:
        if text:
            raise NoSuchValue(term.value, text, ())
        return True
    if term is Term.PLAYERS:
        known = [str(count) for count in players]
        if text not in known:
            raise NoSuchValue(term.value, text, known)
        return int(text)
    if not text:
        raise TimeNeeded(term.value)
    return read_duration(text)


def _terms(found: Mapping[Term, timedelta | int | bool], usual: ClockRules, reasons: list[PlayerError]) -> Terms:
    pace, players = found.get(Term.PACE), found.get(Term.PLAYERS)
    if Term.RATED in found and Term.UNRATED in found:
        reasons.append(OptionsContradict(Term.RATED, Term.UNRATED, Clash.RATED))
    return Terms(
        clock=_clock({term: time for term, time in found.items() if isinstance(time, timedelta)}, usual, reasons),
        rated=Term.UNRATED not in found,
        with_robots=Term.RATED in found,
        random=Term.RANDOM in found,
        pair=Term.PAIR in found,
        pace=pace if isinstance(pace, timedelta) else None,
        players=players if isinstance(players, int) else None,
    )


def _clock(times: Mapping[Term, timedelta], usual: ClockRules, reasons: list[PlayerError]) -> ClockRules | None:
    """The clock that the times make; of what they leave open the usual one decides, as far as it fits to them."""
    if not any(term in times for term in OF_CLOCK):
        return None
    nag, forfeit = times.get(Term.NAG), times.get(Term.FORFEIT, usual.forfeit)
    if nag is None:
        nag = usual.nag if usual.nag < forfeit else forfeit / 2
    elif nag >= forfeit:
        reasons.append(NagTooLate(nag, forfeit))
    return ClockRules(nag, forfeit, times.get(Term.TOTAL, usual.total), is_own=True)


def clock_words(clock: ClockRules) -> tuple[str, ...]:
    """The clock as the words, dashes left out, that make it."""
    times = ((Term.NAG, clock.nag), (Term.FORFEIT, clock.forfeit), (Term.TOTAL, clock.total))
    return tuple(f"{term}={duration_word(time)}" for term, time in times if time is not None)


USUAL_PLAYERS = 2
"""Of who does not say how many are to play."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The kind of board that is sought. Seeks for the same can meet, whatever the order of their options."""

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
    """The number of boards still looked for; at 0 the seek is forgotten."""
    created_at: datetime
    pace: timedelta | None = None
    """The median time that the others may take for a move."""
    revision: int = 0
    """The number of times that it was written; storage refuses a write that is based on an older one."""

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
        """Return True if a player of this pace will do; one of unknown pace (None) will."""
        return self.pace is None or pace is None or pace <= self.pace


def companions(seek: Seek, others: Sequence[Seek], fit: Callable[[Seek, Seek], bool]) -> tuple[Seek, ...] | None:
    """The seeks of others with which a seek makes a board, those first that have waited longest.

    Args:
        seek: the one to match.
        others: the candidates, the oldest first.
        fit: tells if two players may sit at one board; called as rarely as possible.
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
