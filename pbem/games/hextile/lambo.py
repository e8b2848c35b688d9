"""Lambo and Palago (Cameron Browne, 2008): Light against Dark; close a group of one's own."""

from __future__ import annotations

from pbem.games.game import Options
from pbem.games.hextile import HexTileGame
from pbem.games.hextile.endings import (
    Closes,
    Condition,
    Contains,
    Eats,
    MostEaten,
    TieBreak,
    largest_closed,
    largest_wins,
    tied,
)
from pbem.games.hextile.grid import Colour, States
from pbem.games.hextile.ruleset import DEFAULT_SIZE, SIZE, SWAP, Auto, Joined, Ruleset
from pbem.games.options import Clash, Option, Vocabulary

TILE = "tile"
"""The one kind of tiles: bridge and tip are dark, the rest is light."""

SIDES = {Colour.WHITE: "Light", Colour.O: "Dark"}

VOCABULARY = Vocabulary(
    (
        Option("adjacent"),
        Option("anywhere"),
        Option("eat_enemy", range(1, 21), unsaid=2),
        Option("eat_size", range(101)),
        Option("must_contain"),
        Option("no_contain"),
        SIZE,
        SWAP,
    ),
    (
        (Clash.JOINED, ("adjacent", "anywhere")),
        (Clash.GOAL, ("must_contain", "no_contain")),
        (Clash.GOAL, ("eat_enemy", "must_contain")),
        (Clash.GOAL, ("eat_enemy", "no_contain")),
        (Clash.GOAL, ("eat_size", "must_contain")),
        (Clash.GOAL, ("eat_size", "no_contain")),
    ),
)


def light_and_dark(options: Options, win: Condition, tie_break: TieBreak) -> Ruleset:
    """The rules of Lambo and Palago but for the goal."""
    return Ruleset(
        states=States((("oo", TILE),)),
        supply={TILE: options.get(SIZE.name, DEFAULT_SIZE)},
        start=1,
        colours=(Colour.WHITE, Colour.O),
        tiles_a_turn=2,
        joined=Joined.ANYWHERE if "anywhere" in options else Joined.ADJACENT,
        both_colours=False,
        auto=Auto.NONE,
        wins=(win,),
        tie_break=tie_break,
        swap=SWAP.name in options,
    )


def _goal(options: Options) -> tuple[Condition, TieBreak]:
    if "must_contain" in options:
        return Contains(), largest_closed
    if "eat_enemy" in options or "eat_size" in options:
        eats = Eats(options.get("eat_enemy", 2), options.get("eat_size", 0))
        return eats, MostEaten(eats)
    return Closes(), largest_wins


class Lambo(HexTileGame):
    """By default 48 tiles, two adjacent ones a turn; a closed group with a bridge wins."""

    name = "lambo"
    side_names = SIDES
    named_options = ("eat_enemy", "must_contain")
    vocabulary = VOCABULARY

    def ruleset(self, options: Options) -> Ruleset:
        """The rules under these options of `VOCABULARY`."""
        win, tie_break = _goal(options)
        return light_and_dark(options, win, tie_break)


class Palago(HexTileGame):
    """Lambo with two options alone, and nothing to win once the supply is empty."""

    name = "palago"
    side_names = SIDES
    vocabulary = Vocabulary((SIZE, SWAP))

    def ruleset(self, options: Options) -> Ruleset:
        """The rules under these options."""
        return light_and_dark(options, Closes(), tied)


LAMBO = Lambo()
PALAGO = Palago()
