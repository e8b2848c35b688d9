"""What a player may choose about the mails that he gets.

A preference is a field of `Preferences`: its name is the key that players type.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from pbem.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_QUOTE = 40


class UnknownPreference(Unreadable):
    """There is no preference of this name."""

    def __init__(self, word: str, known: tuple[str, ...]) -> None:
        super().__init__(word=word[:_LONGEST_QUOTE], known=known)


class BadPreference(Unreadable):
    """The preference ``key`` has other values than this word."""

    def __init__(self, key: str, word: str, values: tuple[str, ...]) -> None:
        super().__init__(key=key, word=word[:_LONGEST_QUOTE], values=values)


def _one_of(default: str, *others: str) -> Any:
    return field(default=default, metadata={"values": (default, *others)})


@dataclass(frozen=True, slots=True)
class Preferences:
    """What one player has chosen; the first of the values is what holds for who has not."""

    mail: str = _one_of("both", "text", "html")
    """What a mail with a board consists of."""
    board: str = _one_of("both", "ascii", "picture")
    """How the HTML part of such a mail shows the board."""
    legend: str = _one_of("on", "off")
    """Whether what a turn can consist of is shown below the board: the states of a tile, or all steps."""
    describe: str = _one_of("off", "on")
    """Whether the groups on the board, or the alignments, are told in words."""
    language: str = _one_of("en", "fr")
    """Which language mails and help pages are in, as far as there are translations."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all preferences."""
        return tuple(each.name for each in fields(cls))

    @classmethod
    def values(cls, key: str) -> tuple[str, ...]:
        """The values that a preference can have, the default first."""
        (found,) = (each for each in fields(cls) if each.name == key)
        return tuple(found.metadata["values"])

    @classmethod
    def stored(cls, chosen: Mapping[str, str]) -> Preferences:
        """What `chosen` has said; what is no preference any more is passed over."""
        known = {key: value for key, value in chosen.items() if key in cls.names() and value in cls.values(key)}
        return cls(**known)

    def chosen(self) -> dict[str, str]:
        """What differs from the defaults, by name."""
        now = {key: str(getattr(self, key)) for key in self.names()}
        return {key: value for key, value in now.items() if value != self.values(key)[0]}

    def with_value(self, word: str, value: str) -> Preferences:
        """The preferences with one of them set, as a player types it.

        Raises:
            UnknownPreference, BadPreference: it cannot be set so.
        """
        key, value = word.lower(), value.lower()
        if key not in self.names():
            raise UnknownPreference(word, self.names())
        if value not in self.values(key):
            raise BadPreference(key, value, self.values(key))
        return replace(self, **{key: value})
