"""A robot that thinks for so long, of whatever version of the project stands on the path: ``python engine.py``.

It reads a JSON object a line, with a game, its options, the turns so far, seconds and a seed, and writes the turn that
it plays with the processor time that it took. It imports nothing of `tests`, so that older versions can be run as well.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from pbem.bootstrap import find_games
from pbem.bots.thinking import think

_FIRST = 128
"""Playouts for the first turn in a game, when their speed is not known yet."""
_MOST_GROWTH = 4
"""Times as many playouts as in the turn before are made at most."""


class Engine:
    """Makes about as many playouts as the time allows, by the speed of the turn before."""

    def __init__(self) -> None:
        self._games = find_games()
        self._playouts = dict[str, int]()

    def turn(self, variant: str, turns: Sequence[str], seconds: float, seed: int) -> tuple[str, float]:
        """The best turn after those of a game, and the processor time that it took."""
        name, *words = variant.split()
        game = self._games[name]
        position = game.begin(game.read_options(words), 2, 0)
        for text in turns:
            position = game.read_input(position, text).position
        playouts = self._playouts.get(variant, _FIRST)
        begun = time.process_time()
        thought = think(game, position, playouts=playouts, seed=seed)
        took = time.process_time() - begun
        if thought.playouts >= playouts:
            times = min(_MOST_GROWTH, seconds / max(took, 1e-3))
            self._playouts[variant] = max(_FIRST, int(playouts * times))
        return thought.candidates[0].moves[0], took


def serve(lines: Sequence[str] | Any, say: Callable[[str], None]) -> None:
    """Answer each line."""
    engine = Engine()
    for line in lines:
        asked = json.loads(line)
        move, took = engine.turn(asked["variant"], asked["turns"], asked["seconds"], asked["seed"])
        say(json.dumps({"move": move, "seconds": took}))


if __name__ == "__main__":
    serve(sys.stdin, lambda text: print(text, flush=True))
