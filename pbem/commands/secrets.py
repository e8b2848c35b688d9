"""Which words of a command could be somebody's password, whatever the sender meant.

Answers quote the word that a command stumbled on. A classic command may have been
mistyped so that the password stands there; such a word is never repeated.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.commands.grammar import parse, verb_of
from pbem.commands.model import ChangePassword, SignUp, SpokenCommand
from pbem.commands.userids import could_be_userid, looks_like_placement
from pbem.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

HIDDEN = "..."
"""What a refusal says in place of such a word."""

TYPED = frozenset(("word", "userid", "option", "placement", "space", "direction", "deciding", "said", "address"))
"""Facts of refusals that repeat the player's words; the others are our own, such as the name of a form."""

_BETWEEN = re.compile(r"[\s,;+#]+")
_CUT = 20
"""A quoted word of so many letters may be the beginning of a longer one."""

_LONG = 4
"""A password of so many letters is hidden within other words too."""
_SIGNS = ".,:;!?\"'`<>()[]{}*_=/|-"

_CHANGED = ("password", "address", "addresses")

_WITHOUT_CREDENTIALS = (
    "challenge",
    "show",
    "games",
    "export",
    "list",
    "help",
    "who",
    "preview",
    "standings",
    "history",
)


def possible_passwords(line: str, games: Collection[str]) -> frozenset[str]:
    """Every word behind one that could be a userid, where a command has a place for both.

    Numbers and placements are left out: they are what a refusal most needs to name.
    A password of that shape is still safe in a well-formed command, whose credentials
    are never facts of a refusal.
    """
    words = line.split()
    verbs = {verb_of(word) for word in words[:2]}
    is_command = verbs != {None} or any(word.lower() in games for word in words[:1])
    if not is_command or verbs & set(_WITHOUT_CREDENTIALS):
        return frozenset()  # no command, or one that has no place for them
    behind_userids = (
        word
        for before, word in pairwise(words)
        if could_be_userid(before, games) and not word.isdigit() and not looks_like_placement(word)
    )
    return frozenset((*behind_userids, *(_new_passwords(words) if "change" in verbs else ())))


def _new_passwords(words: Sequence[str]) -> Sequence[str]:
    """The words of a change that may be a new password: numbers and placements, too."""
    behind = next(place for place, word in enumerate(words, start=1) if verb_of(word) == "change")
    return [word for word in words[behind:] if "@" not in word and word.lower().rstrip(":") not in _CHANGED]


def without_commands(comment: str, games: Collection[str]) -> str:
    """A comment without lines that are commands with a password: somebody sent his letter twice over."""
    return "\n".join(line for line in comment.split("\n") if not _has_credentials(line, games)).strip("\n")


def without_word(comment: str, password: str) -> str:
    """A comment without the lines that hold the password which this letter has just used, in either case.

    A short one counts where it stands as a word, with whatever signs around it: any line may have its letters in it.
    """
    return "\n".join(line for line in comment.split("\n") if not _holds(line, password)).strip("\n")


def _holds(line: str, password: str) -> bool:
    line, password = line.casefold(), password.casefold()
    if len(password) >= _LONG:
        return password in line
    words = line.split()
    return password in {*words, *(word.strip(_SIGNS) for word in words), *re.split(r"[\W_]+", line)}


def _has_credentials(line: str, games: Collection[str]) -> bool:
    try:
        command = parse(line, games)
    except Unreadable:
        return False
    if isinstance(command, SignUp):
        return command.password is not None
    if isinstance(command, ChangePassword):
        return True
    return isinstance(command, SpokenCommand) and command.speaker is not None


def repeats(text: str, passwords: Collection[str]) -> bool:
    """Whether a text has one of these passwords among its words: whole, cut off, or a piece of it, in either case."""
    text, passwords = text.casefold(), [password.casefold() for password in passwords]
    said = {text, *_BETWEEN.split(text)} - {""}
    return any(
        word in {password, *_BETWEEN.split(password)} or (len(word) >= _CUT and word in password)
        for word in said
        for password in passwords
    )
