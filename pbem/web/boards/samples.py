"""Short games with which pages show what a game is like, played by the computer opponents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

_LEADING = "superbo"


def leading_first(names: Iterable[str]) -> list[str]:
    """The names of games, the one that pages begin with before the others."""
    return sorted(names, key=lambda each: (each != _LEADING, each))


_TURNS = {
    "superbo": "E2 F10,K4 G3,D7 Q11,AA1 R7,Y5 AJ3,AK8 B8,W4 Z1",
    "mambo": "A4 E4 H5 D6 J2 T5 G1 AA4 M3 AB3 Q4 AK6 AJ2 AF4 AM6",
    "lambo": "C2 B3,G3 M2,P2 U1,Y3 H3,Q3",
    "palago": "C1 D2,J3 A2,F1 P1,Q1 E1,V1 AA1,AB2",
}

_STEPS = {
    "mamba": """
        move d2-b2; move d7-d5; move f2-g3; lay d5>c6; move c6-e6; lay b2>c1; move b2-c2; move d9-c8; move c2-c4
        move d8-d7; move g3-g1; move d7-d6; move f3-g3; lay c8>d9; move d5-b5; lay g3>f3; move d3-c3; move d6-d8
        move c4-d3; lay b5>c6; move c8-c7; move g3-f4; move c7-b8; move f4-e5; lay b8>c8; cut f8; move b5-d5
    """,
}
"""A game of which only the beginning is short enough."""

SAMPLES: Mapping[str, Sequence[str]] = {
    **{name: turns.split() for name, turns in _TURNS.items()},
    **{
        name: [step.strip() for step in steps.replace("\n", ";").split(";") if step.strip()]
        for name, steps in _STEPS.items()
    },
}
"""The turns by game, in the words of the notation."""
