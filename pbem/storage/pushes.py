"""Browsers that show notifications, and the notifications that wait for them, in the database."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, insert, or_, select, update

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.pushes import PushSubscription, turn_begun
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.boards import BoardRepository
from pbem.storage.engine import reading, writing
from pbem.storage.models import PushNoticeRow, PushSubscriptionRow
from pbem.storage.repository import Noting

MOST_BROWSERS = 10
"""The most of one player that are told: those that subscribed last."""

LASTS = timedelta(days=1)
"""The time for which a notification is of use."""

_DELAYS = tuple(timedelta(minutes=each) for each in (1, 5, 15, 60))
"""The times after which a notification is tried again; the last one counts for all that follow."""


@dataclass(frozen=True, slots=True)
class DuePush:
    """A notification to be sent."""

    id: int
    browser: PushSubscription
    game: str
    board: BoardNumber

    @property
    def payload(self) -> str:
        """The text that is encrypted for the browser: it names neither players nor words."""
        return json.dumps({"game": self.game, "board": self.board})


class PushRepository(Noting):
    """The browsers that are told, and what they are told: notifications follow the boards that are written.

    Args:
        connect: what is read from.
        boards: those that are about to be written, and as they were before.
        course: computes the game state of a board.
    """

    _notes = ("_subscribed", "_ended")

    def __init__(
        self,
        connect: Callable[[], Connection],
        boards: Callable[[], BoardRepository],
        course: Callable[[Board], GameState],
    ) -> None:
        super().__init__(connect)
        self._boards = boards
        self._course = course
        self._subscribed: tuple[PushSubscription, ...] = ()
        self._ended: tuple[str, ...] = ()

    def has(self, session: str) -> bool:
        """Return True if the browser with this session is told."""
        row = PushSubscriptionRow
        return self._connect().execute(select(row.session).where(row.session == session)).first() is not None

    def subscribe(self, subscription: PushSubscription) -> None:
        """Have a browser told from now on, and only as this player."""
        self._subscribed = (*self._subscribed, subscription)

    def end(self, session: str) -> None:
        """Have the browser with this session told no longer."""
        self._ended = (*self._ended, session)

    def write(self, connection: Connection) -> None:
        """Write what was noted, and have the players told whose turn begins."""
        for session in self._ended:
            connection.execute(delete(PushSubscriptionRow).where(PushSubscriptionRow.session == session))
        for each in self._subscribed:
            _subscribe(connection, each)
        boards = self._boards()
        for board in boards.saved.values():
            player = turn_begun(board, boards.as_read(board.number), self._course)
            if player is not None:
                _tell(connection, player, board)


def _subscribe(connection: Connection, subscription: PushSubscription) -> None:
    row = PushSubscriptionRow
    endpoint_hash = sha256(subscription.endpoint.encode()).hexdigest()
    same_browser = or_(row.session == subscription.session, row.endpoint_hash == endpoint_hash)
    connection.execute(delete(row).where(same_browser))
    connection.execute(
        insert(row).values(
            session=subscription.session,
            player_id=subscription.player,
            endpoint=subscription.endpoint,
            endpoint_hash=endpoint_hash,
            public_key=subscription.public_key,
            auth=subscription.auth,
            made_at=subscription.made_at,
        )
    )


def _subscription(row: Row[Any]) -> PushSubscription:
    return PushSubscription(row.session, row.player_id, row.endpoint, row.public_key, row.auth, row.made_at)


def _tell(connection: Connection, player: PlayerId, board: Board) -> None:
    browsers = (
        select(PushSubscriptionRow.session)
        .where(PushSubscriptionRow.player_id == player)
        .order_by(PushSubscriptionRow.made_at.desc(), PushSubscriptionRow.session)
        .limit(MOST_BROWSERS)
    )
    sessions = list(connection.scalars(browsers))
    if not sessions:
        return
    row, now = PushNoticeRow, board.last_at
    connection.execute(delete(row).where(row.session.in_(sessions), row.board_number == board.number))
    same = {"game": board.game, "board_number": board.number, "made_at": now, "attempts": 0, "next_attempt_at": now}
    connection.execute(insert(row), [{"session": session, **same} for session in sessions])


class PushQueue:
    """The notifications that wait.

    Whoever takes one schedules its next attempt at once, so that it is tried again even if they die.

    Args:
        engine: of the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def take(self, now: datetime, most: int) -> Sequence[DuePush]:
        """Take the notifications that are due, oldest first; those that are too old are forgotten."""
        row = PushNoticeRow
        is_old = row.made_at < now - LASTS
        far = row.next_attempt_at > now + max(_DELAYS)  # the clock was ahead when that was noted
        is_due = or_(row.next_attempt_at <= now, row.attempts == 0, far)
        with reading(self._engine) as connection:
            if connection.scalar(select(row.id).where(or_(is_old, is_due)).limit(1)) is None:
                return []
        with writing(self._engine, lasting=False) as connection:
            connection.execute(delete(row).where(is_old))
            waiting = select(*row.__table__.c).where(is_due).order_by(row.id).limit(most)
            found = connection.execute(waiting.with_for_update(skip_locked=True)).all()
            for each in found:
                again = now + _DELAYS[min(each.attempts, len(_DELAYS) - 1)]
                values = {"attempts": each.attempts + 1, "next_attempt_at": again}
                connection.execute(update(row).where(row.id == each.id).values(values))
            sessions = {each.session for each in found}
            their = select(*PushSubscriptionRow.__table__.c).where(PushSubscriptionRow.session.in_(sessions))
            browsers = {each.session: _subscription(each) for each in connection.execute(their)}
        return [
            DuePush(each.id, browsers[each.session], each.game, BoardNumber(each.board_number))
            for each in sorted(found, key=lambda each: each.id)
        ]

    def done(self, push: DuePush) -> None:
        """Forget a notification that has been sent, or never will be."""
        with writing(self._engine, lasting=False) as connection:
            connection.execute(delete(PushNoticeRow).where(PushNoticeRow.id == push.id))

    def gone(self, push: DuePush) -> None:
        """Forget a browser that is no longer there."""
        row = PushSubscriptionRow
        same = (row.session == push.browser.session) & (row.endpoint == push.browser.endpoint)
        with writing(self._engine) as connection:
            connection.execute(delete(row).where(same))
