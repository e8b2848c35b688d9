"""Watches of boards, remarks at boards, and parts of long lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pbem.domain.boards import Board
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber, PlayerId

ANY_BOARD, ANYBODY, ANY_GAME = BoardNumber(0), PlayerId(0), ""
"""The values for "any" in a watch."""


class WatchKind(StrEnum):
    """The kinds of news that a watch is about."""

    MAILS = "mails"
    """Everything that is mailed to all players of a board."""
    END = "end"
    NONE = "none"
    """No mails, though a watch that is not as narrow would bring them."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A player's wish to hear of one board, of those of another player, of those of a game, or of all."""

    player: PlayerId
    kind: WatchKind
    game: str = ANY_GAME
    board: BoardNumber = ANY_BOARD
    other: PlayerId = ANYBODY
    userid: str = field(default="", compare=False)
    """Of who watches, where it was read with that."""

    def covers(self, board: Board) -> bool:
        """Return True if it is about a board."""
        if self.board != ANY_BOARD:
            return self.board == board.number
        return self.game in (ANY_GAME, board.game) and (self.other == ANYBODY or self.other in board.players)

    @property
    def narrowness(self) -> int:
        """The narrowness of its scope: of two that do not agree about a board the narrower one holds."""
        if self.board != ANY_BOARD:
            return 3
        return 2 if self.other != ANYBODY else int(self.game != ANY_GAME)


def subscribers(board: Board, watches: Iterable[Watch]) -> tuple[Watch, ...]:
    """The watch of each player who does not play at a board but gets its mails, in the order in which they came."""
    return tuple(each for each in _narrowest(board, watches) if each.kind is WatchKind.MAILS)


def _narrowest(board: Board, watches: Iterable[Watch]) -> Iterator[Watch]:
    """The watch that decides about a board's mails, for each player who watches it."""
    of_player: dict[PlayerId, list[Watch]] = defaultdict(list)
    for each in watches:
        if each.kind is not WatchKind.END and each.player not in board.players and each.covers(board):
            of_player[each.player].append(each)
    for mine in of_player.values():
        # a board may be left out that is also asked for only if both were written at once; then it is left out
        yield max(mine, key=lambda each: (each.narrowness, each.kind is WatchKind.NONE))


def waiting_for_end(board: Board, watches: Iterable[Watch], *, was_played: bool) -> tuple[PlayerId, ...]:
    """The watchers who are told that a board is over, beside its players and its subscribers.

    Those who wait for boards of a game hear only of boards that were played; those who wait for this one always do.
    """
    watches = tuple(watches)
    known = {*board.players, *(each.player for each in subscribers(board, watches))}
    waiting = (each for each in watches if each.kind is WatchKind.END and each.covers(board))
    told = (each.player for each in waiting if was_played or each.board != ANY_BOARD)
    return tuple(dict.fromkeys(player for player in told if player not in known))


LONGEST = 20_000
"""Characters that are kept of one."""


class RemarkKind(StrEnum):
    """The occasions of a remark."""

    COMMENT = "comment"
    """A move, or something else that was done at the board."""
    CHAT = "chat"
    """Nothing else."""
    PLAN = "plan"
    """The end of a game: it is what was left of a plan."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark by a player at a board."""

    board: BoardNumber
    event: int
    """The number of the board's last event by then; of a comment, that of what it was written with.

    Of a plan, that of the move to which its first conditions are answers; 0 if they are the first move.
    """
    player: PlayerId
    """The player who wrote it."""
    writer: str
    """Their userid."""
    at: datetime
    kind: RemarkKind
    text: str = field(repr=False)


MOST_COUNTED = 100
"""Parts that are found by counting; one farther down is found by what stood last in the one before."""


class NoSuchPart(NotAllowed):
    """A list ends before the part that was asked for, or that is too far down to be counted off."""

    page: int


@dataclass(frozen=True, slots=True)
class ListPart:
    """Which part of a list is asked for; the usual one is the first."""

    number: int = 1
    """From 1; players read it as the number of a page."""
    behind: int = 0
    """The number of the board that stood last in the part before; 0: rows are counted off."""

    def skipped(self, size: int) -> int:
        """Return the number of rows to skip.

        Args:
            size: the number of rows of a part.

        Raises:
            NoSuchPart: too many.
        """
        if self.behind:
            return 0
        if self.number > MOST_COUNTED:
            raise NoSuchPart(self.number)
        return (self.number - 1) * size


FIRST = ListPart()
