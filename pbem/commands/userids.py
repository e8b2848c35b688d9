"""Words that can be a userid, and words that belong to the command language.

The grammar tells the classic form of a command from the short one by this alone,
so it is a matter of the word's shape, never of who is registered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Annotated

from pbem.commands.line import SENTENCE_ENDS
from pbem.commands.verbs import ABBREVIATED, OTHER_NAMES, TRANSLATIONS, VERBS
from pbem.errors import Unreadable

LONGEST = 32
"""Characters in the longest userid."""

FORBIDDEN = "=#,;+>@/:"
"""Characters that have a meaning elsewhere in a command."""
_SIGNS = frozenset(FORBIDDEN + "\"'`<>()[]{}|*%\\")
"""Those and others that no userid contains."""

_ARGUMENTS = """
    account accounts active address against all and answer boards cancel create cut describe digest end error from
    inactive join language lay layout legend mail multiple nag new next off on password pay quit standard start timezone
    to turn tutorial until versus vs with withdraw
"""
"""Words of the command language beside the verbs."""

_BEGINNINGS = {verb[:length] for beginning, verb in ABBREVIATED.items() for length in range(len(beginning), len(verb))}

COMMAND_WORDS = frozenset((*VERBS, *OTHER_NAMES, *_ARGUMENTS.split(), *_BEGINNINGS))
"""Every word of the command language, also of planned commands: nobody may be called so."""

_SENTENCE_WORDS = """
    are as at be been but did does for had has have hello hey if in is isn't it its it's me my no nor not of or our
    please such than thank thanks that the their them there these they this those too us very was we were what when
    where which while why would you your
    das dein der die ein eine euch hallo ich ist kein mein nicht und wir bonjour est mais merci mon nous pas une vous
"""
SENTENCE_WORDS = frozenset(_SENTENCE_WORDS.split())
"""Words of sentences that no command has: nobody is called so, and whoever writes them does not name themselves."""

_RESERVED = """
    abuse admin administrator anonymous everybody everyone hostmaster mailer-daemon nobody noreply operator pbem pbmserv
    postmaster robot1 robot2 robot3 robot4 robot5 root security server support system webmaster
"""
RESERVED = frozenset(_RESERVED.split())
"""Names that players could take for the server or its people."""
_RESERVED_BEGINNINGS = (
    *("admin", "guest", "hostmaster", "mailerdaemon", "moderator", "noreply"),
    *("operator", "pbem", "postmaster", "robot", "webmaster"),
)
"""Beginnings that no new userid may have: ``robot6``, ``admin-team``."""

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv"})
"""Characters of userids by what they look like: Unicode TR 39 (``confusables.txt``) for 0 and O, 1 and I and l, m and
rn, as far as userids can hold them. A userid is written in either case, so i goes with I. Ours alone is w."""

_HOST_ENDS = """
    academy agency ai app art bet biz blog bot cafe cam cash casino cat center chat city click cloud club com
    company consulting dev digital edu email events example expert fit fun fund fyi games gold gov guru host icu
    info int invalid jobs land life link live loan local localhost lol ltd market media men mil mobi money
    monster museum name net network news one onion online org page party photo pics plus poker porn post press
    pro pub quest red rest rocks run sale sbs school services sex sexy shop site skin social software solutions
    space store stream studio style support systems team tech tel test tips today tools top tours town toys
    trade travel tube vip vote watch web wiki win wine work works world xin xxx xyz zip zone
"""
_HOST = re.compile(
    rf"(?:www|https?|ftp)\d*[.-].*|https?(?:[^a-z].*)?|.*\.(?:[a-z]{{2}}|{'|'.join(_HOST_ENDS.split())})[.!]*"
)
"""A host, or the beginning of a URL, as mail programs make links of them: any country, and other ends of note."""

_PLACEMENT = re.compile(
    r"[a-z]{1,2}[0-9]{1,2}((?:[-\u2010-\u2015\u2212>\u2192\u21d2\u27a1\ufe0f]|=+>)+[a-z]{1,2}[0-9]{1,2})*"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIRECTIONS = frozenset(("n", "ne", "se", "s", "sw", "nw"))


class BadUserid(Unreadable):
    """The word cannot be anybody's userid; ``reason`` is the name of its fault."""

    userid: Annotated[str, LONGEST]
    reason: str


def looks_like_placement(word: str) -> bool:
    """Return True for the shape of a placed tile (``a1``, ``jj12``, ``ne9``) or moved piece (``e5-e7``, ``b2>b3``)."""
    return _PLACEMENT.fullmatch(word.lower()) is not None


def looks_like_date(word: str) -> bool:
    """Return True if a word has the shape of a date: ``2026-12-31``."""
    return _DATE.fullmatch(word) is not None


def _said(word: str) -> str:
    """A word without case, and without signs that end a sentence."""
    return word.casefold().rstrip(SENTENCE_ENDS)


_BARS: dict[str, Callable[[str, Collection[str]], bool]] = {
    "empty": lambda word, _: not word,
    "long": lambda word, _: len(word) > LONGEST,
    "digits": lambda word, _: word.isdigit(),
    "dash": lambda word, _: word.startswith("-"),
    "character": lambda word, _: not _SIGNS.isdisjoint(word),
    "unprintable": lambda word, _: not word.isprintable() or " " in word,
    "foreign": lambda word, _: not word.isascii(),
    "placement": lambda word, _: (
        looks_like_placement(_said(word)) or looks_like_date(word) or word.casefold() in _DIRECTIONS
    ),
    "command": lambda word, _: _said(word) in COMMAND_WORDS,
    "sentence": lambda word, _: _said(word) in SENTENCE_WORDS,
    "game": lambda word, games: word.casefold() in games,
    "reserved": lambda word, _: word.casefold() in RESERVED,
}
"""Faults that keep a word from being a userid on a server that plays some games."""


def skeleton(userid: str) -> str:
    """The form that userids that look alike share: ``alice``, ``aIice``, ``al1ce``, ``a.lice_``."""
    key = userid.casefold()
    return ("".join(filter(str.isalnum, key)) or key).translate(_ALIKE)


_RESERVED_SKELETONS = frozenset(map(skeleton, RESERVED))
_BEGINNING_SKELETONS = tuple(map(skeleton, _RESERVED_BEGINNINGS))


def _is_like_reserved(word: str, games: Collection[str]) -> bool:
    """Return True if a word resembles a reserved name, with or without a number behind it, a game or a command.

    Commands of other languages count, too: they are read as userids, since old players may be called so.
    """
    unmarked, looks = "".join(filter(str.isalnum, word.casefold())), skeleton(word)
    return (
        looks.startswith(_BEGINNING_SKELETONS)
        or skeleton(unmarked.rstrip("0123456789") or word) in _RESERVED_SKELETONS
        or looks in map(skeleton, games)
        or unmarked in COMMAND_WORDS
        or unmarked in TRANSLATIONS
    )


def _is_like_host(word: str, _games: Collection[str]) -> bool:
    """Return True if a mail program could make a link of a word."""
    return _HOST.fullmatch(word.casefold()) is not None


_BARS_OF_THE_NEW = {"reserved": _is_like_reserved, "host": _is_like_host}
"""Faults that keep a word from becoming somebody's userid though it may be one already."""


def bar_of(word: str, games: Collection[str]) -> str | None:
    """The fault that keeps a word from being a userid on a server that plays ``games``; None if it has none."""
    return next((name for name, bars in _BARS.items() if bars(word, games)), None)


def check_userid(word: str, games: Collection[str]) -> None:
    """Check that a word can be the userid of a new player on a server that plays ``games``.

    Old userids may be like a reserved name, or like a host; they are still read.

    Raises:
        BadUserid: it cannot.
    """
    bar = bar_of(word, games) or next((name for name, bars in _BARS_OF_THE_NEW.items() if bars(word, games)), None)
    if bar is not None:
        raise BadUserid(word, bar)


def could_be_userid(word: str, games: Collection[str]) -> bool:
    """Return True if a word that may be a userid by its place is meant as one."""
    return bar_of(word, games) in (None, "game", "reserved")
