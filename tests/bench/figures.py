"""The parts of a figure of `docs/performance.md`, and the table that is made of figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal

from tests.bench.machine import refuse_memory

_HEAD = "| figure | mails | ours | floor | ours ÷ floor | least to most | target | reached | besides |"


@dataclass(frozen=True)
class Extent:
    """The amount that is measured, and the folder for its files."""

    folder: Path
    """On a disk, not in memory, unless it is a trial."""
    quick: bool = False
    letters: int = 20_000
    """The letters for the figure of the memory, if it is not in a hurry."""
    is_trial: bool = False
    """True if only the measuring itself is tested: with the least of everything, in any folder."""

    def pick(self, short: int, full: int, least: int | None = None) -> int:
        """A number of rounds or letters: the short one in a hurry, the least in a trial."""
        if self.is_trial and least is not None:
            return least
        return short if self.quick or self.is_trial else full

    def check(self, folder: Path) -> None:
        """Accept a folder for a database.

        Raises:
            NotOnDisk: it lies in memory, and this is no trial.
        """
        if not self.is_trial:
            refuse_memory(folder)


@dataclass(frozen=True)
class Figure:
    """Something measured again and again, each time together with the floor that it is held against."""

    name: str
    mails: str
    """The parts of the mails of the run; empty if none are written."""
    unit: str
    ours: list[float]
    floor: list[float]
    """The results of the same machine at the same time without us; as many as ``ours``."""
    target: float
    at_most: bool = False
    """True if the target is an upper bound."""
    of_ratio: bool = True
    """True if the target is one of the ratio rather than of ``ours``."""
    facts: dict[str, float] = field(default_factory=dict)
    """Other results, by their names with the unit."""

    @property
    def ratios(self) -> list[float]:
        """Each round by itself."""
        return [ours / floor for ours, floor in zip(self.ours, self.floor, strict=True)]

    @property
    def ratio(self) -> float:
        """The figure: the median of the rounds."""
        return median(self.ratios)

    @property
    def is_reached(self) -> bool:
        """True if the target is reached."""
        value = self.ratio if self.of_ratio else median(self.ours)
        return value <= self.target if self.at_most else value >= self.target

    def for_json(self) -> dict[str, Any]:
        """All of it."""
        derived = {"ratio": self.ratio, "least": min(self.ratios), "most": max(self.ratios), "reached": self.is_reached}
        return asdict(self) | derived

    def line(self) -> str:
        """A line of the table."""
        sign: Literal["≤", "≥"] = "≤" if self.at_most else "≥"
        cells = (
            self.name,
            self.mails or "none",
            f"{_short(median(self.ours))} {self.unit}",
            f"{_short(median(self.floor))} {self.unit}",
            _short(self.ratio),
            f"{_short(min(self.ratios))} to {_short(max(self.ratios))}",
            f"{sign} {self.target:g}{'' if self.of_ratio else ' ' + self.unit}",
            "yes" if self.is_reached else "no",
            ", ".join(f"{name} {_short(value)}" for name, value in self.facts.items()),
        )
        return f"| {' | '.join(cells)} |"


def table(figures: Iterable[Figure]) -> str:
    """The table of `docs/performance.md`."""
    rule = "|---" * (_HEAD.count("|") - 1) + "|"
    return "\n".join([_HEAD, rule, *(figure.line() for figure in figures)])


def _short(number: float) -> str:
    """Three digits that count."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
