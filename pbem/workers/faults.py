"""The part of an exception that may be written down."""

from __future__ import annotations

import traceback
from pathlib import PurePath

from structlog.typing import FilteringBoundLogger

from pbem.storage.engine import is_out_of_order

_LONGEST_REASON = 200


def where_it_failed(failed: BaseException) -> dict[str, str]:
    """Kind and place of an exception, for a log, and why where the database is in trouble."""
    frames = traceback.extract_tb(failed.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    reason = said_by_database(failed)
    return {"error": type(failed).__name__, **({"reason": reason} if reason else {}), "at": " > ".join(places[-4:])}


def said_by_database(failed: BaseException) -> str:
    """The first line of what a database that is in trouble says of itself; nothing of anything else.

    The lines below, and what it says of what is wrong with a statement, may show what that was about.
    """
    if not isinstance(failed, Exception) or not is_out_of_order(failed):
        return ""
    return str(getattr(failed, "orig", None) or "").strip().partition("\n")[0][:_LONGEST_REASON]


def pass_over(failed: Exception, log: FilteringBoundLogger, event: str, **about: object) -> None:
    """Log that one of many could not be handled, which is our bug: it is not to stop the others.

    Raises:
        Exception: it is the database that is in trouble, so that none of them can be handled.
    """
    if is_out_of_order(failed):
        raise failed
    log.error(event, **about, **where_it_failed(failed))
