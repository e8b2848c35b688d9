"""Letters shown to somebody who is not to read the passwords in them."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from pbem.commands.command import SpokenCommand, passwords_in
from pbem.commands.grammar import parse
from pbem.commands.normal import normalised
from pbem.commands.secrets import HIDDEN, withheld
from pbem.commands.userids import could_be_userid
from pbem.commands.verbs import translation_of, verb_of
from pbem.errors import Unreadable

_MOST_WORDS = 200
_PASSWORD = "password"  # noqa: S105 - the word, not one


def blanked(line: str, games: Collection[str]) -> str:
    """A line without the words that may be a password, wherever in it a command begins.

    Too many words are blanked rather than too few: what is shown is never carried out.
    """
    line = normalised(line, games)
    words = line.split()
    if len(words) > _MOST_WORDS:
        return HIDDEN
    begins = [place for place, word in enumerate(words) if word.lower() in games or verb_of(word) is not None]
    secrets = set() if begins else set(withheld(line, games))
    for place, word in enumerate(words):
        verb = translation_of(word.rstrip(".,:;!"))
        if verb is not None and all(before.lower() in games or before.endswith(":") for before in words[:place]):
            secrets |= _secrets(" ".join((verb, *words[place + 1 :])), games)
    for place in begins:
        secrets |= _secrets(" ".join(words[place:]), games)
    for place, word in enumerate(words):
        if word.lower().strip(".,:;!?\"'") == _PASSWORD:
            secrets.update(words[place + 1 :])
    return re.sub(r"\S+", lambda word: HIDDEN if word[0] in secrets else word[0], line)


def _secrets(line: str, games: Collection[str]) -> frozenset[str]:
    """The words of a command that may be a password; in a malformed one, any word behind a possible userid."""
    hidden = withheld(line, games)
    try:
        command = parse(line, games)
    except Unreadable:
        command = None
    if isinstance(command, SpokenCommand) and command.speaker is not None:
        return (hidden - {command.speaker.userid}) | passwords_in(command)
    return hidden | {word for userid, word in pairwise(line.split()) if could_be_userid(userid, games)}
