"""Lines shown to somebody who is not to read the passwords in them."""

from __future__ import annotations

import pytest

from pbem.commands.blanking import blanked

GAMES = ("superbo", "mamba")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("superbo move 101 fsmith hush a1,j12#17", "superbo move 101 fsmith ... ..."),
        ("Re: AW: superbo move 101 fsmith hush a1", "Re: AW: superbo move 101 fsmith ... a1"),
        ("Subject: signup fsmith 12345", "Subject: signup fsmith ..."),
        ("set fsmith a1 mail=text", "set fsmith ... mail=text"),
        ("resign 101 fsmith 4711", "resign 101 fsmith ..."),
        ("my  password: hush, please", "my  password: ... ..."),
        ("I like this game very much", "I like this game very much"),
        ("move 101 a1,j12", "move 101 a1,j12"),
        ("x " * 201, "..."),
        ("", ""),
    ],
)
def test_words_that_may_be_a_password_are_blanked(line: str, shown: str) -> None:
    assert blanked(line, GAMES) == shown
