"""What a computer opponent does beside choosing its moves: when it resigns, and how it answers offers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from pbem.bots.thinking import SearchResult
from pbem.games.game import Position, Seat

HOPELESS = 0.02
"""Whoever can expect less than this share of the points resigns."""
CERTAIN_FROM = 500
"""Playouts: fewer say too little to resign upon."""
FEWEST_TURNS = 3
"""Of each player, before anybody resigns: nobody has challenged a robot to see it give up."""
DRAWN_BELOW = 0.45
"""Whoever can expect less than this share of the points takes a draw."""
PLAYOUTS_FOR_DRAW = 1000
"""At least so many go before an offer is answered, at every level: fewer judge one position so differently that whoever
offers often enough would hear yes."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a thought comes to: all that is left to be decided upon where nobody can think."""

    move: str
    """The best there is, as it is typed."""
    worth: float
    """What share of the points it promises the player to act, 0..1."""
    proven: bool
    """Whether that is certain."""
    playouts: int
    """How much was thought."""


def opinion_of(thought: SearchResult) -> Opinion:
    """What a thought comes to."""
    best = thought.candidates[0]
    return Opinion(best.moves[0], best.worth, best.proven, thought.playouts)


def seed_of(board: int, event: int, level: str, secret: str = "") -> int:
    """What the lots of a thought are drawn by: the same whenever, and wherever, the same is thought about again.

    Args:
        board: its number.
        event: the number of its last event.
        level: the userid of who thinks.
        secret: at most 64 bytes; without it, what is thought can be computed by anybody, before it is played.
    """
    said = f"{board} {event} {level}".encode()
    return int.from_bytes(blake2b(said, digest_size=8, key=secret.encode()).digest()) >> 1


def gives_up(opinion: Opinion, turns: Sequence[int]) -> bool:
    """Whether the player who has thought resigns, instead of making his best move.

    Args:
        opinion: on the position in which he is to act.
        turns: how many each player has had; of more than two none resigns.
    """
    if len(turns) != 2 or min(turns) < FEWEST_TURNS:
        return False
    if opinion.proven:
        return opinion.worth == 0
    return opinion.worth < HOPELESS and opinion.playouts >= CERTAIN_FROM


def can_judge_draw(position: Position[Any], seat: Seat) -> bool:
    """Whether thinking about a position tells what a draw is worth there: it is judged by who is to act.

    With more than two players that says nothing of the others.
    """
    return position.to_act == seat or len(position.playing) == 2


def takes_draw(opinion: Opinion, *, is_to_act: bool) -> bool:
    """Whether a draw is better than what a player expects, beyond what fell so by lot.

    Args:
        opinion: on the position.
        is_to_act: whether it is for him to act there; else it is for the only other player.
    """
    doubt = 0 if opinion.proven else 1 / math.sqrt(opinion.playouts)
    return (opinion.worth if is_to_act else 1 - opinion.worth) < DRAWN_BELOW - doubt


def allows_undo(*, rated: bool) -> bool:
    """Whether a move may be taken back: in a game that counts it stands."""
    return not rated
