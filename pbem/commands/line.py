"""A line of words, and the small readings that the verbs share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pbem.commands.model import BoardMoment, Credentials
from pbem.commands.refusals import LeftOver, MissingWord, NotABoard, NotAMoveNumber, PasswordMissing
from pbem.commands.userids import SENTENCE_ENDS, could_be_userid
from pbem.errors import Unreadable
from pbem.ids import BoardNumber


@dataclass(frozen=True, slots=True)
class BoardAnswered:
    """The board that a letter answers: a bare move, or a command without a number, is meant for it."""

    board: BoardNumber


@dataclass(frozen=True, slots=True)
class Line:
    """A line split in words, with what the readers of the verbs need to know beside it."""

    words: tuple[str, ...]
    """What stands behind the verb."""
    game: str | None
    games: Collection[str]
    answered: BoardAnswered | None
    before: int
    """How many words stand before ``words``."""


def whole_number(word: str) -> int | None:
    """A word that is a number from 1, else None."""
    return int(word) if re.fullmatch(r"[0-9]{1,9}", word) and int(word) else None


def moment(form: str, word: str) -> BoardMoment:
    """``101`` or ``101#7``.

    Raises:
        NotABoard, NotAMoveNumber: the word is none.
    """
    number, sign, moveno = word.partition("#")
    board = whole_number(number)
    if board is None:
        raise NotABoard(form, word)
    if not sign:
        return BoardMoment(BoardNumber(board))
    with about(BoardNumber(board)):
        if not re.fullmatch(r"[0-9]{1,6}", moveno):
            raise NotAMoveNumber(form, moveno)
    return BoardMoment(BoardNumber(board), int(moveno))


def board_and_rest(form: str, line: Line) -> tuple[BoardNumber, tuple[str, ...]]:
    """The board's number and the words behind it; a reply to a board's mail may leave the number out."""
    first = line.words[0] if line.words else ""
    board = whole_number(first)
    if board is not None:
        return BoardNumber(board), line.words[1:]
    if line.answered is not None:
        return line.answered.board, line.words
    if not line.words:
        raise MissingWord(form, "board")
    raise NotABoard(form, first)


def credentials(
    form: str, words: tuple[str, ...], games: Collection[str]
) -> tuple[Credentials | None, tuple[str, ...]]:
    """Split off userid and password, if they are there."""
    if not words or not could_be_userid(words[0], games):
        return None, words
    if len(words) == 1:
        raise PasswordMissing(form, words[0])
    return Credentials(words[0], words[1]), words[2:]


def nothing_left(form: str, line: Line, words: tuple[str, ...]) -> None:
    """Accept that no words are left of a line.

    Raises:
        LeftOver: some are.
    """
    if words:
        raise LeftOver(form, line.before + len(line.words) - len(words) + 1)


def split_moveno(form: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], int | None]:
    """Take ``#17`` off the end of the words, joined to the last of them or not."""
    if not words or "#" not in words[-1]:
        return words, None
    last, _, number = words[-1].rpartition("#")
    digits = number.rstrip(SENTENCE_ENDS)
    if not re.fullmatch(r"[0-9]{1,6}", digits):
        raise NotAMoveNumber(form, number)
    return (*words[:-1], last) if last else words[:-1], int(digits)


DASHES = "-\u2013\u2014\u2212"
"""Before an option; a telephone makes a dash or a minus sign of what was typed as a hyphen, or as two."""


def split_options(words: tuple[str, ...], numbers: int = 0) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The options among some words, without their dashes, and the other words.

    ``-num_tiles 16``, ``-num_tiles = 16`` and ``num_tiles=16`` say the same as ``-num_tiles=16``.

    Args:
        words: behind the verb and credentials.
        numbers: how many of the other words may be numbers; such a number behind an option is not its value.
    """
    options: list[str] = []
    others: list[str] = []
    lacks_value = takes_value = False
    for word in words:
        if takes_value and word == "=":
            lacks_value = True
        elif lacks_value and options:
            options[-1] = f"{options[-1].removesuffix('=')}={word.removeprefix('=')}"
            lacks_value = takes_value = False
            continue
        elif takes_value and re.fullmatch("=[^=]+", word):
            options[-1] += word
        elif takes_value and _is_value(word, others, numbers):
            options[-1] += f"={word}"
        elif word[0] in DASHES or re.fullmatch(r"[a-z_]\w*=.*", word, re.IGNORECASE):
            options.append(word.lstrip(DASHES))
            lacks_value = word.endswith("=")
            takes_value = "=" not in word
            continue
        else:
            others.append(word)
        takes_value = lacks_value
    return tuple(options), tuple(others)


def _is_value(word: str, others: Sequence[str], numbers: int) -> bool:
    """Whether a number belongs to the option before it: the command has had those of its own already."""
    return word.isdigit() and len([each for each in others if each.isdigit()]) >= numbers


_BETWEEN_NAMES = ("against", "and", "to", "versus", "vs", "with", "+")


def names_in(words: tuple[str, ...]) -> tuple[str, ...]:
    """Userids without what people write around and between them: ``@bob, carol``, ``alice vs. bob``."""
    parts = (part.removeprefix("@") for word in words for part in re.split("[,;&]+", word))
    return tuple(part for part in parts if part and part.lower().rstrip(".") not in _BETWEEN_NAMES)


def speaker_and_others(form: str, line: Line) -> tuple[Credentials | None, tuple[str, ...]]:
    """Perhaps credentials, and the words behind them, of which there must be some: userids, for example.

    Without credentials ``to`` stands in front; a single word can be no credentials, so it needs none. Behind them it
    says nothing.

    Raises:
        MissingWord: there are no such words.
    """
    words = line.words
    if words[:1] and words[0].lower() == "to":
        speaker, words = None, words[1:]
    elif len(words) > 1:
        speaker, words = credentials(form, words, line.games)
        words = without_to(words)
    else:
        speaker = None
    if not words:
        raise MissingWord(form, "userid")
    return speaker, words


def without_to(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words without ``to`` in front, which is nobody's userid."""
    return words[1:] if words[:1] and words[0].lower() == "to" else words


def without_sentence_end(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a move without what ends a sentence: ``Pass.``."""
    return (*words[:-1], words[-1].rstrip(SENTENCE_ENDS) or words[-1]) if words else ()


@contextmanager
def about(board: BoardNumber) -> Iterator[None]:
    """What is refused in here is about this board, so that the refusal can show it."""
    try:
        yield
    except Unreadable as wrong:
        wrong.facts["board"] = board
        raise
