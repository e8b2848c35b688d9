"""What an operator has done with ``pbem admin``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing an operator has done."""

    at: datetime
    operator: str
    """The account on the machine."""
    deed: str
    """``player freeze``, ``board annul``."""
    subject: str
    """Whom or what it was done to."""
    reason: str = ""
