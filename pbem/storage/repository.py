"""What the repositories have in common.

A repository turns rows into domain objects and back, one for each aggregate. It reads
at once and remembers what is to be written; `unit_of_work` has all of it written in one
transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import func, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import Connection

KeyT = TypeVar("KeyT")
ThingT = TypeVar("ThingT")


class Repository(Generic[KeyT, ThingT]):
    """What is common to all: the things read or saved in this unit of work, by their key."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self.saved: dict[KeyT, ThingT] = {}

    @property
    def has_changes(self) -> bool:
        """Whether there is anything to be written of the things themselves."""
        return bool(self.saved)

    def remember(self) -> Callable[[], None]:
        """Return what takes back everything that is saved from now on."""
        saved = dict(self.saved)

        def restore() -> None:
            self.saved = saved

        return restore

    def _next(self, column: Any, first: int, taken: Iterable[int]) -> int:
        """One more than the highest number in use; the key's uniqueness settles who gets it."""
        highest = self._connect().scalar(select(func.max(column))) or first - 1
        return max([highest, *taken]) + 1
