"""Wishes in everyday words about what a player keeps at a board: ``cancel my plan for board 101``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.commands import small_talk
from pbem.commands.planning import CANCELLING, SHARING, SHOWING

_KEPT: Mapping[str, str] = {
    "plan": "plan",
    **dict.fromkeys(("note", "notes", "notiz", "notizen"), "note"),
    **dict.fromkeys(("study", "studie", "étude"), "study"),
    **dict.fromkeys(("studies", "studien", "études"), "studies"),
    **dict.fromkeys(("hint", "tipp", "indice"), "hint"),
}
"""The verbs of the grammar, by the words for what somebody keeps, or wants to see."""
_GIVING = "give gib donne donner donnez"
_DEEDS: Mapping[str, str] = {
    **dict.fromkeys(CANCELLING.split(), "cancel"),
    **dict.fromkeys((*SHOWING.split(), *_GIVING.split()), "show"),
    **dict.fromkeys(SHARING.split(), "share"),
}
_WORDS_FOR: Mapping[tuple[str, str], str] = {
    **{(verb, "show"): "" for verb in ("plan", "note", "study", "studies", "hint")},
    ("plan", "cancel"): " cancel",
    ("plan", "share"): " share",
    ("note", "cancel"): " delete",
    ("study", "cancel"): " delete",
    ("study", "share"): " share",
}
"""The end of a command, by its verb and what is to be done."""
_KEPT_THERE = (
    rf"(?:(?:my|the|this|a|mein|meine|meinen|den|die|diesen|einen|mon|ma|mes|le|la|ce|un) )?(?P<kept>{'|'.join(_KEPT)})"
)
_BOARD = (
    r"(?: (?:for|of|on|at|about|von|für|auf|zu|du|de|sur))?(?: (?:board|game|brett|partie|plateau))?"
    r" #?(?P<board>[0-9]{1,9})"
)
_NATURAL = re.compile(
    rf"(?:please |bitte )?(?P<verb>[^\W\d_]+)(?: me| mir| moi|-moi)? {_KEPT_THERE}"
    rf"(?:{_BOARD}(?P<speaker> (?!right now|at once)\S+ \S+)?)?(?: right now| at once)?"
    r"(?:,? (?:please|bitte|svp|stp|thanks))?[.!]*",
    re.IGNORECASE,
)
_VERB_LAST = re.compile(
    rf"(?![^\W\d_]+ #?[0-9])(?:mir )?{_KEPT_THERE}(?:{_BOARD})?(?P<speaker>) (?P<verb>[^\W\d_]+)[.!]*", re.IGNORECASE
)
"""``den Plan löschen``, as Germans say it; ``plan 101 löschen`` has the order of the grammar already."""
_KIND = sorted((" ".join(phrase) for phrase in small_talk.ASKING | small_talk.THANKS), key=len, reverse=True)
_POLITE = re.compile(rf"(?<!\S)(?:{'|'.join(_KIND)}|kindly|just|doch|mal|einmal|kurz)(?=[\s,.!]|$),?", re.IGNORECASE)
"""Words that may stand anywhere in a wish."""
_ANY_KEPT = re.compile("|".join(_KEPT), re.IGNORECASE)


def in_words_of_commands(line: str) -> str:
    """``cancel my plan for board 101`` in the order of the grammar: ``plan 101 cancel``; any other line as it is."""
    if _ANY_KEPT.search(line) is None:
        return line
    typed = " ".join(line.replace("\u2019", "'").split())
    bare = re.sub(r",? (?=[.!]*$)|,(?= )", "", " ".join(_POLITE.sub(" ", typed).split()))
    readings = (_NATURAL.fullmatch(typed), _NATURAL.fullmatch(bare), _VERB_LAST.fullmatch(bare))
    for found in filter(None, readings):
        verb = _KEPT[found["kept"].lower()]
        end = _WORDS_FOR.get((verb, _DEEDS.get(found["verb"].lower(), "")))
        if end is not None and (found["board"] or verb != "hint"):  # "give me a hint!" may be said to anybody
            said = "".join(filter(None, (found["board"] and f" {found['board']}", found["speaker"])))
            return f"{verb}{said}{end}"
    return line
