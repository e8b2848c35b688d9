"""Mails that came back, in the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, insert, select, update

from pbem.domain.bounces import Bounce
from pbem.ids import PlayerId
from pbem.storage.models import BounceRow
from pbem.storage.repository import Noting

_LONGEST_STATUS, _LONGEST_DIAGNOSIS = 16, 255


class BounceRepository(Noting):
    """Mails that came back, by player and address."""

    _notes = ("_added", "_forgotten")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._added: list[Bounce] = []
        self._forgotten: set[tuple[PlayerId, str]] = set()

    def of(self, player: PlayerId, address_key: str, since: datetime) -> Sequence[Bounce]:
        """The mails to an address of a player that have come back since a moment, oldest first."""
        mine = [each for each in self._added if (each.player, each.address_key) == (player, address_key)]
        if (player, address_key) in self._forgotten:
            return mine
        query = select(*BounceRow.__table__.c).where(_of(player, address_key), BounceRow.at >= since)
        stored = [
            Bounce(player, row.address_key, row.at, row.permanent, row.status, row.diagnosis, row.mail_id)
            for row in self._connect().execute(query.order_by(BounceRow.id))
        ]
        return [*stored, *mine]

    def add(self, bounce: Bounce) -> None:
        """Note that a mail has come back."""
        self._added.append(bounce)

    def forget(self, player: PlayerId, address_key: str) -> None:
        """Hold nothing against an address any more: mail arrives there again."""
        self._added = [each for each in self._added if (each.player, each.address_key) != (player, address_key)]
        self._forgotten.add((player, address_key))

    def write(self, connection: Connection) -> None:
        """Write what was added and forgotten."""
        for player, address_key in self._forgotten:
            connection.execute(update(BounceRow).where(_of(player, address_key)).values(address_key=""))
        rows = [
            {
                "at": each.at,
                "player_id": each.player,
                "address_key": each.address_key,
                "permanent": each.permanent,
                "status": each.status[:_LONGEST_STATUS],
                "diagnosis": each.diagnosis[:_LONGEST_DIAGNOSIS],
                "mail_id": each.mail,
            }
            for each in self._added
        ]
        if rows:
            connection.execute(insert(BounceRow), rows)


def _of(player: PlayerId, address_key: str) -> ColumnElement[bool]:
    return and_(BounceRow.player_id == player, BounceRow.address_key == address_key)
