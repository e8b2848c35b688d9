"""Openings of finished games: which turn was played in which position, and how that ended."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.domain.boards import Board
from pbem.domain.events import LEAVING, EventKind
from pbem.domain.game_state import GameState
from pbem.games.game import Game, Options, Position, Seat, TurnRecord
from pbem.ids import PlayerId

MOST_TURNS = 10
"""The turns from the beginning of a game that are counted."""
_KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class OpeningTurn:
    """A turn from one position to another; positions that are alike by a symmetry of the game are the same."""

    before: bytes
    after: bytes
    """Keys of the positions, as `key_of` makes them."""
    seat: Seat
    record: tuple[TurnRecord, ...]
    """Its inputs, each as in the canonical form of the position before it."""


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A finished game as it is counted; kept, so that it can be taken out again."""

    with_robots: bool
    winners: Sequence[Seat]
    """None of them: a tie."""
    ratings: Sequence[int | None]
    """Of the player of each seat after the game; None if it was not rated."""


@dataclass(slots=True)
class Tally:
    """The results of games in which a turn was played."""

    games: int = 0
    won: int = 0
    """By the player of the turn, perhaps with others."""
    tied: int = 0
    rated: int = 0
    """Players of the turn who had a rating."""
    ratings: int = 0
    """Their sum."""

    def add(self, game: CountedGame, seat: Seat, times: int = 1) -> None:
        """Count a game in which the player of a seat played the turn; with -1, take it out."""
        rating = game.ratings[seat]
        self.games += times
        self.won += times * (seat in game.winners)
        self.tied += times * (not game.winners)
        self.rated += times * (rating is not None)
        self.ratings += times * (rating or 0)

    @property
    def share(self) -> float:
        """The share of the points that the player of the turn got, from 0 to 1; a tie is half a point."""
        return (self.won + self.tied / 2) / self.games if self.games else 0.0

    @property
    def rating(self) -> int | None:
        """The average rating of those who played the turn."""
        return round(self.ratings / self.rated) if self.rated else None


@dataclass(frozen=True, slots=True)
class Continuation:
    """A turn that was played in a position."""

    record: tuple[TurnRecord, ...]
    """As in `OpeningTurn`."""
    people: Tally
    robots: Tally
    """Of games in which computer opponents played."""


def key_of(game: Game[Any, Any], options: Options, position: Position[Any]) -> bytes:
    """The key of a position; options that play otherwise are other games."""
    said = json.dumps([game.name, sorted(game.essential(options).items()), game.canonical(position).key])
    return hashlib.blake2b(said.encode(), digest_size=_KEY_BYTES).digest()


def is_boundary(position: Position[Any]) -> bool:
    """Return True if a turn begins in a position."""
    return not position.mid_turn and position.decision is None


def opening_of(board: Board, game: Game[Any, Any]) -> Iterator[OpeningTurn]:
    """The first turns of a game as it went on to its end."""
    position: Position[Any] = game.begin(board.options, len(board.seats), board.first, board.rules)
    before, begun_by = key_of(game, board.options, position), position.to_act
    record: list[TurnRecord] = []
    for event in board.in_force:
        if event.kind in LEAVING or position.ply >= MOST_TURNS or position.outcome is not None:
            return
        if event.kind is not EventKind.MOVE:
            continue
        steps = game.input_steps(position, event.record)
        record.append(game.canonical(position).record(steps))
        position = game.play_input(position, steps)
        if is_boundary(position) and begun_by is not None:
            after = key_of(game, board.options, position)
            yield OpeningTurn(before, after, begun_by, tuple(record))
            before, begun_by, record = after, position.to_act, []


def turn_said(
    game: Game[Any, Any], position: Position[Any], record: Sequence[TurnRecord]
) -> tuple[Sequence[str], Position[Any]]:
    """A turn in words of a position, an input each, and the position after it.

    Raises:
        PlayerError: it cannot be played there, although one was played in a position of the same key.
    """
    said = []
    for each in record:
        steps = game.canonical(position).steps(each)
        position = game.play_input(position, steps)
        said.append(game.input_text(position, steps).move)
    return said, position


def counted(
    board: Board, course: GameState, robots: Collection[PlayerId], ratings: Mapping[PlayerId, int]
) -> CountedGame | None:
    """A board as it is counted; None if it is not.

    Args:
        board: one that may be over.
        course: its state.
        robots: the computer opponents who play there.
        ratings: of the players after the game, if it was rated.
    """
    result = course.result
    if result is None or not result.was_played or board.of_guest:
        return None
    if len(set(board.players)) == 1:
        return None  # somebody has played alone, which says nothing about the turns
    return CountedGame(bool(robots), tuple(result.winners), tuple(ratings.get(each.player) for each in board.seats))
