"""Random games of Mamba against the facts of its rules: ``python -m tests.bench.mamba_games [games] [seed]``.

The random turn: where a piece may lay, one does half of the time, evenly among all layings; else a move, evenly.
Decisions are made evenly. Behind what is measured stands the fact; it is rough, and so nothing is marked.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from pbem.games.mamba.events import Cut, Laid, Suffocated, Turned
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.steps import Lay, Pass, Step

GAMES = 300

SEED = 1

TURNS = {2: 470, 3: 600, 4: 710}
"""The median length of a game, by the number of players."""

EVENTS = {Laid: ("layings", 14), Turned: ("transformations", 19), Suffocated: ("suffocated", 7), Cut: ("overpop.", 5)}
"""The frequency of events in 100 turns."""


@dataclass(slots=True)
class Tally:
    """The counts over some games."""

    turns: list[int] = field(default_factory=list)
    happened: Counter[type] = field(default_factory=Counter)
    decisions: int = 0
    by_others: int = 0
    uncertain: int = 0
    """Asked because it would have been too much to find out whether they matter."""
    endings: Counter[str] = field(default_factory=Counter)

    def rate(self, count: int) -> float:
        """So many in 100 turns."""
        return 100 * count / sum(self.turns)


def random_step(position: Position, chance: random.Random) -> Step:
    """A laying half of the time that there is one, else a move; or any answer to a decision."""
    steps = position.legal()
    layings = [step for step in steps if isinstance(step, Lay)]
    if layings and chance.random() < 0.5:
        return chance.choice(layings)
    others = [step for step in steps if not isinstance(step, Lay | Pass)]
    return chance.choice(others or steps)


def play(position: Position, chance: random.Random, tally: Tally) -> None:
    """Play one game to its end."""
    while position.outcome is None:
        if position.pending is not None:
            tally.decisions += 1
            tally.by_others += position.to_act != position.on_turn
            tally.uncertain += not position.pending.certain
        position = position.play(random_step(position, chance))
        if position.latest is not None and not position.mid_turn and position.pending is None:
            tally.happened.update(type(event) for event in position.latest.happened)
    tally.turns.append(position.ply)
    tally.endings[str(position.outcome.ending)] += 1


def report(players: int, games: int, seed: int) -> None:
    """Print the lines of one number of players."""
    chance, tally, began = random.Random(seed), Tally(), time.perf_counter()
    for _ in range(games):
        play(MAMBA.begin({}, players), chance, tally)
    took = time.perf_counter() - began
    print(f"{players} players, {games} games, {1000 * took / sum(tally.turns):.2f} ms a turn")
    print(f"  {'median turns':34}{median(tally.turns):8.0f} {TURNS[players]:6}")
    for event, (name, fact) in EVENTS.items():
        print(f"  {name + ' in 100 turns':34}{tally.rate(tally.happened[event]):8.1f} {fact:6}")
    print(f"  {'decisions in 100 turns':34}{tally.rate(tally.decisions):8.2f}")
    print(f"  {'by players not on turn':34}{tally.rate(tally.by_others):8.2f}")
    print(f"  {'not known to matter':34}{tally.rate(tally.uncertain):8.2f}")
    print("  " + ", ".join(f"{ending} {count}" for ending, count in tally.endings.most_common()))


def main(games: int = GAMES, seed: int = SEED) -> int:
    """Print what was measured beside the facts."""
    for players in TURNS:
        report(players, games, seed)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
