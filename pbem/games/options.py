"""The options of a challenge: their words, their values, and which exclude each other.

A game declares its options as data; reading them is the same for all games. In a record and in memory
options stand under their names without the dash, with JSON values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

from pbem.errors import Ambiguous, NotAllowed, PlayerError, Quoted, Unreadable

MOST_REASONS = 5
"""Refusals after which no more options are looked at."""

_NUMBER = re.compile(r"[0-9]{1,6}")

Value: TypeAlias = "bool | int | str"

GivenT = TypeVar("GivenT")


class UnknownOption(Unreadable):
    """A challenge names an option that the game does not have."""

    option: Quoted
    known: Sequence[str]


class AmbiguousOption(Ambiguous):
    """The word is the beginning of several options, or values of one."""

    option: Quoted
    meant: Sequence[str]


class OptionOutOfRange(Unreadable):
    """The option takes a whole number from ``lowest`` to ``highest``; ``value`` is empty if there was none."""

    option: str
    value: Quoted
    lowest: int
    highest: int


class NoSuchValue(Unreadable):
    """The option takes one of a few words, or none at all; ``value`` is empty if there was none."""

    option: str
    value: Quoted
    known: Sequence[str]


class Clash(StrEnum):
    """Why two options do not go together."""

    PRESETS = "presets"
    """Each is a whole set of rules."""
    KILL = "kill"
    """Both say which kill wins."""
    GOAL = "goal"
    """Both say what wins."""
    JOINED = "joined"
    """Both say how the tiles of a turn lie together."""
    COLOURS = "colours"
    """Both say which colours a turn must show."""
    SUPPLY_EMPTY = "supply_empty"
    """Both say who wins when no tiles are left."""
    RATED = "rated"
    """Both say whether the game counts for the ratings."""
    TWICE = "twice"
    """One option with two values."""


class OptionsContradict(NotAllowed):
    """Two options, as typed in full, do not go together."""

    one: str
    other: str
    clash: Clash


class OptionNeedsAnother(NotAllowed):
    """The option says nothing without another one."""

    option: str
    needed: str


class FullAutoImpossible(NotAllowed):
    """Full auto moves need one state that fits two corners of one colour, and this game has ``fitting``."""

    option: str
    fitting: int


class OptionsRefused(NotAllowed):
    """Several things stand against the options; ``reasons`` are the refusals."""

    reasons: Sequence[PlayerError]


class NobodyCouldWin(NotAllowed):
    """These options together leave no way to win."""

    options: Sequence[str]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: a flag, a number, or one of a few words."""

    name: str
    values: range | tuple[str, ...] | None = None
    """The numbers or words it takes, few numbers as a range with steps; None for a flag."""
    unsaid: Value | None = None
    """The meaning without a value; None if it needs one."""

    def read(self, text: str) -> Value:
        """The value that ``text`` means.

        Raises:
            OptionOutOfRange: a number was expected, and one within the range.
            NoSuchValue: another word was expected, or none.
            AmbiguousOption: the text is the beginning of several words.
        """
        if self.values is None:
            if text:
                raise self.refusal(text)
            return True
        if not text and self.unsaid is not None:
            return self.unsaid
        if isinstance(self.values, range):
            return self._read_number(text, self.values)
        return _complete(_spelled(text), self.values, self.refusal(text))

    def refusal(self, text: str) -> Unreadable:
        """Why ``text`` means no value."""
        if isinstance(self.values, range) and self.values.step > 1:
            return NoSuchValue(self.name, text, known=tuple(map(str, self.values)))
        if isinstance(self.values, range):
            return OptionOutOfRange(self.name, text, self.values.start, self.values.stop - 1)
        return NoSuchValue(self.name, text, known=self.values or ())

    def _read_number(self, text: str, values: range) -> int:
        if not _NUMBER.fullmatch(text) or int(text) not in values:
            raise self.refusal(text)
        return int(text)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All options of one game."""

    options: tuple[Option, ...]
    groups: tuple[tuple[Clash, tuple[str, ...]], ...] = ()
    """Names of which at most one may be given, each set with the reason."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of the declaration."""
        return tuple(option.name for option in self.options)

    @property
    def presets(self) -> tuple[str, ...]:
        """The names that each mean a whole set of rules."""
        return dict(self.groups).get(Clash.PRESETS, ())

    def read(self, words: Iterable[str]) -> dict[str, Any]:
        """Read option words as they were typed, dashes taken off.

        Raises:
            PlayerError: one of the refusals of this module.
        """
        return self._gather(words, self._read_word)

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Hold options that stand in a record against the vocabulary; those that are false were not given.

        Raises:
            PlayerError: one of the refusals of this module.
        """
        return self._gather((item for item in given.items() if item[1] is not False), self._check_value)

    def _gather(self, given: Iterable[GivenT], read: Callable[[GivenT], tuple[str, Value]]) -> dict[str, Any]:
        """The options that are given, each read; refused with every reason at once."""
        found: dict[str, Any] = {}
        reasons: list[PlayerError] = []
        for each in given:
            try:
                name, value = read(each)
            except PlayerError as wrong:
                reasons.append(wrong)
                if len(reasons) == MOST_REASONS:
                    break
                continue
            if found.setdefault(name, value) != value:
                reasons.append(OptionsContradict(in_words(name, found[name]), in_words(name, value), Clash.TWICE))
        reasons.extend(self._clashes(found))
        if reasons:
            raise reasons[0] if len(reasons) == 1 else OptionsRefused(reasons)
        return found

    def _clashes(self, found: Mapping[str, Any]) -> Iterator[OptionsContradict]:
        for clash, names in self.groups:
            given = [in_words(name, found[name]) for name in names if name in found]
            for one, other in pairwise(given):
                yield OptionsContradict(one, other, clash)

    def _read_word(self, word: str) -> tuple[str, Value]:
        typed, _, value = word.partition("=")
        name = _complete(_spelled(typed), self.names, UnknownOption(typed, self.names))
        return name, self._named(name).read(value.strip())

    def _check_value(self, item: tuple[str, object]) -> tuple[str, Value]:
        name, value = item
        if name not in self.names:
            raise UnknownOption(name, self.names)
        option = self._named(name)
        # true is what a flag has in a record, and an option that was given without its value
        meant = option.read("" if value is True else str(value))
        if value is not True and (type(value) is not type(meant) or value != meant):
            raise option.refusal(str(value))  # what a player may type is not always the value itself: "9", "lim"
        return name, meant

    def _named(self, name: str) -> Option:
        return next(option for option in self.options if option.name == name)


def in_words(name: str, value: Value) -> str:
    """An option as a player types it, the dash left out: ``size=40``, ``mamba``."""
    return name if value is True else f"{name}={value}"


def _spelled(word: str) -> str:
    """A word in one spelling: hyphens, American colours, and one colour or several are as good."""
    return word.strip().lower().replace("-", "_").replace("color", "colour").replace("colours", "colour")


def _complete(word: str, known: Sequence[str], refusal: Unreadable) -> str:
    """The one of ``known`` that the word is, or is the beginning of."""
    exact = [each for each in known if _spelled(each) == word]
    if exact:
        return exact[0]
    meant = [each for each in known if word and _spelled(each).startswith(word)]
    if len(meant) > 1:
        raise AmbiguousOption(word, meant)
    if not meant:
        raise refusal
    return meant[0]


def telling(options: Mapping[str, Any], rules: Callable[[Mapping[str, Any]], object]) -> Mapping[str, Any]:
    """The options without those that change nothing.

    Args:
        options: those of a board.
        rules: what options come to; equal if the game is the same.
    """
    told, left = rules(options), dict(options)
    for name in options:
        fewer = {other: value for other, value in left.items() if other != name}
        with suppress(PlayerError):
            if rules(fewer) == told:
                left = fewer
    return left
