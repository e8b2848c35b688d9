"""A drawing that plays a game by itself, over and over: one SVG, animated without scripts or style sheets.

It begins with the last position, so that nobody sees an empty board first.

Each thing that lies on the board for a while is drawn once and shown while it lies there (SMIL), so a whole game is
hardly larger than its last position.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from pbem.diagrams import number

STEP, LAST = 0.6, 4.0
"""Seconds for which each position is shown, and the last one."""

PALE = 0.35
"""Opacity in the last position of what has not decided the game."""

Frame: TypeAlias = Mapping[Any, str]
"""A position: for each place something that lies there, as markup."""


def animated(frames: Sequence[Frame], lit: Collection[Hashable] = ()) -> str:
    """The markup of all that lies on the board in any of the positions.

    Args:
        frames: the positions in their order.
        lit: the places that have decided the game; if there are any, the others turn pale at the end.
    """
    return "".join(_shown(*each, frames, lit) for each in _lying(frames))


def _lying(frames: Sequence[Frame]) -> list[tuple[Hashable, str, int, int]]:
    """All things with their places, each with its first frame and the first one in which it is gone."""
    found, since = list[tuple[Hashable, str, int, int]](), dict[Hashable, tuple[str, int]]()
    for at, frame in enumerate(chain(frames, ({},))):
        for place in [place for place, (art, _) in since.items() if frame.get(place) != art]:
            art, begun = since.pop(place)
            found.append((place, art, begun, at))
        for place, art in frame.items():
            since.setdefault(place, (art, at))
    return sorted(found, key=lambda each: each[2])


def _shown(place: Hashable, art: str, begin: int, end: int, frames: Sequence[Frame], lit: Collection[Hashable]) -> str:
    whole, count = STEP * (len(frames) - 1) + LAST, len(frames)
    times, values = [0.0], [1.0 if begin == 0 else 0.0]
    for at, value in ((begin, 1.0), (count - 1 if lit and place not in lit else count, PALE), (end, 0.0)):
        if 0 < at < count and at <= end:
            times.append(STEP * at / whole)
            values.append(value)
    if len(times) == 1:
        return art
    opacities, when = ";".join(map(number, values)), ";".join(f"{time:.4f}" for time in times)
    return (
        f'<g opacity="{number(values[-1])}">{art}<animate attributeName="opacity" calcMode="discrete" '
        f'values="{opacities}" keyTimes="{when}" begin="-{number(STEP * (count - 1))}s" dur="{number(whole)}s" '
        'repeatCount="indefinite"/></g>'
    )
