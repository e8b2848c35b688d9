"""To how many boards players may be challenged, in the database."""

from __future__ import annotations

from typing import TypeAlias

from sqlalchemy import Connection, delete, insert, select

from pbem.ids import PlayerId
from pbem.storage.models import ReadinessRow
from pbem.storage.repository import Repository

_PlayerInGame: TypeAlias = "tuple[PlayerId, str]"


class ReadinessRepository(Repository[_PlayerInGame, "int | None"]):
    """To how many boards of a game players may be challenged."""

    def most(self, player: PlayerId, game: str) -> int | None:
        """The most active boards that a player wants, 0 if he takes no challenges; None if any number will do."""
        if (player, game) in self.saved:
            return self.saved[player, game]
        mine = (ReadinessRow.player_id == player) & (ReadinessRow.game == game)
        return self._connect().scalar(select(ReadinessRow.most).where(mine))

    def save(self, player: PlayerId, game: str, most: int | None) -> None:
        """Keep how many boards a player wants."""
        self.saved[player, game] = most

    def write(self, connection: Connection) -> None:
        """Write what was saved; who wants any number has no row."""
        for (player, game), most in self.saved.items():
            mine = (ReadinessRow.player_id == player) & (ReadinessRow.game == game)
            connection.execute(delete(ReadinessRow).where(mine))
            if most is not None:
                connection.execute(insert(ReadinessRow).values(player_id=player, game=game, most=most))
