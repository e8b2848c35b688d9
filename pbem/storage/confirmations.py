"""Questions that one reply answers, in the database."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from datetime import datetime

from sqlalchemy import Connection, and_, func, insert, select, update

from pbem.domain.confirmations import Confirmation, ConfirmationKind
from pbem.errors import Conflict
from pbem.ids import ConfirmationId, PlayerId
from pbem.storage.models import ConfirmationRow
from pbem.storage.repository import Repository

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
            answered_at=row.answered_at,
        )

    def save(self, confirmation: Confirmation) -> None:
        """Add the question, or mark it answered; answered twice, the commit is a `Conflict`."""
        self.saved[confirmation.id] = confirmation

    def count_since(self, player: PlayerId, kind: ConfirmationKind, moment: datetime) -> int:
        """How many questions of a kind were asked of a player since."""
        mine = and_(ConfirmationRow.player_id == player, ConfirmationRow.kind == kind.value)
        query = select(func.count()).select_from(ConfirmationRow).where(mine, ConfirmationRow.asked_at > moment)
        new = [each for each in self.saved.values() if each.player == player and each.kind is kind]
        asked = [each for each in new if each.answered_at is None]
        return (self._connect().scalar(query) or 0) + len(asked)

    def has_open(self, player: PlayerId, kind: ConfirmationKind, since: datetime) -> bool:
        """Whether a question of a kind that was asked of a player since is still to be answered."""
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
            }
            connection.execute(insert(ConfirmationRow).values(id=each.id, **values))

    def _mark_answered(self, connection: Connection, confirmation: ConfirmationId, at: datetime) -> None:
        open_one = (ConfirmationRow.id == confirmation) & ConfirmationRow.answered_at.is_(None)
        if connection.execute(update(ConfirmationRow).where(open_one).values(_answered(at))).rowcount == 0:
            raise Conflict(confirmation=confirmation)


def _answered(at: datetime) -> dict[str, object]:
    """What becomes of a question: what was said with it has been carried out, or never will be."""
    return {"answered_at": at, "comment": "", "password_hash": None, "session": None}
