"""Short games with which pages show what a game is like, played by the computer opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_TURNS = {
    "lambo": "C2 B3,G3 M2,P2 U1,Y3 H3,Q3",
    "superbo": "E2 F10,K4 G3,D7 Q11,AA1 R7,Y5 AJ3,AK8 B8,W4 Z1",
    "mambo": "A4 E4 H5 D6 J2 T5 G1 AA4 M3 AB3 Q4 AK6 AJ2 AF4 AM6",
}

SAMPLES: Mapping[str, Sequence[str]] = {name: turns.split() for name, turns in _TURNS.items()}
"""The turns by game, in the words of the notation."""
