"""The options that several games of the family have, and what they mean for a ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pbem.games.game import Options
from pbem.games.hextile.endings import Condition, MakesLoops
from pbem.games.hextile.ruleset import Auto
from pbem.games.hextile.tie_breaks import TieBreak, largest_loses, largest_wins, tied
from pbem.games.options import NobodyCouldWin, Option, in_words

SIZE = Option("size", range(4, 401))
"""How many tiles there are."""

DEFAULT_SIZE = 48

SWAP = Option("swap")
"""Whether sides may be swapped after the first turn."""

LOOPS = Option("loops", range(21))
"""How many loops of a group win; 0: they do not."""

AUTO = Option("auto", tuple(auto.value for auto in Auto))
"""Which spaces are filled by themselves."""

TIE_BREAKS: Mapping[str, TieBreak] = {
    "largest_wins": largest_wins,
    "largest_loses": largest_loses,
    "tied": tied,
}
"""What counts when the supply is empty; the names are options."""

TIE_BREAK_OPTIONS = tuple(Option(name) for name in TIE_BREAKS)

ChosenT = TypeVar("ChosenT")


def chosen(options: Options, meanings: Mapping[str, ChosenT], default: ChosenT) -> ChosenT:
    """What the one of several flags that is given means; ``default`` if none is."""
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
