"""Refusals of a command that names several things: all that stands against it is told at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pbem.errors import NotAllowed, PlayerError


class SeveralReasons(NotAllowed):
    """Several things stand against a command; ``reasons`` are the refusals."""

    reasons: Sequence[PlayerError]


class Reasons:
    """Gathers refusals."""

    def __init__(self) -> None:
        self._found: list[PlayerError] = []

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """A stretch whose refusal is kept instead of raised."""
        try:
            yield
        except PlayerError as wrong:
            self._found.append(wrong)

    def check(self) -> None:
        """Accept that nothing was refused.

        Raises:
            PlayerError: the one refusal that there was.
            SeveralReasons: there were more.
        """
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise SeveralReasons(self._found)
