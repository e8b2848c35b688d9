"""Mambo (Cameron Browne, 2007): kill an enemy group; and its variants Mamba, Mamboa, Mambogo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.games.game import Options
from pbem.games.hextile import HexTileGame
from pbem.games.hextile.endings import Kills, MostTerritory, TieBreak, largest_loses, largest_wins
from pbem.games.hextile.grid import Colour, States
from pbem.games.hextile.ruleset import (
    AUTO,
    DEFAULT_SIZE,
    LOOPS,
    SIZE,
    SWAP,
    TIE_BREAK_OPTIONS,
    TIE_BREAKS,
    Auto,
    Joined,
    Ruleset,
    check_winnable,
    chosen,
    loops,
)
from pbem.games.options import Clash, Option, OptionNeedsAnother, OptionsContradict, Vocabulary, in_words

TILE = "tile"
"""The one kind of tiles: an o bridge on one side, an x bridge on the other."""

STATES = States((("ox", TILE), ("xo", TILE)))


class Preset(NamedTuple):
    """The options that a preset's name means; each yields to an option that says otherwise."""

    auto: Auto = Auto.LIMITED
    kill: bool = True
    loops: int = 0
    tie_break: TieBreak = largest_wins


PLAIN = Preset()

PRESETS = {
    "mamba": Preset(Auto.FULL, kill=False, loops=4, tie_break=largest_loses),
    "mamboa": Preset(loops=2),
    "mambogo": Preset(Auto.FULL, kill=False, tie_break=MostTerritory()),
}

TERRITORY = {"total": MostTerritory(), "smallest": MostTerritory(smallest=True)}
"""The rules for equal territories, by the value of ``tiebreak``."""

VOCABULARY = Vocabulary(
    (
        *(Option(name) for name in PRESETS),
        Option("kill"),
        Option("no_kill"),
        LOOPS,
        Option("territory"),
        Option("tiebreak", tuple(TERRITORY)),
        AUTO,
        *TIE_BREAK_OPTIONS,
        SIZE,
        SWAP,
    ),
    (
        (Clash.PRESETS, tuple(PRESETS)),
        (Clash.KILL, ("kill", "no_kill")),
        (Clash.SUPPLY_EMPTY, ("territory", *TIE_BREAKS)),
    ),
)


def _tie_break(options: Options, preset: Preset) -> TieBreak:
    named: Mapping[str, TieBreak] = {**TIE_BREAKS, "territory": MostTerritory()}
    counts = chosen(options, named, default=preset.tie_break)
    if "tiebreak" not in options:
        return counts
    if not isinstance(counts, MostTerritory):
        tie_break = in_words("tiebreak", options["tiebreak"])
        for other in TIE_BREAKS:
            if other in options:
                raise OptionsContradict(tie_break, other, Clash.SUPPLY_EMPTY)
        raise OptionNeedsAnother(tie_break, needed="territory")
    return TERRITORY[options["tiebreak"]]


class Mambo(HexTileGame):
    """By default 48 double-sided tiles, one a turn, limited auto moves; kills win."""

    name = "mambo"
    vocabulary = VOCABULARY

    def ruleset(self, options: Options) -> Ruleset:
        """The rules under these options of `VOCABULARY`.

        Raises:
            OptionNeedsAnother, OptionsContradict: a tie-break between territories where they do not count.
            NobodyCouldWin: every game would be a draw.
        """
        preset = chosen(options, PRESETS, default=PLAIN)
        kill = chosen(options, {"kill": True, "no_kill": False}, default=preset.kill)
        wins = (*((Kills(),) if kill else ()), *loops(options, preset.loops))
        tie_break = _tie_break(options, preset)
        check_winnable(options, wins, tie_break)
        return Ruleset(
            states=STATES,
            supply={TILE: options.get(SIZE.name, DEFAULT_SIZE)},
            start=None,
            colours=(Colour.O, Colour.X),
            tiles_a_turn=1,
            joined=Joined.ANYWHERE,
            both_colours=False,
            auto=Auto(options.get(AUTO.name, preset.auto)),
            wins=wins,
            tie_break=tie_break,
            swap=SWAP.name in options,
        )


MAMBO = Mambo()
