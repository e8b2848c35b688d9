"""The verbs of accounts: what stands behind them → the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.commands.line import credentials
from pbem.commands.model import Command, SetPreferences, ShowPreferences, SignUp
from pbem.commands.refusals import MissingWord, NotASetting

if TYPE_CHECKING:
    from pbem.commands.line import Line


def read_signup(line: Line) -> Command:
    """``signup <userid> [<password> [<address>*]]``."""
    if not line.words:
        raise MissingWord("signup", "userid")
    userid, *rest = line.words
    return SignUp(userid, rest[0] if rest else None, tuple(rest[1:]))


def read_set(line: Line) -> Command:
    """``set [<userid> <password>] [<key>=<value>*]``."""
    speaker, words = credentials("set", line.words, line.games)
    settings = tuple(_setting(word) for word in words)
    return SetPreferences(settings, speaker=speaker) if settings else ShowPreferences(speaker=speaker)


def _setting(word: str) -> tuple[str, str]:
    key, sign, value = word.partition("=")
    if not (key and sign and value):
        raise NotASetting("set", word)
    return key, value
