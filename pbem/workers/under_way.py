"""Letters that are decided upon and whose commits are awaited, while the next are read and decided."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from pbem.ids import BoardNumber
from pbem.storage.inbox import LeasedLetter


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A letter whose answers are being stored."""

    letter: LeasedLetter
    stored: Future[None]
    """Done once everything is written; its exception says why it is not."""
    boards: Collection[BoardNumber]
    """Those that change by it."""
    notices: Sequence[str]
    """The names of what is told."""
    mails: Sequence[str]
    """The names of its answers."""
    refusals: Sequence[str]
    """What stood in the way of its commands, as it is counted."""
    silenced_by: Sequence[str]
    """The settings that keep its sender from being answered."""
    again: Callable[[], None]
    """Decides it anew."""

    def changes_any(self, boards: Collection[BoardNumber]) -> bool:
        """Whether it changes one of these boards: who has looked at that saw what is no more."""
        return any(each in self.boards for each in boards)
