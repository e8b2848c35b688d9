"""The tables of docs/commands.md beside those of the forms, which tests/wording/test_forms.py reads."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.bootstrap import find_games
from pbem.cli.commands_page import commands_page
from pbem.commands.command import Need
from pbem.commands.grammar import parse
from pbem.commands.verbs import COMMANDS, OTHER_NAMES, VERBS
from pbem.domain.clocks import ClockRules
from pbem.domain.preferences import Preferences
from pbem.domain.seeks import OF_CHALLENGE, OF_CLOCK, OF_SEEK, Term, read_terms
from pbem.games.game import Game
from pbem.games.mamba.game import VOCABULARY
from pbem.games.options import OptionNeedsAnother, Vocabulary
from pbem.usecases.tournament_entries import read_chosen

PAGE = commands_page()
GAMES = find_games()
VERBS_WITH_TERMS = {"challenge": OF_CHALLENGE, "seek": OF_SEEK, "tournament": OF_CLOCK}
FIRST_ROWS = 2
"""The names of the columns, and the line below them."""


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, each cell without marks."""
    section = re.split(r"^#+ ", PAGE.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    rows = [line for line in section.split("\n") if line.startswith("|")][FIRST_ROWS:]
    return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows]


def vocabulary(game: Game[Any, Any]) -> Vocabulary:
    declared: Vocabulary = getattr(game, "vocabulary", VOCABULARY)
    return declared


def read(game: Game[Any, Any], word: str) -> dict[str, Any]:
    """An option as the page has it, read by the game, with whatever it cannot do without."""
    name, _, value = word.removeprefix("-").partition("=")
    option = next(each for each in vocabulary(game).options if each.name == name)
    typed = f"{name}={option.values[-1]}" if value == "n" and isinstance(option.values, range) else word.lstrip("-")
    try:
        return dict(game.read_options([typed]))
    except OptionNeedsAnother as needs:
        return dict(game.read_options([typed, str(needs.facts["needed"])]))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_options_of_a_game_are_those_that_it_declares(game: Game[Any, Any]) -> None:
    words = [word for word, _, _ in table(game.title) if word[0] == "-"]
    names = [word[1:].partition("=")[0] for word in words]
    assert set(names) == set(vocabulary(game).names)
    for word, name in zip(words, names, strict=True):
        assert name in read(game, word)
    for option in vocabulary(game).options:
        refused = {"full"} if (game.name, option.name) == ("superbo", "auto") else set()
        if isinstance(option.values, tuple):
            assert {f"-{option.name}={value}" for value in set(option.values) - refused} <= set(words)


def test_every_option_beside_those_of_the_games_stands_with_the_verbs_that_take_it() -> None:
    rows = {
        word.removeprefix("-").partition("=")[0]: (word, verbs.split(", ")) for word, verbs, _ in table("Of every game")
    }
    assert set(rows) == {*Term, "swiss", "roundrobin", "rounds"}
    for name, (word, verbs) in rows.items():
        if name in list(Term):
            assert verbs == [verb for verb, terms in VERBS_WITH_TERMS.items() if name in terms]
            assert not read_terms([word[1:]], tuple(Term), ClockRules(), range(2, 5)).reasons
        if "tournament" in verbs:
            assert read_chosen([word[1:]], GAMES["superbo"], ClockRules())


def test_everything_that_can_be_set_is_shown_with_the_default_first() -> None:
    shown: dict[str, list[str]] = {}
    for word, _ in table("What can be set"):
        key, _, value = word.partition("=")
        shown.setdefault(key, []).append(Preferences.read(key, value))
    assert tuple(shown) == Preferences.names()
    for key, values in shown.items():
        assert values[0] == Preferences.values(key)[0]
        assert set(Preferences.values(key)) <= set(values)


def test_of_every_command_it_is_shown_who_may_send_it() -> None:
    rows = [verbs.split(", ") for verbs, _ in table("Who may send them")]
    assert len(rows) == len(Need)
    needed = {(each.form, each.needs) for each in COMMANDS}
    assert {(verb, need) for need, verbs in zip(Need, rows, strict=True) for verb in verbs} == needed
    assert {verb for verbs in rows for verb in verbs} == set(VERBS)


def test_other_names_lead_to_verbs() -> None:
    rows = {name: verb for name, verb, *_ in table("Other names")}
    assert {name: rows[name] for name in OTHER_NAMES} == OTHER_NAMES
    assert parse("change addresses", GAMES) == parse("change address", GAMES)


def test_words_of_other_languages_are_shown_beside_their_verbs() -> None:
    rows = {verb: (german, french) for verb, german, french in table("In German and French")}
    assert set(rows) == {verb.word for verb in VERBS.values() if verb.translations}
    for verb, shown in rows.items():
        for language, words in zip(("de", "fr"), shown, strict=True):
            assert tuple(filter(None, words.split("`, `"))) == VERBS[verb].translations.get(language, ())


def test_the_letter_of_many_commands_is_shown_whole() -> None:
    letter = PAGE.split("## Several commands in one letter\n")[1]
    assert "\n    multiple\n" in letter
    assert "\n    end\n" in letter
    commands = re.findall(r"^    ([a-z]+ (?:move|show) .*)$", letter, re.MULTILINE)
    assert [parse(line, GAMES).form for line in commands] == ["move", "move", "show"]
