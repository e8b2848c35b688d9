"""Lines shown to somebody who is not to read the passwords in them."""

from __future__ import annotations

import pytest

from pbem.commands.blanking import blanked
from pbem.commands.verbs import OTHER_NAMES, VERBS

GAMES = ("superbo", "mamba")
WITHOUT_CREDENTIALS = ("challenge", "show", "games", "list", "help", "who", "history")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("superbo move 101 fsmith hush a1,j12#17", "superbo move 101 fsmith ... a1,j12#17"),
        ("Re: AW: superbo move 101 fsmith hush a1", "Re: AW: superbo move 101 fsmith ... a1"),
        ("Subject: signup fsmith 12345", "Subject: signup fsmith ..."),
        ("set fsmith a1 mail=text", "set fsmith ... mail=text"),
        ("resign 101 fsmith 4711", "resign 101 fsmith ..."),
        ("queue 101 fsmith hush g2,h7", "queue 101 fsmith ... g2,h7"),
        ("superbo qmove 101 fsmith 4711 g2,h7#3", "superbo qmove 101 fsmith ... g2,h7#3"),
        ("queue 101 fsmith 4711", "queue 101 fsmith ..."),
        ("queue fsmith 4711 g2,h7", "queue fsmith ... g2,h7"),
        ("export 101 fsmith 4711 now", "export 101 ... ... ..."),
        ("qeueu 101 fsmith hush g2,h7", "qeueu 101 ... ... g2,h7"),
        ("101 fsmith hush a1", "101 ... ... a1"),
        ("my  password: hush, please", "my  password: ... ..."),
        ("I like this game very much", "I like this game very much"),
        ("move 101 a1,j12", "move 101 a1,j12"),
        ("x " * 201, "..."),
        ("", ""),
    ],
)
def test_words_that_may_be_a_password_are_blanked(line: str, shown: str) -> None:
    assert blanked(line, GAMES) == shown


@pytest.mark.parametrize("password", ["hush", "4711", "a1"])
@pytest.mark.parametrize("verb", sorted({*VERBS, *OTHER_NAMES} - {"signup", "forgot", *WITHOUT_CREDENTIALS}))
def test_behind_every_verb_a_password_is_blanked_wherever_it_was_put(verb: str, password: str) -> None:
    for line in (
        f"superbo {verb} 101 fsmith {password} a2,j12",
        f"{verb} fsmith {password} 101",
        f"{verb} 101 fsmith {password}",
        f"Please {verb} fsmith {password}",
        f"superbo superbo {verb} fsmith {password} -nonsense",
    ):
        assert password not in blanked(line, GAMES).split(), line
