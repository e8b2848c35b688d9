"""The rules of clocks, in the database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pbem.domain.clocks import ClockRules

if TYPE_CHECKING:
    from collections.abc import Mapping


def clock_of(values: Mapping[str, Any] | None) -> ClockRules:
    """The rules as they were stored; where there are none, the usual ones."""
    if values is None:
        return ClockRules()
    total = values["total"]
    return ClockRules(
        timedelta(seconds=values["nag"]),
        timedelta(seconds=values["forfeit"]),
        None if total is None else timedelta(seconds=total),
        values["own"],
    )


def clock_values(clock: ClockRules) -> dict[str, Any]:
    """The rules as they are stored, in seconds."""
    return {
        "nag": int(clock.nag.total_seconds()),
        "forfeit": int(clock.forfeit.total_seconds()),
        "total": None if clock.total is None else int(clock.total.total_seconds()),
        "own": clock.is_own,
    }
