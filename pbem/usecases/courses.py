"""The courses of boards lately in use, so that a move costs one turn and not the whole game."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.domain.boards import follow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.domain.boards import Board, Course, Event
    from pbem.games.game import Game

_Key: TypeAlias = "tuple[object, ...]"


def _key(board: Board, events: tuple[Event, ...]) -> _Key:
    """A board up to an event. Every event counts: what was decided upon may not have been stored after all."""
    said = tuple((event.kind, event.seat, event.at, str(event.record)) for event in events)
    return (board.number, board.begun_at, said)


class Courses:
    """A cache: never the only copy of anything, safe to share between threads."""

    def __init__(self, games: Mapping[str, Game[Any, Any]], size: int = 256) -> None:
        self._games = games
        self._size = size
        self._kept: OrderedDict[_Key, Course] = OrderedDict()
        self._lock = Lock()

    def of(self, board: Board) -> Course:
        """What the rules make of a board's events."""
        key = _key(board, board.events)
        before = _key(board, board.events[:-1])
        with self._lock:
            known = self._kept.get(key) or self._kept.get(before)
        course = follow(board, self._games[board.game], known)
        with self._lock:
            self._kept[key] = course
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return course
