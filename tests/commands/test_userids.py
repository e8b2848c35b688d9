"""Which words can be a userid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.userids import (
    COMMAND_WORDS,
    FORBIDDEN,
    RESERVED,
    BadUserid,
    check_userid,
    could_be_userid,
    looks_like_placement,
    skeleton,
)
from pbem.commands.verbs import OTHER_NAMES, VERBS, verb_of

GAMES = ("superbo", "mambo")


@pytest.mark.parametrize("word", ["fsmith", "FSmith", "j.doe-2", "9lives", "a", "x_1", "a123", "abc1", "!"])
def test_ordinary_names_can_be_userids(word: str) -> None:
    check_userid(word, GAMES)
    assert could_be_userid(word, GAMES)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("", "empty"),
        ("x" * 33, "long"),
        ("123", "digits"),
        ("\uff11\uff12", "digits"),
        ("-bob", "dash"),
        *((f"b{letter}b", "character") for letter in FORBIDDEN),
        ('b"b', "character"),
        ("b'b", "character"),
        ("b\u200bb", "unprintable"),
        ("b\x00b", "unprintable"),
        ("b\u00a0b", "unprintable"),
        ("b\u00e4b", "foreign"),
        ("\u0430dmin", "foreign"),
        ("a1", "placement"),
        ("J12", "placement"),
        ("jj12", "placement"),
        ("e5-e7", "placement"),
        ("E5-e7.", "placement"),
        ("b2>b3", "character"),
        ("ne", "placement"),
        ("2026-01-31", "placement"),
        ("Resign", "command"),
        ("Pass.", "command"),
        ("lay!", "command"),
        ("from", "command"),
        ("to", "command"),
        ("all", "command"),
        ("SUPERBO", "game"),
        ("Admin", "reserved"),
    ],
)
def test_a_word_with_another_meaning_cannot(word: str, reason: str) -> None:
    with pytest.raises(BadUserid) as refused:
        check_userid(word, GAMES)
    assert refused.value.facts == {"userid": word[:32], "reason": reason}


def test_thirty_two_letters_are_the_most() -> None:
    check_userid("x" * 32, GAMES)


BEGINNINGS = {verb[:length] for verb in VERBS for length in range(1, len(verb) + 1)}
VERBS_SAID = {word for word in (*BEGINNINGS, *OTHER_NAMES) if verb_of(word) is not None}


@pytest.mark.parametrize("word", sorted(COMMAND_WORDS | VERBS_SAID))
def test_no_word_of_the_command_language_can_be_a_userid(word: str) -> None:
    assert not could_be_userid(word.upper(), GAMES)


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_name_is_refused_but_read_as_a_userid(word: str) -> None:
    with pytest.raises(BadUserid):
        check_userid(word, GAMES)
    assert could_be_userid(word, GAMES)


@pytest.mark.parametrize(
    "word", ["a1", "J12", "jj99", "NE9", "e5-e7", "E5\u2013e7", "b2>b3", "b2=>b3", "b2\u2192b3", "a0"]
)
def test_a_space_with_a_state_looks_like_a_placement(word: str) -> None:
    assert looks_like_placement(word)


@pytest.mark.parametrize("word", ["a", "1a", "abc1", "a123", "a1,b2", "a1-", "a1=b2", ">b3", "\u00e41", "a\u0661", ""])
def test_other_words_do_not(word: str) -> None:
    assert not looks_like_placement(word)


@given(st.text(max_size=40))
def test_any_word_is_accepted_or_refused_and_an_accepted_one_can_be_mailed(word: str) -> None:
    try:
        check_userid(word, GAMES)
    except BadUserid:
        return
    assert word.isascii()
    assert word.isprintable()
    assert len(word.split()) == 1
    assert not set(word) & set(FORBIDDEN)


@pytest.mark.parametrize(
    "word",
    [
        *(
            "robot6",
            "robot1.",
            "ROBOTS",
            "r0b0t",
            "robot_9",
            "_robot1",
            "pbem-help",
            "adm1n",
            "Admin2",
            "administrator7",
        ),
        *("0perator", "postmaster-x", "no-reply", "noreply_", "root1", "r00t", "system.", "_nobody_", "Mai1er-Daemon"),
        *("superb0", "mambo_", "move_", ".help", "resign-", "rnarnbo"),
    ],
)
def test_nobody_new_is_called_much_like_the_server_a_game_or_a_command(word: str) -> None:
    with pytest.raises(BadUserid) as refused:
        check_userid(word, GAMES)
    assert refused.value.facts["reason"] == "reserved"
    assert could_be_userid(word, GAMES), "somebody may have been called so before"


@pytest.mark.parametrize("word", ["ali", "mover", "rob", "meg", "young", "Bo", "serverin", "rooty", "helper", "opera"])
def test_names_that_only_begin_alike_are_free(word: str) -> None:
    check_userid(word, GAMES)


@pytest.mark.parametrize(
    "other",
    [
        "aIice",
        "al1ce",
        "alice_",
        "alice.",
        "_alice",
        "a.l-i.c.e",
        "ALICE",
        "AL1CE",
        "alIce",
        "allce!",
        "a~lice",
        "a11ce",
    ],
)
def test_userids_that_look_alike_have_one_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("Alice")


@pytest.mark.parametrize(
    ("one", "other"),
    [("bob0", "bobo"), ("tom", "torn"), ("wally", "vva11y"), ("ian", "lan"), ("x-1", "xl"), ("10", "lo")],
)
def test_so_do_others(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("alice", "alise"), ("bob", "bob2"), ("ann4", "ann5"), ("!", "."), ("dan", "clan"), ("a", "b")]
)
def test_userids_that_differ_to_the_eye_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


HOSTS = """
    www.casino-spam.example casino.com WWW.x www2.foo http https http-foo https.evil ftp.x a.de x.co.uk foo.com.
    foo.online anna.li t.me evil.example.org xn--80ak6aa92e.com dr.no
"""
NO_HOSTS = "john.doe j.r.smith anna.maria mr.t a.b wwwilli httpd dotcom ann evil-dot-com"


@pytest.mark.parametrize("word", HOSTS.split())
def test_nobody_new_is_called_like_a_host_or_a_url_but_is_read_so(word: str) -> None:
    with pytest.raises(BadUserid) as refused:
        check_userid(word, GAMES)
    assert refused.value.facts["reason"] == "host"
    assert could_be_userid(word, GAMES), "somebody may have been called so before"


@pytest.mark.parametrize("word", NO_HOSTS.split())
def test_a_dot_alone_makes_no_host(word: str) -> None:
    check_userid(word, GAMES)
