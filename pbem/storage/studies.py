"""Private notes in the database."""

from __future__ import annotations

from typing import TypeAlias

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from pbem.domain.studies import BoardNote
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.models import NoteRow
from pbem.storage.repository import Repository

_PlayersBoard: TypeAlias = "tuple[PlayerId, BoardNumber]"


class NoteRepository(Repository[_PlayersBoard, BoardNote]):
    """The private notes of players at boards."""

    def find(self, player: PlayerId, board: BoardNumber) -> BoardNote | None:
        """The note of a player at a board; None if there is none."""
        if (player, board) in self.saved:
            saved = self.saved[player, board]
            return saved if saved.text else None
        query = select(NoteRow.text, NoteRow.changed_at, NoteRow.revision).where(_of(player, board))
        row = self._connect().execute(query).first()
        return None if row is None else BoardNote(player, board, row.text, row.changed_at, row.revision)

    def count(self, player: PlayerId) -> int:
        """The number of notes that are stored for a player."""
        return self._connect().scalar(select(func.count()).where(NoteRow.player_id == player)) or 0

    def save(self, note: BoardNote) -> None:
        """Keep a note, or delete it if it is empty."""
        self.saved[note.player, note.board] = note

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a note was changed since being read.
        """
        for note in self.saved.values():
            _write(connection, note)


def _of(player: PlayerId, board: BoardNumber) -> ColumnElement[bool]:
    return (NoteRow.player_id == player) & (NoteRow.board_number == board)


def _write(connection: Connection, note: BoardNote) -> None:
    values = {"text": note.text, "changed_at": note.changed_at, "revision": note.revision + 1}
    if note.revision == 0:
        if note.text:
            connection.execute(insert(NoteRow).values(player_id=note.player, board_number=note.board, **values))
        return
    as_read = _of(note.player, note.board) & (NoteRow.revision == note.revision)
    change = update(NoteRow).where(as_read).values(values) if note.text else delete(NoteRow).where(as_read)
    if connection.execute(change).rowcount == 0:
        raise Conflict(board=note.board)
