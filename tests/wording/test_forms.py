"""The forms that refusals, the help and the documentation show can be sent as they stand, and there are no others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.bootstrap import find_games
from pbem.bootstrap.wording import make_wording
from pbem.commands.grammar import parse
from pbem.commands.line import BoardAnswered
from pbem.commands.playing import IN_PLACE_OF_A_MOVE
from pbem.commands.verbs import GROUPS, VERBS
from pbem.config import Settings
from pbem.ids import BoardNumber
from pbem.wording.layout import WIDTH, forms_text
from tests.commands.examples import ANSWERS, REFUSED
from tests.conversations.command_table import every_row
from tests.support.forms import Documented, documented, fits, lines, variants
from tests.wording.sendable_lines import SENDABLE

WORDING = make_wording(Settings())
FORMS = WORDING.forms
GAMES = find_games()
ANSWERED = BoardAnswered(BoardNumber(101))
PAGE = documented(Path(__file__).parents[2] / "docs" / "commands.md")
MOST_SHOWN = 12
"""Lines of forms in a refusal."""
SAID = {
    "userid": "alice",
    "userid1": "alice",
    "userid2": "bob",
    "userid3": "carol",
    "userid4": "dave",
    "password": "secret",
    "old": "secret",
    "new": "hunter2",
    "other": "bob",
    "to": "bob",
    "address": "alice@example.org",
    "board": "101",
    "move": "a1,j12",
    "moveno": "7",
    "title": "The missed corner",
    "link": "0123456789abcdef" * 2,
    "words": "the corner is weak",
    "plan": "if c4,k5 then g2,h7",
    "turn": "b3",
    "players": "2",
    "game": "superbo",
    "name": "spring",
    "variant": "mambogo",
    "n": "3",
    "days": "2",
    "option": "swap",
    "key": "mail",
    "value": "text",
    "subject": "move",
    "YYYY-MM-DD": "2030-12-31",
}
"""Examples of the words that are the sender's own."""

SAME = {
    *(("limit", "accept"), ("limit", "reject"), ("challenge", "seek"), ("show", "showas")),
    *(("move", word) for word in IN_PLACE_OF_A_MOVE),
}
"""Verbs that say what another one says, too."""

FIT_BUT_MEAN_NOTHING = ("NoMoveButCommand", "NotADate", "NotANumber", "TooManyWords")
"""Refusals of what has the right form."""

CONVERSED = [
    letter.format(n=101).rpartition(": ")[2]
    for verb, row in every_row()
    for letter in (
        row.works,
        *(each.partition("\n")[0] for each in row.before),
        *(row.body.split("\n")[:-1] if verb == "multiple" else ()),
    )
    if letter != "multiple"
]


def is_of(verb: str, form: str) -> bool:
    """Return True if the verb leads to a command of this form."""
    return form == verb or (verb, form) in SAME


def fitting(line: str, *, answering: bool = False) -> set[str]:
    """The verbs that the page has a form for which the line fits to."""
    return {each.verb for each in PAGE if fits(each, line, answering=answering)}


@pytest.mark.parametrize("line", dict.fromkeys((*SENDABLE, *CONVERSED)))
def test_the_page_of_the_commands_has_a_form_for_what_is_read(line: str) -> None:
    command = parse(line, GAMES)
    assert any(is_of(verb, command.form) for verb in fitting(line))


@pytest.mark.parametrize("line", [line for line, _ in ANSWERS])
def test_the_page_of_the_commands_has_a_form_for_what_is_read_in_an_answer(line: str) -> None:
    command = parse(line, GAMES, ANSWERED)
    assert any(is_of(verb, command.form) for verb in fitting(line, answering=True)) or line == "Reject."


@pytest.mark.parametrize("line", [line for line, leaf, _ in REFUSED if leaf not in FIT_BUT_MEAN_NOTHING])
def test_the_page_of_the_commands_has_no_form_for_what_is_refused(line: str) -> None:
    assert not fitting(line)


def test_forms_are_told_apart() -> None:
    """The forms used by the tests above can fail to match."""
    form = Documented("subscribe", "subscribe <board> ... [to <userid>|<name>=<n>]")
    for line in ("subscribe 101", "Sub 101 102 to bob", "superbo subscribe 101 to x=3", "all subscribe 101"):
        assert fits(form, line)
    for line in (
        "subscribe",
        "subscribe bob",
        "subscribe 101 bob",
        "subscribe 101 to",
        "chess subscribe 101",
        "x sub 1",
    ):
        assert not fits(form, line)
    form = Documented("seek", "<game> seek -<option> ... [<n>]")
    assert [fits(form, f"mamba seek {words}") for words in ("", "3", "-x", "3 -x --y=1")] == [False, False, True, True]
    assert list(lines("a [b|c] <n>[#<n>] ...", {"n": "1"}))[:4] == ["a 1", "a 1#1", "a 1 1", "a 1#1 1#1"]


@pytest.mark.parametrize("each", PAGE, ids=lambda each: each.form)
def test_a_form_is_read_as_a_command_of_its_verb(each: Documented) -> None:
    for form in variants(each, answering=each.is_answer):
        for line in lines(form, SAID):
            assert is_of(each.verb, parse(line, GAMES, ANSWERED if each.is_answer else None).form), line


def test_the_page_of_the_commands_has_every_form_of_every_verb() -> None:
    shown = {(verb, said) for verb in VERBS for form in FORMS(verb) for said in _all_of(form.says, form.in_answer)}
    assert shown == {(each.verb, each.form) for each in PAGE}
    assert all(form.meaning for verb in VERBS for form in FORMS(verb))


def _all_of(says: Iterable[str], in_answer: str | None) -> Iterable[str]:
    return (*says, in_answer) if in_answer else says


@pytest.mark.parametrize("verb", VERBS)
def test_a_refusal_shows_few_forms_and_all_of_them_are_on_the_page(verb: str) -> None:
    for game in GAMES.values():
        text = forms_text(WORDING.environment, verb, {"error": True, "game_name": game.name, "game_meant": game})
        shown = re.findall("^    (\\S+(?: \\S+)*)", text, re.MULTILINE)
        assert len(shown) <= MOST_SHOWN
        assert max(map(len, text.split("\n"))) <= WIDTH
        for form in shown:
            assert any(is_of(verb, parse(line, GAMES, ANSWERED).form) for line in lines(form, SAID))
            assert all(fitting(line, answering=True) for line in lines(form, SAID))


@pytest.mark.parametrize("verb", VERBS)
def test_forms_are_plain_and_fit_into_a_mail(verb: str) -> None:
    text = forms_text(WORDING.environment, verb, {"game_name": "superbo"})
    assert text.isascii()
    assert max(map(len, text.split("\n"))) <= WIDTH
    assert text.startswith("    ")


def test_every_verb_stands_in_one_group() -> None:
    assert sorted(verb for verbs in GROUPS.values() for verb in verbs) == sorted(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_the_page_about_a_verb_begins_with_its_forms(verb: str) -> None:
    page = WORDING.help.page(verb)
    assert page is not None
    top = page.text.split("\n\n")[0]
    for form in FORMS(verb):
        for said in (*form.says, form.in_answer or ""):
            assert said in top


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_of_the_commands_names_every_form_that_means_something_of_its_own(verb: str) -> None:
    page = WORDING.help.page("commands")
    assert page is not None
    for form in FORMS(verb):
        assert re.search(rf"^  {re.escape(form.says[0])}  +{re.escape(form.meaning)}$", page.text, re.MULTILINE)


@pytest.mark.parametrize(
    ("verb", "form"),
    [("plan", "plan <board> cancel"), ("note", "note <board>"), ("studies", "studies"), ("plan", "plan <board> share")],
)
def test_a_form_with_userid_and_password_says_the_same_as_that_without(verb: str, form: str) -> None:
    (found,) = (each for each in FORMS(verb) if form in each.says)
    behind = re.sub(r"^(\w+(?: <board>)?)", r"\1 <userid> <password>", form)
    assert found.says == (form, behind)
    assert found.in_answer == {"plan <board> cancel": "plan cancel", "note <board>": "note"}.get(form)
