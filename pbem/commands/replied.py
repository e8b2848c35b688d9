"""Answers to mails that show no board to move at: to words, to a puzzle, to a daily mail."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pbem.commands.grammar import begins_command, parse
from pbem.commands.lenient import is_small_talk
from pbem.commands.line import SENTENCE_ENDS, BoardAnswered
from pbem.commands.playing import ANSWERS_ALONE
from pbem.commands.reading import Reading
from pbem.commands.steps import are_steps, take_steps, undecorated
from pbem.commands.userids import looks_like_placement
from pbem.commands.verbs import translation_of
from pbem.errors import Unreadable

_OF_A_BOARD = re.compile(r"\W*(?:board\s+|move\s+)?#?(?P<board>[0-9]{3,9})\s*[:.)]?\s+(?P<move>\S.*)", re.IGNORECASE)


def words_for(line: str, body: Sequence[str], games: Collection[str], answered: BoardAnswered | None) -> Reading | None:
    """Read an answer to words as words, below a command that passes all of them on; None if it is a command alone.

    Args:
        line: the command.
        body: of the letter.
        games: the names of the games that the server plays.
        answered: the board that the words were about, if any.
    """
    if _is_command(body, games, answered):
        return None
    return Reading((line,), "\n".join(body).strip("\n"), answered)


def _is_command(body: Sequence[str], games: Collection[str], answered: BoardAnswered | None) -> bool:
    """Return True if a letter is exactly a command; a move, hardly ever anything else, may have a comment below."""
    said = [line.strip() for line in body if line.strip()]
    first = undecorated(said[0]) if said else ""
    if answered is not None and (are_steps(first) or all(map(looks_like_placement, re.split(r"[\s,;+]+", first)))):
        return True
    passes_words_on = first.lower().startswith(("chat", "message")) and begins_command(first, games)
    if not said or first.endswith("?") or (len(said) != 1 and not passes_words_on):
        return False
    if translation_of(re.split(r"\W", first, maxsplit=1)[0]) and not re.search(r"[0-9]", first):
        return False  # one word of another language is talk: ``Remis``, ``Encore !``
    if answered is not None and first.lower().rstrip(SENTENCE_ENDS) in ANSWERS_ALONE:
        return True
    try:
        return begins_command(first, games) and parse(first, games, answered) is not None
    except Unreadable:
        return False


def puzzle_answer(number: int, body: Sequence[str], games: Collection[str]) -> Reading | None:
    """Read an answer to a puzzle as the move that solves it; None if it is a command alone."""
    start = next((place for place, line in enumerate(body) if line.strip()), None)
    if start is None or _is_command(body, games, None):
        return None
    line, rest = take_steps(undecorated(body[start]), body[start + 1 :])
    return Reading((f"puzzle answer {number} {line}",), "\n".join(rest))


def moves_at_boards(body: Sequence[str], most: int) -> Reading | None:
    """Read an answer to a daily mail, of lines such as ``375 B2,C3``; None if it contains none.

    The other words are the comment below a single move. Among several moves it is unclear whom they are for: unless
    they are small talk, they are read as a command, and so answered.
    """
    lines = [line.strip() for line in body if line.strip()]
    found = [(place, match) for place, line in enumerate(lines) if (match := _OF_A_BOARD.fullmatch(line))]
    if not found:
        return None
    read = {place: f"move {match['board']} {match['move']}" for place, match in found}
    first = found[0][0]
    if len(found) == 1 and is_small_talk("\n".join(lines[:first])):
        return Reading((read[first],), "\n".join(lines[first + 1 :]))
    kept = [read.get(place, line) for place, line in enumerate(lines) if place in read or not is_small_talk(line)]
    return Reading(tuple(kept[:most]), multiple=True)
