"""The worth of each first turn of a game: ``python -m tests.matches.openings [--playouts 200000] [--seed 1] [A2 B2]``.

Every first turn of Palago is played, and the position after it thought about as long as no opponent of a server does.
Each line goes to `OPENINGS` at once, and is not thought about again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pbem.bootstrap import find_games
from pbem.bots.thinking import think

OPENINGS = Path(__file__).parent / "openings.jsonl"
GAME = "palago"
PAIRS = (
    ("A1", "D1"),
    ("A2", "B3", "C2", "D3"),
    ("A3", "D2", "E3", "F2"),
    ("B1", "C1", "E1", "F1"),
    ("B2", "C3"),
    ("E2", "F3"),
)
"""First turns that make the same pair with the tile at the start, turned or seen in a mirror."""


def main(playouts: int, seed: int, turns: Collection[str]) -> None:
    """Look at those first turns that are still missing; without ``turns`` at all."""
    known = {(each["turn"], each["playouts"], each["seed"]) for each in openings()}
    game = find_games()[GAME]
    beginning = game.begin(game.read_options(()), 2, 0)
    for step in beginning.legal():
        after = beginning.play(step)
        turn = game.input_text(after, [step]).move
        if (turn, playouts, seed) not in known and (not turns or turn in turns):
            best = think(game, after, playouts=playouts, seed=seed).candidates[0]
            facts = {"turn": turn, "playouts": playouts, "seed": seed, "worth": round(1 - best.worth, 4)}
            _keep(facts | {"proven": best.proven, "line": best.moves})


def _keep(facts: dict[str, Any]) -> None:
    print(facts, flush=True)
    with OPENINGS.open("a", encoding="utf-8") as file:
        print(json.dumps(facts), file=file)


def openings() -> list[dict[str, Any]]:
    """The first turns looked at so far, each with its worth for the mover and the best play that follows."""
    return [json.loads(each) for each in OPENINGS.read_text().splitlines()] if OPENINGS.exists() else []


def table() -> str:
    """The worth of each pair to who laid its second tile, in per cent, as Markdown: a row for each pair."""
    found = openings()
    depths = sorted({each["playouts"] for each in found})
    rows = [["first turn", *(f"{depth:,} playouts" for depth in depths)], ["---"] * (len(depths) + 1)]
    for pair in PAIRS:
        cells = []
        for depth in depths:
            looked = {each["turn"]: each["worth"] for each in found if each["playouts"] == depth}
            worths = [looked[turn] for turn in pair if turn in looked]
            cells.append(" ".join(f"{100 * worth:.1f}" for worth in worths))
        rows.append([", ".join(pair), *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.matches.openings", description=__doc__)
    parser.add_argument("turns", nargs="*", help="A2, for example; all if none is named")
    parser.add_argument("--playouts", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=2026)
    asked = parser.parse_args()
    main(asked.playouts, asked.seed, asked.turns)
