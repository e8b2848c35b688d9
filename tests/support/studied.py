"""Games played at random, and studies of them with random variations."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

from pbem.domain.records import Replay, replay
from pbem.games.game import Game, Position, TurnRecord
from pbem.games.records import GameRecord

AT = datetime(2026, 3, 1, tzinfo=UTC)
_WORDS = ("good", "the losing move?", "(so-so) #7 / if C4", "ungl\u00fccklich", "")


def input_at_random(
    game: Game[Any, Any], position: Position[Any], lot: random.Random
) -> tuple[tuple[Any, ...], Position[Any]]:
    """The steps of an input, and the position after it."""
    steps: list[Any] = []
    before = position
    while position.outcome is None and (position.ply, position.to_act) == (before.ply, before.to_act):
        steps.append(lot.choice(position.legal()))
        position = position.play(steps[-1])
    return tuple(steps), position


def game_at_random(game: Game[Any, Any], players: int, turns: int, lot: random.Random) -> Replay:
    """A game of so many inputs, which a player then resigns if it is not over."""
    position, played = game.begin({}, players), list[TurnRecord]()
    while len(played) < turns and position.outcome is None:
        steps, after = input_at_random(game, position, lot)
        record = game.input_record(position, steps)
        played.append({"seat": position.to_act, **record} if isinstance(record, dict) else record)
        position = after
    leaves = [{"seat": seat, "event": "resign"} for seat in position.playing[1:]] if position.outcome is None else []
    names = tuple(f"player{seat}" for seat in range(players))
    told = replay(GameRecord(game.name, {}, names, (*played, *leaves)), game, AT)
    assert told.error is None
    return told


def line_at_random(game: Game[Any, Any], position: Position[Any], lot: random.Random, depth: int = 3) -> str:
    """A variation with comments and others within it, as it is typed."""
    said = []
    for _ in range(lot.randint(1, 3)):
        if position.outcome is not None:
            break
        steps, after = input_at_random(game, position, lot)
        words = lot.choice(_WORDS)
        parts = [game.input_text(after, steps).move, *([f"{{{words}}}"] if words else [])]
        if depth and lot.random() < 0.4:
            parts.append(f"({line_at_random(game, position, lot, depth - 1)})")
        said.append(" ".join(parts))
        position = after
    return " / ".join(said)
