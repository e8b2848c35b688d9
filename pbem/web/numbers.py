"""Numbers in addresses and forms, none higher than those by which anything is known."""

from __future__ import annotations

from starlette.convertors import Convertor

from pbem.ids import HIGHEST_NUMBER

_MOST_DIGITS = len(str(HIGHEST_NUMBER))


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
