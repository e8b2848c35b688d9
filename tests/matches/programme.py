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
    "playouts that win": "tries=1",
    "first-play urgency": "urgency=10",
    "a tree that is kept": "keeps",
}
"""Parts of the search, and how each is left out; the last one how it is put in."""

PART_PLAYOUTS = 512
"""For a turn, of both sides, where a part is left out on one."""

FEWER = ("mamba rounds=60",)
"""Games that last so long that a match has a third of the games."""


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
    """All of them, the quickest tables first."""
    ladder = list(LEVELS)
    strongest = f"plain:{LEVELS[STRONGEST].playouts}"
    found = [Match("random", variant, ladder[0], RANDOM, 100) for variant in GAMES]
    for below, above in itertools.pairwise(ladder):
        found += [Match("levels", variant, above, below, 100) for variant in GAMES]
    for part in PARTS.values():
        found += [Match("parts", variant, f"{PART_PLAYOUTS}", f"{PART_PLAYOUTS},{part}", 100) for variant in GAMES]
    found += [Match("plain", variant, STRONGEST, strongest, 60) for variant in GAMES]
    return [_shorter(match) for match in found]


def _shorter(match: Match) -> Match:
    if match.variant not in FEWER:
        return match
    return Match(match.table, match.variant, match.one, match.other, match.games // 3 // 2 * 2, match.seed)
