"""Boards of Mamba and the mails about them, for the tests of the wording."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding, GameState, Result, follow
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player
from pbem.domain.preferences import Preferences
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.ratings import Rated
from pbem.wording.mails import RenderedMail
from tests.wording.sample_mails import AT, REPLY_TO, WORDING

USERIDS = ("alice", "bob", "carol", "dave")
PLAYERS = tuple(
    Player(PlayerId(number), userid, (Address(f"{userid}@example.org", AT),), AT, "hash")
    for number, userid in enumerate(USERIDS, start=1)
)
ALICE, BOB, CAROL, DAVE = PLAYERS


def seated(players: int, options: str = "", first: int = 0) -> Board:
    """A board before the first move."""
    seats = tuple(SeatHolder(player.id, player.userid) for player in PLAYERS[:players])
    return Board(BoardNumber(101), "mamba", MAMBA.read_options(options.split()), 1, first, seats, AT)


def position_of(board: Board) -> Position:
    """The current position of a board."""
    position = follow(board, MAMBA).position
    assert isinstance(position, Position)
    return position


def with_lines(board: Board, *lines: str) -> Board:
    """The board after these lines, each by the player who is to act."""
    for line in lines:
        position = position_of(board)
        read = MAMBA.read_input(position, line)
        board = board.with_event(EventKind.MOVE, position.to_act or 0, AT, MAMBA.input_record(position, read.steps))
    return board


def played(board: Board, turns: int, seed: int = 1) -> Board:
    """The board after some turns drawn by lot, some of them sent in parts; of fewer if the game is over before."""
    lot = random.Random(seed)
    position = position_of(board)
    while position.ply < turns and position.outcome is None:
        start, steps = position, list[Any]()
        while position.ply == start.ply and position.to_act == start.to_act and (not steps or lot.random() < 0.9):
            steps.append(lot.choice(position.legal()))
            position = position.play(steps[-1])
        board = board.with_event(EventKind.MOVE, start.to_act or 0, AT, MAMBA.input_record(start, steps))
    return board


def course_of(position: Position) -> GameState:
    """The course of a board that stands so, whatever led to it."""
    if position.outcome is None:
        return GameState(position)
    return GameState(position, result=Result(position.outcome.winners, BoardEnding.RULES))


def facts(board: Board, course: GameState, reader: Player | None) -> dict[str, Any]:
    position = course.position
    assert isinstance(position, Position)
    to_act = None if course.to_act is None else board.seats[course.to_act]
    return {
        "board": board,
        "course": course,
        "game": MAMBA,
        "sides": MAMBA.sides(position),
        "to_act": to_act,
        "reader": reader,
        "ratings": None if course.result is None else Rated(),
        "plays": reader is not None and reader.id in board.players,
        "readers_turn": to_act is not None and reader is not None and to_act.player == reader.id,
        "comment": None,
    }


def mail(
    board: Board,
    reader: Player | None,
    /,
    name: str = "board",
    reply_to: str | None = REPLY_TO,
    *,
    course: GameState | None = None,
    more: dict[str, Any] | None = None,
    **preferences: str,
) -> RenderedMail:
    """The mail about a board to a player, or to somebody without an account."""
    reader = reader and replace(reader, preferences=Preferences(**preferences))
    told = facts(board, course or follow(board, MAMBA), reader) | (more or {})
    return WORDING.render(Notice(name, reader or "who@example.org", told), reply_to)


def mail_about(position: Position, reader: Player | None = ALICE, **more: Any) -> RenderedMail:
    """The mail about a position, whatever led to it."""
    return mail(seated(position.rules.players), reader, course=course_of(position), **more)


def sentences(words: RenderedMail) -> str:
    """The text, its line breaks taken out."""
    return " ".join(words.body.split())


WON = "move d3-d5 / move d8-c8 / lay d5>d6 move f1-g2 / move f8-g9 / move e2-d3 / move c8-d8 / cut d5"
_ROW = re.compile(r"(\d) ((?:[ \[][.A-D][ \]])+) \1")
_CELL = re.compile(r"[ \[][.A-D][ \]]")


def cells(figure: str, half: int) -> dict[str, str]:
    """The content of each cell of the left board of a figure, or of the right one, with its brackets."""
    rows = [_ROW.findall(line)[half] for line in figure.split("\n") if _ROW.search(line)]
    return {
        f"{column}{row}": cell.strip()
        for row, drawn in rows
        for column, cell in zip("abcdefghi", _CELL.findall(drawn), strict=True)
    }
