"""Sessions, API tokens and questions to confirm in the database."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, select, true, update

from pbem.domain.credentials import POSTS_KEPT, Confirmation, ConfirmationKind, Post, Session, Token
from pbem.errors import Conflict
from pbem.ids import ConfirmationId, PlayerId
from pbem.storage.models import ConfirmationRow, SessionRow, TokenPostRow, TokenRow
from pbem.storage.repository import Repository


class SessionRepository(Repository[str, "Session | None"]):
    """The sessions of players; None is saved for a session that has ended."""

    _notes = ("saved", "_ended_of", "_prolonged")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._ended_of: dict[PlayerId, str | None] = {}
        self._prolonged: dict[str, datetime] = {}

    def find(self, secret_hash: str, now: datetime) -> Session | None:
        """The session with this hash, if it is still good."""
        if secret_hash in self.saved:
            saved = self.saved[secret_hash]
            return saved if saved is not None and saved.expires_at > now else None
        mine = SessionRow.secret_hash == secret_hash
        query = select(*SessionRow.__table__.c).where(mine, SessionRow.expires_at > now)
        row = self._connect().execute(query).one_or_none()
        return None if row is None else Session(row.secret_hash, PlayerId(row.player_id), row.began_at, row.expires_at)

    def of(self, player: PlayerId, now: datetime) -> Sequence[Session]:
        """The stored sessions of a player that are still good, the newest first."""
        mine = (SessionRow.player_id == player) & (SessionRow.expires_at > now)
        query = select(*SessionRow.__table__.c).where(mine).order_by(SessionRow.began_at.desc(), SessionRow.secret_hash)
        found = self._connect().execute(query)
        return [Session(row.secret_hash, PlayerId(row.player_id), row.began_at, row.expires_at) for row in found]

    def begin(self, session: Session) -> None:
        """Add a session."""
        self.saved[session.secret_hash] = session

    def prolong(self, secret_hash: str, expires_at: datetime) -> None:
        """Let a session last until then, unless it has ended."""
        self._prolonged[secret_hash] = expires_at

    def end(self, secret_hash: str) -> None:
        """End a session."""
        self.saved[secret_hash] = None

    def end_of(self, player: PlayerId, but: str | None = None) -> None:
        """End all stored sessions of a player, but for one perhaps."""
        self._ended_of[player] = but

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for player, but in self._ended_of.items():
            connection.execute(
                delete(SessionRow).where(SessionRow.player_id == player, SessionRow.secret_hash != (but or ""))
            )
        for secret_hash, expires_at in self._prolonged.items():
            mine = SessionRow.secret_hash == secret_hash
            connection.execute(update(SessionRow).where(mine).values(expires_at=expires_at))
        for secret_hash, session in self.saved.items():
            if session is None:
                connection.execute(delete(SessionRow).where(SessionRow.secret_hash == secret_hash))
                continue
            values = {"player_id": session.player, "began_at": session.began_at, "expires_at": session.expires_at}
            connection.execute(insert(SessionRow).values(secret_hash=secret_hash, **values))


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
        """The answer given earlier under a key, if any."""
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


_Withdrawn = tuple[PlayerId, frozenset[ConfirmationKind], datetime]


class ConfirmationRepository(Repository[ConfirmationId, Confirmation]):
    """Questions that one reply answers."""

    _notes = ("saved", "_withdrawn")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._withdrawn: tuple[_Withdrawn, ...] = ()

    def next_id(self) -> ConfirmationId:
        """An id for a new question."""
        return ConfirmationId(self._next(ConfirmationRow.id, 1, self.saved))

    def new_nonce(self) -> int:
        """32 random bits for a new question."""
        return secrets.randbits(32)

    def find(self, confirmation: ConfirmationId) -> Confirmation | None:
        """The question with this id."""
        if confirmation in self.saved:
            return self.saved[confirmation]
        query = select(*ConfirmationRow.__table__.c).where(ConfirmationRow.id == confirmation)
        row = self._connect().execute(query).one_or_none()
        if row is None:
            return None
        return Confirmation(
            id=ConfirmationId(row.id),
            nonce=row.nonce,
            kind=ConfirmationKind(row.kind),
            player=PlayerId(row.player_id),
            address=row.address,
            asked_at=row.asked_at,
            expires_at=row.expires_at,
            line=row.line,
            password_hash=row.password_hash,
            comment=row.comment,
            board=row.board,
            event=row.event,
            session=row.session,
            guest=None if row.guest_id is None else PlayerId(row.guest_id),
            answered_at=row.answered_at,
        )

    def save(self, confirmation: Confirmation) -> None:
        """Add the question, or mark it answered; answered twice, the commit is a `Conflict`."""
        self.saved[confirmation.id] = confirmation

    def count_since(self, player: PlayerId, kind: ConfirmationKind, moment: datetime) -> int:
        """The number of questions of a kind that a player was asked since."""
        mine = and_(ConfirmationRow.player_id == player, ConfirmationRow.kind == kind.value)
        query = select(func.count()).select_from(ConfirmationRow).where(mine, ConfirmationRow.asked_at > moment)
        new = [each for each in self.saved.values() if each.player == player and each.kind is kind]
        asked = [each for each in new if each.answered_at is None]
        return (self._connect().scalar(query) or 0) + len(asked)

    def has_open(self, player: PlayerId, kind: ConfirmationKind, since: datetime) -> bool:
        """Return True if a player was asked a question of a kind since, and it is still unanswered."""
        mine = and_(ConfirmationRow.player_id == player, ConfirmationRow.kind == kind.value)
        is_open = and_(mine, ConfirmationRow.asked_at > since, ConfirmationRow.answered_at.is_(None))
        return self._connect().execute(select(ConfirmationRow.id).where(is_open).limit(1)).first() is not None

    def withdraw(self, player: PlayerId, kinds: Collection[ConfirmationKind], now: datetime) -> None:
        """Let nobody answer the stored questions of these kinds any more that were asked of a player."""
        self._withdrawn = (*self._withdrawn, (player, frozenset(kinds), now))

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a question has been answered meanwhile.
        """
        for each in self.saved.values():
            if each.answered_at is not None:
                self._mark_answered(connection, each.id, each.answered_at)
        for player, kinds, now in self._withdrawn:
            mine = and_(ConfirmationRow.player_id == player, ConfirmationRow.kind.in_([each.value for each in kinds]))
            is_open = and_(mine, ConfirmationRow.answered_at.is_(None))
            connection.execute(update(ConfirmationRow).where(is_open).values(_answered(now)))
        for each in self.saved.values():
            if each.answered_at is not None:
                continue
            values = {
                "nonce": each.nonce,
                "kind": each.kind.value,
                "player_id": each.player,
                "address": each.address,
                "asked_at": each.asked_at,
                "expires_at": each.expires_at,
                "line": each.line,
                "password_hash": each.password_hash,
                "comment": each.comment,
                "board": each.board,
                "event": each.event,
                "session": each.session,
                "guest_id": each.guest,
            }
            connection.execute(insert(ConfirmationRow).values(id=each.id, **values))

    def _mark_answered(self, connection: Connection, confirmation: ConfirmationId, at: datetime) -> None:
        open_one = (ConfirmationRow.id == confirmation) & ConfirmationRow.answered_at.is_(None)
        if connection.execute(update(ConfirmationRow).where(open_one).values(_answered(at))).rowcount == 0:
            raise Conflict(confirmation=confirmation)


def _answered(at: datetime) -> dict[str, object]:
    """The values of a question that is done: its command has been carried out, or never will be."""
    return {"answered_at": at, "comment": "", "password_hash": None, "session": None}
