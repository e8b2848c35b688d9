"""What players tell everybody, in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, update

from pbem.domain.broadcasts import Broadcast
from pbem.errors import Conflict
from pbem.ids import PlayerId
from pbem.storage.models import BroadcastRow
from pbem.storage.repository import Repository
from pbem.storage.roster import mailable_players


class BroadcastRepository(Repository[int, Broadcast]):
    """What players tell everybody, as far as it has come."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._as_read: dict[int, Broadcast] = {}

    def next_id(self) -> int:
        """An id for a new one; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return self._next(BroadcastRow.id, 1, self.saved)

    def count_since(self, player: PlayerId, moment: datetime) -> int:
        """How many a player has sent since."""
        mine = select(func.count()).where(BroadcastRow.player_id == player, BroadcastRow.at >= moment)
        new = [each for each in self.saved.values() if each.player == player and each.at >= moment]
        return (self._connect().scalar(mine) or 0) + len(new)

    def unsent(self, besides: Collection[int] = ()) -> Broadcast | None:
        """The oldest that not everybody has been told, but for some."""
        return self._unsent(BroadcastRow.id.not_in(besides))

    def find_unsent(self, number: int) -> Broadcast | None:
        """The one with this id, unless everybody has been told."""
        return self._unsent(BroadcastRow.id == number)

    def _unsent(self, meant: ColumnElement[bool]) -> Broadcast | None:
        query = select(*BroadcastRow.__table__.c).where(BroadcastRow.done_at.is_(None), meant)
        row = self._connect().execute(query.order_by(BroadcastRow.id).limit(1)).first()
        if row is None:
            return None
        found = Broadcast(row.id, PlayerId(row.player_id), row.at, row.text, PlayerId(row.sent_to), row.done_at)
        return self._as_read.setdefault(found.id, found)

    def listeners(self, after: PlayerId, most: int) -> Sequence[PlayerId]:
        """The next players who read mail, in the order of their ids."""
        return mailable_players(self._connect(), after, most, playing=False)

    def save(self, broadcast: Broadcast) -> None:
        """Add one, or note how far it has come; brought further by somebody else, the commit is a `Conflict`."""
        self.saved[broadcast.id] = broadcast

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: somebody else has brought one further meanwhile.
        """
        for each in self.saved.values():
            before = self._as_read.get(each.id)
            values = {"sent_to": each.sent_to, "done_at": each.done_at}
            if before is None:
                whole = {"id": each.id, "player_id": each.player, "at": each.at, "text": each.text}
                connection.execute(insert(BroadcastRow).values(whole | values))
                continue
            as_read = and_(
                BroadcastRow.id == each.id, BroadcastRow.sent_to == before.sent_to, BroadcastRow.done_at.is_(None)
            )
            if connection.execute(update(BroadcastRow).where(as_read).values(values)).rowcount == 0:
                raise Conflict(broadcast=each.id)
