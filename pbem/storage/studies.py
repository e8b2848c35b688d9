"""Private notes and studies in the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from pbem.domain.studies import BoardNote, Study, StudyHead
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.models import NoteRow, StudyRow
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


class StudyRepository(Repository[_PlayersBoard, Study]):
    """The studies of players."""

    def find(self, player: PlayerId, board: BoardNumber) -> Study | None:
        """The study that a player has made of the game of a board; None if there is none."""
        if (player, board) in self.saved:
            saved = self.saved[player, board]
            return None if saved.moves is None else saved
        return self._first((StudyRow.player_id == player) & (StudyRow.board_number == board))

    def by_key(self, key: str) -> Study | None:
        """The study whose link has this key; None if there is none."""
        return self._first(StudyRow.key == key)

    def of_player(self, player: PlayerId) -> Sequence[StudyHead]:
        """All studies of a player, the one that was changed last first."""
        query = select(StudyRow.board_number, StudyRow.title, StudyRow.changed_at, StudyRow.key)
        rows = self._connect().execute(query.where(StudyRow.player_id == player))
        stored = (StudyHead(BoardNumber(row.board_number), row.title, row.changed_at, row.key) for row in rows)
        saved = (each for each in self.saved.values() if each.player == player and each.moves is not None)
        heads = [each for each in stored if (player, each.board) not in self.saved]
        heads += [StudyHead(each.board, each.title, each.changed_at, each.key) for each in saved]
        return sorted(heads, key=lambda head: (head.changed_at, head.board), reverse=True)

    def count(self, player: PlayerId) -> int:
        """The number of studies that are stored for a player."""
        return self._connect().scalar(select(func.count()).where(StudyRow.player_id == player)) or 0

    def save(self, study: Study) -> None:
        """Keep a study, or delete it if it has no moves."""
        self.saved[study.player, study.board] = study

    def _first(self, which: ColumnElement[bool]) -> Study | None:
        row = self._connect().execute(select(StudyRow.__table__).where(which)).first()
        return None if row is None else _study(row)

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: a study was changed since being read.
        """
        for study in self.saved.values():
            _write_study(connection, study)


def _study(row: Row[Any]) -> Study:
    player, board = PlayerId(row.player_id), BoardNumber(row.board_number)
    return Study(player, board, row.title, row.content, row.changed_at, row.key, row.revision)


def _write_study(connection: Connection, study: Study) -> None:
    values = {
        "title": study.title,
        "content": study.moves,
        "key": study.key,
        "changed_at": study.changed_at,
        "revision": study.revision + 1,
    }
    if study.revision == 0:
        if study.moves is not None:
            connection.execute(insert(StudyRow).values(player_id=study.player, board_number=study.board, **values))
        return
    row = (StudyRow.player_id == study.player) & (StudyRow.board_number == study.board)
    as_read = row & (StudyRow.revision == study.revision)
    change = delete(StudyRow).where(as_read) if study.moves is None else update(StudyRow).where(as_read).values(values)
    if connection.execute(change).rowcount == 0:
        raise Conflict(board=study.board)
