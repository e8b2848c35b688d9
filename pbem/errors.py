"""The roots of everything that pbem raises on purpose.

A leaf stands beside the code that raises it and carries facts, no wording: a
template named after it (``CornerMismatch`` → ``errors/corner_mismatch.txt``)
words it for the player. Anything that is not a `PlayerError` is our own bug and
never reaches a player.
"""

from __future__ import annotations


class PbemError(Exception):
    """Root of all; ``facts`` are what a template or a log needs to tell what happened."""

    def __init__(self, **facts: object) -> None:
        super().__init__(facts)
        self.facts = facts

    def __str__(self) -> str:
        told = ", ".join(f"{name}={fact!r}" for name, fact in self.facts.items())
        return f"{type(self).__name__}({told})"


class PlayerError(PbemError):
    """What a player asked for cannot be done; nothing has changed."""


class Unreadable(PlayerError):
    """The words cannot be understood."""


class NotAllowed(PlayerError):
    """The words are understood, but this may not be done, or not now, or not by this player."""


class Ambiguous(PlayerError):
    """The words can be understood in more than one way."""
