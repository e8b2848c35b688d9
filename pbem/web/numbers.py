"""What addresses and forms say: numbers, none higher than those by which anything is known, and what means nothing."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.convertors import Convertor

from pbem.errors import Quoted, Unreadable
from pbem.ids import HIGHEST_NUMBER
from pbem.web.context import RequestContext

_MOST_DIGITS = len(str(HIGHEST_NUMBER))


class NoSuchValueAsked(Unreadable):
    """A field behind the question mark has a value that means nothing; ``known`` are those that do, if they are few."""

    field: str
    value: Quoted
    known: Sequence[str] = ()


class NumberConvertor(Convertor[int]):
    """A number in the path of an address."""

    regex = f"[0-9]{{1,{_MOST_DIGITS}}}"

    def convert(self, value: str) -> int:
        """What it says."""
        return int(value)

    def to_string(self, value: int) -> str:
        """As it is written."""
        return str(value)


def read_number(said: str) -> int | None:
    """The number, from 0, that a field says; None if it says none."""
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= _MOST_DIGITS else None


def asked_number(visit: RequestContext, name: str) -> int | None:
    """The number in a field of the address, from 0; None if the field is not there.

    Raises:
        NoSuchValueAsked: it is no number.
    """
    said = visit.asked(name)
    number = read_number(said)
    if said and number is None:
        raise NoSuchValueAsked(name, said)
    return number
