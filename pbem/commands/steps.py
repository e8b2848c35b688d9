"""The shape of the steps of a turn that has several: ``lay b2>b3 move e5-e7``.

The grammar knows no game. It knows these words as it knows the shape of a placement: a
mail program breaks such a line, and people write one step on each line of their answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CELL = "[a-z][0-9]{1,3}"
_SIGNS = "-\u2010-\u2015\u2212>\u2192\u21d2\u27a1\ufe0f"
"""Dashes and arrows; the last picks how one is drawn. A mail program makes an arrow of what was typed as ``->``."""
_JOINT = rf"(?:\s*(?:[{_SIGNS}]|=+>)+\s*|\s+to\s+)"
_TWO_CELLS = rf"(?:from\s+)?{_CELL}{_JOINT}{_CELL}"
_STEP = re.compile(
    rf"(?:pass|(?:lay|move)\s+(?:{_TWO_CELLS}|{_CELL}\s+{_CELL})|turn\s+{_CELL}|cut\s+{_CELL}(?:{_JOINT}{_CELL})?"
    rf"|{_TWO_CELLS})(?![a-z0-9])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,;+.!]*")
_AT_THE_END = re.compile(
    rf"#[0-9]{{1,6}}[.!]*|(?:lay|move)(?:\s+from)?(?:\s+{_CELL}(?:\s+to)?)?|turn|cut", re.IGNORECASE
)
_BEGINS = re.compile(rf"(?:(?:lay|cut|turn)\s+(?:from\s+)?{_CELL}|{_TWO_CELLS})(?![a-z0-9])", re.IGNORECASE)
_JOINED_CELLS = re.compile(rf"{_TWO_CELLS}(?![a-z0-9])", re.IGNORECASE)
_LONGEST_STEP = 4
"""Words of a step, but for one: ``move from e5 to e7``."""

_MARKS = "\"'`*_\u2018-\u201f\u00ab\u00bb\u2039\u203a\u2022"
"""Quotation marks, the signs for bold or italic letters in plain text, and bullets."""
_DECORATION = re.compile(rf"[{_MARKS}]+|(?<=\b(?:move|turn|pass))\s*:|(?<=\b(?:lay|cut))\s*:", re.IGNORECASE)
_IN_FRONT = re.compile(rf"(?:[{_MARKS}]|[-\u2010-\u2015\u2212]\s)[{_MARKS}\s]*")
_STEP_OR_VERB = re.compile(rf"(?:pass|lay|move|turn|cut)\b|{_TWO_CELLS}", re.IGNORECASE)
_NOTATION = re.compile(
    r"""
    [a-z]                                               # a column, a house
    | [o0](-[o0]){1,2}[+#]?                             # castling
    | [kqrbn]?[a-h]?[1-8]?x[a-h][1-8](=?[qrbnk])?[+#]?  # bxc3, Nxg5, h6xf8
    | [kqrbn]?[1-8][a-h][1-8][+#]?                      # R1e2
    | ([a-i][0-9]{1,2}){2}[qrbnk]?                      # g1f3, e7e8q, h2e2
    | ([1-9][a-i]){2}\+?                                # 7g7f
    | [a-f][1-6][s-z]                                   # e3x
    | [wb][abglmpqs][1-3]?(\s[-/\\]?[wb][abglmpqs][1-3]?[-/\\]?)?  # wS1, bA1 wQ/
    """,
    re.VERBOSE,
)
"""Moves of Chess, Shogi, Hive and other classic games that could be userids and passwords, too."""


def are_steps(text: str) -> bool:
    """Return True if a text is only steps; the last may lack its cells, or be the number of the move."""
    end = 0
    while step := _STEP.match(text, end):
        end = step.end()
        if between := _BETWEEN.match(text, end):
            end = between.end()
    return end > 0 and (end == len(text) or _AT_THE_END.fullmatch(text, end) is not None)


def begins_step(text: str) -> bool:
    """Return True if a text begins with a step that a sentence would hardly begin with."""
    return _BEGINS.match(text) is not None


def begun_step(text: str) -> str:
    """The step that a text begins with, if a sentence would hardly do so; else an empty text."""
    begins = _BEGINS.match(text)
    return (_STEP.match(text) or begins).group() if begins else ""


def begins_with_cells(words: Sequence[str]) -> bool:
    """Return True if the first of these words are two cells, joined as those of a move or a laying are."""
    return _JOINED_CELLS.match(" ".join(words[:_LONGEST_STEP])) is not None


def undecorated(line: str) -> str:
    """A line without the signs around steps in an answer: quotation marks, asterisks, a bullet, colons behind verbs.

    From a line that is not steps alone, which may contain a password, only the signs in front of the first step are
    removed; one that begins otherwise stays as it is.
    """
    line = line.strip()
    bare = _IN_FRONT.sub("", line, count=1) if _IN_FRONT.match(line) else line
    steps = " ".join(_DECORATION.sub(" ", bare).split())
    if are_steps(steps):
        return steps
    return bare if _STEP_OR_VERB.match(bare) else line


def take_steps(line: str, following: Sequence[str]) -> tuple[str, Sequence[str]]:
    """A line joined with those that continue its steps, and the lines behind them.

    A line does so if it is nothing but steps, together with the last step of the line before it.
    """
    taken, tail, end = [line], line.split()[-_LONGEST_STEP:], 0
    for index, words in enumerate(undecorated(each).split() for each in following):
        if not words:
            continue
        if not any(are_steps(" ".join((*tail[start:], *words))) for start in range(len(tail))):
            break
        taken.append(" ".join(words))
        tail = [*tail, *words][-_LONGEST_STEP:]
        end = index + 1
    return " ".join(taken), following[end:]


def is_classic_move(words: Sequence[str]) -> bool:
    """Return True for the shape of a move in a classic game: ``Nxg5``, ``O-O``, ``7g7f``, ``d``, ``wS1 bQ/``."""
    return _NOTATION.fullmatch(" ".join(words).lower().rstrip(".!")) is not None
