"""The words of a command that an answer may repeat, and those that it may not, since one may be a password.

A refusal quotes the word that a command stumbled on. After a typing error in a classic command that may be the
password. So a word is quoted if it is of a known kind: of the command language, a game, a number, a date, a place
on a board, a userid that exists. Any other is quoted only if no reading of the line takes it for a password.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import fields

from pbem.commands.line import DASHES
from pbem.commands.normal import normalised
from pbem.commands.userids import bar_of, could_be_userid, looks_like_placement
from pbem.commands.verbs import COMMANDS, VERBS, closest, verb_of
from pbem.games.plans import ANY, BEGINNINGS, THEN

HIDDEN = "..."
"""The text that replaces such a word in a refusal."""


class HiddenWord(str):
    """The replacement of such a word, if its place in the line, from 1, is known."""

    __slots__ = ("place",)

    place: int

    def __new__(cls, place: int) -> HiddenWord:
        """Make one for the word in this place."""
        word = super().__new__(cls, HIDDEN)
        word.place = place
        return word


class StrangeWord(HiddenWord):
    """The replacement of a word in an answer to somebody who may not have written it."""

    __slots__ = ("typed",)

    typed: str
    """The word as typed: used to find the one that was meant, and never repeated."""

    def __new__(cls, typed: str, place: int | None) -> StrangeWord:
        """Make one for a word of the line, with its place if known."""
        word = str.__new__(cls, HIDDEN)
        word.typed = typed
        if place is not None:
            word.place = place
        return word


def is_hidden(word: str) -> bool:
    """Return True if a word is not to be repeated: only its place may be told."""
    return word == HIDDEN


_TYPED = """
    word userid userids option value name placement space direction deciding said address subject body step
    move text key branch
"""
TYPED = frozenset(_TYPED.split())
"""Facts of refusals that repeat the player's words; the others are our own, such as the name of a form."""

_BETWEEN = re.compile(r"[\s,;+#/:|]+")
WORDS_OF_PLANS = BEGINNINGS.union(THEN, (ANY,))
_CUT = 20
"""A quoted word of so many letters may be the beginning of a longer one."""
_OF_USERIDS = frozenset(
    each.form
    for each in COMMANDS
    if not VERBS[each.form].takes_password and any("Userid" in str(field.type) for field in fields(each))
)
"""Verbs that are followed by userids, and by no password."""
_OF_KNOWN_KINDS = frozenset(("empty", "digits", "placement", "command", "game"))


def withheld(line: str, games: Collection[str], own: Collection[str] = ()) -> frozenset[str]:
    """The words of a line that an answer does not repeat, unless they are userids that exist.

    They are the words of no known kind, if there are two or more, as userid and password are two, and if the command
    has a place for a password or names the sender, as people do who put both behind every command.

    Args:
        line: one line without line breaks.
        games: the names of the games that the server plays.
        own: the userids that the sender may have, in lower case.
    """
    words = normalised(line, games).split()
    verbs = [verb_of(word) for word in words]
    first = 1 if words[1:] and words[0].lower() in games else 0
    unknown = [word for place, word in enumerate(words) if not _is_known(word, words[max(place - 1, 0)], games)]
    if words and not any(verbs) and closest(words[first], (*VERBS, *games)):
        unknown = [word for word in unknown if word != words[first]]  # a verb, mistyped
    is_named = any(piece.casefold() in own for word in words for piece in pieces(word))
    verb = verbs[first] if words else None
    if verb is None and words[1:] and verbs[1] in _OF_USERIDS:
        verb = verbs[1]  # behind a game that is none of ours
    if verb is None:
        takes_password = _has_known(words, games)
    else:
        takes_password = VERBS[verb].takes_password and words[first + 1 : first + 2] != ["to"]
    fewest = 1 if verb == "change" else 2
    count = sum(len(pieces(word)) for word in words if word in unknown)
    return frozenset(unknown if count >= fewest and (is_named or takes_password) else ())


def _has_known(words: Sequence[str], games: Collection[str]) -> bool:
    """Tell a command without a verb from a sentence by a game, a number or a place on a board in it."""
    return any(
        verb_of(word) is not None or "#" in word or bar_of(word, games) in ("digits", "placement", "game")
        for word in words
    )


def is_known(word: str, games: Collection[str]) -> bool:
    """Return True if a word is of the command language, a game, a number, a date or a place on a board."""
    parts = [word] if word.endswith(":") else pieces(word.strip("();*|"))  # "turn:" is of a sentence
    return all(
        part.lower() in WORDS_OF_PLANS or looks_like_placement(part) or bar_of(part, games) in _OF_KNOWN_KINDS
        for part in parts
    )


def _is_known(word: str, before: str, games: Collection[str]) -> bool:
    """Return True if a word is of a known kind; an option or a setting is one, unless a userid may come before it."""
    is_option = word[0] in DASHES or "=" in word
    return is_known(word, games) or (is_option and not could_be_userid(before, games))


def pieces(word: str) -> Sequence[str]:
    """The parts of a word between signs that no userid has: ``ann/secret``."""
    return [piece for piece in _BETWEEN.split(word) if piece]


def repeats(text: str, passwords: Collection[str]) -> bool:
    """Return True if a text repeats one of these passwords: whole, cut off or in part, in upper or lower case."""
    text, passwords = text.casefold(), [password.casefold() for password in passwords]
    said = {text, *_BETWEEN.split(text)} - {""}
    return any(
        word in {password, *_BETWEEN.split(password), *_as_option(password)} or (len(word) >= _CUT and word in password)
        for word in said
        for password in passwords
    )


def _as_option(password: str) -> Collection[str]:
    """The forms in which a password taken for an option is repeated: without dashes, and the parts around its ``=``."""
    bare = password.lstrip(DASHES)
    return () if bare == password else {bare, *bare.split("=", 1)}
