"""The courses of boards lately in use, so that a move costs one turn and not the whole game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from threading import Lock
from typing import Any, TypeAlias

from pbem.domain.boards import Board
from pbem.domain.events import Event
from pbem.domain.game_state import GameState, follow
from pbem.games.game import Game
from pbem.ids import BoardNumber

_Key: TypeAlias = "tuple[BoardNumber, datetime, int]"
"""A board, when it began, and how many events it has."""


class GameStateCache:
    """A cache: never the only copy of anything, safe to share between threads.

    A course is kept with the events that it covers, all of which are held against those of a board that seems to be
    the same: what was decided upon may not have been stored after all.
    """

    def __init__(self, games: Mapping[str, Game[Any, Any]], size: int = 256) -> None:
        self._games = games
        self._size = size
        self._kept: OrderedDict[_Key, tuple[tuple[Event, ...], GameState]] = OrderedDict()
        self._lock = Lock()

    def of(self, board: Board) -> GameState:
        """What the rules make of a board's events."""
        known = self._known(board, board.events)
        if known is not None:
            return known
        course = follow(board, self._games[board.game], self._known(board, board.events[:-1]))
        self.keep(board, course)
        return course

    def keep(self, board: Board, course: GameState) -> None:
        """Know what the rules make of a board's events."""
        key = _key(board, board.events)
        with self._lock:
            self._kept[key] = board.events, course
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def _known(self, board: Board, events: tuple[Event, ...]) -> GameState | None:
        """What is known of a board as it is, or once was, with these events."""
        key = _key(board, events)
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] != events:
                return None
            self._kept.move_to_end(key)
            return kept[1]


def _key(board: Board, events: tuple[Event, ...]) -> _Key:
    return board.number, board.begun_at, len(events)
