"""No word that may be somebody's password is ever repeated."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.grammar import parse
from pbem.commands.line import BoardAnswered
from pbem.commands.reading import read_letter
from pbem.commands.secrets import (
    HIDDEN,
    TYPED,
    repeats,
    withheld,
)
from pbem.commands.verbs import VERBS
from pbem.errors import PlayerError
from pbem.ids import BoardNumber

GAMES = ("superbo",)
ANSWERED = BoardAnswered(BoardNumber(101))
LONG = "correct-horse-battery-staple-and-then-some-more"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("superbo move 101 fsmith secret a1", {"fsmith", "secret"}),
        ("superbo mve 101 fsmith secret a1", {"fsmith", "secret"}),
        ("move fsmith secret 101 a1", {"fsmith", "secret"}),
        ("move fsmith/secret 101 a1", {"fsmith/secret"}),
        ("signup fsmith my secret", {"fsmith", "my", "secret"}),
        ("resign 101 fsmith secret now", {"fsmith", "secret", "now"}),
        ("change password hunter2", {"hunter2"}),
        ("add fsmith secret a@example.org", {"fsmith", "secret", "a@example.org"}),
        ("seek -swap fsmith -secret", {"fsmith", "-secret"}),
        ("set fsmith a=b c=d", {"fsmith", "a=b"}),
        ("move 101 fsmith 1234 a1", set()),
        ("move 101 a1,j12", set()),
        ("show fsmith jdoe", set()),
        ("superbo challenge fsmith jdoe", set()),
        ("Hello there, how are you?", set()),
    ],
)
def test_words_of_no_known_kind_are_not_repeated_if_two_of_them_may_be_userid_and_password(
    line: str, words: set[str]
) -> None:
    assert withheld(line, GAMES) == words


def test_behind_any_verb_they_are_not_if_the_sender_is_named() -> None:
    assert withheld("superbo challenge Fsmith secret", GAMES, {"fsmith"}) == {"Fsmith", "secret"}
    assert withheld("superbo challenge fsmith", GAMES, {"fsmith"}) == set()


@pytest.mark.parametrize(
    "text", ["secret", "SECRET", "a1 secret", "a1,secret#3", LONG, LONG[:20], LONG[:40], "pass#word", "word", "pass"]
)
def test_a_password_is_found_whole_cut_off_or_in_pieces(text: str) -> None:
    assert repeats(text, ["secret", LONG, "pass#word"])


@pytest.mark.parametrize("text", ["", "secre", "secrets", "move", "a1", LONG[:19], "#"])
def test_other_words_are_not(text: str) -> None:
    assert not repeats(text, ["secret", LONG, "pass#word", "remove"])


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("superbo moove 101 fsmith hush a1", "moove"),
        ("superbo chalenge bob", "chalenge"),
        ("chess move 101 a1", "chess"),
        ("chess challenge bob carol", "chess"),
        ("chess show bob", "chess"),
        ("please move 101 a1", "please"),
        ("hello there", "hello"),
        ("frobnicate 12", "frobnicate"),
        ("set describe mail=text", "describe"),
        ("move 101 hello", "hello"),
        ("move 101 c4'--", "c4'--"),
        ("move 1o1 a1", "1o1"),
        ("move 101 a1,zz9 b2", "zz9"),
    ],
)
def test_what_a_refusal_needs_to_name_is_still_named(line: str, shown: str) -> None:
    assert not repeats(shown, withheld(line, GAMES))


def shown_facts(wrong: PlayerError, line: str) -> list[str]:
    """The words of a line that a refusal repeats without blanking them."""
    secrets = withheld(line, GAMES)
    facts = [(name, fact) for name, fact in wrong.facts.items() if isinstance(fact, str)]
    return [fact for name, fact in facts if not (name in TYPED and repeats(fact, secrets))]


def refusals_of(line: str) -> list[str]:
    """The words that refusals repeat of a line: alone, in an answer, and as the Subject or the text of a letter."""
    found = []
    for read in (
        lambda: parse(line, GAMES),
        lambda: parse(line, GAMES, ANSWERED),
        lambda: read_letter(line, (), GAMES, most=20),
        lambda: read_letter("Hello", (line,), GAMES, most=20),
    ):
        try:
            read()
        except PlayerError as refused:
            found += shown_facts(refused, line)
    return found


FORMS = {
    **{verb: f"superbo {verb} 101 fsmith {{}}" for verb in VERBS},
    **dict.fromkeys(("move", "queue", "submit", "preview"), "superbo {verb} 101 fsmith {} a1,j12#3"),
    "add": "add fsmith {} fsmith@example.org",
    "change": "change password fsmith {} {}",
    "limit": "superbo limit fsmith {} 5",
    "seek": "superbo seek fsmith {} 2 -swap",
    "set": "set fsmith {} mail=text",
    "tournament": "superbo tournament join fsmith {} spring",
    "vacation": "vacation fsmith {} 2026-12-31",
}
WITHOUT_CREDENTIALS = ("signup", "help", "list", "who", "forgot", "challenge", "show", "games", "history")


@pytest.mark.parametrize("password", ["hunter2", "pa#ss;w0rd"])
@pytest.mark.parametrize("verb", [each for each in VERBS if each not in WITHOUT_CREDENTIALS])
def test_words_in_any_order_do_not_lead_the_password_into_a_refusal(verb: str, password: str) -> None:
    words = FORMS[verb].format(password, password, verb=verb).removeprefix("superbo ").split()
    for ordered in permutations(words):
        for line in (" ".join(ordered), " ".join(("superbo", *ordered))):
            assert not any(repeats(fact, [password]) for fact in refusals_of(line)), line


@pytest.mark.parametrize("typo", ["x{}", "{}x", "{}{}", "z"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_mistyped_verb_does_not_either(verb: str, typo: str) -> None:
    for form in (
        "superbo {} 101 fsmith hunter2 a1",
        "{} fsmith hunter2",
        "{} 101 fsmith hunter2",
        "{} hunter2 fsmith 7",
    ):
        line = form.format(typo.format(verb, verb))
        assert not any(repeats(fact, ["hunter2"]) for fact in refusals_of(line)), line


PASSWORDS = st.text(alphabet="abcXYZ#,;+-_!.\u00e9", min_size=4, max_size=50).filter(
    lambda word: word.strip("#,;+") == word and not word.startswith("-")
)
MISTAKES = st.sampled_from(
    [
        "move fsmith {} 101 a1",
        "move 101 fsmith {}",
        "superbo fsmith {} move",
        "mve 101 fsmith {} a1",
        "resign 101 fsmith {} 7",
        "resign fsmith {}",
        "fsmith {}",
        "superbo move fsmith {}",
        "chess move 101 fsmith {} a1",
        "signup 101 fsmith {}",
        "change {}",
        "change password {} {}",
        "change passwort {}",
        "change password to {}",
        "superbo change password {}",
        *(form for verb, form in FORMS.items() if "{verb}" not in form and verb not in WITHOUT_CREDENTIALS),
    ]
)


@given(MISTAKES, PASSWORDS)
def test_a_mistyped_command_does_not_lead_its_password_into_the_refusal(mistake: str, password: str) -> None:
    line = mistake.format(password, password)
    shown = [fact for fact in refusals_of(line) if fact not in VERBS and fact != HIDDEN]
    assert not any(len(fact) >= 4 and fact in password for fact in shown)


@given(st.text(max_size=80))
def test_words_of_any_line_are_withheld_or_none(line: str) -> None:
    assert withheld(line, GAMES) <= set(line.split())


def test_a_password_in_place_of_the_verb_is_not_repeated_before_a_date_either() -> None:
    assert "pw4annX" in withheld("pw4annX alice 2027-01-02", GAMES)
