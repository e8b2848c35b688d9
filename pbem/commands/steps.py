"""The shape of the steps of a turn that has several: ``lay b2>b3 move e5-e7``.

The grammar knows no game. It knows these words as it knows the shape of a placement: a
mail program breaks such a line, and people write one step on each line of their answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CELL = "[a-z][0-9]{1,3}"
_JOINT = r"\s*[-\u2010-\u2015\u2212>]+\s*"
_STEP = re.compile(
    rf"(?:pass|(?:lay|move)\s+{_CELL}(?:{_JOINT}|\s+){_CELL}|turn\s+{_CELL}|cut\s+{_CELL}(?:{_JOINT}{_CELL})?"
    rf"|{_CELL}{_JOINT}{_CELL})(?![a-z0-9])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,;+.!]*")
_AT_THE_END = re.compile(rf"#[0-9]{{1,6}}[.!]*|(?:lay|move)(?:\s+{_CELL})?|turn|cut", re.IGNORECASE)
_BEGINS = re.compile(rf"(?:(?:lay|cut|turn)\s+{_CELL}|{_CELL}{_JOINT}{_CELL})(?![a-z0-9])", re.IGNORECASE)
_JOINED_CELLS = re.compile(rf"{_CELL}{_JOINT}{_CELL}(?![a-z0-9])", re.IGNORECASE)
_LONGEST_STEP = 3
"""Words of a step, but for what sets them apart."""


def are_steps(text: str) -> bool:
    """Whether a text is nothing but steps; the last may lack its cells, and the number of the move may stand there."""
    end = 0
    while step := _STEP.match(text, end):
        end = step.end()
        if between := _BETWEEN.match(text, end):
            end = between.end()
    return end > 0 and (end == len(text) or _AT_THE_END.fullmatch(text, end) is not None)


def begins_step(text: str) -> bool:
    """Whether a text begins with a step that a sentence would hardly begin with."""
    return _BEGINS.match(text) is not None


def begins_with_cells(words: Sequence[str]) -> bool:
    """Whether the first of these words are two cells, joined as those of a move or a laying are."""
    return _JOINED_CELLS.match(" ".join(words[:_LONGEST_STEP])) is not None


def take_steps(line: str, following: Sequence[str]) -> tuple[str, Sequence[str]]:
    """A line with those that carry its steps on, and the lines behind them.

    A line does so if it is nothing but steps, together with the last step of the line before it.
    """
    taken, tail, end = [line], line.split()[-_LONGEST_STEP:], 0
    for index, words in enumerate(each.split() for each in following):
        if not words:
            continue
        if not any(are_steps(" ".join((*tail[start:], *words))) for start in range(len(tail))):
            break
        taken.append(" ".join(words))
        tail = [*tail, *words][-_LONGEST_STEP:]
        end = index + 1
    return " ".join(taken), following[end:]
