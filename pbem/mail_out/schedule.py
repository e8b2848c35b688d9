"""When a mail that could not be handed over is tried again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta


def next_attempt(
    attempts: int, created_at: datetime, now: datetime, delays: Sequence[int], give_up_after: timedelta
) -> datetime | None:
    """When to try next after ``attempts`` failures, the last just now; None: not again.

    Args:
        attempts: failures so far, at least 1.
        created_at: when the mail was stored.
        now: the moment of the last failure.
        delays: seconds to wait after each failure; the last goes for all that follow.
        give_up_after: how old a mail may become.
    """
    if now - created_at >= give_up_after:
        return None
    return now + timedelta(seconds=delays[min(attempts, len(delays)) - 1])
