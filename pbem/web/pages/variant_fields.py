"""The fields of the form on which rules are put together: one for each option that a game declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.errors import PlayerError
from pbem.games.game import Game
from pbem.games.options import FullAutoImpossible, Option, Value, Vocabulary, in_words
from pbem.wording.explained import Explained, explained
from pbem.wording.help_pages import HelpPage

_MOST_LISTED = 12
"""Numbers that an option is chosen from in a list; of more one is typed."""


@dataclass(frozen=True)
class Control:
    """The field of a form for one option."""

    option: Option
    values: Sequence[Value]
    """What it may be, if that is chosen from a list."""
    meanings: Sequence[Explained]
    """What the help says of it, and of its values."""
    chosen: Value | None
    """None: it is not given."""
    instead: str = ""
    """The field that it has together with others, where one at most may be given; none: it has its own."""

    @property
    def kind(self) -> str:
        """``flag``, ``choice`` or ``number``."""
        values = self.option.values
        if values is None:
            return "flag"
        return "number" if isinstance(values, range) and len(values) > _MOST_LISTED else "choice"

    @property
    def lowest(self) -> int:
        """Of a number."""
        return self.option.values.start if isinstance(self.option.values, range) else 0

    @property
    def highest(self) -> int:
        """Of a number."""
        return self.option.values[-1] if isinstance(self.option.values, range) else 0

    @property
    def meaning(self) -> str:
        """All that the help says of it."""
        return " ".join(each.meaning for each in self.meanings)

    def meaning_of(self, value: Value) -> str:
        """What the help says of one value."""
        word = f"-{in_words(self.option.name, value)}"
        return next((each.meaning for each in self.meanings if each.word == word), "")


def controls_of(
    game: Game[Any, Any], vocabulary: Vocabulary | None, given: Mapping[str, Value], page: HelpPage | None
) -> Sequence[Control]:
    """The fields, in the order of the help."""
    meanings = explained(page)
    fields = shared_fields(vocabulary) if vocabulary else {}
    controls = [
        Control(
            option,
            _offered(option, game),
            [each for each in meanings if each.name == option.name],
            given.get(option.name),
            fields.get(option.name, ""),
        )
        for option in (vocabulary.options if vocabulary else ())
    ]
    places = {each.name: place for place, each in reversed([*enumerate(meanings)])}
    return sorted(controls, key=lambda each: places.get(each.option.name, len(places)))


def _offered(option: Option, game: Game[Any, Any]) -> Sequence[Value]:
    """The values of an option, without a word that its game refuses whatever else is chosen."""
    if not isinstance(option.values, tuple):
        return tuple(option.values or ())
    return [value for value in option.values if _may_be(option.name, value, game)]


def _may_be(name: str, value: Value, game: Game[Any, Any]) -> bool:
    try:
        game.read_options([in_words(name, value)])
    except PlayerError as wrong:
        return not isinstance(wrong, FullAutoImpossible)  # else it may be, with other options
    return True


def shared_fields(vocabulary: Vocabulary) -> Mapping[str, str]:
    """The field of each option that only stands for itself and excludes others that do, by its name."""
    flags = {option.name for option in vocabulary.options if option.values is None}
    return {name: ".".join(names) for _, names in vocabulary.groups if flags.issuperset(names) for name in names}


def by_heading(controls: Sequence[Control]) -> Mapping[str, Sequence[Control]]:
    """The fields under the headings of the help."""
    found: dict[str, list[Control]] = {}
    for each in controls:
        found.setdefault(each.meanings[0].about if each.meanings else "", []).append(each)
    return found
