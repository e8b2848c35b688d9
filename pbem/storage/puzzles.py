"""Which puzzles players have solved, in the database."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection, insert, select

from pbem.ids import PlayerId
from pbem.storage.models import SolvedPuzzleRow
from pbem.storage.repository import Repository

_Pair: TypeAlias = "tuple[PlayerId, int]"


class SolvedPuzzleRepository(Repository[_Pair, "datetime"]):
    """Which puzzles players have solved."""

    def solved_by(self, player: PlayerId) -> frozenset[int]:
        """The numbers of the puzzles that a player has solved."""
        query = select(SolvedPuzzleRow.puzzle).where(SolvedPuzzleRow.player_id == player)
        new = {puzzle for one, puzzle in self.saved if one == player}
        return frozenset(new.union(self._connect().scalars(query)))

    def solved(self, player: PlayerId, puzzle: int, at: datetime) -> None:
        """Keep that a player has solved a puzzle, unless he had before."""
        self.saved.setdefault((player, puzzle), at)

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for (player, puzzle), at in self.saved.items():
            row = (SolvedPuzzleRow.player_id == player) & (SolvedPuzzleRow.puzzle == puzzle)
            if connection.scalar(select(SolvedPuzzleRow.puzzle).where(row)) is None:
                connection.execute(insert(SolvedPuzzleRow).values(player_id=player, puzzle=puzzle, solved_at=at))
