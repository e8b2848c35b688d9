"""The verbs by what they are about, in the order in which lists of the commands name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GROUPS: Mapping[str, Sequence[str]] = {
    "accounts": (
        "signup",
        "add",
        "change",
        "forgot",
        "set",
        "vacation",
        "block",
        "unblock",
        "report",
        "data",
        "signoff",
    ),
    "server": ("help", "list", "who", "puzzle", "message", "broadcast"),
    "boards": (
        *("move", "queue", "submit", "confirm", "preview", "pass", "swap", "propose", "undo", "accept", "reject"),
        *("resign", "show", "showas", "games", "chat", "export", "analyse", "mailed", "resend"),
    ),
    "challenges": ("challenge", "seek", "robot", "limit", "standings", "history"),
    "watching": ("subscribe", "unsubscribe", "notify"),
    "tournaments": ("tournament",),
}
"""Each verb stands in one group."""
