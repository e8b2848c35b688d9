"""Words for others are passed on without the sender's password."""

from __future__ import annotations

import pytest

from pbem.commands.comments import signatures_in, without_bare_credentials, without_commands, without_word

GAMES = ("superbo",)


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
        "plan 101 #2 fsmith secret",
        "superbo plan 101 fsmith secret #2",
        "plan 101 #2 fsmith secret add",
        "plan 101 fsmith secret cancel",
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


def test_a_password_that_is_no_plain_word_is_found_within_others_and_a_plain_or_short_one_is_not() -> None:
    assert without_word("It is abc4efg.", "abc4") == ""
    assert without_word("It is abc4efg.", "c4") == "It is abc4efg."
    assert without_word("My secretary is away.", "secret") == "My secretary is away."
    assert without_word("It is no secret.", "secret") == ""


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        ("ann secret", False),
        ("ANN: secret", False),
        ("  ann   secret  ", False),
        ("password ann secret", False),
        ("Password: secret", False),
        ("forgot ann", False),
        ("ann", True),
        ("ben secret", True),
        ("Yours, ann", True),
        ("ann has played", True),
        ("Forgot to say hello", True),
        ("", True),
    ],
)
def test_a_line_of_nothing_but_credentials_is_no_comment(line: str, is_kept: bool) -> None:
    kept = without_bare_credentials(f"Hello.\n{line}\nBye.", ["Ann"])
    assert kept == (f"Hello.\n{line}\nBye." if is_kept else "Hello.\nBye.")


def test_a_signature_of_two_names_stays_if_there_is_no_password() -> None:
    comment = "Well played!\nErin Doyle"
    assert without_bare_credentials(comment, ["erin"], signatures_in(comment, ["erin"])) == comment
    assert without_bare_credentials(comment, ["erin"]) == "Well played!"
    assert (
        without_bare_credentials("Well!\nerin s3cret", ["erin"], signatures_in("Well!\nerin s3cret", ["erin"]))
        == "Well!"
    )
