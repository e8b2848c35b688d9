"""Passwords in the words below a command, which are passed on to others."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pbem.commands.command import passwords_in
from pbem.commands.grammar import parse
from pbem.commands.verbs import verb_of
from pbem.errors import Unreadable

_LONG = 4
"""A password of at least so many characters is also hidden inside other words."""
_SIGNS = ".,:;!?\"'`<>()[]{}*_=/|-"

_ANNOUNCING = ("password", "passwort", "forgot")
"""Words in front of a password, in a line without a command."""


def without_commands(comment: str, games: Collection[str]) -> str:
    """A comment without lines that are commands with a password: some senders repeat their letter in it."""
    return "\n".join(line for line in comment.split("\n") if not line or not _has_credentials(line, games)).strip("\n")


def without_word(comment: str, password: str) -> str:
    """A comment without the lines that contain the password which this letter has just used, in either case.

    It counts as a word of its own, with any signs around it. One that is no plain word also counts
    inside others, where it cannot be by chance.
    """
    return "\n".join(line for line in comment.split("\n") if not _holds(line, password)).strip("\n")


def _holds(line: str, password: str) -> bool:
    line, password = line.casefold(), password.casefold()
    if len(password) >= _LONG and not password.isalpha():
        return password in line
    words = line.split()
    return password in {*words, *(word.strip(_SIGNS) for word in words), *re.split(r"[\W_]+", line)}


def without_bare_credentials(comment: str, userids: Collection[str], signing: Collection[str] = ()) -> str:
    """A comment without lines that are only a userid of the sender and one more word, or an announced password.

    Two capitalised words that are among ``signing`` are a signature: see `signatures_in`.
    """
    folded = {userid.casefold() for userid in userids}
    lines = comment.split("\n")
    kept = (line for line in lines if " ".join(line.split()) in signing or not _is_bare(line, folded))
    return "\n".join(kept).strip("\n")


def signatures_in(comment: str, userids: Collection[str]) -> Sequence[str]:
    """The lines that are one of these userids and one word more, both with a capital: ``Erin Doyle``."""
    folded = {userid.casefold() for userid in userids}
    found = (line.split() for line in comment.split("\n"))
    return [
        " ".join(words)
        for words in found
        if len(words) == 2
        and words[0].casefold() in folded
        and all(map(str.istitle, words))
        and words[1].replace("-", "").isalpha()
    ]


def _is_bare(line: str, userids: Collection[str]) -> bool:
    words = [word.casefold().rstrip(":") for word in line.split()]
    if words and words[0] in _ANNOUNCING:
        words = words[1:]
        return len(words) == 1 or (len(words) == 2 and words[0] in userids)
    return len(words) == 2 and words[0] in userids and words[1].strip(_SIGNS) != ""


def _has_credentials(line: str, games: Collection[str]) -> bool:
    """Return True if a line is a command with a password, be it that of a plan whose branches stand below."""
    is_plan = "plan" in map(verb_of, line.split()[:2])
    return any(_passwords(each, games) for each in ((line, f"{line} else pass") if is_plan else (line,)))


def _passwords(line: str, games: Collection[str]) -> Collection[str]:
    try:
        return passwords_in(parse(line, games))
    except Unreadable:
        return ()
