"""The forms that refusals, the help and the documentation show can be sent as they stand, and there are no others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.bootstrap.games import find_games
from pbem.bootstrap.wording import make_wording
from pbem.commands.grammar import parse
from pbem.commands.line import BoardAnswered
from pbem.commands.of_boards import IN_PLACE_OF_A_MOVE
from pbem.commands.writing import GROUPS, VERBS
from pbem.config import Settings
from pbem.ids import BoardNumber
from pbem.wording.layout import WIDTH
from tests.commands import test_grammar
from tests.conversations.test_every_command import EVERY as EVERY_COMMAND
from tests.support.forms import Documented, documented, fits, lines, variants

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
    "turn": "b3",
    "players": "2",
    "game": "superbo",
    "name": "spring",
    "n": "3",
    "days": "2",
    "option": "swap",
    "key": "mail",
    "value": "text",
    "subject": "move",
    "YYYY-MM-DD": "2030-12-31",
}
"""What may stand for each of the words that are the sender's own."""

SAME = {
    *(("limit", "accept"), ("limit", "reject"), ("challenge", "seek"), ("show", "showas")),
    *(("move", word) for word in IN_PLACE_OF_A_MOVE),
}
"""Verbs that say what another one says, too."""

LENIENT = {
    "Change Password: 1234": "the colon is a slip",
    "CHANGE addresses fsmith secret a@example.org b@x": "the table of other names has it",
    "move 101 lay b2>b3 move e5-e7#17.": "the full stop is a slip",
    "vacation fsmith secret 2 weeks": "days are what the page tells",
    **dict.fromkeys(
        (
            "subscribe fsmith secret to bob carol",
            "unsubscribe fsmith secret To bob",
            "block fsmith secret to bob",
            "unblock fsmith to to bob",
            "message fsmith secret to bob",
            "report fsmith secret to bob 101",
        ),
        "`to` belongs to the short form",
    ),
}
"""Lines that are read, and that no form needs to show."""

FIT_BUT_MEAN_NOTHING = ("NoMoveButCommand", "NotADate", "NotANumber", "TooManyWords")
"""Refusals of what has the right form."""

OF_THE_LANGUAGE = """
signup alice secret · signup alice secret a@example.org b@example.org · signup alice · add alice secret a@example.org
add a@example.org b@example.org · change password alice secret better · change password better · change address
change address alice secret · change address alice secret a@example.org · change address a@example.org b@example.org
forgot alice · set · set alice secret · set alice secret mail=text digest=daily · set timezone=Europe/Paris
vacation alice secret · vacation 2030-12-31 · vacation alice secret 2030-12-31 · vacation alice secret off
vacation off · block alice secret bob · block to bob · unblock alice secret bob · unblock bob
report alice secret bob · report bob · report alice secret bob 101 · report bob 101 · data alice secret · data
signoff alice secret · delete alice secret · help · help tutorial · help superbo move · superbo help · list
list superbo mamba · superbo list · who · who bob · message alice secret bob carol · message to bob carol
message bob · broadcast alice secret · broadcast · all show alice next · all show alice active · all show alice
superbo challenge bob · superbo challenge carol bob · superbo challenge -adjacent_pair bob
superbo challenge --adjacent_pair --totaltime=30 alice bob · superbo challenge · mamba challenge alice bob carol
mamba challenge -random alice bob carol dave · mamba challenge bob carol dave -teams · superbo challenge alice alice
superbo challenge --pair bob · superbo challenge -kill_own · superbo chall bob · superbo move 101 alice secret a1,j12
superbo move 101 alice secret a1,j12#17 · move 101 a1,j12 · move 101 a1,j12#17 · mvoe 101 alice secret a1
superbo board 101 alice secret a1 · mamba move 101 alice secret lay b3>c4 move e5-e7
mamba move 101 alice secret pass · superbo move 101 alice secret swap · superbo move 101 alice secret resign#7
move 101 propose · move 101 alice secret undo · move 101 alice secret accept · move 101 reject · move 101#7 a1,j12
queue 101 alice secret a1 · superbo qmove 101 alice secret a1,j12#5 · moveq 101 a1 · queue 101 alice secret cancel
submit 101 alice secret a1,j12 · submit 101#3 a1 · subm 101 a1 · confirm 101 alice secret · confirm 101
confirm 101#4 · preview 101 a1 b2,c3 · superbo preview 101#7 a1 · superbo preview new a1 b2,c3
mamba preview new 3 -teams pass · preview 101 lay b2>b3 / pass · superbo prev new -single a1 · preview 101
superbo resign 101 alice secret · resign 101 · resign 101 alice secret #7 · resign 101#7 alice secret
superbo swap 101 alice secret · pass 101 · undo 101 #7 · propose 101 alice secret · accept 101 alice secret
reject 101 · superbo show 101 · show 101#7 102 · show 101 102#7 · superbo show alice bob all · show alice inactive
show alice next · show alice tournament · show alice standard · superbo showas alice secret
showas alice secret 101 102 · showas alice secret next · showas 101 · all showas · superbo games
superbo games alice bob next · games all · all games alice · superbo chat 101 alice secret · chat 101
superbo export 101 · export 101 · superbo accept alice secret · superbo accept · superbo reject alice secret
superbo limit alice secret 5 · superbo limit 5 · superbo limit alice secret accept · superbo limit reject
superbo limit · superbo limit alice secret 0 · superbo seek alice secret 2 -single · superbo seek
superbo seek -pace=3 · superbo seek 0 · mamba seek 2 -players=3 -teams · superbo notify alice secret 101 102
superbo notify alice secret · notify 101 · superbo notify 101 alice secret · superbo subscribe 101
superbo subscribe 101 alice secret · subscribe alice secret 101 102 · superbo subscribe all
superbo subscribe all alice secret · subscribe alice secret all · subscribe alice secret bob carol · subscribe to bob
sub 101 · unsubscribe alice secret 101 · superbo unsubscribe all · unsub 101 · unsubscribe to bob · superbo standings
superbo ratings · standings · all standings · superbo history · superbo history alice · all history
superbo tournament · superbo tournament show · superbo tournament show spring · superbo tournament join spring
superbo tournament create alice secret spring -swiss -rounds=3 · superbo tournament create spring --roundrobin
superbo tournament create -swiss spring · superbo tournament join alice secret spring
superbo tournament start spring · superbo tournament withdraw alice secret spring · mailed 101
mailed 101 alice secret · resend alice secret 101
"""
"""The forms of the language as COMMANDS.md has them, with words."""

READ = [*re.split(" · |\n", OF_THE_LANGUAGE.strip()), *(line for line in test_grammar.READ if line not in LENIENT)]
CONVERSED = [
    letter.format(n=101).rpartition(": ")[2]
    for verb, row in EVERY_COMMAND
    for letter in (row.works, *row.before, *(row.body.split("\n")[:-1] if verb == "multiple" else ()))
    if letter != "multiple"
]


def examples(test: object, count: int) -> list[tuple[str, ...]]:
    """The examples that another test is made for, the first values of each."""
    (mark,) = test.pytestmark  # type: ignore[attr-defined]  # pytest's own
    return [each[:count] for each in mark.args[1]]


def is_of(verb: str, form: str) -> bool:
    """Whether a command of this form is what the verb leads to."""
    return form == verb or (verb, form) in SAME


def fitting(line: str, *, answering: bool = False) -> set[str]:
    """The verbs that the page has a form for which the line fits to."""
    return {each.verb for each in PAGE if fits(each, line, answering=answering)}


@pytest.mark.parametrize("line", dict.fromkeys((*READ, *CONVERSED)))
def test_the_page_of_the_commands_has_a_form_for_what_is_read(line: str) -> None:
    command = parse(line, GAMES)
    assert any(is_of(verb, command.form) for verb in fitting(line))


ANSWERS = examples(test_grammar.test_an_answer_to_a_board_may_leave_the_board_and_the_verb_out, 1)


@pytest.mark.parametrize("line", [line for (line,) in ANSWERS])
def test_the_page_of_the_commands_has_a_form_for_what_is_read_in_an_answer(line: str) -> None:
    command = parse(line, GAMES, ANSWERED)
    assert any(is_of(verb, command.form) for verb in fitting(line, answering=True)) or line == "Reject."


REFUSED = examples(test_grammar.test_what_cannot_be_read_is_refused_with_its_reason, 2)


@pytest.mark.parametrize("line", [line for line, leaf in REFUSED if leaf not in FIT_BUT_MEAN_NOTHING])
def test_the_page_of_the_commands_has_no_form_for_what_is_refused(line: str) -> None:
    assert not fitting(line)


def test_forms_are_told_apart() -> None:
    """What the tests above hold the forms against can fail."""
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
    template = WORDING._env.get_template(f"forms/{verb}.txt")
    for game in GAMES.values():
        text = template.render(error=True, game_name=game.name, game_meant=game)
        shown = re.findall("^    (\\S+(?: \\S+)*)", text, re.MULTILINE)
        assert len(shown) <= MOST_SHOWN
        assert max(map(len, text.split("\n"))) <= WIDTH
        for form in shown:
            assert any(is_of(verb, parse(line, GAMES, ANSWERED).form) for line in lines(form, SAID))
            assert all(fitting(line, answering=True) for line in lines(form, SAID))


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
