"""The courses of boards lately in use."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.domain.game_state import follow
from pbem.games.hextile.superbo import SUPERBO, Superbo
from pbem.ids import BoardNumber
from pbem.usecases.context import GameStateCache
from tests.storage.stock import ALICE, BOB, OPENING, board, played


class CountingSuperbo(Superbo):
    """Superbo, and how many turns it was asked to play."""

    def __init__(self) -> None:
        self.turns = 0

    def play_input(self, *args: Any) -> Any:
        self.turns += 1
        return super().play_input(*args)


def test_boards_that_share_only_their_last_event_are_not_confused() -> None:
    courses = GameStateCache({"superbo": SUPERBO})
    one, other = (played(board(101, ALICE, BOB), first, "H10,M1") for first in ("C3", "C4"))
    assert one.events[0] != other.events[0]
    assert one.events[1] == other.events[1]
    for each in (one, other):
        assert courses.of(each) == follow(each, SUPERBO)


def test_the_beginnings_of_two_boards_are_not_confused() -> None:
    courses = GameStateCache({"superbo": SUPERBO})
    one, other = board(101, ALICE, BOB), replace(board(102, ALICE, BOB), first=1)
    assert (courses.of(one).to_act, courses.of(other).to_act) == (0, 1)


def test_the_same_board_again_has_the_same_course() -> None:
    courses = GameStateCache({"superbo": SUPERBO})
    first = courses.of(played(board(101, ALICE, BOB), *OPENING))
    assert courses.of(played(board(101, ALICE, BOB), *OPENING)) is first


def test_one_more_move_costs_one_turn() -> None:
    game = CountingSuperbo()
    courses = GameStateCache({"superbo": game})
    courses.of(played(board(101, ALICE, BOB), *OPENING[:-1]))
    before = game.turns
    assert courses.of(played(board(101, ALICE, BOB), *OPENING)).ply == len(OPENING)
    assert game.turns == before + 1


def test_only_so_many_are_kept_and_those_lately_used() -> None:
    courses = GameStateCache({"superbo": SUPERBO}, size=3)
    kept = courses.of(board(101, ALICE, BOB))
    for number in range(102, 110):
        courses.of(board(number, ALICE, BOB))
        assert courses.of(board(101, ALICE, BOB)) is kept
        assert len(courses._kept) <= 3


def test_the_same_events_are_another_board_under_another_number() -> None:
    courses = GameStateCache({"superbo": SUPERBO})
    one = played(board(101, ALICE, BOB), *OPENING)
    other = replace(one, number=BoardNumber(102), first=1, events=())
    assert courses.of(replace(one, events=())).to_act == 0
    assert courses.of(other).to_act == 1
    assert courses.of(one).ply == len(OPENING)


def test_a_move_that_was_not_stored_after_all_is_forgotten() -> None:
    courses = GameStateCache({"superbo": SUPERBO})
    for first in ("C3", "C4"):
        after = played(board(101, ALICE, BOB), first)
        assert courses.of(board(101, ALICE, BOB)).ply == 0
        assert courses.of(after) == follow(after, SUPERBO)


def test_a_course_that_is_kept_is_not_asked_of_the_game() -> None:
    game = CountingSuperbo()
    courses = GameStateCache({"superbo": game})
    after = played(board(101, ALICE, BOB), *OPENING)
    course = follow(after, SUPERBO)
    courses.keep(after, course)
    assert courses.of(after) is course
    assert game.turns == 0
