"""The matches of `docs/robots.md`: what is claimed of the opponents, and of each part of their search."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from pbem.bots.levels import LEVELS, STRONGEST
from tests.matches.players import RANDOM

GAMES = (
    "mambo",
    "mambo mamba",
    "mambo mamboa",
    "mambo mambogo",
    "superbo",
    "superbo single",
    "lambo",
    "lambo eat_enemy",
    "palago",
    "mamba rounds=60",
)
"""Each game, and options that make another game of it; Berg's Mamba ends after 60 rounds for the player with more."""

PARTS = {
    "moves alike": "alike=0",
    "decisive moves": "decisive=0",
    "proofs": "solver=0",
    "playouts that win": "tries=0",
    "first-play urgency": "urgency=10",
    "a tree that is kept": "keeps",
}
"""Parts of the search, and how each is left out; the last one how it is put in."""

PART_PLAYOUTS = 128
"""For a turn, of both sides, where a part is left out on one."""

PART_GAMES = ("superbo", "mambo", "lambo")
"""Where parts are left out."""

LONGEST = ("superbo single", "lambo eat_enemy")
"""Games that would take a night of their own: only the lowest two levels play them here."""

MAIN = ("mambo", "superbo", "lambo", "palago", "mamba rounds=60")
"""What those play that think for long."""

_GAMES_BY_LEVEL = {"robot2": 100, "robot3": 100, "robot4": 40, "robot5": 10}
"""How many games a level plays against the one below: fewer of those that think for long."""
_AGAINST_RANDOM, _WITHOUT_A_PART, _AGAINST_PLAIN = 100, 60, 10


@dataclass(frozen=True, slots=True)
class Match:
    """A match to be played."""

    table: str
    """Which table it belongs to."""
    variant: str
    one: str
    other: str
    games: int
    seed: int = 2026


def matches() -> list[Match]:
    """All of them, in the order in which they are played."""
    ladder, strongest = list(LEVELS), f"plain:{LEVELS[STRONGEST].playouts}"
    found = [Match("random", variant, ladder[0], RANDOM, _AGAINST_RANDOM) for variant in GAMES]
    for below, above in itertools.pairwise(ladder[:-1]):
        found += _level(above, below)
    for part in PARTS.values():
        one, other = f"{PART_PLAYOUTS}", f"{PART_PLAYOUTS},{part}"
        found += [Match("parts", variant, one, other, _WITHOUT_A_PART) for variant in PART_GAMES]
    found += _level(ladder[-1], ladder[-2])
    found += [Match("plain", variant, STRONGEST, strongest, _AGAINST_PLAIN) for variant in MAIN]
    return found


def _level(above: str, below: str) -> list[Match]:
    """What a level plays against the one below."""
    return [Match("levels", variant, above, below, _GAMES_BY_LEVEL[above]) for variant in _played_by(above)]


def _played_by(level: str) -> tuple[str, ...]:
    """The games in which a level plays the one below."""
    if level == "robot2":
        return GAMES
    if level == "robot3":
        return tuple(variant for variant in GAMES if variant not in LONGEST)
    return MAIN
