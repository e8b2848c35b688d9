"""Which words of a command could be somebody's password, whatever the sender meant.

Answers quote the word that a command stumbled on. A classic command may have been
mistyped so that the password stands there; such a word is never repeated.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from pbem.commands.command import passwords_in
from pbem.commands.grammar import parse
from pbem.commands.likeness import closest
from pbem.commands.line import DASHES
from pbem.commands.normal import normalised
from pbem.commands.userids import bar_of, looks_like_date, looks_like_placement
from pbem.commands.verbs import VERBS, verb_of
from pbem.errors import Unreadable

HIDDEN = "..."
"""What a refusal says in place of such a word."""


class HiddenWord(str):
    """What stands in place of such a word, if it is known which word of the line it is, from 1."""

    __slots__ = ("place",)

    place: int

    def __new__(cls, place: int) -> HiddenWord:
        """A word that is not repeated."""
        word = super().__new__(cls, HIDDEN)
        word.place = place
        return word


class StrangeWord(HiddenWord):
    """What stands in place of a word that is not repeated to somebody who may not have written it."""

    __slots__ = ("typed",)

    typed: str
    """What was written: by that what was meant is found, and it is never said."""

    def __new__(cls, typed: str, place: int | None) -> StrangeWord:
        """A word that stands somewhere in the line, if it is known where."""
        word = str.__new__(cls, HIDDEN)
        word.typed = typed
        if place is not None:
            word.place = place
        return word


def is_hidden(word: str) -> bool:
    """Whether a word is not to be repeated: only its place may be told."""
    return word == HIDDEN


_TYPED = """
    word userid userids option value name placement space direction deciding said address subject body step
    move text key
"""
TYPED = frozenset(_TYPED.split())
"""Facts of refusals that repeat the player's words; the others are our own, such as the name of a form."""

_BETWEEN = re.compile(r"[\s,;+#/:|]+")
_CUT = 20
"""A quoted word of so many letters may be the beginning of a longer one."""

_LONG = 4
"""A password of so many letters, digits and signs is hidden within other words too."""
_SIGNS = ".,:;!?\"'`<>()[]{}*_=/|-"

_CHANGED = ("password", "address", "addresses")

_WITHOUT_CREDENTIALS = ("challenge", "show", "games", "list", "help", "who", "history")
"""Verbs behind which userids stand, or anything, and never a password."""

_WITH_NAMES = ("tournament", "message", "report", "block", "unblock", "subscribe", "unsubscribe", "change", "preview")
"""Verbs behind which more words than userid and password may look like either."""

_ANNOUNCING = ("password", "passwort", "forgot")
"""What may stand in front of a password in a line without a command."""

_BARS_OF_PASSWORDS = ("character", "long", "foreign", "reserved", "sentence")
"""Why a word that cannot be a userid may be a password nevertheless."""


def possible_passwords(line: str, games: Collection[str]) -> frozenset[str]:
    """Every word behind one that could be a userid, where a command has a place for both.

    Numbers, dates and placements are left out: they are what a refusal most needs to name.
    A password of that shape is still safe in a well-formed command, whose credentials
    are never facts of a refusal.
    """
    return frozenset(_possible_passwords(line, games))


def may_hold_password(line: str, games: Collection[str]) -> bool:
    """Whether there is such a word."""
    return next(_possible_passwords(line, games), None) is not None


def _possible_passwords(line: str, games: Collection[str]) -> Iterator[str]:
    words = normalised(line, games).split()
    verbs = {verb_of(word) for word in words[:2]}
    is_command = verbs != {None} or any(word.lower() in games for word in words[:1])
    if not is_command or verbs & set(_WITHOUT_CREDENTIALS):
        return  # no command, or one that has no place for them
    yield from (password for userid, password in pairwise(words) if _are_both(userid, password, games))
    yield from (word for word in words if is_joined(word, games))
    if "change" in verbs:
        yield from _new_passwords(words)


def _are_both(userid: str, password: str, games: Collection[str]) -> bool:
    """Whether two words may be userid and password, the second being nothing that a refusal most needs to name."""
    is_plain = password.isdigit() or looks_like_placement(password) or looks_like_date(password)
    return not is_plain and bar_of(userid, games) in (None, "reserved", "sentence")


def pieces(word: str) -> Sequence[str]:
    """What a word is made of, if signs that no userid has stand between: ``ann/secret``."""
    return [piece for piece in _BETWEEN.split(word) if piece]


def is_joined(word: str, games: Collection[str]) -> bool:
    """Whether a word may be userid and password with a sign between them; a setting and an address are none."""
    first, *others = pieces(word) or [word]
    return bool(others) and not set("=@") & set(word) and _are_both(first, others[0], games)


def never_repeated(line: str, games: Collection[str]) -> frozenset[str]:
    """Every word of a line that a refusal must not repeat, in whatever order the words were meant.

    Any two words that are no numbers, no placements and not of the command language may be userid and password. The
    word where the verb belongs is repeated nevertheless if it is much like a verb or leaves two others.
    """
    words = normalised(line, games).split()
    hidden = possible_passwords(line, games)
    likely = [word for word in words if _may_be_either(word, games)]
    if len(likely) < 2 or not _is_meant_as_command(words, games):
        return hidden
    verbs = [verb_of(word) for word in words]
    if set(verbs[:2]) & set(_WITHOUT_CREDENTIALS):
        return hidden
    first = words[1 if words[0].lower() in games else 0]
    misspelled = {word for word in likely if closest(word, (*VERBS, *games))}
    is_verb = first in misspelled and not any(verbs)
    leaves_both = not set(verbs) & set(_WITH_NAMES) and len(set(likely) - {first} - misspelled) > 1
    return frozenset((*hidden, *likely)) - ({first} if is_verb or leaves_both else set())


def likely_either(words: Sequence[str], games: Collection[str]) -> frozenset[str]:
    """The words that are neither numbers nor placements nor of the command language: a userid or a password each."""
    return frozenset(word for word in words if _may_be_either(word, games))


def _may_be_either(word: str, games: Collection[str]) -> bool:
    """Whether a word may be a userid or a password, by its shape."""
    bar = bar_of(word, games)
    if bar is None:
        return True
    is_move = all(piece.isdigit() or looks_like_placement(piece) for piece in pieces(word))
    return bar in _BARS_OF_PASSWORDS and not (is_move or "=" in word or "@" in word)


def _is_meant_as_command(words: Sequence[str], games: Collection[str]) -> bool:
    """Whether there is anything in a line that a sentence would hardly have."""
    return any(
        word.lower() in games
        or verb_of(word) is not None
        or word.isdigit()
        or looks_like_date(word)
        or "#" in word
        or looks_like_placement(word)
        for word in words
    )


def _new_passwords(words: Sequence[str]) -> Sequence[str]:
    """The words of a change that may be a new password: numbers and placements, too."""
    behind = next(place for place, word in enumerate(words, start=1) if verb_of(word) == "change")
    return [word for word in words[behind:] if "@" not in word and word.lower().rstrip(":") not in _CHANGED]


def without_commands(comment: str, games: Collection[str]) -> str:
    """A comment without lines that are commands with a password: somebody sent his letter twice over."""
    return "\n".join(line for line in comment.split("\n") if not line or not _has_credentials(line, games)).strip("\n")


def without_word(comment: str, password: str) -> str:
    """A comment without the lines that hold the password which this letter has just used, in either case.

    It counts where it stands as a word, with whatever signs around it; one that is no plain word, and so can be in no
    other word by chance, also within others.
    """
    return "\n".join(line for line in comment.split("\n") if not _holds(line, password)).strip("\n")


def _holds(line: str, password: str) -> bool:
    line, password = line.casefold(), password.casefold()
    if len(password) >= _LONG and not password.isalpha():
        return password in line
    words = line.split()
    return password in {*words, *(word.strip(_SIGNS) for word in words), *re.split(r"[\W_]+", line)}


def without_bare_credentials(comment: str, userids: Collection[str], signing: Collection[str] = ()) -> str:
    """A comment without lines of nothing but a userid of the sender and one word more, or a password announced.

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
    try:
        return bool(passwords_in(parse(line, games)))
    except Unreadable:
        return False


def repeats(text: str, passwords: Collection[str]) -> bool:
    """Whether a text has one of these passwords among its words: whole, cut off, or a piece of it, in either case."""
    text, passwords = text.casefold(), [password.casefold() for password in passwords]
    said = {text, *_BETWEEN.split(text)} - {""}
    return any(
        word in {password, *_BETWEEN.split(password), *_as_option(password)} or (len(word) >= _CUT and word in password)
        for word in said
        for password in passwords
    )


def _as_option(password: str) -> Collection[str]:
    """What is repeated of a password that was taken for an option: it without dashes, and what stands before ``=``."""
    bare = password.lstrip(DASHES)
    return () if bare == password else {bare, *bare.split("=", 1)}
