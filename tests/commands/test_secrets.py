"""No word that may be somebody's password is ever repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.grammar import parse
from pbem.commands.secrets import TYPED, possible_passwords, repeats, without_commands, without_word
from pbem.errors import PlayerError

GAMES = ("superbo",)
LONG = "correct-horse-battery-staple-and-then-some-more"


@pytest.mark.parametrize(
    ("line", "passwords"),
    [
        ("superbo move 101 fsmith secret a1", {"secret"}),
        ("superbo mve 101 fsmith secret a1", {"secret"}),
        ("move fsmith secret 101 a1", {"secret"}),
        ("signup fsmith my secret", {"my", "secret"}),
        ("resign 101 fsmith secret now", {"secret", "now"}),
        ("change password hunter2", {"hunter2"}),
        ("change password fsmith 1234 a1", {"fsmith", "1234", "a1"}),
        ("superbo change passwort: 1234", {"passwort:", "1234"}),
        ("change address fsmith secret a@example.org", {"fsmith", "secret", "a@example.org"}),
        ("change address a@example.org", set()),
        ("add fsmith secret a@example.org", {"secret", "a@example.org"}),
        ("move 101 fsmith 1234 a1", set()),
        ("move 101 a1,j12", set()),
        ("show fsmith jdoe", set()),
        ("superbo challenge fsmith jdoe", set()),
    ],
)
def test_every_word_behind_a_possible_userid_may_be_a_password(line: str, passwords: set[str]) -> None:
    assert possible_passwords(line, GAMES) == passwords


@pytest.mark.parametrize(
    "text", ["secret", "SECRET", "a1 secret", "a1,secret#3", LONG, LONG[:20], LONG[:40], "pass#word", "word", "pass"]
)
def test_a_password_is_found_whole_cut_off_or_in_pieces(text: str) -> None:
    assert repeats(text, ["secret", LONG, "pass#word"])


@pytest.mark.parametrize("text", ["", "secre", "secrets", "move", "a1", LONG[:19], "#"])
def test_other_words_are_not(text: str) -> None:
    assert not repeats(text, ["secret", LONG, "pass#word", "remove"])


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
    ]
)


@given(MISTAKES, PASSWORDS)
def test_a_mistyped_command_does_not_lead_its_password_into_the_refusal(mistake: str, password: str) -> None:
    line = mistake.format(password, password)
    try:
        parse(line, GAMES)
    except PlayerError as refused:
        passwords = possible_passwords(line, GAMES)
        shown = [
            fact
            for name, fact in refused.facts.items()
            if isinstance(fact, str) and not (name in TYPED and repeats(fact, passwords))
        ]
        assert not any(len(fact) >= 4 and fact in password for fact in shown if fact not in ("move", "resign"))


@pytest.mark.parametrize(
    "line",
    [
        "move 101 fsmith secret a1",
        "  superbo MOVE 101 fsmith secret a1,j12#17",
        "resign 101 fsmith secret",
        "superbo resign 101 fsmith secret",
        "signup fsmith secret",
        "change password secret",
        "change address fsmith secret",
        "signoff fsmith secret",
    ],
)
def test_a_line_with_userid_and_password_is_dropped_from_a_comment(line: str) -> None:
    assert without_commands(f"Hello!\n{line}\n\nYour move.", GAMES) == "Hello!\n\nYour move."
    assert without_commands(line, GAMES) == ""


@pytest.mark.parametrize(
    "comment",
    ["", "Hello!\n\nYour move, fsmith.", "move 101 a1,j12", "resign 101", "show 101", "a1,j12", "  indented\nas it is"],
)
def test_a_comment_without_credentials_stays_as_it_is(comment: str) -> None:
    assert without_commands(comment, GAMES) == comment


@pytest.mark.parametrize("password", ["secret", "S3cret!", "abc", "x", "pw1"])
@pytest.mark.parametrize(
    "said",
    ["{}", "{},", "password:{}", "<{}>", '"{}"', "{}.", "(my password is {})", "it is *{}*!", "pw={}", "user/{}"],
)
def test_a_line_with_the_password_just_used_is_dropped_whatever_stands_around_it(password: str, said: str) -> None:
    for word in (password, password.upper()):
        assert without_word(f"Hello!\n{said.format(word)}\nYour move.", password) == "Hello!\nYour move."


@pytest.mark.parametrize("comment", ["", "Hello!\n\nYour move.", "abcd", "max", "secre t"])
@pytest.mark.parametrize("password", ["secret", "abc", "x"])
def test_a_comment_without_the_password_stays_as_it_is(comment: str, password: str) -> None:
    assert without_word(comment, password) == comment


@given(st.text(max_size=80))
def test_any_line_has_some_passwords_or_none(line: str) -> None:
    assert possible_passwords(line, GAMES) <= set(line.split())
