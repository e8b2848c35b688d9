"""Parts of lists that are too long to be shown at once."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.errors import NotAllowed

MOST_COUNTED = 100
"""Parts that are found by counting; one farther down is found by what stood last in the one before."""


class NoSuchPart(NotAllowed):
    """A list ends before the part that was asked for, or that is too far down to be counted off."""

    page: int


@dataclass(frozen=True, slots=True)
class ListPart:
    """Which part of a list is asked for; the usual one is the first."""

    number: int = 1
    """From 1; players read it as the number of a page."""
    behind: int = 0
    """The number of the board that stood last in the part before; 0: rows are counted off."""

    def skipped(self, size: int) -> int:
        """How many rows are counted off.

        Args:
            size: how many rows a part has.

        Raises:
            NoSuchPart: too many.
        """
        if self.behind:
            return 0
        if self.number > MOST_COUNTED:
            raise NoSuchPart(self.number)
        return (self.number - 1) * size


FIRST = ListPart()
