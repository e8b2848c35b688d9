"""Conditions of a fixed shape, for statements that are built once.

A statement to which a list is bound is put together anew whenever it is executed. One that has a place for each of so
many values is not: those that are executed often are kept by the number of values, which is small.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, bindparam
from sqlalchemy.orm import InstrumentedAttribute


def one_of(column: InstrumentedAttribute[Any], name: str, count: int, *known: object) -> ColumnElement[bool]:
    """Whether a column is one of ``count`` values, which are given by `numbered`, or one that is ``known``."""
    return column.in_([*known, *(bindparam(f"{name}{place}") for place in range(count))])


def numbered(name: str, values: Iterable[object]) -> dict[str, object]:
    """Values for the places that `one_of` has left."""
    return {f"{name}{place}": value for place, value in enumerate(values)}
