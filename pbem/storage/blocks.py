"""Who wants nothing from whom, in the database."""

from __future__ import annotations

from typing import TypeAlias

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from pbem.ids import PlayerId
from pbem.storage.models import BlockRow
from pbem.storage.repository import Repository

_Pair: TypeAlias = "tuple[PlayerId, PlayerId]"


class BlockRepository(Repository[_Pair, bool]):
    """Who wants nothing from whom."""

    def blocked_by(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked."""
        return frozenset(other for one, other in self._pairs(BlockRow.player_id == player) if one == player)

    def blockers_of(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that have blocked this one."""
        return frozenset(one for one, other in self._pairs(BlockRow.other_id == player) if other == player)

    def apart_from(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked, or that have blocked him."""
        return self.blocked_by(player) | self.blockers_of(player)

    def _pairs(self, which: ColumnElement[bool]) -> set[_Pair]:
        """Who has blocked whom, as it is stored and as it has been changed since."""
        query = select(BlockRow.player_id, BlockRow.other_id).where(which)
        stored = {(PlayerId(one), PlayerId(other)) for one, other in self._connect().execute(query)}
        lifted = {pair for pair, blocked in self.saved.items() if not blocked}
        return (stored | {pair for pair, blocked in self.saved.items() if blocked}) - lifted

    def block(self, player: PlayerId, other: PlayerId) -> None:
        """Keep that a player wants nothing from another."""
        self.saved[player, other] = True

    def unblock(self, player: PlayerId, other: PlayerId) -> None:
        """Keep that he may hear from him again."""
        self.saved[player, other] = False

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for (player, other), blocked in self.saved.items():
            pair = (BlockRow.player_id == player) & (BlockRow.other_id == other)
            connection.execute(delete(BlockRow).where(pair))
            if blocked:
                connection.execute(insert(BlockRow).values(player_id=player, other_id=other))
