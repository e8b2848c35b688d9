"""The opponents: who thinks how much about a turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent; its strength depends on playouts alone, not on the machine."""

    userid: str
    number: int
    """From 1, the weakest."""
    playouts: int
    """How many it makes for a turn."""


LEVELS: Mapping[str, Level] = {
    f"robot{number}": Level(f"robot{number}", number, playouts)
    for number, playouts in enumerate((64, 256, 1024, 4096, 16384), start=1)
}
"""All opponents by userid, weakest first."""

STRONGEST = "robot5"
"""Who is meant by ``robot``."""
