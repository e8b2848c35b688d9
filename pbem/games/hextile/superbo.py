"""Superbo (Cameron Browne, 2009): close a group of one's own colour around an eye."""

from __future__ import annotations

from pbem.games.hextile.endings import kills_with_eye, largest_group
from pbem.games.hextile.family import HexTileGame
from pbem.games.hextile.ruleset import Auto, Joined, Ruleset
from pbem.games.hextile.tiles import Colour, States

O_BRIDGE, X_BRIDGE = "O bridge", "X bridge"

SUPERBO = HexTileGame(
    name="superbo",
    title="Superbo",
    rules=1,
    side_names=("O", "X"),
    ruleset=Ruleset(
        states=States((("ox", O_BRIDGE), ("xo", X_BRIDGE), ("oo", O_BRIDGE), ("xx", X_BRIDGE))),
        supply={O_BRIDGE: 32, X_BRIDGE: 32},
        start=1,
        colours=(Colour.O, Colour.X),
        tiles_a_turn=2,
        joined=Joined.CONNECTED,
        both_colours=True,
        auto=Auto.LIMITED,
        wins=(kills_with_eye,),
        tie_break=largest_group,
    ),
)
"""The game with its default rules: 32 double-sided tiles of each bridge colour."""
