"""The meaning of an answer to a question: yes, no, or neither."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import Enum, auto

from pbem.commands import small_talk

_WORDS_READ = 30
_MOST_NAMES = 3
_LONGEST_PHRASE = 6
_NO_WORDS = (
    "no not n nope never nein nicht non pas ne nee niet cancel stop reject refuse decline "
    "cant cannot dont didnt doesnt isnt wasnt wont"
)
_NO, _ASSENTING, _YES = (
    frozenset(words.split())
    for words in (_NO_WORDS, small_talk.ASSENTING, f"{small_talk.ASSENTING} {small_talk.AGREEING}")
)
_HARMLESS = small_talk.GREETINGS | small_talk.THANKS | small_talk.WISHES | small_talk.PRAISE | small_talk.AGREEING_TOO
_CLOSINGS = small_talk.THANKS | small_talk.WISHES
_SIGNING = small_talk.WISHES - small_talk.OF_THE_GAME


class Said(Enum):
    """The meaning of the words of an answer."""

    NO = auto()
    """They contain a no, and no yes before it."""
    YES = auto()
    """The first line is a single word that says yes: no machine answers so by chance."""
    ASSENT = auto()
    """The first line begins with yes and goes on."""
    NOTHING = auto()
    """There are no words, as when somebody has only pressed the buttons for answering and sending."""
    UNCLEAR = auto()
    """Anything else; also a question in return, and a yes with a doubt or a no beside it."""

    @property
    def is_clear(self) -> bool:
        """The answer can be acted upon."""
        return self not in (Said.NOTHING, Said.UNCLEAR)


def answer_in(body: Sequence[str], known: Collection[str] | None = None, asked: str = "") -> Said:
    """Return the meaning of the lines of an answer; quoted lines must be gone.

    Args:
        body: the lines.
        known: the only words that may stand beside a yes and its small talk; None: any that raise no doubt.
        asked: the command that the question is about; its cells may stand there too, but only all of them.
    """
    if known is not None:
        known = {*known, *words_of(asked)}
    lines = [words for words in map(words_of, body) if words]
    if not lines:
        return Said.NOTHING if not any(line.strip() for line in body) else Said.UNCLEAR
    rest = [word for words in lines for word in without_phrases(words, small_talk.AGREEING_TOO)]
    if any(word in _NO or word.endswith("n't") for word in rest[:_WORDS_READ]):
        return Said.UNCLEAR if _begins_with_yes(lines[0]) else Said.NO
    if any("?" in line for line in body) or lines[0][0] not in _YES:
        return Said.UNCLEAR
    is_doubted = _leaves_doubts(lines) if known is None else _has_unknown(body, known) or _names_part(lines, asked)
    if is_doubted:
        return Said.UNCLEAR
    first, *more = lines[0]
    if not more:
        return Said.YES
    agrees = first in _ASSENTING or len(without_phrases(more, small_talk.AGREEING_TOO)) < len(more)
    is_known = known is not None or first in _ASSENTING or not without_phrases(more, _HARMLESS)
    return Said.ASSENT if agrees and is_known else Said.UNCLEAR


def _begins_with_yes(words: Sequence[str]) -> bool:
    """Return True if a line says yes first, whatever follows: ``Certainly not`` does not."""
    return words[0] in _ASSENTING or (words[0] in _YES and _NO.isdisjoint(words))


def is_no(line: str) -> bool:
    """Return True if a line is a single word that says no."""
    return len(words := words_of(line)) == 1 and words[0] in _NO


def words_of(line: str) -> list[str]:
    """The words of a line; cells stay with what joins them: ``d3-d4``."""
    said = re.sub("[\u2018\u2019]", "'", line.lower())
    return re.findall(r"[^\W_]+(?:['>-]+[^\W_]+)*", said)


def without_phrases(words: Sequence[str], phrases: Collection[tuple[str, ...]]) -> list[str]:
    """The words that belong to none of the phrases."""
    left, place = [], 0
    while place < len(words):
        lengths = range(_LONGEST_PHRASE, 0, -1)
        length = next((each for each in lengths if tuple(words[place : place + each]) in phrases), 0)
        if not length:
            left.append(words[place])
        place += length or 1
    return left


def _leaves_doubts(lines: Sequence[Sequence[str]]) -> bool:
    """Return True if a word of hesitation, or a placement, is found beside a yes."""
    rest = [word for words in lines for word in without_phrases(words, _HARMLESS)]
    doubts = small_talk.HESITATIONS | (small_talk.DOUBTS - small_talk.ADDRESSING)
    return any(word in doubts or _is_cell(word) for word in rest[:_WORDS_READ])


def _has_unknown(body: Sequence[str], known: Collection[str]) -> bool:
    """Return True if anything but small talk, known words and a signature is found beside a yes."""
    has_closed = False
    for number, line in enumerate(each for each in body if words_of(each)):
        words = words_of(line)
        left = [word for word in without_phrases(words, _HARMLESS) if word not in _YES and word not in known]
        doubts = small_talk.HESITATIONS | small_talk.DOUBTS
        if left and any(word in doubts or any(map(str.isdigit, word)) for word in left):
            return True
        is_name = number > 0 and len(words) <= _MOST_NAMES and all(map(_is_capital, re.findall(r"[^\W_]+", line)))
        if left and not is_name and not has_closed:
            return True
        has_closed |= number > 0 and not left and len(without_phrases(words, _CLOSINGS)) < len(words)
    return False


def is_signature(text: str, userid: str) -> bool:
    """Return True if a text is only a closing and a name, ``LG Bernd``, or only the userid."""
    lines = [line for line in text.split("\n") if words_of(line)]
    if not lines or len(lines) > _MOST_NAMES:
        return False
    if [words_of(line) for line in lines] == [[userid.lower()]]:
        return True
    left = [without_phrases(words_of(line), _SIGNING) for line in lines]
    names = [word for words in left for word in words]
    said = [word for line in lines for word in re.findall(r"[^\W_]+", line) if word.lower() in names]
    return len(left[0]) < len(words_of(lines[0])) and len(names) <= _MOST_NAMES and all(map(_is_capital, said))


def unsigned(text: str, userid: str) -> str:
    """A text without the paragraph at its end if that is a signature."""
    above, _, last = text.rstrip().rpartition("\n\n")
    return above if is_signature(last, userid) else text


def _names_part(lines: Sequence[Sequence[str]], asked: str) -> bool:
    """Return True if lines name cells of a command, but not exactly those of it in its order."""
    cells = [word for word in words_of(asked) if _is_cell(word)]
    named = [word for words in lines for word in words if word in cells]
    return named not in ([], cells)


def _is_capital(word: str) -> bool:
    return word[0].isupper()


def _is_cell(word: str) -> bool:
    return re.match(r"[a-z]{1,2}[0-9]{1,2}(?![^\W_])", word) is not None
