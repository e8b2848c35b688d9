"""The form of a challenge: game, opponent, pace and who begins; the options of the game below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import permutations
from typing import Any

from starlette.responses import JSONResponse, Response

from pbem.commands.challenges import Challenge, Seek
from pbem.commands.command import short_form
from pbem.domain.clocks import read_duration
from pbem.domain.players import is_robot, userid_key
from pbem.domain.seeks import OF_CLOCK
from pbem.errors import PlayerError
from pbem.games.game import Game, Options
from pbem.games.options import Clash, OptionsContradict, Vocabulary, in_words
from pbem.usecases.context import Context
from pbem.usecases.opponents import names_beginning, played_lately, robots_to_challenge
from pbem.web.boards.samples import leading_first
from pbem.web.context import RequestContext
from pbem.web.pages.commands import LONGEST_WORDS, worded
from pbem.web.pages.variants import by_heading, controls_of, vocabulary_of

TERMS = ("rated", "unrated", "pair")
CLOCK = tuple(term.value for term in OF_CLOCK)
"""Options of every challenge that the form has switches and fields for."""
PACES = ("1", "3", "7")
"""Days for a move, of which one is chosen; else the usual clock, or ``own`` with times that are typed."""
OWN, ANYONE = "own", "anyone"
OPTION = "o."
"""The beginning of the names of fields for options of the game."""


@dataclass(frozen=True)
class ChallengeForm:
    """The fields of the form, which those of tournaments share, and the command that they make."""

    fields: Mapping[str, str]
    game: Game[Any, Any] | None
    """None: there is no such game."""
    own: str
    """The userid of the player whose form it is."""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The options of the game."""
        return None if self.game is None else vocabulary_of(self.game)

    @property
    def typed(self) -> str:
        """The typed names of opponents; ``anyone`` means none."""
        said = self.fields.get("to", "").strip()
        return "" if said.lower() == ANYONE else said

    @property
    def userids(self) -> tuple[str, ...]:
        """The opponents, typed or else chosen; none: anyone."""
        chosen = self.fields.get("who", "")
        named = self.typed or ("" if chosen == ANYONE else chosen)
        return tuple(named.replace(",", " ").split())

    @property
    def with_robots(self) -> bool:
        """A computer opponent is among them."""
        return any(map(is_robot, self.userids))

    @cached_property
    def _words(self) -> tuple[Options, Sequence[str]]:
        """The options of the game that can be read, and all other words."""
        typed = [word.lstrip("-") for word in self.fields.get("options", "").split()]
        if self.fields.get("of", self.fields.get("game", "")) == self.fields.get("game", ""):
            typed += self._chosen()
        known: Options = {}
        others = []
        for word in filter(None, typed):
            try:
                read = self.vocabulary.read([word]) if self.vocabulary else {}
            except PlayerError:
                read = {}
            if read and all(known.get(name, value) == value for name, value in read.items()):
                known = {**known, **read}
            else:
                others.append(word)
        return known, others

    def _chosen(self) -> Iterator[str]:
        """The words of the fields for options; a variant is no word if its option has a value of its own."""
        for name, value in self.fields.items():
            said = "".join(value[:40].split())
            if name.startswith(OPTION) and said:
                word = name.removeprefix(OPTION)
                yield word if said == "1" and self.is_flag(word) else f"{word}={said}"
        variant = self.fields.get("variant", "")
        if variant and not self.fields.get(OPTION + variant):
            yield variant

    def is_flag(self, name: str) -> bool:
        """Return True if the option of this name has no value."""
        options = self.vocabulary.options if self.vocabulary else ()
        return any(option.name == name and option.values is None for option in options)

    @property
    def options(self) -> Options:
        """The options of the game, as far as they can be read."""
        return self._words[0]

    @property
    def others(self) -> Sequence[str]:
        """The other words that were typed as options."""
        return self._words[1]

    @property
    def option_words(self) -> Sequence[str]:
        """All of these as they are typed, without dashes."""
        return [*(in_words(*item) for item in self.options.items()), *self.others]

    @property
    def variants(self) -> Sequence[str]:
        """The options that stand for a variant with a name."""
        presets = dict(self.vocabulary.groups).get(Clash.PRESETS, ()) if self.vocabulary else ()
        return (*presets, *(self.game.named_options if self.game else ()))

    @property
    def pace(self) -> str:
        """The chosen pace."""
        is_typed = any(self.fields.get(name, "").strip() for name in CLOCK)
        return self.fields.get("clock", OWN if is_typed else "")

    @property
    def clock_words(self) -> Sequence[str]:
        """The options of the clock."""
        if self.pace != OWN:
            return (f"forfeittime={self.pace}",) if self.pace else ()
        times = {name: "".join(self.fields.get(name, "").split()) for name in CLOCK}
        return [f"{name}={time}" for name, time in times.items() if time]

    @property
    def command(self) -> Challenge | Seek:
        """The command that the fields make."""
        name = self.fields.get("game", "")
        words = [*self.option_words]
        if not self.userids:
            count = self.fields.get("players", "")
            words += [f"players={count}"] if count else []
            words += ["unrated"] if self.fields.get("unrated") else []
            return Seek(name, 1, (*words, *self.clock_words))
        userids, order = self._order
        rated = "rated" if self.with_robots else "unrated"
        words += [*order, *(term for term in (rated, "pair") if self.fields.get(term))]
        return Challenge(name, userids, (*words, *self.clock_words))

    @property
    def _order(self) -> tuple[tuple[str, ...], Sequence[str]]:
        """The userids in the order of the command, and the options that say who begins."""
        others = tuple(each for each in self.userids if userid_key(each) != userid_key(self.own))
        begins = self.fields.get("begins", "")
        if begins not in ("lot", "me", "them") or not others or self.fields.get("pair"):
            return self.userids, ()
        is_drawn = self._draws_lots()
        if begins == "lot":
            return self.userids, () if is_drawn else ("random",)
        flags = (each for each in self._flags if not self._draws_lots(each))
        in_order = next(flags, None) if is_drawn else None
        return (others if begins == "me" else (*others, self.own)), () if in_order is None else (in_order,)

    @property
    def _flags(self) -> Sequence[str]:
        options = self.vocabulary.options if self.vocabulary else ()
        return [option.name for option in options if option.values is None]

    def _draws_lots(self, more: str = "") -> bool:
        """Return True if the game itself draws who begins, under the options and one more."""
        return self.game is not None and self.game.draws_lots({**self.options, **({more: True} if more else {})})


def show_challenge(visit: RequestContext) -> Response:
    """The form of a challenge; the address may fill its fields, except words to be sent in the player's name.

    Raises:
        NotSignedIn: the challenger is unknown.
    """
    visit.check_signed_in()
    fields = {name: said for name, said in visit.request.query_params.items() if name != "words"}
    return _form(visit, {"begins": "lot", **fields})


def challenge(visit: RequestContext) -> Response:
    """Begin a board, or a seek if nobody is named; or only show the options of the chosen game.

    Raises:
        NotSignedIn: the challenger is unknown.
    """
    visit.check_form()
    visit.check_signed_in()
    if visit.form.get("show"):
        return _form(visit, visit.form)
    command = read_form(visit, visit.form).command
    try:
        told = visit.tell(command, visit.form.get("words", "").strip()[:LONGEST_WORDS])
    except PlayerError as wrong:
        return _form(visit, visit.form, wrong)
    begun = [notice.thread.board for notice in told if notice.thread is not None and notice.thread.opens]
    if len(begun) == len(told) == 1:
        return visit.go(f"/boards/{begun[0]}?begun=yes")
    facts = {
        "game": visit.look(lambda context: context.game(command.game)),
        "is_seek": isinstance(command, Seek) and not begun,
        "boards": begun,
        "opponents": command.userids if isinstance(command, Challenge) else (),
    }
    return visit.page("begun", {**facts, "answers": () if begun or facts["is_seek"] else worded(told, visit)})


def show_names(visit: RequestContext) -> Response:
    """The userids of opponents that begin with some letters, for a field that completes them.

    Raises:
        NotSignedIn: nobody is told who plays here in this way.
    """
    visit.check_signed_in()
    begin = visit.asked("begin")[:40]
    return JSONResponse(
        visit.look(lambda context: names_beginning(begin, context)), headers={"cache-control": "no-store"}
    )


def read_form(visit: RequestContext, fields: Mapping[str, str]) -> ChallengeForm:
    """The fields of a form; the game that the address names goes before them."""
    name = str(visit.request.path_params.get("game", fields.get("game", ""))).strip().lower()
    game = visit.look(lambda context: context.games.get(name))
    return ChallengeForm({**fields, "game": name}, game, "" if visit.player is None else visit.player.userid)


def _form(visit: RequestContext, fields: Mapping[str, str], wrong: PlayerError | None = None) -> Response:
    """The form with its fields filled."""
    games = visit.look(games_by_title)
    form = read_form(visit, fields)
    if form.game is None:
        form = read_form(visit, {**fields, "game": next(iter(games))})
    robots, friends, usual = visit.look(_opponents)
    chips = {userid_key(each): each for each in (*robots, *friends)}
    chosen = chips.get(userid_key(form.userids[0])) if len(form.userids) == 1 else None
    facts = {
        "games": games,
        "form": form,
        "given": {each: form.fields.get(each, "") for each in ("show", "words", "players", *TERMS, *CLOCK)},
        "robots": robots,
        "friends": friends,
        "who": chosen or ("" if form.userids else ANYONE),
        "to": "" if chosen else form.typed,
        "begins": form.fields.get("begins") or "",
        "usual": usual,
        "paces": paces_beside(usual),
        "line": short_form(form.command),
        "wrong": wrong,
        "longest_words": LONGEST_WORDS,
        **option_facts(visit, form),
    }
    return visit.page("challenge", facts, 200 if wrong is None else 409)


def paces_beside(usual: timedelta) -> Sequence[tuple[str, timedelta]]:
    """The times for a move that are offered beside the usual one."""
    return [(each, time) for each in PACES if (time := read_duration(each)) != usual]


def option_facts(visit: RequestContext, form: ChallengeForm) -> Mapping[str, object]:
    """The facts of the switches and fields for the options of a game."""
    if form.game is None:
        raise AssertionError("options of no game")
    help_page = visit.site.wording.help.page(f"{form.game.name} options", visit.language)
    presets = [each for each in form.variants if form.is_flag(each)]
    unsaid = {each.name: each.unsaid for each in form.vocabulary.options} if form.vocabulary else {}
    implied = {name for name in form.variants if form.options.get(name) == unsaid.get(name)}
    given = {name: value for name, value in form.options.items() if name not in implied}
    controls = controls_of(form.game, form.vocabulary, given, help_page)
    return {
        "groups": by_heading([each for each in controls if each.option.name not in presets]),
        "variant": next((each for each in form.variants if each in form.options), ""),
        "clashes": _clashes(form, presets),
    }


def _clashes(form: ChallengeForm, presets: Sequence[str]) -> Mapping[str, Sequence[tuple[str, PlayerError]]]:
    """The fields that exclude each option, as the script reads them, with the refusals that would say so."""
    found: dict[str, list[tuple[str, PlayerError]]] = {}
    for clash, names in form.vocabulary.groups if form.vocabulary else ():
        for one, other in permutations(names, 2):
            reason = OptionsContradict(one, other, clash)
            if one not in presets and other not in presets:
                found.setdefault(one, []).append((OPTION + other, reason))
            if one not in form.variants and other in form.variants:
                found.setdefault(one, []).append((f"variant={other}", reason))
    return found


def games_by_title(context: Context) -> dict[str, str]:
    """The titles of the games that can be played, by name."""
    return {name: context.games[name].title for name in leading_first(context.games)}


def _opponents(context: Context) -> tuple[Sequence[str], Sequence[str], timedelta]:
    """The computer opponents, the people played lately, and the usual time for a move."""
    robots = robots_to_challenge(context.uow)
    return robots, played_lately(context), context.policy.clock.forfeit
