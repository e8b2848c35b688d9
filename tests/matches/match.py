"""A match: so many games, sides swapped, and what came of it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from pbem.bootstrap import find_games
from pbem.bots.boards import HEXTILE, MAMBA
from pbem.bots.thinking import Memory
from pbem.bots.tree import BEST, PLAIN
from pbem.games.game import Game, Position
from pbem.games.mamba.position import Position as MambaPosition
from tests.matches.players import RANDOM, player

_Z = 1.96
"""The number of standard deviations that hold 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game, from the first player's side."""

    score: float
    """1 for a win, 1/2 for a draw."""
    turns: int
    seconds: tuple[float, float]
    """The time that each player thought in all."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match, from the first player's side."""

    games: Sequence[Played]

    @property
    def score(self) -> float:
        """The share of the points, from 0 to 1."""
        return sum(each.score for each in self.games) / len(self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return interval(self.score, len(self.games))

    @property
    def wins(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        scores = [each.score for each in self.games]
        return sum(each > 1 / 2 for each in scores), scores.count(1 / 2), sum(each < 1 / 2 for each in scores)

    @property
    def seconds_a_turn(self) -> tuple[float, float]:
        """The time that each player thought about a turn."""
        half = sum(each.turns for each in self.games) / 2
        return sum(each.seconds[0] for each in self.games) / half, sum(each.seconds[1] for each in self.games) / half


def interval(score: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a score (Wilson, "Probable inference", 1927; draws count as half).

    Args:
        score: the share of the points, from 0 to 1.
        count: games.
    """
    middle = (score + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    half = _Z / (1 + _Z**2 / count) * math.sqrt(score * (1 - score) / count + _Z**2 / (4 * count**2))
    return middle - half, middle + half


def match(
    variant: str, one: str, other: str, *, games: int, seed: int, jobs: int, played: int = 0, opening: int = 0
) -> Iterator[Played]:
    """Play a match, game by game; half of the games each side begins.

    Args:
        variant: a game and its options in the words of a challenge, dashes left out.
        one: a player, as `tests.matches.players` reads it.
        other: the other.
        games: how many.
        seed: what all lots are drawn by.
        jobs: how many processes play.
        played: how many of the games were played another time.
        opening: how many turns are random before the players begin, the same in each pair of games.
    """
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(play, variant, one, other, seed, opening=opening), range(played, games))


def opened(variant: str, seed: int, number: int, opening: int) -> tuple[Game[Any, Any], Position[Any]]:
    """A game and its position after so many random turns, the same before an even number and the odd one after it."""
    name, *words = variant.split()
    game = find_games()[name]
    position, chance = game.begin(game.read_options(words), 2, 0), Random(f"{variant} {seed} opening {number // 2}")
    for _ in range(opening):
        position = game.read_input(position, player(RANDOM, PLAIN).turn(game, position, chance, None)).position
    return game, position


def play(variant: str, one: str, other: str, seed: int, number: int, *, opening: int = 0) -> Played:
    """One game of a match; in those with odd numbers the other begins."""
    game, position = opened(variant, seed, number, opening)
    lots, seats = Random(f"{variant} {seed} {number}"), (number % 2, 1 - number % 2)
    best = BEST[MAMBA if isinstance(position, MambaPosition) else HEXTILE]
    players = player(one, best), player(other, best)
    memories = [Memory() if each.keeps else None for each in players]
    seconds, turns = [0.0, 0.0], 0
    while position.outcome is None and position.to_act is not None:
        who = seats[position.to_act]
        begun = time.perf_counter()
        text = players[who].turn(game, position, lots, memories[who])
        seconds[who] += time.perf_counter() - begun
        played = game.read_input(position, text)
        position, turns = played.position, turns + 1
        for memory in memories:
            if memory is not None:
                memory.follow(played.steps)
    winners = position.outcome.winners if position.outcome else ()
    score = float(seats.index(0) in winners) if len(winners) == 1 else 1 / 2
    return Played(score, turns, (seconds[0], seconds[1]))
