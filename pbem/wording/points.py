"""Points of tournaments, which are counted in halves and quarters."""

from __future__ import annotations

_PARTS = ("", "¼", "½", "¾")


def halves(count: int) -> str:
    """So many halves: ``2½``."""
    return quarters(2 * count)


def quarters(count: int) -> str:
    """So many quarters: ``3¼``."""
    whole, rest = divmod(count, len(_PARTS))
    return f"{whole}{_PARTS[rest]}" if whole or not rest else _PARTS[rest]
