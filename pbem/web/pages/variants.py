"""The page on which rules are put together: a form of the options that a game declares, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from pbem.domain.boards import Board
from pbem.errors import PlayerError
from pbem.games.game import Game, Options
from pbem.games.options import Clash, OptionsRefused, Value, Vocabulary, in_words
from pbem.usecases.boards.nobodys import board_of_nobody
from pbem.usecases.context import Context
from pbem.web.boards.showcase import Showcase
from pbem.web.pages.variant_fields import Control, by_heading, controls_of, shared_fields
from pbem.web.visits import Visit

LONGEST = 600
"""Characters of options that are read."""


@dataclass(frozen=True)
class Variant:
    """Options, as far as they make a game."""

    game: Game[Any, Any]
    words: Sequence[str]
    """As they were asked for, dashes taken off."""
    players: int
    options: Options
    wrong: PlayerError | None = None
    """Why they cannot be."""

    @property
    def reasons(self) -> Sequence[PlayerError]:
        """All that stands against them."""
        if isinstance(self.wrong, OptionsRefused):
            return self.wrong.reasons
        return () if self.wrong is None else (self.wrong,)

    @property
    def typed(self) -> str:
        """The options as a challenge has them."""
        if self.wrong is not None:
            return " ".join(f"-{word}" for word in self.words)
        return " ".join(f"-{in_words(*item)}" for item in self.options.items())

    @property
    def command(self) -> str:
        """The challenge."""
        others = " ".join(["<userid>"] * (self.players - 1))
        return " ".join(filter(None, (self.game.name, "challenge", self.typed, others)))

    def address(self, page: str = "", **more: str) -> str:
        """Where it is shown, so that it can be shared."""
        usual = self.players == self.game.players.start
        fields = {"options": self.typed, "players": "" if usual else str(self.players), **more}
        query = urlencode({name: value for name, value in fields.items() if value})
        return f"/games/{self.game.name}/variant{page}" + (f"?{query}" if query else "")

    @property
    def showcase(self) -> Showcase:
        """The board before the first turn."""
        return Showcase(self.game, self.game.begin(self.options, self.players))

    def board(self, context: Context) -> Board:
        """A board with it, that nobody has begun."""
        return board_of_nobody(self.game, self.options, self.players, context.now)


def read_variant(visit: Visit) -> Variant:
    """The options that an address has.

    Raises:
        NoSuchGame: there is no such game.
    """
    game = visit.look(lambda context: context.game(visit.word("game")))
    words = [word.lstrip("-") for word in visit.asked("options")[:LONGEST].split()]
    return _variant(game, [word for word in words if word], visit.asked("players"))


def _variant(game: Game[Any, Any], words: Sequence[str], players: str) -> Variant:
    wanted = int(players) if players.isascii() and players.isdecimal() and len(players) < 3 else 0
    count = wanted if wanted in game.players else game.players.start
    try:
        options = game.read_options(words)
        game.begin(options, count)
    except PlayerError as wrong:
        return Variant(game, words, count, {}, wrong)
    return Variant(game, words, count, options)


def show_variant(visit: Visit) -> Response:
    """The form; what it is sent with is led to an address that can be shared.

    Raises:
        NoSuchGame: there is no such game.
    """
    variant = read_variant(visit)
    vocabulary = vocabulary_of(variant.game)
    if visit.asked("chosen") and vocabulary is not None:
        chosen = _variant(variant.game, _chosen(vocabulary, visit), visit.asked("players"))
        return visit.go(chosen.address() + ("#comes-to" if chosen.wrong is None else ""))
    given = variant.options if variant.wrong is None else _readable(vocabulary, variant.words)
    page = visit.site.wording.help.page(f"{variant.game.name} options")
    controls = controls_of(variant.game, vocabulary, given, page)
    facts = {
        "game": variant.game,
        "variant": variant,
        "groups": by_heading(controls),
        "marked": any("(*" in each.meaning for each in controls),
        "chosen": _what_is_chosen(variant, controls),
        "presets": _presets(variant.game, vocabulary, controls),
        "showcase": None if variant.wrong else variant.showcase,
    }
    return visit.page("variant", facts, 200 if variant.wrong is None else 409)


def vocabulary_of(game: Game[Any, Any]) -> Vocabulary | None:
    """The options that a game declares; None of one that comes from elsewhere and does not."""
    found: Vocabulary | None = getattr(game, "vocabulary", None)
    return found


def _chosen(vocabulary: Vocabulary, visit: Visit) -> Sequence[str]:
    """What the fields of the form say, as option words."""
    words = []
    fields = shared_fields(vocabulary)
    for option in vocabulary.options:
        is_picked = visit.asked(fields.get(option.name, "")) == option.name
        said = "1" if is_picked else "".join(visit.asked(option.name)[:40].split())
        if said:
            words.append(option.name if option.values is None else f"{option.name}={said}")
    return words


def _readable(vocabulary: Vocabulary | None, words: Sequence[str]) -> Mapping[str, Value]:
    """Those of the words that mean something, each for itself."""
    found: dict[str, Value] = {}
    for word in words:
        try:
            found |= vocabulary.read([word]) if vocabulary else {}
        except PlayerError:
            continue
    return found


def _what_is_chosen(variant: Variant, controls: Sequence[Control]) -> Sequence[tuple[str, str]]:
    """The options of a variant, each with what it means."""
    known = {each.option.name: each for each in controls}
    return [
        (f"-{in_words(name, value)}", known[name].meaning_of(value) or known[name].meaning)
        for name, value in variant.options.items()
        if name in known
    ]


def _presets(
    game: Game[Any, Any], vocabulary: Vocabulary | None, controls: Sequence[Control]
) -> Sequence[tuple[Variant, str]]:
    """The variants of a game that have names, each with what the help says of it."""
    names = dict(vocabulary.groups).get(Clash.PRESETS, ()) if vocabulary else ()
    known = {each.option.name: each for each in controls}
    return [(_variant(game, [name], ""), known[name].meaning_of(True)) for name in names]
