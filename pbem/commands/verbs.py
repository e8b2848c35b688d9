"""All verbs, as the modules about each subject declare them, and what a word means that is none of them."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from pbem.commands import accounts, boards, challenges, planning, playing, server, studying, tournaments, watching
from pbem.commands.command import Command
from pbem.commands.verb import Group, Verb

_DECLARED = [
    each
    for module in (accounts, server, challenges, playing, planning, studying, boards, watching, tournaments)
    for each in vars(module).values()
]

VERBS: Mapping[str, Verb] = {each.word: each for each in _DECLARED if isinstance(each, Verb)}
"""Every verb by its word."""

COMMANDS: Sequence[type[Command]] = tuple(
    dict.fromkeys(
        each for each in _DECLARED if isinstance(each, type) and issubclass(each, Command) and hasattr(each, "form")
    )
)
"""Every command that players write."""

OTHER_NAMES = {name: verb.word for verb in VERBS.values() for name in verb.other_names}
"""Synonyms and known slips, with the verbs that they mean."""

ABBREVIATED = {verb.beginning: verb.word for verb in VERBS.values() if verb.beginning}
"""Beginnings of verbs, which any further letters of the verb may follow."""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def _spellings(word: str) -> Iterable[str]:
    """A word with its accents, without them, and with its umlauts written as two letters."""
    bare = "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))
    return word, word.translate(_UMLAUTS), bare


TRANSLATIONS: Mapping[str, str] = {
    spelled: verb.word
    for verb in VERBS.values()
    for words in verb.translations.values()
    for word in words
    for spelled in _spellings(word)
}
"""Words of other languages in all their spellings, with the verbs that they mean."""

SAID = (*VERBS, *(name for verb in VERBS.values() for name in verb.synonyms))
"""Words that a mistyped one may be meant for."""

GROUPS: Mapping[str, Sequence[str]] = {
    group.value: [verb.word for verb in VERBS.values() if verb.group is group] for group in Group
}
"""The verbs by subject, in the order in which lists of the commands name them."""

_FEW = 3
_LIKENESS = 0.7
"""The least likeness of two words, from 0 to 1, for one to be taken as a slip for the other."""
_BEGINNING = 3
_LONGEST = 40


def verb_of(word: str) -> str | None:
    """The verb that a word means: itself, a beginning that old hands use (``chall``), a synonym, or a known slip."""
    folded = word.lower()
    if folded in VERBS:
        return folded
    if folded in OTHER_NAMES:
        return OTHER_NAMES[folded]
    for beginning, verb in ABBREVIATED.items():
        if folded.startswith(beginning) and verb.startswith(folded):
            return verb
    return None


def translation_of(word: str) -> str | None:
    """The verb that a word of another language means."""
    return TRANSLATIONS.get(unicodedata.normalize("NFC", word.lower()))


def closest(word: str, known: Iterable[str]) -> list[str]:
    """A few of the known words: those that begin with the word, and those that are much like it."""
    folded, choices = word.lower()[:_LONGEST], list(known)
    begun = [each for each in choices if len(folded) >= _BEGINNING and each.startswith(folded)]
    near = difflib.get_close_matches(folded, choices, _FEW, _LIKENESS)
    return list(dict.fromkeys((*begun, *near)))[:_FEW]
