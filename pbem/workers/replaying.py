"""Every stored board played through again, and what that comes to held against what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine

from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState, begin, follow
from pbem.games.game import Game
from pbem.storage.board_rows import seat_values
from pbem.storage.lists import Kept, Summary, UnreadableBoard, count_boards, each_board


def differences(engine: Engine, games: Mapping[str, Game[Any, Any]], told: Callable[[int, int], None]) -> Iterator[str]:
    """What is wrong with boards, a sentence for each of which anything is.

    Args:
        engine: of the database; servers may go on writing to it.
        games: that are here.
        told: how many boards have been looked at, and how many there are.
    """
    total = count_boards(engine)
    for done, kept in enumerate(each_board(engine), start=1):
        if isinstance(kept, UnreadableBoard):
            yield f"board {kept.number}: cannot be read ({type(kept.why).__name__})"
        elif wrong := "; ".join(_faults(kept, games)):
            yield f"board {kept.board.number}: {wrong}"
        told(done, max(done, total))


def _faults(kept: Kept, games: Mapping[str, Game[Any, Any]]) -> Iterator[str]:
    board = kept.board
    yield from _misplaced(kept)
    numbers = [event.number for event in board.events]
    if numbers != list(range(1, len(numbers) + 1)):
        gap = next(place for place, number in enumerate(numbers, start=1) if number != place)
        yield f"event {gap} is missing"
    elif board.game not in games:
        yield f"there is no game {board.game} here"
    elif not 1 <= board.rules <= (newest := games[board.game].rules):
        yield f"rules is {board.rules}, known are those up to {newest}"
    else:
        yield from _played_through(kept, board, games[board.game])


def _misplaced(kept: Kept) -> Iterator[str]:
    """What is wrong with where it belongs, and whether it counts."""
    place = kept.board.tournament
    if place is not None and not place.name:
        yield f"there is no tournament {place.tournament}"
    if not kept.board.rated and (place is not None or kept.has_changed_ratings):
        yield f"it is not rated, but {'of a tournament' if place else 'has changed ratings'}"


def _played_through(kept: Kept, board: Board, game: Game[Any, Any]) -> Iterator[str]:
    try:
        course = follow(board, game)
    except Exception as failed:  # noqa: BLE001 - whatever the rules run into with events that they have never written
        yield f"event {_unplayable(board, game)} cannot be played ({type(failed).__name__})"
        return
    yield from _unseated(board, course)
    summary = _summary(board, course)
    for name, stored, found in zip(Summary._fields, kept.summary, summary, strict=True):
        if stored != found:
            yield f"{name} is {_said(stored)}, by its events {_said(found)}"
    seats = tuple((row["active"], row["finished_at"]) for row in seat_values(board, summary.finished_at))
    if kept.seats != seats:
        yield f"its seats are not {'active' if summary.active else f'over since {summary.finished_at}'}"


def _unseated(board: Board, course: GameState) -> Iterator[str]:
    """The first event by a seat that there is not, or by one that was not to move."""
    for event, to_act in zip(board.played, course.waited_for, strict=True):
        if not 0 <= event.seat < len(board.seats):
            yield f"event {event.number} is by seat {event.seat}, which nobody holds"
            return
        if event.kind is EventKind.MOVE and event.seat != to_act:
            yield f"event {event.number} is by seat {event.seat}, while {_said(to_act)} was to act"
            return


def _summary(board: Board, course: GameState) -> Summary:
    result = course.result
    if result is None:
        return Summary(board.event_number, course.to_act, True, None, None, None)
    winners = tuple(result.winners)
    return Summary(board.event_number, course.to_act, False, result.ending.value, winners, board.last_at)


def _unplayable(board: Board, game: Game[Any, Any]) -> int:
    """The number of the first event that cannot be played; 0: the game cannot even begin so."""
    try:
        begin(board, game)
    except Exception:  # noqa: BLE001 - as above
        return 0
    for number in range(board.restarted + 1, board.event_number + 1):
        try:
            follow(replace(board, events=board.events[:number]), game)
        except Exception:  # noqa: BLE001 - as above
            return number
    return board.event_number


def _said(value: object) -> str:
    return "none" if value is None else str(value)
