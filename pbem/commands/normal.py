"""A line as people write it → the same line as the grammar has it: ``[<game>] <verb> [<board>] <words>``.

Only the head of a line changes: marks around it, punctuation behind the game, the verb and the number of the board,
their order, small words before the number, and a slip in a harmless verb. Words that may be a userid or a password
are never touched, and a line that is already in order stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pbem.commands import small_talk
from pbem.commands.line import SENTENCE_ENDS, BoardAnswered
from pbem.commands.playing import ANSWERS_ALONE
from pbem.commands.steps import are_steps
from pbem.commands.translated import is_meant, is_meant_alone
from pbem.commands.userids import could_be_userid, looks_like_placement
from pbem.commands.verb import Care, Place, Scope
from pbem.commands.verbs import VERBS, translation_of, verb_of
from pbem.commands.wishes import in_words_of_commands
from pbem.games.game import Catalogue

_QUOTES = "\"'`*_\u2018-\u201f\u00ab\u00bb\u2039\u203a"
_OPENING = re.compile(rf"\s*(?P<marks>[{_QUOTES}<(\[]*)(?:[\u2022/]|[-\u2010-\u2015\u2212]\s)?\s*")
_CLOSING = re.compile(rf"[{_QUOTES}>)\]{SENTENCE_ENDS}]+$")
_ENDS = ".,:;!"
"""Punctuation behind a word of the head."""
_JOINED = re.compile(r"(?P<word>[A-Za-z]+)(?:[.,:;!/]+(?=[A-Za-z0-9#])|(?=#?[0-9]))(?P<behind>.+)")
"""``superbo:challenge``, ``move#101``, ``show101``."""
_NUMBER = re.compile(r"[(\[]?(?P<sign>#?)(?P<number>[0-9]{1,9})[)\]]?[.,:;!]*")
_PLAIN_NUMBER = re.compile(r"[0-9]{1,9}")
_NOUNS = frozenset(("board", "game", "match", "no", "nr", "num", "number", "#", "n\u00b0", "\u2116"))
_LINKS = frozenset(("at", "for", "in", "my", "on", "the"))
"""Words that people put before the number of a board."""
_MOST_BEFORE_A_NUMBER = 3

_BOARD_FIRST = frozenset(verb.word for verb in VERBS.values() if verb.board is Place.FIRST)
_OF_BOARDS = frozenset(verb.word for verb in VERBS.values() if verb.board is not Place.NOWHERE)
_GAME_IS_A_WORD = frozenset(verb.word for verb in VERBS.values() if verb.game_is_argument or verb.scope is Scope.SERVER)
"""Verbs behind which the name of a game is a word like any other, or a password."""
_BEHIND_THE_NUMBER = _OF_BOARDS - {"move", *ANSWERS_ALONE}
"""Verbs that a game does not read behind ``board 101``."""
HARMLESS = frozenset(verb.word for verb in VERBS.values() if verb.care is Care.HARMLESS)
_NO_CREDENTIALS = frozenset(verb.word for verb in VERBS.values() if not verb.takes_password)
_TAKES_POLITE_WORDS = HARMLESS | _NO_CREDENTIALS | {"undo"}
"""Verbs at whose end polite words say nothing; an undo only asks the other players."""
_POLITE = frozenset(small_talk.ASKING | small_talk.THANKS)
_ENDS_OF_POLITE_WORDS = frozenset(words[-1] for words in _POLITE)
_LONGEST_POLITE = 4
_BEFORE_A_GAME = frozenset(
    ("a", "an", "at", "auf", "au", "en", "for", "game", "in", "of", "partie", "play", "to", "une", "zu")
)
"""Words that people put before the game in a challenge."""
_SHORTEST_SLIP = 3
_MOST_SIGNED_UP = 2
"""Words behind ``sign up`` beside addresses; a sentence has more."""
_MOST_BEHIND_A_COLON = 3
"""Words behind a verb with a colon where neither a game nor a number shows that it is one."""


@dataclass(slots=True)
class _Head:
    """The beginning of a line, as far as it is read."""

    game: str | None = None
    verb: str | None = None
    board: str | None = None

    @property
    def means(self) -> str | None:
        """The verb that its word means."""
        return verb_of(self.verb) if self.verb else None


def normalised(line: str, games: Collection[str], answered: BoardAnswered | None = None) -> str:
    """A line in the order of the grammar and with an English verb, unless its head can mean something else.

    Args:
        line: one line without line breaks.
        games: the names of the games that the server plays.
        answered: the board whose mail the line answers; ``#7`` may then be the number of a move.
    """
    if _is_plain_move(line, games):
        return line.strip()
    if isinstance(games, Catalogue):
        line = _with_names(line, games.aliases)
    plain = _in_order(in_words_of_commands(line), games, answered)
    words = plain.split()
    place = 1 if words[1:] and words[0].rstrip(_ENDS).lower() in games else 0
    word = words[place] if words else ""
    verb = translation_of(word.rstrip(_ENDS))
    if verb is None:
        return plain
    if answered is not None and len(words) == 1:
        return verb if is_meant_alone(word, games, answered) else plain
    english = [*words[:place], verb + word[len(word.rstrip(_ENDS)) :], *words[place + 1 :]]
    said = _in_order(" ".join(english), games, answered)
    return said if is_meant(verb, english, said.split(), games, answered) else plain


def _with_names(line: str, aliases: Mapping[str, str]) -> str:
    """A line with the name of a game in place of another word for it, in front of a verb or behind ``help``."""
    words = line.split()
    place = 1 if words[:1] and verb_of(words[0]) == "help" else 0
    called = aliases.get(words[place].lower()) if len(words) > 1 else None
    if called is None or not (place or verb_of(words[1]) is not None):
        return line
    return " ".join((*words[:place], called, *words[place + 1 :]))


def _is_plain_move(line: str, games: Collection[str]) -> bool:
    """Return True for a line as our mails ask for it, without thanks at its end: a game, ``move``, a number, words.

    Most lines are, and each is looked at half a dozen times.
    """
    words = line.split()
    return (
        len(words) > 3
        and words[0] in games
        and words[1] == "move"
        and _PLAIN_NUMBER.fullmatch(words[2]) is not None
        and words[-1].strip(_ENDS).lower() not in _ENDS_OF_POLITE_WORDS
    )


def _in_order(line: str, games: Collection[str], answered: BoardAnswered | None) -> str:
    bare = _unwrapped(line)
    rest = _without_asking(bare.split(), games)
    if answered is not None and len(rest) == 1:
        alone = rest[0].rstrip(SENTENCE_ENDS)
        return alone if verb_of(alone) in _BOARD_FIRST & HARMLESS else bare
    head = _Head()
    while rest and _take(head, rest, games, answered):
        pass
    if head.board and (head.verb or "").lower() == "board" and rest and verb_of(rest[0]) in _BEHIND_THE_NUMBER:
        head.verb = rest.pop(0)
    if head.board and head.verb is None and is_move(rest):
        head.verb = "move"
    is_head = head.verb is not None or (head.game is not None and head.board is None)
    if not is_head or (head.board is not None and head.means not in _OF_BOARDS):
        return bare
    if head.means in _TAKES_POLITE_WORDS:
        rest = _without_politeness(head, rest, games)
    if head.means == "challenge":
        _tidy_userids(head, rest, games)
    words = [*filter(None, (head.game, head.verb, head.board)), *rest]
    return bare if words == bare.split() else " ".join(words)


def _without_asking(words: list[str], games: Collection[str]) -> list[str]:
    """Words without ``please`` in front of a verb that takes no password, or of a game."""
    first, *others = [word.rstrip(_ENDS).lower() for word in words[:2]] or [""]
    is_meant = (first,) in small_talk.ASKING and (verb_of("".join(others)) in _NO_CREDENTIALS or {*others} & {*games})
    return words[1:] if is_meant else words


def _without_politeness(head: _Head, rest: list[str], games: Collection[str]) -> list[str]:
    """The words behind a head without ``please`` and thanks at the end, where they can be no password."""
    folded = [word.strip(_ENDS).lower() for word in rest]
    if head.means in ("show", "games") and {*folded} <= _ONES_OWN and {"me", "my"} & {*folded}:
        return []
    for length in range(min(_LONGEST_POLITE, len(rest)), 0, -1):
        before = rest[:-length]
        if tuple(folded[-length:]) in _POLITE and (
            head.means in _NO_CREDENTIALS or not before or not could_be_userid(before[-1], games)
        ):
            return [*before[:-1], before[-1].rstrip(",")] if before else before
    return rest


_ONES_OWN = frozenset(("all", "boards", "games", "me", "my", "of", "the", "please", "thanks"))
"""Words with which people ask for their own boards, or games."""


def _tidy_userids(head: _Head, rest: list[str], games: Collection[str]) -> None:
    """Take the game from behind the userids of a challenge, and the end of a sentence off the last of them."""
    while rest and rest[-1].strip(_ENDS) == "":
        del rest[-1]
    if rest and rest[-1][0] not in "-\u2013\u2014\u2212":
        rest[-1] = rest[-1].rstrip(_ENDS)
    places = [place for place, word in enumerate(rest) if word.strip(_ENDS).lower() in games]
    if head.game is not None or len(places) != 1:
        return
    (end,) = places
    start = end
    while start and rest[start - 1].lower() in _BEFORE_A_GAME:
        start -= 1
    head.game = rest[end].strip(_ENDS)
    del rest[start : end + 1]


def _unwrapped(line: str) -> str:
    """A line without the quotation marks, asterisks or brackets around it, and without a bullet in front."""
    opening = _OPENING.match(line)
    if opening is None or not opening[0].strip():
        return line.strip()
    bare = line[opening.end() :].strip()
    return _CLOSING.sub("", bare) if opening["marks"] else bare


def _take(head: _Head, rest: list[str], games: Collection[str], answered: BoardAnswered | None) -> bool:
    """Take the next words off a line if they belong to its head."""
    if head.verb is not None and (head.board is not None or head.means not in _OF_BOARDS):
        return _take_game(head, rest, games) if head.board is None else False
    return (
        _take_game(head, rest, games)
        or (head.verb is None and _take_verb(head, rest, games))
        or _take_number(head, rest, games, answered)
        or (head.verb is None and _part(rest, games))
    )


def _take_game(head: _Head, rest: list[str], games: Collection[str]) -> bool:
    word = rest[0].rstrip(_ENDS)
    if head.game is not None or word.lower() not in games or head.means in _GAME_IS_A_WORD:
        return False
    head.game = word
    del rest[0]
    return True


def _take_verb(head: _Head, rest: list[str], games: Collection[str]) -> bool:
    word, behind = rest[0].rstrip(_ENDS), rest[1:]
    if word.lower() == "all" and head.game is None:
        return False
    if _is_signup(rest):
        head.verb = "signup"
        del rest[: 1 if word.lower() == "sign-up" else 2]
        return True
    is_placed = head.game is not None or len(behind) <= _MOST_BEHIND_A_COLON or _is_number(behind[0])
    verb = word if verb_of(word) is not None else _slip(word, behind, head, games)
    if verb is None or not (word == rest[0] or is_placed or behind[0].lower() in games):
        return False
    head.verb = verb
    del rest[0]
    return True


def _is_signup(rest: Sequence[str]) -> bool:
    """Return True if a line begins with ``sign up`` and goes on with a userid and hardly more."""
    first, *others = [word.rstrip(_ENDS).lower() for word in rest]
    behind = others if first == "sign-up" else others[1:]
    is_said = first == "sign-up" or (first == "sign" and others[:1] == ["up"])
    return is_said and 0 < len([word for word in behind if "@" not in word]) <= _MOST_SIGNED_UP


def _slip(word: str, behind: Sequence[str], head: _Head, games: Collection[str]) -> str | None:
    """The only harmless verb that a mistyped word can be meant for, in a place that needs a verb."""
    folded = word.lower()
    if len(folded) < _SHORTEST_SLIP or not folded.isalpha() or folded in games:
        return None
    meant = {verb for verb in VERBS if _is_one_slip(folded, verb)}
    verb = meant.pop() if len(meant) == 1 else None
    is_placed = (
        head.game is not None
        or (bool(behind) and behind[0].lower() in games)
        or (bool(behind) and _is_number(behind[0]) and verb in _OF_BOARDS)
    )
    return verb if verb in HARMLESS and is_placed else None


def _is_one_slip(word: str, verb: str) -> bool:
    """Return True if one letter too many, too few or wrong, or two in the wrong order, make one word of the other."""
    if abs(len(word) - len(verb)) > 1 or word == verb:
        return False
    start = next(
        (n for n, (one, other) in enumerate(zip(word, verb, strict=False)) if one != other), min(len(word), len(verb))
    )
    one, other = word[start:], verb[start:]
    return (
        one[1:] == other
        or one == other[1:]
        or one[1:] == other[1:]
        or (one[:2] == other[1::-1] and one[2:] == other[2:])
    )


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def _take_number(head: _Head, rest: list[str], games: Collection[str], answered: BoardAnswered | None) -> bool:
    """Take the number of a board, with the small words before it."""
    if head.board is not None:
        return False
    before = 0
    while before < min(_MOST_BEFORE_A_NUMBER, len(rest)) and _stands_before_numbers(head, rest[before], games):
        before += 1
    if before == len(rest):
        return False
    number = _NUMBER.fullmatch(rest[before])
    if number is None or not _may_be_left(head, rest[before], games):
        return False
    if number["sign"] and answered is not None and (answered.board != int(number["number"]) or before + 1 == len(rest)):
        return False
    head.board = number["number"]
    del rest[: before + 1]
    return True


def _stands_before_numbers(head: _Head, word: str, games: Collection[str]) -> bool:
    bare = word.rstrip(".:").lower()
    return (bare in _NOUNS or (bare in _LINKS and head.means in HARMLESS)) and _may_be_left(head, word, games)


def _may_be_left(head: _Head, word: str, games: Collection[str]) -> bool:
    """Return True if a word is not part of credentials, given that none have come before it."""
    return head.verb is None or head.means in _BOARD_FIRST or not could_be_userid(word, games)


def _part(rest: list[str], games: Collection[str]) -> bool:
    """Split a word of the head from the one that is joined to it."""
    joined = _JOINED.fullmatch(rest[0])
    if joined is None:
        return False
    word, behind = joined["word"], joined["behind"]
    if not (word.lower() in games or (verb_of(word) in _OF_BOARDS and _is_number(behind))):
        return False
    rest[:1] = [word, behind]
    return True


def is_move(words: Sequence[str]) -> bool:
    """Return True if some words can hardly be anything but a move: placements or steps, and perhaps its number."""
    text = " ".join(words).partition("#")[0].rstrip(SENTENCE_ENDS)
    return bool(words) and (are_steps(text) or all(map(looks_like_placement, re.split(r"[\s,;]+", text))))
