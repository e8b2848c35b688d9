"""Tokens of programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from pbem.domain.tokens import Post, Token
from pbem.ids import PlayerId


class Tokens(Protocol):
    """By what programs speak for their players, and what they were answered lately."""

    def find(self, secret_hash: str) -> Token | None:
        """The token with this hash."""

    def of(self, player: PlayerId) -> Sequence[Token]:
        """The tokens of a player, oldest first."""

    def save(self, token: Token) -> None:
        """Add the token, or replace it."""

    def revoke(self, secret_hash: str) -> None:
        """End a token."""

    def revoke_of(self, player: PlayerId) -> None:
        """End all tokens of a player."""

    def post(self, token: str, key: str, since: datetime) -> Post | None:
        """What was answered under a key, if that was not before."""

    def keep(self, post: Post) -> None:
        """Keep what was answered."""
