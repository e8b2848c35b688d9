"""Long lists in pages: ``?page=2``, with links to the previous page and the next.

A link to the next page names the last board of this one (``behind``), so that the database begins there and counts
no rows, however long the list is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from pbem.domain.ratings import FinishedBoard
from pbem.domain.watches import MOST_COUNTED, ListPart, NoSuchPart
from pbem.usecases.context import Context
from pbem.web.context import NoSuchValueAsked, RequestContext, asked_number

Look = Callable[[Callable[["Context"], "dict[str, object]"]], "dict[str, object]"]
"""Answers a question from stored data."""

PAGE, BEHIND = "page", "behind"
"""The fields of an address that select a part."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """The place of a part of a list among the others."""

    number: int
    previous: str
    """The address of the part before, within the site; empty: there is none."""
    next: str
    next_url: str | None
    """The same for programs, with the address of the site."""


def leaf(
    visit: RequestContext, look: Look, read: Callable[[ListPart, Context], dict[str, object]]
) -> tuple[Mapping[str, Any], Leaves]:
    """The part of a list that an address asks for, and its place.

    Args:
        visit: the request.
        look: answers questions.
        read: reads a part; its facts have ``more``, or ``tables`` that know it.

    Raises:
        NoSuchValueAsked: the page is no number.
        NoSuchPart: there is no such page.
    """
    part = ListPart(_number(visit, PAGE) or 1, _number(visit, BEHIND))
    facts = look(lambda context: read(part, context))
    rows, more = _rows(facts)
    if part.number > 1 and not rows:
        raise NoSuchPart(part.number)
    behind, before = _behind(visit, part, rows) if more else "", _before(visit, part)
    return facts, Leaves(part.number, before, behind, (behind and visit.site.url + behind) or None)


def _behind(visit: RequestContext, part: ListPart, rows: Sequence[Any]) -> str:
    """The address of the next part; empty if it is too far down to be found."""
    board = _board(rows[-1])
    return _address(visit, part.number + 1, board) if board or part.number < MOST_COUNTED else ""


def _before(visit: RequestContext, part: ListPart) -> str:
    """The address of the part before, or of the first one if that is too far down to be counted."""
    return "" if part.number == 1 else _address(visit, part.number - 1 if part.number <= MOST_COUNTED + 1 else 1)


def _address(visit: RequestContext, number: int, behind: int = 0) -> str:
    """The same address with another part."""
    url = visit.request.url
    kept = [each for each in visit.request.query_params.multi_items() if each[0] not in (PAGE, BEHIND)]
    own = [(name, str(value)) for name, value in ((PAGE, number), (BEHIND, behind)) if value > (name == PAGE)]
    query = urlencode([*kept, *own])
    return quote(url.path) + (f"?{query}" if query else "")


def _board(row: Any) -> int:
    """The number of the board of a row; 0: it is about something else."""
    if isinstance(row, FinishedBoard):
        return row.number
    return int(row["board"].number) if isinstance(row, dict) and "board" in row else 0


def _number(visit: RequestContext, name: str) -> int:
    """A number in the address, from 1; 0 if it has none."""
    number = asked_number(visit, name)
    if number == 0:
        raise NoSuchValueAsked(name, visit.asked(name))
    return number or 0


def _rows(facts: Mapping[str, Any]) -> tuple[list[Any], bool]:
    """The rows of a part, and True if there are more."""
    if "tables" not in facts:
        return list(facts["rows"]), bool(facts["more"])
    kinds = [
        each for table in facts["tables"].values() for each in (table.established, table.provisional, table.inactive)
    ]
    has_more = facts["game_name"] is not None and any(each.more for each in kinds)
    return [row for each in kinds for row in each.rows], has_more
