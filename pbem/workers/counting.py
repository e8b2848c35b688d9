"""Counts of letters when they are done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from time import perf_counter

from pbem.commands.internal import TakeBackMail
from pbem.domain.mails import Notice
from pbem.meters import Meters
from pbem.storage.inbox import LeasedLetter
from pbem.usecases.refusals import REFUSALS


class LetterCounts:
    """Counts what becomes of letters.

    Args:
        meters: what is counted.
    """

    def __init__(self, meters: Meters) -> None:
        self._meters = meters
        self._answered, self._ignored, self._shunted = map(
            meters.letters_handled.labels, ("answered", "ignored", "shunted")
        )

    def handled(self, began: float) -> None:
        """One has been read, decided and worded, since a moment of `perf_counter`."""
        self._meters.handling_seconds.observe(perf_counter() - began)

    def answered(self, letter: LeasedLetter, refusals: Iterable[str], mails: int) -> None:
        """Count a letter whose results are stored: so many mails, and these `refusals_of` it."""
        self._answered.inc()
        self._meters.letter_seconds.observe((datetime.now(UTC) - letter.received_at).total_seconds())
        self._meters.mails_stored.inc(mails)
        for error in refusals:
            self._meters.refusals.labels(error).inc()

    def ignored(self) -> None:
        """One is not answered, for a machine has written it."""
        self._ignored.inc()

    def returned(self, returned: TakeBackMail) -> None:
        """One says that a mail of ours has come back."""
        kind = "delayed" if returned.is_delayed else "permanent" if returned.permanent else "temporary"
        self._meters.bounces.labels(kind).inc()

    def decided_anew(self) -> None:
        """Somebody else was quicker."""
        self._meters.conflicts.inc()

    def failed(self) -> None:
        """One could not be handled."""
        self._meters.letters_failed.inc()

    def shunted(self, mails: int) -> None:
        """One was set aside, and so many mails tell of it."""
        self._shunted.inc()
        self._meters.mails_stored.inc(mails)


def refusals_of(notices: Iterable[Notice]) -> list[str]:
    """The classes of the errors that some answers tell of: there are as many as the code has, whoever writes what."""
    return [type(each.facts["error"]).__name__ for each in _each(notices) if each.name in REFUSALS]


def _each(notices: Iterable[Notice]) -> Iterator[Notice]:
    """All answers, those that were gathered in one mail apart."""
    for notice in notices:
        if notice.name == "answers":
            parts: Iterable[Iterable[Notice]] = notice.facts["parts"]  # type: ignore[assignment]  # as it was gathered
            for part in parts:
                yield from part
        else:
            yield notice
