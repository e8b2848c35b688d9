"""One line of JSON → its value: as strict as JSON is, and nothing that programs could take in two ways or choke on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pbem.errors import Quoted, Unreadable

DEEPEST = 32
"""Lists and objects within each other; no record needs a quarter of it."""

LONGEST_LINE = 4_000_000
"""Bytes; no record has a quarter of them."""

LONGEST_NUMBER = 15
"""Digits of a whole number, its sign included; every program reads such a number exactly."""

BLANKS = " \t\r\n"
"""Of JSON; those after its text are no part of it."""

LONGEST_QUOTE = 40
"""Characters of an unreadable record that are repeated."""


class NoJson(Unreadable):
    """The line is no JSON text; ``at`` is the character where that shows, from 1, or 0 if there is no such place.

    ``cut_off`` tells whether the line ends before the text does.
    """

    at: int
    cut_off: bool = False


class RecordTooLong(Unreadable):
    """The line is longer than any record; ``longest`` is how many bytes one may have."""

    longest: int = LONGEST_LINE


class NameTwice(Unreadable):
    """An object on the line has two fields of one name, so that nobody can tell which of them counts."""

    name: Quoted


class TooDeep(Unreadable):
    """The line has more lists and objects within each other than any record."""

    deepest: int


class NumberTooLong(Unreadable):
    """The line has a number of more digits than anything that a record counts."""

    digits: int


def parse_line(line: bytes) -> Any:
    """The JSON value of one line.

    Raises:
        RecordTooLong: there is more than any record has.
        NoJson: it has none; not a number and endless numbers are no JSON either.
        NameTwice: a name stands in an object twice.
        TooDeep, NumberTooLong: it has one that nothing here should have to walk through.
    """
    if len(line) > LONGEST_LINE:
        raise RecordTooLong
    try:
        text = line.decode("utf-8-sig").rstrip(BLANKS)
        value = json.loads(text, parse_constant=_refuse, parse_int=_whole, object_pairs_hook=_object)
    except json.JSONDecodeError as wrong:
        raise NoJson(wrong.pos + 1, cut_off=wrong.pos >= len(text)) from None
    except ValueError:  # not UTF-8, or NaN
        raise NoJson(0) from None
    except RecursionError:
        raise TooDeep(DEEPEST) from None
    if _is_deeper(value, DEEPEST):
        raise TooDeep(DEEPEST)
    return value


def _is_deeper(value: Any, depth: int) -> bool:
    """Whether lists and objects lie deeper within each other than ``depth``; looked at level by level."""
    level = [value]
    for _ in range(depth):
        inner = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [each for values in inner for each in values]
    return bool(level)


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise NumberTooLong(LONGEST_NUMBER)
    return int(digits)


def _object(fields: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(fields)
    if len(value) < len(fields):
        ((twice, _),) = Counter(name for name, _ in fields).most_common(1)
        raise NameTwice(twice)
    return value


def _refuse(constant: str) -> None:
    raise ValueError(constant)
