"""Tokens of programs, in the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, true, update

from pbem.domain.tokens import POSTS_KEPT, Post, Token
from pbem.errors import Conflict
from pbem.ids import PlayerId
from pbem.storage.models import TokenPostRow, TokenRow
from pbem.storage.repository import Repository


class TokenRepository(Repository[str, "Token | None"]):
    """Tokens; what is saved of one is None if it has ended."""

    _notes = ("saved", "_without", "_kept")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._without: tuple[PlayerId, ...] = ()
        self._kept: tuple[Post, ...] = ()
        self._read: dict[str, Token] = {}

    def find(self, secret_hash: str) -> Token | None:
        """The token with this hash."""
        if secret_hash in self.saved:
            return self.saved[secret_hash]
        query = select(*TokenRow.__table__.c).where(TokenRow.secret_hash == secret_hash)
        row = self._connect().execute(query).one_or_none()
        if row is None:
            return None
        self._read[secret_hash] = _token(row)
        return self._read[secret_hash]

    def of(self, player: PlayerId) -> Sequence[Token]:
        """The tokens of a player, oldest first."""
        query = select(*TokenRow.__table__.c).where(TokenRow.player_id == player)
        stored = {row.secret_hash: _token(row) for row in self._connect().execute(query)}
        now = {
            **stored,
            **{secret_hash: each for secret_hash, each in self.saved.items() if each is None or each.player == player},
        }
        return sorted(filter(None, now.values()), key=lambda each: (each.made_at, each.secret_hash))

    def save(self, token: Token) -> None:
        """Add the token, or replace it."""
        self.saved[token.secret_hash] = token

    def revoke(self, secret_hash: str) -> None:
        """End a token."""
        self.saved[secret_hash] = None

    def revoke_of(self, player: PlayerId) -> None:
        """End all tokens of a player."""
        self._without = (*self._without, player)
        self.saved = {key: each for key, each in self.saved.items() if each is None or each.player != player}

    def post(self, token: str, key: str, since: datetime) -> Post | None:
        """What was answered under a key, if that was not before."""
        row = TokenPostRow
        query = select(*row.__table__.c).where(row.token == token, row.key == key, row.at >= since)
        found = self._connect().execute(query).one_or_none()
        return None if found is None else Post(found.token, found.key, found.said, found.at, found.status, found.answer)

    def keep(self, post: Post) -> None:
        """Keep what was answered."""
        self._kept = (*self._kept, post)

    def write(self, connection: Connection) -> None:
        """Write what was saved; a token that has ended meanwhile stays so.

        Raises:
            Conflict: a token has been used meanwhile.
        """
        for player in self._without:
            end_tokens(connection, TokenRow.player_id == player)
        for secret_hash, token in self.saved.items():
            if token is None:
                end_tokens(connection, TokenRow.secret_hash == secret_hash)
            else:
                _write(connection, token, self._read.get(secret_hash))
        for post in self._kept:
            _keep(connection, post)


def end_tokens(connection: Connection, which: ColumnElement[bool]) -> None:
    """End tokens, and forget what their programs were answered."""
    ended = select(TokenRow.secret_hash).where(which)
    connection.execute(delete(TokenPostRow).where(TokenPostRow.token.in_(ended)))
    connection.execute(delete(TokenRow).where(which))


def _write(connection: Connection, token: Token, before: Token | None) -> None:
    counts = {"used_at": token.used_at, "counted_since": token.counted_since, "posts": token.posts}
    mine = TokenRow.secret_hash == token.secret_hash
    as_read: ColumnElement[bool] = true()
    if before is not None:
        since = TokenRow.counted_since.is_not_distinct_from(before.counted_since)
        as_read = (TokenRow.posts == before.posts) & since
    if connection.execute(update(TokenRow).where(mine, as_read).values(counts)).rowcount:
        return
    if before is not None and connection.scalar(select(TokenRow.secret_hash).where(mine)) is not None:
        raise Conflict(used="a token")
    if token.used_at is None:
        row = {"player_id": token.player, "name": token.name, "made_at": token.made_at, **counts}
        connection.execute(insert(TokenRow).values(secret_hash=token.secret_hash, **row))


def _keep(connection: Connection, post: Post) -> None:
    """Write an answer down in place of those that are too old to be asked for again."""
    row = TokenPostRow
    old = delete(row).where(row.token == post.token, row.at < post.at - POSTS_KEPT)
    connection.execute(old)
    connection.execute(
        insert(row).values(
            token=post.token, key=post.key, said=post.said, at=post.at, status=post.status, answer=post.answer
        )
    )


def _token(row: Row[tuple[object, ...]]) -> Token:
    player = PlayerId(row.player_id)
    return Token(row.secret_hash, player, row.name, row.made_at, row.used_at, row.counted_since, row.posts)
