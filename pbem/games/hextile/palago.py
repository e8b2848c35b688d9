"""Palago (Cameron Browne, 2008): Lambo with nothing to win once the supply is empty."""

from __future__ import annotations

from pbem.games.game import Options
from pbem.games.hextile import HexTileGame
from pbem.games.hextile.endings import Closes, tied
from pbem.games.hextile.lambo import SIDES, light_and_dark
from pbem.games.hextile.ruleset import SIZE, SWAP, Ruleset
from pbem.games.options import Vocabulary


class Palago(HexTileGame):
    """48 tiles, two adjacent ones a turn; a closed group with a bridge wins."""

    name = "palago"
    side_names = SIDES
    vocabulary = Vocabulary((SIZE, SWAP))

    def ruleset(self, options: Options) -> Ruleset:
        """The rules under these options."""
        return light_and_dark(options, Closes(), tied)


PALAGO = Palago()
