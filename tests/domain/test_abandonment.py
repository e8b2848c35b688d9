from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding, Result, follow, heirs, is_left_to_robots
from pbem.domain.records import record_of, replay
from pbem.games.mamba.game import MAMBA
from pbem.ids import BoardNumber, PlayerId

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)


def begun(*userids: str, teams: bool = False) -> Board:
    """A game of Mamba that has begun."""
    seats = tuple(SeatHolder(PlayerId(number), userid) for number, userid in enumerate(userids, start=1))
    options = {"teams": True} if teams else {}
    return Board(BoardNumber(101), "mamba", options, MAMBA.rules, 0, seats, AT)


def without(board: Board, *seats: int) -> Board:
    for seat in seats:
        board = board.with_event(EventKind.RESIGNATION, seat, AT)
    return board


def left_to(board: Board) -> tuple[int, ...] | None:
    """The winners of a game that is left to robots, by seat; None if it is not left to them."""
    position = follow(board, MAMBA).position
    return heirs(board, position) if is_left_to_robots(board, position) else None


@pytest.mark.parametrize(
    ("userids", "teams", "gone", "winners"),
    [
        (("ann", "robot1", "robot2", "robot3"), False, (), None),
        (("ann", "robot1", "robot2", "robot3"), False, (0,), (1, 2, 3)),
        (("ann", "robot1", "robot2", "robot3"), False, (0, 2), (1, 3)),
        (("ann", "bob", "robot2", "robot3"), False, (0,), None),
        (("ann", "robot1", "robot2", "robot3"), True, (0,), (1, 3)),
        (("ann", "robot1", "bob", "robot3"), True, (0,), None),
        (("ann", "bob", "robot2", "robot3"), True, (0,), None),
        (("ann", "bob", "robot2", "robot3"), True, (0, 1), ()),
        (("robot1", "robot2", "robot3"), False, (), ()),
    ],
)
def test_a_game_is_left_to_robots_and_shared_by_those_who_play_on(
    userids: tuple[str, ...], teams: bool, gone: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    assert left_to(without(begun(*userids, teams=teams), *gone)) == winners


@pytest.mark.parametrize("teams", [False, True])
def test_who_is_out_by_the_rules_has_not_given_up_what_his_partner_plays_for(teams: bool) -> None:
    board = begun("ann", "robot1", "robot2", "robot3", teams=teams)
    out = follow(without(board, 0), MAMBA).position
    assert is_left_to_robots(board, out) == (not teams)


def test_the_record_of_a_game_left_to_robots_is_sound() -> None:
    board = without(begun("ann", "robot1", "robot2"), 0).with_event(EventKind.DRAW, 1, AT)
    course = follow(board, MAMBA)
    assert course.result == Result((1, 2), BoardEnding.DRAWN, 1, left_to_robots=True)
    assert replay(record_of(board, course), MAMBA, AT).error is None
