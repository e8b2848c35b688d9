"""What is told of a game that was looked back at: the inputs, their worth, and what would have been better, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pbem.bots.analysis import PLAYOUTS_A_TURN, Look, Played, turning_points
from pbem.bots.levels import LEVELS, STRONGEST
from pbem.domain.boards import Board
from pbem.domain.courses import Course, follow
from pbem.domain.events import EventKind
from pbem.domain.records import Replay, record_of, replay
from pbem.games.game import Game

_MOST_DRAWN = 4
"""Inputs of one turn that are drawn, each with its position: a mail has room for so many pictures."""


def replayed(board: Board, course: Course, game: Game[Any, Any]) -> Replay:
    """A board as its record is played through: what was taken back, and what was said, is not there.

    Raises:
        NotPlayed: there is no game.
    """
    again = replay(record_of(board, course), game, board.last_at)
    return replace(again, board=replace(again.board, number=board.number, seats=board.seats))


def inputs_of(played: Replay, moveno: int | None = None) -> tuple[Played, ...]:
    """The inputs of a game, or those of one turn; none if nothing was played in it."""
    return tuple(each for _, each in _numbered(played, moveno))


def _numbered(played: Replay, moveno: int | None) -> list[tuple[int, Played]]:
    """The same, each with how many events of the game came before it."""
    changes = zip(played.board.events, pairwise(played.courses), strict=True)
    found = [
        (number, Played(each.moveno, each.seat, each.text.move, before.position, after.position))
        for number, (event, (before, after)) in enumerate(changes)
        if event.kind is EventKind.MOVE
        for each in after.inputs[len(before.inputs) :]
    ]
    return [(number, each) for number, each in found if moveno in (None, each.moveno)]


def most_playouts(moveno: int | None) -> int:
    """How many playouts there are for a position: one turn is thought about as the strongest robot thinks."""
    return PLAYOUTS_A_TURN if moveno is None else LEVELS[STRONGEST].playouts


def facts_of_looks(
    looks: Sequence[Look], played: Replay, game: Game[Any, Any], moveno: int | None, playouts: int
) -> dict[str, object]:
    """What the template of an analysis needs beside the facts of the board.

    Args:
        looks: at the inputs of the game, or of one turn.
        played: the game.
        game: its rules.
        moveno: the turn, if it is one.
        playouts: how many there were for each position.
    """
    drawn = turning_points(looks) if moveno is None else looks[:_MOST_DRAWN]
    before = [number for number, _ in _numbered(played, moveno)]
    return {
        "looks": tuple(looks),
        "drawn_looks": [_drawn_facts(look, before[look.index], played, game) for look in drawn],
        "moveno": moveno,
        "playouts": playouts,
    }


def _drawn_facts(look: Look, before: int, played: Replay, game: Game[Any, Any]) -> dict[str, object]:
    """What shows an input with its position, and the position after the line that is best.

    Args:
        look: at the input.
        before: how many events of the game came before it.
        played: the game.
        game: its rules.
    """
    board, course = replace(played.board, events=played.board.events[:before]), played.courses[before]
    line_board, line_course = _after(look.best.moves, board, course, game)
    return {
        "look": look,
        "board": board,
        "course": course,
        "sides": game.sides(course.position),
        "line_board": line_board,
        "line_course": line_course,
    }


def _after(moves: Sequence[str], board: Board, course: Course, game: Game[Any, Any]) -> tuple[Board, Course]:
    """A board after more inputs."""
    for text in moves:
        steps = game.read_input(course.position, text).steps
        record = game.input_record(course.position, steps)
        board = board.with_event(EventKind.MOVE, course.position.to_act or 0, board.last_at, record)
        course = follow(board, game, course)
    return board, course
