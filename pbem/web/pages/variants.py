"""The page on which options are chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState, begin
from pbem.errors import PlayerError
from pbem.games.game import Game, Options, Position
from pbem.games.options import FullAutoImpossible, Option, OptionsRefused, Value, Vocabulary, in_words
from pbem.usecases.context import Context
from pbem.usecases.previews import Draft, course_after, draft
from pbem.usecases.seats import board_of_nobody
from pbem.web.boards.tables import Table
from pbem.web.boards.views import Showcase
from pbem.web.context import RequestContext
from pbem.wording.help import Explained, HelpPage, explained

_MOST_LISTED = 12
"""Most numbers of an option that are listed; if there are more, one is typed."""


@dataclass(frozen=True)
class Control:
    """The field of a form for one option."""

    option: Option
    values: Sequence[Value]
    """The values of the option, if they are chosen from a list."""
    meanings: Sequence[Explained]
    """The explanations of the option and its values in the help."""
    chosen: Value | None
    """The chosen value; None: it is not given."""
    instead: str = ""
    """The field that it shares with other options of which only one may be given; empty: it has its own."""

    @property
    def kind(self) -> str:
        """``flag``, ``choice`` or ``number``."""
        values = self.option.values
        if values is None:
            return "flag"
        return "number" if isinstance(values, range) and len(values) > _MOST_LISTED else "choice"

    @property
    def lowest(self) -> int:
        """The lowest number."""
        return self.option.values.start if isinstance(self.option.values, range) else 0

    @property
    def highest(self) -> int:
        """The highest number."""
        return self.option.values[-1] if isinstance(self.option.values, range) else 0

    @property
    def meaning(self) -> str:
        """The whole explanation of the option in the help."""
        return " ".join(each.meaning for each in self.meanings)

    def meaning_of(self, value: Value) -> str:
        """The explanation of one value in the help."""
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
    """The values of an option, without words that its game refuses whatever else is chosen."""
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
    """The shared field of each option that is a flag and excludes other flags, by its name."""
    flags = {option.name for option in vocabulary.options if option.values is None}
    return {name: ".".join(names) for _, names in vocabulary.groups if flags.issuperset(names) for name in names}


def by_heading(controls: Sequence[Control]) -> Mapping[str, Sequence[Control]]:
    """The fields under the headings of the help."""
    found: dict[str, list[Control]] = {}
    for each in controls:
        found.setdefault(each.meanings[0].about if each.meanings else "", []).append(each)
    return found


LONGEST = 600
"""Most characters of options."""


@dataclass(frozen=True)
class Variant:
    """A game's options as chosen, allowed or not."""

    game: Game[Any, Any]
    words: Sequence[str]
    """As they were asked for, without dashes."""
    players: int
    options: Options
    wrong: PlayerError | None = None
    """The reason why they are refused."""

    @property
    def reasons(self) -> Sequence[PlayerError]:
        """All reasons why they are refused."""
        if isinstance(self.wrong, OptionsRefused):
            return self.wrong.reasons
        return () if self.wrong is None else (self.wrong,)

    @property
    def typed(self) -> str:
        """The options as written in a challenge."""
        if self.wrong is not None:
            return " ".join(f"-{word}" for word in self.words)
        return " ".join(f"-{in_words(*item)}" for item in self.options.items())

    @property
    def command(self) -> str:
        """The challenge."""
        others = " ".join(["<userid>"] * (self.players - 1))
        return " ".join(filter(None, (self.game.name, "challenge", self.typed, others)))

    def address(self, page: str = "", **more: str) -> str:
        """The address that shows it, and can be shared."""
        usual = self.players == self.game.players.start
        fields = {"options": self.typed, "players": "" if usual else str(self.players), **more}
        query = urlencode({name: value for name, value in fields.items() if value})
        return f"/games/{self.game.name}/variant{page}" + (f"?{query}" if query else "")

    @property
    def showcase(self) -> Showcase:
        """The board before the first turn."""
        return Showcase(self.game, self.game.begin(self.options, self.players))

    def board(self, context: Context) -> Board:
        """A board with these options, which nobody has begun."""
        return board_of_nobody(self.game, self.options, self.players, context.now)


def read_variant(visit: RequestContext) -> Variant:
    """The options in an address.

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


def show_variant(visit: RequestContext) -> Response:
    """Show the form; once it is sent, redirect to an address that can be shared.

    Raises:
        NoSuchGame: there is no such game.
    """
    variant = read_variant(visit)
    vocabulary = vocabulary_of(variant.game)
    if visit.asked("chosen") and vocabulary is not None:
        chosen = _variant(variant.game, _chosen(vocabulary, visit), visit.asked("players"))
        return visit.go(chosen.address() + ("#comes-to" if chosen.wrong is None else ""))
    given = variant.options if variant.wrong is None else _readable(vocabulary, variant.words)
    page = visit.site.wording.help.page(f"{variant.game.name} options", visit.language)
    controls = controls_of(variant.game, vocabulary, given, page)
    facts = {
        "game": variant.game,
        "variant": variant,
        "groups": by_heading(controls),
        "chosen": _what_is_chosen(variant, controls),
        "presets": _presets(variant.game, vocabulary, controls),
        "showcase": None if variant.wrong else variant.showcase,
    }
    return visit.page("variant", facts, 200 if variant.wrong is None else 409)


def vocabulary_of(game: Game[Any, Any]) -> Vocabulary | None:
    """The options that a game declares; None for a game from elsewhere that declares none."""
    found: Vocabulary | None = getattr(game, "vocabulary", None)
    return found


def _chosen(vocabulary: Vocabulary, visit: RequestContext) -> Sequence[str]:
    """The choices in the fields of the form, as option words."""
    words = []
    fields = shared_fields(vocabulary)
    for option in vocabulary.options:
        is_picked = visit.asked(fields.get(option.name, "")) == option.name
        said = "1" if is_picked else "".join(visit.asked(option.name)[:40].split())
        if said:
            words.append(option.name if option.values is None else f"{option.name}={said}")
    return words


def _readable(vocabulary: Vocabulary | None, words: Sequence[str]) -> Mapping[str, Value]:
    """The values of those words that can be read, each by itself."""
    found: dict[str, Value] = {}
    for word in words:
        try:
            found |= vocabulary.read([word]) if vocabulary else {}
        except PlayerError:
            continue
    return found


def _what_is_chosen(variant: Variant, controls: Sequence[Control]) -> Sequence[tuple[str, Value, str]]:
    """The options of a variant, each with its value and its meaning."""
    known = {each.option.name: each for each in controls}
    return [
        (name, value, known[name].meaning_of(value) or known[name].meaning)
        for name, value in variant.options.items()
        if name in known
    ]


def _presets(
    game: Game[Any, Any], vocabulary: Vocabulary | None, controls: Sequence[Control]
) -> Sequence[tuple[Variant, str]]:
    """The named variants of a game, each with its explanation in the help."""
    names = vocabulary.presets if vocabulary else ()
    known = {each.option.name: each for each in controls}
    return [(_variant(game, [name], ""), known[name].meaning_of(True)) for name in names]


LONGEST_TRIAL = 2000
"""Most characters of turns."""


@dataclass(frozen=True)
class Trial(Table):
    """A board that nobody has begun, with turns that are being tried out."""

    variant: Variant | None = None

    def address(self, turn: str = "", pick: str = "", to: str = "") -> str:
        """The address of the page with other turns."""
        if self.variant is None:
            raise AssertionError("a trial without a variant")
        return self.variant.address("/try", turn=turn, pick=pick, to=to)

    @property
    def drawn_since(self) -> Position[Any] | None:
        """Among many turns only the changes by the last one are highlighted."""
        return None if self.draft.last is None else self.draft.last.before


def try_variant(visit: RequestContext) -> Response:
    """The board after the turns in the address; it goes on with whoever is to act.

    Raises:
        NoSuchGame: there is no such game.
    """
    variant = read_variant(visit)
    if variant.wrong is not None:
        return visit.go(variant.address())
    facts = visit.look(lambda context: _facts(variant, visit, context))
    return visit.page("variant_try", facts, 409 if facts["wrong"] else 200)


def _facts(variant: Variant, visit: RequestContext, context: Context) -> Mapping[str, object]:
    board = variant.board(context)
    course = begin(board, variant.game)
    said, wrong = visit.asked("turn")[:LONGEST_TRIAL], None
    try:
        made = _going_on(variant, course, said)
    except PlayerError as refused:
        made, wrong = draft(course, variant.game, ""), refused
    pick, to = (visit.asked(name)[:20] for name in ("pick", "to"))
    table = Trial(board, course, variant.game, course.to_act, None, made, pick, typed=said, to=to, variant=variant)
    ahead = course_after(course, made)
    return {
        "game": variant.game,
        "variant": variant,
        "board": board,
        "table": table,
        "course": ahead,
        "sides": variant.game.sides(made.after),
        "wrong": wrong,
        "longest": LONGEST_TRIAL,
    }


def _going_on(variant: Variant, course: GameState, said: str) -> Draft:
    """The draft, which goes on with the next player's turn once one is whole."""
    made = draft(course, variant.game, said)
    return made if made.goes_on or made.after.outcome is not None else replace(made, goes_further=True)
