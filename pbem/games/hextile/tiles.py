"""Tiles: the states in which one can lie, and which of them fit a space.

On a face a *bridge* of one colour joins two corners and a *tip* of the same or the other colour sits
on the third. The rest is white: a white bridge joins the two white points beside the tip, a white tip
sits opposite it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from pbem.games.hextile.grid import NE, SE, W


class Colour(StrEnum):
    """The colour of a region; corners are never white."""

    O = "o"  # noqa: E741  the name of the side, in the rules and in every drawing
    X = "x"
    WHITE = "white"


UNDECIDED = "."
"""Stands for a corner that no tile has coloured yet."""

DECIDED = tuple("".join(corners) for corners in product(UNDECIDED + "ox", repeat=3))
"""All that neighbours can decide of a space: the colours of W, NE and SE, a letter each."""

CORNER_NAMES = ("W", "NE", "SE")

ENDS = ((NE, SE), (W, SE), (W, NE))
"""The two corners that are not the tip's, by the index of the tip's corner."""


@dataclass(frozen=True, slots=True)
class State:
    """A face of a tile in one of its three rotations, by the number that players type."""

    number: int
    bridge: Colour
    tip: Colour
    tip_at: int
    """The index of the tip's corner: W, NE or SE."""
    kind: str
    """Which tiles of the supply have this face."""
    colours: tuple[Colour, ...] = field(init=False, repr=False, compare=False)
    """What the corners W, NE and SE show."""
    shown: frozenset[Colour] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shown = tuple(self.tip if corner == self.tip_at else self.bridge for corner in (W, NE, SE))
        object.__setattr__(self, "colours", shown)
        object.__setattr__(self, "shown", frozenset(shown))

    @property
    def ends(self) -> tuple[int, int]:
        """The indices of the two corners that the bridge joins."""
        return ENDS[self.tip_at]


@dataclass(frozen=True, slots=True)
class States:
    """The states of one game, numbered from 1, and which of them fit where.

    ``faces`` are pairs of bridge and tip (``"ox"``), each with its kind, in the order of the numbers.
    """

    faces: tuple[tuple[str, str], ...]
    _numbered: tuple[State, ...] = field(init=False, repr=False, compare=False)
    _fitting: dict[str, tuple[State, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbered = tuple(_number(self.faces))
        fitting = {decided: tuple(s for s in numbered if fits(s, decided)) for decided in DECIDED}
        object.__setattr__(self, "_numbered", numbered)
        object.__setattr__(self, "_fitting", fitting)

    def __len__(self) -> int:
        return len(self._numbered)

    def __iter__(self) -> Iterator[State]:
        return iter(self._numbered)

    def __contains__(self, number: int) -> bool:
        return 1 <= number <= len(self._numbered)

    def __getitem__(self, number: int) -> State:
        return self._numbered[number - 1]

    @property
    def corner_colours(self) -> frozenset[Colour]:
        """The colours that corners can have."""
        return frozenset(colour for state in self for colour in state.colours)

    def fitting(self, decided: str) -> tuple[State, ...]:
        """The states that fit a space with these corners: W, NE, SE, a letter each, ``.`` if undecided."""
        return self._fitting[decided]


def decide(decided: str, corner: int, colour: str) -> str:
    """The corners of a space once one more is decided, or confirmed."""
    return decided[:corner] + colour + decided[corner + 1 :]


def fits(state: State, decided: str) -> bool:
    """Whether every decided corner of a space has the state's colour there."""
    return all(there in (UNDECIDED, here) for here, there in zip(state.colours, decided, strict=True))


def _number(faces: Iterable[tuple[str, str]]) -> Iterator[State]:
    turned = ((face, kind, tip_at) for face, kind in faces for tip_at in (W, NE, SE))
    for number, (face, kind, tip_at) in enumerate(turned, start=1):
        bridge, tip = map(Colour, face)
        yield State(number, bridge, tip, tip_at, kind)
