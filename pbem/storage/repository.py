"""Base of the repositories: reads, remembers what is saved, and writes it with its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, ClassVar, Generic, TypeVar

import structlog
from sqlalchemy import ColumnClause, ColumnElement, Connection, Result, Row, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError

log = structlog.get_logger()

KeyT = TypeVar("KeyT")
ThingT = TypeVar("ThingT")
ReadT = TypeVar("ReadT")


def each_readable(read: Callable[[Sequence[int]], Sequence[ThingT]], keys: Sequence[int], what: str) -> list[ThingT]:
    """Read things for a list: one of which something unreadable is stored is logged, and does not hide the others.

    Args:
        read: reads those with these keys.
        keys: of all that are wanted.
        what: is read.
    """
    try:
        return list(read(keys)) if keys else []
    except SQLAlchemyError:
        raise  # of the database, and not of what is stored there
    except Exception as failed:  # noqa: BLE001 - what has been damaged fails in any way
        if len(keys) > 1:
            return [each for key in keys for each in each_readable(read, [key], what)]
        error = type(failed).__name__
        log.error("left out of a list", what=what, number=keys[0], error=error)  # noqa: TRY400 - no trace: it may show words
        return []


def readable_rows(
    find: Callable[[], Result[Any]],
    read: Callable[[Row[Any]], ReadT],
    what: str,
    *,
    at_once: Callable[[], Iterable[Any]] | None = None,
) -> list[ReadT]:
    """Read the rows of a list: one in which something unreadable is stored is logged, and does not hide the others.

    Args:
        find: asks the database for them, once more if one is unreadable.
        read: reads one.
        what: each is.
        at_once: finds them all the quickest way, as long as all of them are readable; None: as ``find`` does.
    """
    try:
        return [read(row) for row in (at_once or find)()]
    except SQLAlchemyError:
        raise  # of the database, and not of what is stored there
    except Exception:  # noqa: BLE001 - what has been damaged fails in any way
        return list(_each_readable_row(find(), read, what))


def _each_readable_row(rows: Result[Any], read: Callable[[Row[Any]], ReadT], what: str) -> Iterator[ReadT]:
    for place in count(1):
        try:
            row = rows.fetchone()
            if row is None:
                return
            found = read(row)
        except SQLAlchemyError:
            raise
        except Exception as failed:  # noqa: BLE001 - what has been damaged fails in any way
            error = type(failed).__name__
            log.error("left out of a list", what=what, place=place, error=error)  # noqa: TRY400 - no trace
        else:
            yield found


class Noting:
    """Notes in a unit of work what is to be written at its end.

    Args:
        connect: what is read from.
    """

    _notes: ClassVar[tuple[str, ...]] = ()
    """The attributes that hold what has been noted: collections."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect

    def remember(self) -> Callable[[], None]:
        """Return what takes back everything that is noted from now on."""
        held, noted = self.__dict__, {}
        for name in self._notes:  # for each command: a comprehension would take twice as long
            value = held[name]
            noted[name] = type(value)(value)

        def restore() -> None:
            held.update(noted)

        return restore

    def take_all_back(self) -> None:
        """Take back everything that was noted."""
        for name in self._notes:
            self.__dict__[name] = type(self.__dict__[name])()

    def read_anew(self) -> None:
        """Read whatever is asked for from now on, even if it was read before: another moment is looked at."""

    def write(self, connection: Connection) -> None:
        """Write what was noted.

        Raises:
            Conflict: somebody else has changed meanwhile what that was decided upon.
        """
        raise NotImplementedError


class Repository(Noting, Generic[KeyT, ThingT]):
    """The things that were saved in this unit of work, by their key."""

    _notes: ClassVar[tuple[str, ...]] = ("saved",)

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self.saved: dict[KeyT, ThingT] = {}

    @property
    def has_changes(self) -> bool:
        """Something about the things themselves is to be written."""
        return bool(self.saved)

    def _next(self, column: Any, first: int, taken: Iterable[int]) -> int:
        """One more than the highest number in use; the key's uniqueness settles who gets it."""
        highest = self._connect().scalar(select(func.max(column))) or first - 1
        return max([highest, *taken]) + 1


def one_of(column: ColumnClause[Any], name: str, count: int, *known: object) -> ColumnElement[bool]:
    """The condition that a column is one of ``count`` values, given by `numbered`, or one that is ``known``."""
    return column.in_([*known, *(bindparam(f"{name}{place}") for place in range(count))])


def numbered(name: str, values: Iterable[object]) -> dict[str, object]:
    """Values for the places that `one_of` has left."""
    return {f"{name}{place}": value for place, value in enumerate(values)}
