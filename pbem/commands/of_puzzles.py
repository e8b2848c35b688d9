"""The verb of puzzles: what stands behind it → the command."""

from __future__ import annotations

from pbem.commands.line import Line, nothing_left, whole_number, without_sentence_end
from pbem.commands.model import AnswerPuzzle, Command, NextPuzzle, ShowPuzzle
from pbem.commands.refusals import MissingWord, NotANumber


def read_puzzle(line: Line) -> Command:
    """``puzzle [<game>]``, ``puzzle [show] <n>``, ``puzzle answer <n> <move>``; a game may also stand in front.

    Raises:
        MissingWord, NotANumber, LeftOver: the words are none of these.
    """
    first = line.words[0].lower() if line.words else ""
    if not first:
        return NextPuzzle(line.game)
    if first in line.games and line.game in (None, first):
        nothing_left("puzzle", line, line.words[1:])
        return NextPuzzle(first)
    if first not in {"show", "answer"}:
        nothing_left("puzzle", line, line.words[1:])
        return ShowPuzzle(_number(first), game=line.game)
    words = line.words[1:]
    if not words:
        raise MissingWord("puzzle", "puzzle")
    number, rest = _number(words[0]), without_sentence_end(words[1:])
    if first == "show":
        nothing_left("puzzle", line, rest)
        return ShowPuzzle(number, game=line.game)
    if not rest:
        raise MissingWord("puzzle", "move")
    return AnswerPuzzle(number, " ".join(rest), game=line.game)


def _number(word: str) -> int:
    number = whole_number(word)
    if number is None:
        raise NotANumber("puzzle", word)
    return number
