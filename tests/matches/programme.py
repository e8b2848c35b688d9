"""The matches of `docs/robots.md`: what is claimed of the opponents, and of each part of their search."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from pbem.bots.boards import LEVELS, STRONGEST
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


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the search: a player against one who differs in that alone, on equal terms."""

    one: str
    """Settings of the first player, beside what is known to be best."""
    other: str
    games: int = 60
    seed: int = 2026


PARTS = {
    "moves alike": Part("", "alike=0"),
    "proofs": Part("", "solver=0", games=200, seed=2027),
    "decisive moves beside proofs": Part("decisive=1", "", games=200, seed=2027),
    "decisive moves without": Part("decisive=1,solver=0", "solver=0", games=200, seed=2027),
    "playouts that win": Part("", "wins=0"),
    "first-play urgency": Part("", "urgency=10"),
    "a tree that is kept": Part("keeps", ""),
}
"""Parts of the search, each with and without; those that showed little at first are played longer."""

PART_PLAYOUTS = 128
"""For a turn, of both sides, where a part is measured."""

PART_GAMES = ("superbo", "mambo", "lambo")
"""The games in which parts are measured."""

HALL = {
    "hex size=7": "Hex `-size=7`",
    "connect4": "Connect Four",
    "breakthrough": "Breakthrough",
    "kalah": "Kalah",
    "uttt": "Ultimate Tic-Tac-Toe",
    "othello": "Othello",
    "dots size=4": "Dots and Boxes `-size=4`",
}
"""The games of the hall in which its levels are measured, and their titles."""
HALL_OPENING = 4
"""Random turns before a game of these; the same ones for two games, in which sides are swapped."""
_FEWER_IN_HALL = {("robot5", "othello"): 10, ("robot5", "dots size=4"): 20, ("robot5", "breakthrough"): 20}

MAIN = ("mambo", "superbo", "lambo", "palago", "mamba rounds=60")
"""The games in which the strongest is measured against plain UCT."""

_GAMES_BY_LEVEL = {"robot2": 100, "robot3": 100, "robot4": 40, "robot5": 40}
"""The number of games of a level against the one below: fewer for those that think for long."""
_LONGEST_OF_ALL = {("robot5", "lambo eat_enemy"): 20}
"""There a game takes the strongest a minute and more."""
_MOST_OF_A_PART = {"superbo": 60}
"""The most games in which a part is measured, where they take long."""
_AGAINST_RANDOM, _AGAINST_PLAIN = 100, 10


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
    opening: int = 0
    """Random turns before the first of its own."""


def hall_matches() -> list[Match]:
    """Each level in the hall against the one below, the quickest first."""
    found = []
    for below, above in itertools.pairwise(LEVELS):
        for variant in HALL:
            count = _FEWER_IN_HALL.get((above, variant), _GAMES_BY_LEVEL[above])
            found.append(Match("hall", variant, above, below, count, opening=HALL_OPENING))
    return found


def matches() -> list[Match]:
    """All of them but those of the hall, in the order in which they are played."""
    ladder, strongest = list(LEVELS), f"plain:{STRONGEST}"
    found = [Match("random", variant, ladder[0], RANDOM, _AGAINST_RANDOM) for variant in GAMES]
    for below, above in itertools.pairwise(ladder[:-1]):
        found += _level(above, below)
    found += _level(ladder[-1], ladder[-2])
    found += [Match("plain", variant, STRONGEST, strongest, _AGAINST_PLAIN) for variant in MAIN]
    for part in PARTS.values():
        players = with_settings(part.one), with_settings(part.other)
        games = {variant: min(part.games, _MOST_OF_A_PART.get(variant, part.games)) for variant in PART_GAMES}
        found += [Match("parts", variant, *players, count, part.seed) for variant, count in games.items()]
    return found


def with_settings(settings: str) -> str:
    """A player where a part is measured, as `tests.matches.players` reads it."""
    return f"{PART_PLAYOUTS},{settings}".rstrip(",")


def _level(above: str, below: str) -> list[Match]:
    """The matches of a level against the one below."""
    games = {variant: _LONGEST_OF_ALL.get((above, variant), _GAMES_BY_LEVEL[above]) for variant in GAMES}
    return [Match("levels", variant, above, below, count) for variant, count in games.items()]
