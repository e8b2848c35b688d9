"""Private notes: what a player writes down at a board, for nobody else."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.answers import unsigned
from pbem.commands.internal import SaveNote
from pbem.commands.studying import KeepNote
from pbem.domain.boards import Board
from pbem.domain.letters import CUT
from pbem.domain.mails import Notice
from pbem.domain.studies import LONGEST_NOTE, MOST_NOTES, BoardNote
from pbem.errors import NotAllowed, NotNow
from pbem.ids import BoardNumber
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import about_board
from pbem.usecases.understanding import find_board


class NothingNoted(NotAllowed):
    """The speaker has no note at the board; among ``several`` commands no text can be written below one."""

    board: BoardNumber
    several: bool = False


class NoteTooLong(NotNow):
    """The note would have ``length`` characters."""

    board: BoardNumber
    length: int
    most: int = LONGEST_NOTE


class TooManyNotes(NotNow):
    """The speaker has notes at as many boards as one may have."""

    board: BoardNumber
    most: int = MOST_NOTES


class NoteChanged(NotNow):
    """The note has changed since the page was made."""

    board: BoardNumber


@handles(KeepNote)
def keep_note(command: KeepNote, context: Context) -> list[Notice]:
    """Add to the speaker's note at a board, delete it, or show it if there is nothing to add.

    Raises:
        NoSuchBoard, OtherGame: not here.
        NothingNoted: there is none.
        NoteTooLong, TooManyNotes: there is no room for it.
    """
    board, player = find_board(command.board, command.game, context), context.speaker.known
    known = context.uow.notes.find(player.id, board.number)
    below = unsigned(context.comment.partition(CUT)[0], player.userid).strip("\n")
    added = "" if command.deletes else below
    if known is None and not added:
        raise NothingNoted(board.number, several=context.commands > 1)
    before = "" if known is None else known.text
    text = "" if command.deletes else "\n".join(filter(None, (before, added)))
    if text != before:
        _save(board, text, known, context)
    facts = {"text": text or before, "added": bool(added and before), "deleted": command.deletes}
    return [about_board("note", board, context, facts, reader=player)]


@handles(SaveNote)
def save_note(command: SaveNote, context: Context) -> list[Notice]:
    """Keep the speaker's note at a board as their page has it.

    Raises:
        NoSuchBoard: not here.
        NoteChanged: a letter, or another page, has changed it.
        NoteTooLong, TooManyNotes: there is no room for it.
    """
    board, text = find_board(command.board, None, context), command.text.strip()
    known = context.uow.notes.find(context.speaker.known.id, board.number)
    if text == ("" if known is None else known.text):
        return []
    if command.seen != (0 if known is None else known.revision):
        raise NoteChanged(board.number)
    _save(board, text, known, context)
    return []


def _save(board: Board, text: str, known: BoardNote | None, context: Context) -> None:
    player = context.speaker.known.id
    if len(text) > LONGEST_NOTE:
        raise NoteTooLong(board.number, len(text))
    if known is None and context.uow.notes.count(player) >= MOST_NOTES:
        raise TooManyNotes(board.number)
    new = BoardNote(player, board.number, text, context.now)
    context.uow.notes.save(new if known is None else replace(known, text=text, changed_at=context.now))
