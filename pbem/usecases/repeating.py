"""Which words of a letter an answer repeats: of one that proves nothing of its sender none but those that are known.

Anybody can write a letter that seems to come from somebody else, who gets the answer: nobody is to get advertisements,
or links, through us. Every answer goes through here, so that no template and no refusal need think of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from pbem.commands.secrets import HIDDEN, TYPED, StrangeWord, is_hidden
from pbem.commands.userids import COMMAND_WORDS, looks_like_placement
from pbem.commands.writing import VERBS
from pbem.domain.letters import Letter
from pbem.domain.mails import Notice
from pbem.domain.preferences import Preferences
from pbem.errors import PlayerError
from pbem.games.options import AmbiguousOption, UnknownOption
from pbem.usecases.challenges.challenging import games_with_option
from pbem.usecases.context import Context

_SAID = (TYPED | {"subjects", "words", "turns", "barred", "one", "other", "offered", "undone", "labels"}) - {"key"}
"""Facts in which words of the sender stand; all others are our own."""
_PIECE = re.compile(r"\w+")
_NAME = re.compile(r"[\w-]{4,}")
"""Of an option, whole or as far as it is typed."""
_REPLY_MARKS = re.compile(r"^(?:\s*\w{1,3}:)*")
_SHORT = 2
"""Letters that say nothing: those of a space, such as ``aa``."""
_LONGEST_NUMBER = 6
"""Digits; what has more may be a telephone number."""
_PREFERENCES = {*Preferences.names(), *(value for name in Preferences.names() for value in Preferences.values(name))}
_WORDS = frozenset(COMMAND_WORDS | set(VERBS) | _PREFERENCES)


def without_strange_words(notices: Sequence[Notice], letter: Letter, context: Context) -> list[Notice]:
    """The notices that answer a letter which proves nothing, without what only its sender can have written there."""
    hide = _Hider(letter, context)
    return [hide.in_notice(notice) if notice.answers else notice for notice in notices]


class _Hider:
    """What takes the words of one letter out of its answers."""

    def __init__(self, letter: Letter, context: Context) -> None:
        self._text = "\n".join((context.evidence.from_address or "", letter.subject, *letter.body)).casefold()
        lines = (next(filter(str.strip, letter.body), ""), _REPLY_MARKS.sub("", letter.subject))
        self._places = {word: place for line in lines for place, word in enumerate(line.split(), start=1)}
        self._context = context

    def in_notice(self, notice: Notice) -> Notice:
        """A notice without words of the sender, and so those that it gathers."""
        facts = self._in_facts(notice.facts)
        if isinstance(error := facts.get("error"), PlayerError):
            self._in_error(error)
        if notice.name == "answers":
            parts = cast("Sequence[Sequence[Notice]]", facts["parts"])
            facts["parts"] = [[self.in_notice(each) for each in part] for part in parts]
        return replace(notice, facts=facts)

    def _in_error(self, error: PlayerError) -> None:
        for name, fact in error.facts.items():
            for each in fact if isinstance(fact, tuple) else (fact,):
                if isinstance(each, PlayerError):
                    self._in_error(each)
            if isinstance(fact, int) and len(str(fact)) > _LONGEST_NUMBER and str(fact) in self._text:
                error.facts[name] = HIDDEN
        is_as_typed = isinstance(error, UnknownOption | AmbiguousOption)
        error.facts.update(self._in_facts(error.facts, () if is_as_typed else ("option",)))

    def _in_facts(self, facts: Mapping[str, object], own: Sequence[str] = ()) -> dict[str, object]:
        names = _SAID.difference(own)
        return {name: self._shown(fact) if name in names else fact for name, fact in facts.items()}

    def _shown(self, fact: object) -> object:
        if isinstance(fact, str):
            return fact if is_hidden(fact) or self._is_known(fact) else StrangeWord(fact, self._places.get(fact))
        return type(fact)(map(self._shown, fact)) if isinstance(fact, tuple | list) else fact

    def _is_known(self, words: str) -> bool:
        """Whether somebody else may have written some words: we, or whoever has that userid."""
        strange = [each for each in _PIECE.findall(words.casefold()) if each in self._text and not self._knows(each)]
        if not strange or self._context.uow.players.by_userid(words) is not None:
            return True
        return _NAME.fullmatch(words) is not None and bool(games_with_option(words, self._context))

    def _knows(self, piece: str) -> bool:
        if piece.isdecimal():
            return len(piece) <= _LONGEST_NUMBER
        return len(piece) <= _SHORT or piece in _WORDS or piece in self._context.games or looks_like_placement(piece)
