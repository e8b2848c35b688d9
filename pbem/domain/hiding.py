"""Our tokens and tags in the words of a player, however his mail program has mangled them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.domain.replies import Signer

_TOKEN = 37
_MAY_BE_TOKEN = re.compile(r"(?=(?:c[e-z2-7]|d[a-d])[a-z2-7]{35})")
"""Where a token may begin: its first two letters are version and purpose."""
_MOST_VERIFIED = 4000
"""Candidates; the longest letter has a third of that by chance."""
_LETTERS = re.compile(r"[a-z0-9]", re.IGNORECASE)
_BARE_TAG = re.compile(
    r"(?<![a-z0-9])(?=[a-z]*[2-7])(?=[2-7]*[a-z])(?:[a-z2-7]{16}|[a-z2-7]{20}|[a-z2-7]{27})(?![a-z0-9])", re.IGNORECASE
)


def without_tokens_of(signer: Signer, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines without the letters of any token that is ours, whatever stands around it, between them, or at line ends.

    Each candidate is verified, so no other word is lost, unless the lines are made to have us verify for ever.
    """
    text = "\n".join(lines)
    places = [found.start() for found in _LETTERS.finditer(text)]
    squeezed = "".join(text[place] for place in places).lower()
    hidden: set[int] = set()
    for count, found in enumerate(_MAY_BE_TOKEN.finditer(squeezed)):
        if count >= _MOST_VERIFIED or signer.has_signed(squeezed[found.start() : found.start() + _TOKEN]):
            hidden.update(places[found.start() : found.start() + _TOKEN])
    if not hidden:
        return tuple(lines)
    return tuple("".join(letter for place, letter in enumerate(text) if place not in hidden).split("\n"))


def without_bare_tags(comment: str) -> str:
    """A comment without words that look like the tag of a Message-ID: of its length, letters and digits mixed."""
    return _BARE_TAG.sub("...", comment)
