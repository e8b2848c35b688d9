"""What each first turn of a game is worth: ``python -m tests.matches.openings [playouts] [seed]``.

Every first turn of Palago is played, and the position after it thought about as long as no opponent of a server does.
Each line goes to `OPENINGS` at once, and is not thought about again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pbem.bootstrap.games import find_games
from pbem.bots.thinking import think

OPENINGS = Path(__file__).parent / "openings.jsonl"
GAME = "palago"
PLAYOUTS = 200_000
SEED = 2026


def main(playouts: int, seed: int) -> None:
    """Look at those first turns that are still missing."""
    known = {(each["turn"], each["playouts"], each["seed"]) for each in openings()}
    game = find_games()[GAME]
    beginning = game.begin(game.read_options(()), 2, 0)
    for step in beginning.legal():
        after = beginning.play(step)
        turn = game.input_text(after, [step]).move
        if (turn, playouts, seed) not in known:
            best = think(game, after, playouts=playouts, seed=seed).candidates[0]
            facts = {"turn": turn, "playouts": playouts, "seed": seed, "worth": round(1 - best.worth, 4)}
            _keep(facts | {"proven": best.proven, "line": best.moves})


def _keep(facts: dict[str, Any]) -> None:
    print(facts, flush=True)
    with OPENINGS.open("a", encoding="utf-8") as file:
        print(json.dumps(facts), file=file)


def openings() -> list[dict[str, Any]]:
    """What was looked at so far: a first turn, its worth to who plays it, and what follows if both play their best."""
    return [json.loads(each) for each in OPENINGS.read_text().splitlines()] if OPENINGS.exists() else []


def table() -> str:
    """The worth of each first turn, in per cent, as Markdown: a row for each space, a column for each state."""
    found: dict[str, dict[str, list[float]]] = {}
    for each in openings():
        space, state = each["turn"][0], each["turn"][1:]
        found.setdefault(space, {}).setdefault(state, []).append(each["worth"])
    states = sorted({state for row in found.values() for state in row})
    rows = [["", *states], ["---"] * (len(states) + 1)]
    for space, row in sorted(found.items()):
        rows.append([space, *(" ".join(f"{100 * worth:.1f}" for worth in row.get(state, ())) for state in states)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]]
    main(*(numbers + [PLAYOUTS, SEED][len(numbers) :]))
