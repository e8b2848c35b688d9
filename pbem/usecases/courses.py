"""The courses of boards lately in use, so that a move costs one turn and not the whole game."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.domain.courses import follow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.domain.boards import Board
    from pbem.domain.courses import Course
    from pbem.domain.events import Event
    from pbem.games.game import Game

_Key: TypeAlias = "tuple[object, ...]"


def _keys(board: Board) -> tuple[_Key, _Key]:
    """A board, and the same before its last event.

    Every event counts, by a fingerprint: what was decided upon may not have been stored after all.
    """
    said = blake2b(digest_size=16)
    for event in board.events[:-1]:
        said.update(_said(event))
    before = said.digest()
    for event in board.events[-1:]:
        said.update(_said(event))
    return (board.number, board.begun_at, said.digest()), (board.number, board.begun_at, before)


def _said(event: Event) -> bytes:
    return repr((event.kind.value, event.seat, event.at.timestamp(), event.record)).encode()


class Courses:
    """A cache: never the only copy of anything, safe to share between threads."""

    def __init__(self, games: Mapping[str, Game[Any, Any]], size: int = 256) -> None:
        self._games = games
        self._size = size
        self._kept: OrderedDict[_Key, Course] = OrderedDict()
        self._lock = Lock()
        self._latest: tuple[Board, tuple[_Key, _Key]] | None = None

    def of(self, board: Board) -> Course:
        """What the rules make of a board's events."""
        key, before = self._keys_of(board)
        with self._lock:
            known = self._kept.get(key) or self._kept.get(before)
        course = follow(board, self._games[board.game], known)
        with self._lock:
            self._kept[key] = course
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return course

    def _keys_of(self, board: Board) -> tuple[_Key, _Key]:
        """The keys of a board; for one letter the same board is asked for again and again."""
        latest = self._latest
        if latest is not None and _is_same(latest[0], board):
            return latest[1]
        keys = _keys(board)
        self._latest = board, keys
        return keys


def _is_same(one: Board, other: Board) -> bool:
    """Whether two boards are known to be the same without a look at their events."""
    return one.events is other.events and (one.number, one.begun_at) == (other.number, other.begun_at)
