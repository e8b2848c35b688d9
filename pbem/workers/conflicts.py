"""How often something is decided anew because somebody else was quicker."""

from __future__ import annotations

from pbem.errors import PbemError

MOST_CONFLICTS = 20
"""More in a row are a fault of ours."""


class TooManyConflicts(PbemError):
    """Something was decided again and again, and each time somebody else was quicker."""
