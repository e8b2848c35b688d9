"""What the web needs beside the rest."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pbem.domain.remarks import Remark
from pbem.domain.sessions import Session
from pbem.ids import BoardNumber, PlayerId


class Sessions(Protocol):
    """Who is signed in on the web."""

    def find(self, secret_hash: str, now: datetime) -> Session | None:
        """The session with this hash, if it is still good."""

    def of(self, player: PlayerId, now: datetime) -> Sequence[Session]:
        """The stored sessions of a player that are still good, the newest first."""

    def begin(self, session: Session) -> None:
        """Add a session."""

    def prolong(self, secret_hash: str, expires_at: datetime) -> None:
        """Let a session last until then, unless it has ended."""

    def end(self, secret_hash: str) -> None:
        """End a session."""

    def end_of(self, player: PlayerId, but: str | None = None) -> None:
        """End all sessions of a player, but for the one with this hash perhaps."""


class Remarks(Protocol):
    """What players write at boards."""

    def of_board(self, board: BoardNumber, most: int, but: Collection[PlayerId] = ()) -> Sequence[Remark]:
        """The last remarks that are stored for a board, oldest first, but for those of some players."""

    def last_ids(self, boards: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        """The id of the last remark that is stored, for those of these boards that have any."""

    def add(self, remark: Remark) -> None:
        """Keep a remark."""
