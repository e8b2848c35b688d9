"""Superbo (Cameron Browne, 2008): close a group of one's own colour around an eye."""

from __future__ import annotations

from pbem.games.game import Options
from pbem.games.hextile import HexTileGame
from pbem.games.hextile.endings import Closes, ClosesWithEye, Condition, largest_wins
from pbem.games.hextile.grid import Colour, States
from pbem.games.hextile.ruleset import (
    AUTO,
    LOOPS,
    SWAP,
    TIE_BREAK_OPTIONS,
    TIE_BREAKS,
    Auto,
    Joined,
    Ruleset,
    chosen,
    loops,
)
from pbem.games.options import Clash, FullAutoImpossible, Option, Vocabulary

O_BRIDGE, X_BRIDGE = "O bridge", "X bridge"
"""The kinds of tiles, by the bridges on both sides."""

STATES = States((("ox", O_BRIDGE), ("xo", X_BRIDGE), ("oo", O_BRIDGE), ("xx", X_BRIDGE)))

ALIKE = len(STATES.fitting("oo."))
"""States that fit two corners of one colour."""

VOCABULARY = Vocabulary(
    (
        Option("num_tiles", range(2, 201)),
        Option("adjacent_pair"),
        Option("anywhere"),
        Option("single"),
        Option("both_colours"),
        Option("any_colour"),
        Option("kill_eye"),
        Option("kill_own"),
        Option("kill_enemy"),
        Option("kill_size", range(101)),
        AUTO,
        LOOPS,
        *TIE_BREAK_OPTIONS,
        SWAP,
    ),
    (
        (Clash.JOINED, ("adjacent_pair", "anywhere", "single")),
        (Clash.COLOURS, ("both_colours", "any_colour")),
        (Clash.KILL, ("kill_eye", "kill_own", "kill_enemy")),
        (Clash.SUPPLY_EMPTY, tuple(TIE_BREAKS)),
    ),
)


def _kill(options: Options) -> Condition:
    size = options.get("kill_size", 1)
    if "kill_own" in options:
        return Closes(size)
    return Closes(size, enemy=True) if "kill_enemy" in options else ClosesWithEye(size)


class Superbo(HexTileGame):
    """By default 32 double-sided tiles of each bridge colour, and two connected tiles a turn."""

    name = "superbo"
    vocabulary = VOCABULARY

    def ruleset(self, options: Options) -> Ruleset:
        """The rules under these options of `VOCABULARY`.

        Raises:
            FullAutoImpossible: full auto moves are asked for.
        """
        auto = Auto(options.get(AUTO.name, Auto.LIMITED))
        if auto is Auto.FULL:
            raise FullAutoImpossible("auto=full", fitting=ALIKE)
        tiles = options.get("num_tiles", 32)
        return Ruleset(
            states=STATES,
            supply={O_BRIDGE: tiles, X_BRIDGE: tiles},
            start=1,
            colours=(Colour.O, Colour.X),
            tiles_a_turn=1 if "single" in options else 2,
            joined=chosen(
                options,
                {"adjacent_pair": Joined.ADJACENT, "anywhere": Joined.ANYWHERE, "single": Joined.ANYWHERE},
                default=Joined.CONNECTED,
            ),
            both_colours="any_colour" not in options,
            auto=auto,
            wins=(_kill(options), *loops(options, default=0)),
            tie_break=chosen(options, TIE_BREAKS, default=largest_wins),
            swap=SWAP.name in options,
        )


SUPERBO = Superbo()
