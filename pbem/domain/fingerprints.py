"""By what boards are found that stand alike, without a look at each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from pbem.games.game import Position, TurnRecord
from pbem.ids import PlayerId


def fingerprint(position: Position[Any]) -> str:
    """The same for positions of a game that look alike after as many turns with the same player to act."""
    said = repr((position.ply, position.to_act, position.contents)).encode()
    return blake2b(said, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """Which boards in play are looked for: those that may stand as a game stood once."""

    game: str
    anybodys: Collection[str]
    """The fingerprints of positions for which all boards are looked through."""
    players: Collection[str]
    """Those for which the boards of one player are."""
    player: PlayerId
    records: Collection[TurnRecord]
    """The turns of the game: boards that nobody has moved at since there are fingerprints are found by their last."""
