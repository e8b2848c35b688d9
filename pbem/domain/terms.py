"""What players agree on beside the rules of a game: its clock, whether it counts, how they are seated.

A challenge, a seek and a tournament name these terms among the options of the game, with one dash or two.
No game has an option whose name begins with the first letters of one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from pbem.domain.clocks import ClockRules
from pbem.domain.durations import duration_word, read_duration
from pbem.errors import NotAllowed, PlayerError, Unreadable
from pbem.games.options import Clash, NoSuchValue, OptionsContradict

_SHORTEST = 3
"""Letters that are enough of a name."""


class Term(StrEnum):
    """The names, as they are typed behind the dashes."""

    RANDOM = "random"
    """The order of the players is drawn."""
    UNRATED = "unrated"
    PAIR = "pair"
    """Two boards, with the sides swapped."""
    NAG = "nagtime"
    FORFEIT = "forfeittime"
    TOTAL = "totaltime"
    PACE = "pace"
    """The others are to take no longer for a move."""
    PLAYERS = "players"
    """How many are looked for, the seeker included."""


OF_CLOCK = (Term.NAG, Term.FORFEIT, Term.TOTAL)
OF_CHALLENGE = (Term.RANDOM, Term.UNRATED, Term.PAIR, *OF_CLOCK)
OF_SEEK = (Term.RANDOM, Term.UNRATED, *OF_CLOCK, Term.PACE, Term.PLAYERS)
_FLAGS = (Term.RANDOM, Term.UNRATED, Term.PAIR)


class TimeNeeded(Unreadable):
    """The term says nothing without a time."""

    option: str


class TermOutOfPlace(NotAllowed):
    """There is such a term, and what it was said of has no use for it."""

    option: str


class NagTooLate(NotAllowed):
    """Who keeps the others waiting would lose before he was reminded."""

    nag: timedelta
    forfeit: timedelta


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed on."""

    clock: ClockRules | None = None
    """None: the server's usual one."""
    rated: bool = True
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
    return Terms(
        clock=_clock({term: time for term, time in found.items() if isinstance(time, timedelta)}, usual, reasons),
        rated=Term.UNRATED not in found,
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
