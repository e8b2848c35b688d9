"""Whole games by the rules and by `naive`, step by step: ``python -m tests.games.hextile.differential --seconds 60``.

Options are drawn at random, ``must_contain`` more often than others. Most games are steered towards groups with few
ways out: of both sides, so that one turn closes them and both players win at once now and then, or of either.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, count, product
from random import Random
from typing import Any

from pbem.games.game import Ending
from pbem.games.hextile.position import SWAP, Placement, Position
from tests.games.hextile import naive
from tests.games.hextile.playing import GAMES

LOOKED_AT = 16
"""Placements among which a steered game chooses."""
WHOLE = 12
"""All that is legal is held against the model before one placement in so many."""


class Differs(Exception):
    """The rules and the model disagree."""


def options_at_random(lots: Random) -> tuple[str, dict[str, Any]]:
    """A game and options that go together."""
    game = lots.choices(("lambo", "mambo", "superbo", "palago"), (9, 4, 5, 1))[0]
    some = {"lambo": _of_lambo, "mambo": _of_mambo, "superbo": _of_superbo}[game](lots) if game != "palago" else {}
    if game != "superbo":
        some["size"] = lots.choice((lots.randint(4, 30), lots.randint(24, 70), lots.randint(40, 60)))
    if lots.random() < 0.15:
        some["swap"] = True
    return game, some


def _of_lambo(lots: Random) -> dict[str, Any]:
    some: dict[str, Any] = {lots.choice(("adjacent", "anywhere")): True} if lots.random() < 0.5 else {}
    goal = lots.random()
    if goal < 0.6:
        return some | {"must_contain": True}
    if goal < 0.8:
        return some | {"eat_enemy": lots.randint(1, 4)}
    if goal < 0.9:
        return some | {"eat_size": lots.randint(0, 3)}
    return some | lots.choice(({}, {"no_contain": True}))


def _of_mambo(lots: Random) -> dict[str, Any]:
    preset = lots.choice(("", "", "", "mamba", "mamboa", "mambogo"))
    some: dict[str, Any] = {preset: True} if preset else {}
    if lots.random() < 0.5:
        some["auto"] = lots.choice(("none", "limited", "full"))
    if lots.random() < 0.4:
        some["loops"] = lots.randint(0, 4)
    if lots.random() < 0.3:
        some[lots.choice(("kill", "no_kill"))] = True
    ends = lots.choice(("", "", "largest_wins", "largest_loses", "territory"))
    some |= {ends: True} if ends else {}
    if ends == "territory" or (preset == "mambogo" and not ends):
        some |= lots.choice(({}, {"tiebreak": "smallest"}, {"tiebreak": "total"}))
    elif not ends and "kill" in some and lots.random() < 0.5:
        some["tied"] = True
    return some


def _of_superbo(lots: Random) -> dict[str, Any]:
    some: dict[str, Any] = {"num_tiles": lots.choice((lots.randint(2, 20), 32))}
    for words, likely in (
        (("adjacent_pair", "anywhere", "single"), 0.6),
        (("both_colours", "any_colour"), 0.5),
        (("kill_eye", "kill_own", "kill_enemy"), 0.75),
        (("largest_wins", "largest_loses", "tied"), 0.4),
    ):
        if lots.random() < likely:
            some[lots.choice(words)] = True
    if lots.random() < 0.4:
        some["kill_size"] = lots.randint(0, 5)
    if lots.random() < 0.3:
        some["auto"] = lots.choice(("none", "limited"))
    if lots.random() < 0.3:
        some["loops"] = lots.randint(0, 3)
    return some


class Game:
    """One game, played by both.

    Args:
        seed: of the run.
        number: of the game in it; with the seed, all that is random.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.seed, self.number = seed, number
        self.lots = Random(f"{seed} {number}")
        self.game, self.options = options_at_random(self.lots)
        self.position: Position = GAMES[self.game].begin(self.options, 2)
        self.state = naive.begin(self.game, self.options)
        self.sides = self.lots.choices((0, 1, 2), (1, 1, 3))[0]
        self.steps: list[Placement | str] = []
        self.counts = Counter[str](games=1)

    def play(self) -> Counter[str]:
        """Play to the end and count what was compared.

        Raises:
            Differs: the two disagree.
        """
        while self.position.outcome is None:
            self._compare_legal()
            if self.position.may_swap and self.lots.random() < 0.5:
                self.steps.append("swap")
                self.position, self.state = self.position.play(SWAP), naive.swapped(self.state)
                continue
            step = self._chosen()
            self.steps.append(step)
            self.position, self.state = self.position.play(step), naive.laid(self.state, step.cell, step.state)
            self._compare()
        self.counts["turns"] = self.position.ply
        name = "must_contain" if "must_contain" in self.options else self.game
        self.counts[name] = 1
        for what in ("early", "by_both"):
            if getattr(self.state, what):
                self.counts[f"{what}: {name}"] = self.counts[f"{what}: all"] = 1
        return self.counts

    def _compare(self) -> None:
        position, state = self.position, self.state
        self.counts["tiles"] += 1
        tiles = {tuple(cell): laid.number for cell, laid in position.layout.tiles.items()}
        self._same("tiles", tiles, state.table.tiles)
        self._same("supply", list(position.supply.values()), list(state.supply))
        self._same("mid-turn", position.mid_turn, bool(state.hand))
        turn = position.turn or position.last_turn
        self._same("order", [(tuple(each.cell), each.state.number) for each in turn], list(state.turn))
        outcome = position.outcome
        self._same("over", outcome is not None, state.is_over)
        if outcome is not None:
            self._same("winners", outcome.winners, () if state.winner is None else (state.winner,))
            self._same("early", outcome.ending != Ending.SUPPLY_EMPTY, state.early)

    def _compare_legal(self) -> None:
        fitting = {(tuple(cell), number) for cell, states in self.position.fitting().items() for number in states}
        self._same("fitting", fitting, set(naive.fitting(self.state)))
        if self.lots.randrange(WHOLE) == 0:
            legal = self._legal()
            self._same("legal", {(tuple(step.cell), step.state) for step in legal}, naive.legal(self.state))
            self.counts["legal"] += len(legal)

    def _same(self, what: str, one: object, other: object) -> None:
        if one != other:
            raise Differs(
                f"game {self.number} of seed {self.seed}, {self.game} {json.dumps(self.options)}: {what} by the rules "
                f"{one}, by the model {other}, after {self.steps}"
            )

    def _legal(self) -> list[Placement]:
        return [step for step in self.position.legal() if isinstance(step, Placement)]

    def _chosen(self) -> Placement:
        legal = self._legal()
        if self.sides == 0 or self.lots.random() < 0.1:
            return self.lots.choice(legal)
        aim = ways_out(self.state, self.sides)
        near = [step for step in legal if step.cell in aim] or legal
        looked_at = self.lots.sample(near, min(LOOKED_AT, len(near))) + self.lots.sample(legal, min(4, len(legal)))
        return min(looked_at, key=lambda step: self._distance(naive.laid(self.state, step.cell, step.state)))

    def _distance(self, after: naive.State) -> float:
        """The distance to a won game; to one that both players win if the game is steered towards that."""
        if after.is_over:
            return -1 if after.by_both or (after.early and self.sides == 1) else 100 + after.early
        return len(ways_out(after, self.sides)) + self.lots.random()


def ways_out(state: naive.State, sides: int) -> set[naive.Cell]:
    """The fewest spaces that must be filled to close a group of either side, or of both."""
    by_side = [sorted(_to_close(state, colour), key=len)[:4] for colour in state.colours]
    found = (one | other for one, other in product(*by_side)) if sides == 2 else chain(*by_side)
    return min(found, key=len, default=state.table.spaces)


def _to_close(state: naive.State, colour: str) -> Iterator[set[naive.Cell]]:
    """The ways out of groups that may win or lose the game once they are closed."""
    wants_loops = state.rules.options.keys() & {"must_contain", "eat_enemy", "eat_size"} or (
        state.rules.game == "superbo" and not state.rules.options.keys() & {"kill_own", "kill_enemy"}
    )
    size = state.rules.options.get("kill_size", 1) if state.rules.game != "mambo" else 0
    for group in state.table.of(colour):
        if group.ways_out and group.bridges >= size and (group.loops or not wants_loops):
            yield group.ways_out


def run(seed: int, numbers: Sequence[int] | Iterator[int], seconds: float = float("inf")) -> Counter[str]:
    """Play games of a seed until the time is over, and add up what was compared."""
    counts, end = Counter[str](), time.monotonic() + seconds
    for number in numbers:
        if time.monotonic() > end:
            break
        counts += Game(seed, number).play()
    return counts


def main() -> int:
    """Play for a while and say what was compared; 1 if the rules and the model disagree."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int)
    options.add_argument("--game", type=int, help="play this game of the seed alone")
    given = options.parse_args()
    seed = secrets.randbelow(10**6) if given.seed is None else given.seed
    sys.stdout.write(f"seed {seed}\n")
    sys.stdout.flush()
    try:
        counts = run(seed, count() if given.game is None else (given.game,), given.seconds)
    except Differs as differs:
        sys.stdout.write(f"{differs}\n")
        return 1
    sys.stdout.write("".join(f"{number:8} {what}\n" for what, number in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
