"""Game records for those who ask: a board's by mail, and what a record out of a file comes to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.commands.model import ExportBoard
from pbem.domain import records
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.mails import Attachment, Notice
from pbem.domain.records import Replay
from pbem.errors import PlayerError
from pbem.games.game import Game
from pbem.games.json_lines import parse_line
from pbem.games.records import GameRecord, read_record, result_to_json, to_json
from pbem.ids import BoardNumber
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context, NoSuchGame
from pbem.usecases.game_state_cache import GameStateCache
from pbem.usecases.notices import about_board
from pbem.usecases.understanding import NoSuchBoard, OtherGame, find_board

LONGEST_QUOTE = 40
"""Characters of a game's name, out of a record that cannot be read, that are repeated."""


def export_board(command: ExportBoard, context: Context) -> list[Notice]:
    """The record of a board as a file.

    Raises:
        NoSuchBoard, OtherGame: it is not there.
        NotPlayed: the challenge was declined.
    """
    board = find_board(command.board, command.game, context)
    file = record_file(board, context.course(board))
    notice = about_board("export", board, context, {"file": file}, reader=context.speaker.player)
    return [replace(notice, attachment=file)]


def record_file(board: Board, course: GameState) -> Attachment:
    """The record of a board as a file to go with a mail.

    Raises:
        NotPlayed: there is no game to write down.
    """
    line = _line(board, course)
    return Attachment(f"{board.game}-{board.number}.json", "application/json", line.encode())


def stored_record(number: BoardNumber, game: str | None, uow: UnitOfWork, courses: GameStateCache) -> str:
    """The record of a board on one line, line end included.

    Raises:
        NoSuchBoard, OtherGame: it is not there.
        NotPlayed: the challenge was declined.
    """
    board = uow.boards.find(number)
    if board is None:
        raise NoSuchBoard(number)
    if game not in (None, board.game):
        raise OtherGame(number, game, board.game)
    return _line(board, courses.of(board))


def stored_records(game: str | None, uow: UnitOfWork, courses: GameStateCache) -> Iterator[str]:
    """The records of all boards, or of those of one game, but for challenges that were declined."""
    for board in uow.boards.each(game, followed=True):
        with suppress(records.NotPlayed):
            yield _line(board, courses.of(board))


def _line(board: Board, course: GameState) -> str:
    return json.dumps(to_json(records.record_of(board, course))) + "\n"


def read_line(line: bytes, games: Mapping[str, Game[Any, Any]]) -> tuple[GameRecord, Game[Any, Any]]:
    """The record that stands on a line, and its game.

    Raises:
        Unreadable: there is none, or it is not well formed.
        NoSuchGame: nobody here knows the game.
    """
    record = read_record(parse_line(line))
    game = games.get(record.game)
    if game is None:
        raise NoSuchGame(record.game, tuple(sorted(games)))
    return record, game


def replay_line(
    line: bytes, games: Mapping[str, Game[Any, Any]], now: datetime, said: Callable[[PlayerError], str]
) -> dict[str, Any]:
    """What a record comes to, as ``pbem replay`` prints it; whatever is wrong with it stands under ``error``.

    Args:
        line: the record.
        games: those that are known, by name.
        now: any moment will do.
        said: words a refusal.
    """
    try:
        record, game = read_line(line, games)
    except PlayerError as wrong:
        return _report(_game_named(line), wrong, said)
    try:
        played = records.replay(record, game, now)
    except PlayerError as wrong:
        return _report(game.name, wrong, said)
    return _report(game.name, played.error, said, played, game)


def _report(
    name: str | None,
    error: PlayerError | None,
    said: Callable[[PlayerError], str],
    played: Replay | None = None,
    game: Game[Any, Any] | None = None,
) -> dict[str, Any]:
    report: dict[str, Any] = {"game": name, "ok": error is None}
    if error is not None:
        report["error"] = {"turn": played.wrong_turn if played else None, "reason": said(error)}
    if played is None or game is None:
        return report | {"turns": [], "tiles": [], "groups": []}
    result = records.result_of(played.last)
    if result is not None:
        report["result"] = result_to_json(result)
    return report | {"turns": records.input_reports(played, game), **game.report(played.last.position)}


def _game_named(line: bytes) -> str | None:
    """The game of a record that is otherwise unreadable."""
    try:
        value = parse_line(line)
    except PlayerError:
        return None
    name = value.get("game") if isinstance(value, dict) else None
    return name[:LONGEST_QUOTE] if isinstance(name, str) else None
