"""A line of words, and the small readings that the verbs share."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pbem.commands.command import BoardMoment, Credentials
from pbem.commands.refusals import GameNeeded, LeftOver, MissingWord, NotABoard, NotAMoveNumber, PasswordMissing
from pbem.errors import Unreadable
from pbem.ids import BoardNumber

SENTENCE_ENDS = ".!"
"""Signs behind a move, since people write it as a sentence: ``Pass.``."""


@dataclass(frozen=True, slots=True)
class BoardAnswered:
    """The board that a letter answers: a bare move, or a command without a number, is meant for it."""

    board: BoardNumber


@dataclass(frozen=True, slots=True)
class Line:
    """A line split in words, and the facts that the readers of the verbs need."""

    verb: str
    words: tuple[str, ...]
    """The words behind the verb."""
    game: str | None
    games: Collection[str]
    answered: BoardAnswered | None
    could_be_userid: Callable[[str], bool]
    before: int = 0
    """The number of words before ``words``."""

    def credentials(self, words: tuple[str, ...]) -> tuple[Credentials | None, tuple[str, ...]]:
        """Split off userid and password, if they are there.

        Raises:
            PasswordMissing: there is a userid and nothing else.
        """
        if not words or not self.could_be_userid(words[0]):
            return None, words
        if len(words) == 1:
            raise PasswordMissing(self.verb, words[0])
        return Credentials(words[0], words[1]), words[2:]

    def speaker_and_others(self) -> tuple[Credentials | None, tuple[str, ...]]:
        """Split off credentials, if any, from the words behind them, such as userids, of which there must be one.

        Without credentials ``to`` comes first, except that a single word needs none, since it can be no credentials.
        Behind credentials ``to`` says nothing.

        Raises:
            MissingWord: there are no such words.
        """
        words = self.words
        if words[:1] and words[0].lower() == "to":
            speaker, words = None, words[1:]
        elif len(words) > 1:
            speaker, words = self.credentials(words)
            words = without_to(words)
        else:
            speaker = None
        if not words:
            raise MissingWord(self.verb, "userid")
        return speaker, words

    def needed_game(self) -> str:
        """The game in front of the verb.

        Raises:
            GameNeeded: there is none.
        """
        if self.game is None:
            raise GameNeeded(self.verb, sorted(self.games))
        return self.game

    def nothing_left(self, words: tuple[str, ...]) -> None:
        """Check that no words are left.

        Raises:
            LeftOver: some are.
        """
        if words:
            raise LeftOver(self.verb, self.before + len(self.words) - len(words) + 1)

    def board_and_rest(self, words: tuple[str, ...] | None = None) -> tuple[BoardNumber, tuple[str, ...]]:
        """The board's number and the words behind it; a reply to a board's mail may leave the number out."""
        words = self.words if words is None else words
        first = words[0] if words else ""
        board = whole_number(first)
        if board is not None:
            return BoardNumber(board), words[1:]
        if self.answered is not None:
            return self.answered.board, words
        if not words:
            raise MissingWord(self.verb, "board")
        raise NotABoard(self.verb, first)

    def board_and_speaker(self) -> tuple[BoardNumber, Credentials | None]:
        """A board and perhaps credentials, in either order, and nothing else."""
        speaker, words = self.credentials(self.words)
        board, words = self.board_and_rest(words)
        with about(board):
            if speaker is None:
                speaker, words = self.credentials(words)
            self.nothing_left(words)
        return board, speaker

    def moment(self, word: str) -> BoardMoment:
        """``101`` or ``101#7``.

        Raises:
            NotABoard, NotAMoveNumber: the word is none.
        """
        number, sign, moveno = word.partition("#")
        board = whole_number(number)
        if board is None:
            raise NotABoard(self.verb, word)
        if not sign:
            return BoardMoment(BoardNumber(board))
        with about(BoardNumber(board)):
            if not re.fullmatch(r"[0-9]{1,6}", moveno):
                raise NotAMoveNumber(self.verb, moveno)
        return BoardMoment(BoardNumber(board), int(moveno))

    def moment_and_rest(self, words: tuple[str, ...]) -> tuple[BoardMoment, tuple[str, ...]]:
        """``101`` or ``101#7``, and the words behind it; an answer to the mail of a board may leave the number out."""
        first = words[0] if words else ""
        if re.match(r"[0-9]+#", first):
            return self.moment(first), words[1:]
        if self.answered is not None and re.fullmatch(r"#[0-9]+", first):
            return self.moment(f"{self.answered.board}{first}"), words[1:]
        board, words = self.board_and_rest(words)
        return BoardMoment(board), words

    def split_moveno(self, words: tuple[str, ...]) -> tuple[tuple[str, ...], int | None]:
        """Take ``#17`` off the end of the words, joined to the last of them or not."""
        if not words or "#" not in words[-1]:
            return words, None
        last, _, number = words[-1].rpartition("#")
        digits = number.rstrip(SENTENCE_ENDS)
        if last and not digits:
            return words, None  # the sign of a checkmate
        if not re.fullmatch(r"[0-9]{1,6}", digits):
            raise NotAMoveNumber(self.verb, number)
        return (*words[:-1], last) if last else words[:-1], int(digits)


def whole_number(word: str) -> int | None:
    """A word that is a number from 1, else None."""
    return int(word) if re.fullmatch(r"[0-9]{1,9}", word) and int(word) else None


DASHES = "-\u2013\u2014\u2212"
"""Signs before an option: a telephone makes a dash or a minus sign of one hyphen, or of two."""


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
    """Return True if a number belongs to the option before it: the command already has all numbers of its own."""
    return word.isdigit() and len([each for each in others if each.isdigit()]) >= numbers


_BETWEEN_NAMES = ("against", "and", "to", "versus", "vs", "with", "+")


def names_in(words: tuple[str, ...]) -> tuple[str, ...]:
    """Userids without the words and signs around and between them: ``@bob, carol``, ``alice vs. bob``."""
    parts = (part.removeprefix("@") for word in words for part in re.split("[,;&]+", word))
    return tuple(part for part in parts if part and part.lower().rstrip(".") not in _BETWEEN_NAMES)


def without_to(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words without ``to`` in front, which is nobody's userid."""
    return words[1:] if words[:1] and words[0].lower() == "to" else words


def without_sentence_end(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a move without what ends a sentence: ``Pass.``."""
    return (*words[:-1], words[-1].rstrip(SENTENCE_ENDS) or words[-1]) if words else ()


@contextmanager
def about(board: BoardNumber) -> Iterator[None]:
    """Add this board to every refusal raised inside, so that the refusal can show it."""
    try:
        yield
    except Unreadable as wrong:
        wrong.facts["board"] = board
        raise
