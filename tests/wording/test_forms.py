"""The forms that refusals, the help and the documentation show can be sent as they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.bootstrap import find_games, make_wording
from pbem.commands.grammar import VERBS, parse
from pbem.commands.groups import GROUPS
from pbem.commands.line import BoardAnswered
from pbem.config import Settings
from pbem.ids import BoardNumber
from pbem.wording.layout import WIDTH

if TYPE_CHECKING:
    from pbem.wording.forms import Form

WORDING = make_wording(Settings())
FORMS = WORDING.forms
ANSWERED = BoardAnswered(BoardNumber(101))
SAID = {
    "<userid>": "alice",
    "<userid1>": "alice",
    "<userid2>": "bob",
    "<password>": "secret",
    "<old>": "secret",
    "<new>": "hunter2",
    "<other>": "bob",
    "<to>": "bob",
    "<address>": "alice@example.org",
    "<board>": "101",
    "<move>": "a1,j12",
    "<moveno>": "7",
    "<turn>": "b3",
    "<players>": "2",
    "<game>": "superbo",
    "<name>": "spring",
    "<n>": "3",
    "<days>": "2",
    "<option>": "swap",
    "<key>=<value>": "mail=text",
    "<subject>": "move",
    "<YYYY-MM-DD>": "2030-12-31",
}
"""What may stand for each of the words that are the sender's own."""


def typed(form: str) -> str:
    """A form as somebody types it: with his own words, what may be left out left out, and the first of each choice."""
    form = re.sub(r" \[[^]]*\]", "", form).replace(" ...", "")
    form = re.sub(r"(\S+?)\|\S+", r"\1", form)
    for word, own in sorted(SAID.items(), key=lambda item: -len(item[0])):
        form = form.replace(word, own)
    return form


SAME = {("limit", "accept"), ("limit", "reject"), ("challenge", "seek")}
"""Verbs that say what another one says, too."""

EVERY = [(verb, form) for verb in VERBS for form in FORMS(verb)]


@pytest.mark.parametrize(("verb", "form"), EVERY, ids=[f"{verb}: {form.meaning}" for verb, form in EVERY])
def test_a_form_is_read_as_a_command_of_its_verb(verb: str, form: Form) -> None:
    assert form.meaning
    for said in form.says:
        assert "<" not in typed(said), said
        command = parse(typed(said), find_games())
        assert command.form == verb or (verb, command.form) in SAME, said
    if form.in_answer is not None:
        command = parse(typed(form.in_answer), find_games(), ANSWERED)
        assert command.form == verb or (verb, command.form) in SAME


@pytest.mark.parametrize("verb", VERBS)
def test_forms_are_plain_and_fit_into_a_mail(verb: str) -> None:
    text = WORDING._env.get_template(f"forms/{verb}.txt").render(game_name="superbo")
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
