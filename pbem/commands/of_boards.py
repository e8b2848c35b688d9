"""The verbs of boards: what stands behind them → the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from pbem.commands.line import (
    Line,
    about,
    board_and_rest,
    credentials,
    nothing_left,
    split_moveno,
    whole_number,
    without_sentence_end,
)
from pbem.commands.model import (
    AcceptOffer,
    AskUndo,
    CancelQueued,
    Chat,
    Command,
    ConfirmMove,
    Credentials,
    ExportBoard,
    Mailed,
    MakeMove,
    PassTurn,
    ProposeDraw,
    QueueMove,
    RejectOffer,
    Resend,
    Resign,
    SubmitMove,
    SwapSides,
    TurnCommand,
)
from pbem.commands.refusals import MissingWord, NoMoveButCommand
from pbem.commands.steps import begins_with_cells
from pbem.ids import BoardNumber

Played: TypeAlias = tuple[BoardNumber, Credentials | None, tuple[str, ...], int | None]


IN_PLACE_OF_A_MOVE: Mapping[str, type[TurnCommand]] = {
    "propose": ProposeDraw,
    "undo": AskUndo,
    "accept": AcceptOffer,
    "reject": RejectOffer,
    "resign": Resign,
}
"""Words that may stand where a move does, and are not for the game to read."""


def read_move(line: Line) -> Command:
    """``move <board> [<userid> <password>] <move>[#<moveno>]``."""
    board, speaker, words, moveno = _played("move", line)
    command = IN_PLACE_OF_A_MOVE.get(words[0].lower()) if len(words) == 1 else None
    if command is not None:
        return command(board, game=line.game, speaker=speaker, moveno=moveno)
    return MakeMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


def read_queue(line: Line) -> Command:
    """``queue <board> [<userid> <password>] <move>[#<moveno>]``, or ``cancel`` in place of the move."""
    board, speaker, words, moveno = _played("queue", line)
    if [word.lower() for word in words] == ["cancel"]:
        return CancelQueued(board, game=line.game, speaker=speaker)
    _is_move("queue", board, words)
    return QueueMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


def read_submit(line: Line) -> Command:
    """``submit <board> [<userid> <password>] <move>[#<moveno>]``."""
    board, speaker, words, moveno = _played("submit", line)
    _is_move("submit", board, words)
    return SubmitMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


def _is_move(form: str, board: BoardNumber, words: tuple[str, ...]) -> None:
    """Accept words for the game to read.

    Raises:
        NoMoveButCommand: they are a command of their own.
    """
    if len(words) == 1 and words[0].lower() in IN_PLACE_OF_A_MOVE:
        raise NoMoveButCommand(form, words[0].lower(), board)


def _played(form: str, line: Line) -> Played:
    """Board, speaker, the words of a move, and the number that it is meant to have."""
    board, words = _board_with_moveno(form, line)
    with about(board):
        words, moveno = split_moveno(form, words)
        speaker, words = credentials(form, words, line.games)
        if not words:
            raise MissingWord(form, "move")
    words = without_sentence_end(words)
    if speaker is None and whole_number(line.words[0]) is None and begins_with_cells(words):
        words = ("move", *words)  # an answer: the word is that of the step, and without it cells might mean another
    return board, speaker, words, moveno


def read_confirm(line: Line) -> Command:
    """``confirm <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn("confirm", ConfirmMove, line)


def read_propose(line: Line) -> Command:
    """``propose <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn("propose", ProposeDraw, line)


def read_undo(line: Line) -> Command:
    """``undo <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn("undo", AskUndo, line)


def read_accept_offer(line: Line) -> Command:
    """``accept <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn("accept", AcceptOffer, line)


def read_reject_offer(line: Line) -> Command:
    """``reject <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn("reject", RejectOffer, line)


def read_resign(line: Line) -> Command:
    """``resign <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn("resign", Resign, line)


def read_pass(line: Line) -> Command:
    """``pass <board> [<userid> <password>] [#<moveno>]``."""
    board, speaker, moveno = _turn("pass", line)
    return PassTurn(board, "pass", moveno, game=line.game, speaker=speaker)


def read_swap(line: Line) -> Command:
    """``swap <board> [<userid> <password>] [#<moveno>]``."""
    board, speaker, moveno = _turn("swap", line)
    return SwapSides(board, "swap", moveno, game=line.game, speaker=speaker)


def _of_turn(form: str, command: type[TurnCommand], line: Line) -> Command:
    board, speaker, moveno = _turn(form, line)
    return command(board, game=line.game, speaker=speaker, moveno=moveno)


def _turn(form: str, line: Line) -> tuple[BoardNumber, Credentials | None, int | None]:
    """A board, perhaps a speaker, and perhaps the number of the move that is to be made next."""
    board, words = _board_with_moveno(form, line)
    with about(board):
        speaker, words = credentials(form, words, line.games)
        words, moveno = split_moveno(form, words)  # behind the password, which may hold a # itself
        nothing_left(form, line, words)
    return board, speaker, moveno


def _board_with_moveno(form: str, line: Line) -> tuple[BoardNumber, tuple[str, ...]]:
    """The board and the rest, where the number of the move may also be joined to that of the board: ``101#7``."""
    first, sign, moveno = line.words[0].partition("#") if line.words else ("", "", "")
    if sign and whole_number(first) is not None:
        board, words = board_and_rest(form, replace(line, words=(first, *line.words[1:])))
        return board, (*words, f"#{moveno}")
    return board_and_rest(form, line)


def read_chat(line: Line) -> Command:
    """``chat <board> [<userid> <password>]``."""
    board, speaker = board_and_speaker("chat", line)
    return Chat(board, game=line.game, speaker=speaker)


def read_mailed(line: Line) -> Command:
    """``mailed <board> [<userid> <password>]``."""
    board, speaker = board_and_speaker("mailed", line)
    return Mailed(board, game=line.game, speaker=speaker)


def read_resend(line: Line) -> Command:
    """``resend <board> [<userid> <password>]``."""
    board, speaker = board_and_speaker("resend", line)
    return Resend(board, game=line.game, speaker=speaker)


def board_and_speaker(form: str, line: Line) -> tuple[BoardNumber, Credentials | None]:
    """A board and perhaps credentials, in either order, and nothing else."""
    speaker, words = credentials(form, line.words, line.games)
    board, words = board_and_rest(form, replace(line, words=words))
    with about(board):
        if speaker is None:
            speaker, words = credentials(form, words, line.games)
        nothing_left(form, line, words)
    return board, speaker


def read_export(line: Line) -> Command:
    """``export <board>``."""
    board, words = board_and_rest("export", line)
    with about(board):
        nothing_left("export", line, words)
    return ExportBoard(board, line.game)
