"""Rulesets of the family, and the options that choose them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from pbem.games.game import Options
from pbem.games.hextile.endings import Condition, MakesLoops, TieBreak, largest_loses, largest_wins, tied
from pbem.games.hextile.grid import DECIDED, NE, SE, UNDECIDED, Colour, State, States, W, decide
from pbem.games.options import NobodyCouldWin, Option, in_words


class Joined(StrEnum):
    """The ways in which the tiles of one turn must lie together."""

    CONNECTED = "connected"
    """All of them, automatic ones included, form one connected set."""
    ADJACENT = "adjacent"
    """The two that the player laid touch each other."""
    ANYWHERE = "anywhere"


class Auto(StrEnum):
    """Which spaces are filled by themselves."""

    NONE = "none"
    LIMITED = "limited"
    """Those with three decided corners that one state fits."""
    FULL = "full"
    """All that one state alone fits, however few of their corners are decided."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules that `Position` plays by."""

    states: States
    supply: Mapping[str, int]
    """Tiles of each kind, the start tile included."""
    start: int | None
    """The state of the tile that lies in the middle from the beginning; None if the first player lays it."""
    colours: tuple[Colour, Colour]
    """The colours of the seats."""
    tiles_a_turn: int
    """Laid by hand; the first turn of a game has one."""
    joined: Joined
    both_colours: bool
    """The corners of a turn's tiles must show both colours."""
    auto: Auto
    wins: tuple[Condition, ...]
    """A player who meets any of them has won, but see `pbem.games.hextile.endings.judge`."""
    tie_break: TieBreak
    """Finds the winner when the supply is empty and nothing is decided."""
    swap: bool = False
    """The second player may take the first one's side instead of a turn."""
    forced: Mapping[str, State | None] = field(init=False, repr=False, compare=False)
    """By decided corners of a space: the state that fills it by itself, if one does."""
    prompted: Mapping[tuple[str, int], Mapping[str, State]] = field(init=False, repr=False, compare=False)
    """By decided corners and one that is not yet: what fills the space once that corner has a colour, by colour."""
    _known: dict[tuple[object, ...], bool] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Answers of `takes`, which is asked the same few things again and again."""
    _open: dict[tuple[object, ...], frozenset[tuple[str, int]]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """The same of `stay_open`."""
    _available: dict[tuple[object, ...], tuple[State, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """The same of `available`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "forced", {decided: self._forced(decided) for decided in DECIDED})
        prompted = {(decided, corner): self._prompted(decided, corner) for decided in DECIDED for corner in (W, NE, SE)}
        object.__setattr__(self, "prompted", prompted)

    def takes(self, decided: str, lacking: frozenset[Colour], kinds: frozenset[str]) -> bool:
        """Return True if a tile of one of these kinds fits a space and shows the colours that are lacking."""
        key = decided, lacking, kinds
        if key not in self._known:
            fitting = self.states.fitting(decided)
            self._known[key] = any(state.kind in kinds and lacking <= state.shown for state in fitting)
        return self._known[key]

    def available(self, decided: str, kinds: frozenset[str]) -> tuple[State, ...]:
        """The states of these kinds that fit a space."""
        key = decided, kinds
        if key not in self._available:
            self._available[key] = tuple(each for each in self.states.fitting(decided) if each.kind in kinds)
        return self._available[key]

    def stay_open(self, lacking: frozenset[Colour], kinds: frozenset[str]) -> frozenset[tuple[str, int]]:
        """The spaces, by decided corners and one corner, that take such a tile whatever colour that corner gets.

        Those that would be filled by themselves are not among them.
        """
        key = lacking, kinds
        if key not in self._open:
            self._open[key] = frozenset(
                (decided, corner)
                for decided in DECIDED
                for corner in (W, NE, SE)
                if all(
                    not self.forced[new] and self.takes(new, lacking, kinds)
                    for colour in self.states.corner_colours
                    for new in [decide(decided, corner, colour)]
                )
            )
        return self._open[key]

    def _prompted(self, decided: str, corner: int) -> dict[str, State]:
        if decided[corner] != UNDECIDED:
            return {}
        answers = {colour: self.forced[decide(decided, corner, colour)] for colour in self.states.corner_colours}
        return {str(colour): state for colour, state in answers.items() if state is not None}

    def _forced(self, decided: str) -> State | None:
        if self.auto is Auto.NONE or (self.auto is Auto.LIMITED and UNDECIDED in decided):
            return None
        fitting = self.states.fitting(decided)
        return fitting[0] if len(fitting) == 1 else None


SIZE = Option("size", range(4, 401))
"""The number of tiles."""

DEFAULT_SIZE = 48

SWAP = Option("swap")
"""Sides may be swapped after the first turn."""

LOOPS = Option("loops", range(21))
"""The number of loops with which a group wins; 0: loops do not win."""

AUTO = Option("auto", tuple(auto.value for auto in Auto))
"""Which spaces are filled by themselves."""

TIE_BREAKS: Mapping[str, TieBreak] = {
    "largest_wins": largest_wins,
    "largest_loses": largest_loses,
    "tied": tied,
}
"""The rules for an empty supply, by the names of their options."""

TIE_BREAK_OPTIONS = tuple(Option(name) for name in TIE_BREAKS)

ChosenT = TypeVar("ChosenT")


def chosen(options: Options, meanings: Mapping[str, ChosenT], default: ChosenT) -> ChosenT:
    """The meaning of the one flag that is given; ``default`` if none is."""
    return next((meaning for name, meaning in meanings.items() if name in options), default)


def loops(options: Options, default: int) -> tuple[Condition, ...]:
    """The condition that loops win, unless they do not count."""
    least = options.get(LOOPS.name, default)
    return (MakesLoops(least),) if least else ()


def check_winnable(options: Options, wins: Sequence[Condition], tie_break: TieBreak) -> None:
    """Refuse rules under which every game is a draw.

    Raises:
        NobodyCouldWin: there is no winning condition, and nothing counts in the end.
    """
    if not wins and tie_break is tied:
        raise NobodyCouldWin([in_words(name, value) for name, value in options.items()])
