"""The players of a match: ``random``, ``robot3``, or playouts with settings: ``plain:1024``, ``1024,alike=0,keeps``."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any

from pbem.bots.boards import LEVELS, Level
from pbem.bots.thinking import Memory, think
from pbem.bots.tree import PLAIN, Settings
from pbem.games.game import Game, Position

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a match."""

    name: str
    playouts: int | Level = 0
    """For a turn, or whose; 0 plays by lot."""
    settings: Settings = Settings()

    keeps: bool = False
    """True to keep its tree from turn to turn."""

    def turn(self, game: Game[Any, Any], position: Position[Any], lots: Random, memory: Memory | None) -> str:
        """The text of what is played, which is a whole input."""
        if self.playouts:
            seed = lots.getrandbits(31)
            count = self.playouts if isinstance(self.playouts, int) else self.playouts.playouts_in(position)
            thought = think(game, position, playouts=count, seed=seed, settings=self.settings, memory=memory)
            return thought.candidates[0].moves[0]
        steps = []
        while True:
            steps.append(lots.choice(position.legal()))
            position = position.play(steps[-1])
            if position.outcome or not position.mid_turn or position.decision:
                return game.input_text(position, steps).move


def player(name: str, best: Settings) -> Player:
    """Read who plays.

    Args:
        name: who.
        best: the settings that are best in the game, of which ``name`` may change some.

    Raises:
        ValueError: it is none of what may stand here.
    """
    if name == RANDOM:
        return Player(name)
    who, *changes = name.split(",")
    settings = PLAIN if who.startswith("plain:") else best
    who = who.removeprefix("plain:")
    level = LEVELS.get(who)
    keeps = "keeps" in changes
    changes = [change for change in changes if change != "keeps"]
    kinds = {field.name: type(getattr(settings, field.name)) for field in fields(settings)}
    for change in changes:
        key, _, value = change.partition("=")
        settings = replace(settings, **{key: kinds[key](float(value))})
    return Player(name, level or int(who), settings, keeps)
