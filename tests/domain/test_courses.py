"""The state of boards at which moves are taken back and draws are offered."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.bootstrap import find_games
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind, OfferKind
from pbem.domain.game_state import GameState, after_input, follow, up_to_move
from pbem.domain.records import record_of, replay
from pbem.domain.vacations import OFFER
from pbem.games.hextile.superbo import Superbo
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import GameStateCache
from tests.storage.stock import AT

GAMES = dict(find_games())
SEATED = [*((name, 2) for name in sorted(GAMES)), ("mamba", 3), ("mamba", 4)]
MINUTE = timedelta(minutes=1)


def begun(game: str, players: int = 2) -> Board:
    seats = tuple(SeatHolder(PlayerId(number), f"p{number}") for number in range(1, players + 1))
    options = {} if game == "mamba" else {"swap": True}
    return Board(BoardNumber(101), game, options, GAMES[game].rules, 0, seats, AT)


def course_of(board: Board) -> GameState:
    return follow(board, GAMES[board.game])


def turn(board: Board, choice: int) -> Board:
    """One more input, the one that a number chooses among the legal ones; none if the game is over."""
    game, course = GAMES[board.game], course_of(board)
    seat, position = course.to_act, course.position
    if seat is None:
        return board
    steps = [position.legal()[choice % len(position.legal())]]
    after = position.play(steps[0])
    while after.ply == position.ply and after.to_act == seat and after.decision is None:
        steps.append(after.legal()[choice % len(after.legal())])
        after = after.play(steps[-1])
    return board.with_event(EventKind.MOVE, seat, board.last_at + MINUTE, game.input_record(position, steps))


def asked(board: Board, back_to: int, seat: int = 0) -> Board:
    record = {"of": "undo", "back_to": back_to}
    return board.with_event(EventKind.OFFER, seat, board.last_at + MINUTE, record)


def undone(board: Board, back_to: int) -> Board:
    """Everything behind an event taken back, as one player asks and the other agrees."""
    return asked(board, back_to).with_event(EventKind.UNDO, 1, board.last_at + 2 * MINUTE, {"back_to": back_to})


def comes_to(course: GameState) -> tuple[Any, ...]:
    """All that a course says of the game, whatever its events are numbered."""
    numbers = dict(zip([each.event for each in course.inputs], count(1)))
    inputs = [(each.moveno, each.seat, each.text) for each in course.inputs]
    return course.position, inputs, course.result, course.to_act, [numbers.get(each) for each in course.begun]


@pytest.mark.parametrize(("game", "players"), SEATED)
@settings(max_examples=5, deadline=None)
@given(choices=st.lists(st.integers(0, 10**6), min_size=1, max_size=6))
def test_an_input_that_was_just_judged_need_not_be_played_again(game: str, players: int, choices: list[int]) -> None:
    board = begun(game, players)
    for choice in choices:
        before, board = board, turn(board, choice)
        if board != before:
            course, followed = course_of(before), course_of(board)
            judged = GAMES[game].read_input(course.position, followed.inputs[-1].text.move).position
            assert after_input(course, board.events[-1], GAMES[game], judged) == followed


@pytest.mark.parametrize(("game", "players"), SEATED)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_play_and_take_back_and_play_again_is_as_never_taken_back(data: st.DataObject, game: str, players: int) -> None:
    choices = data.draw(st.lists(st.integers(0, 10**6), min_size=1, max_size=8), label="choices")
    straight = begun(game, players)
    for choice in choices:
        straight = turn(straight, choice)
    back_to = data.draw(st.integers(0, straight.event_number), label="back to")
    board = undone(straight, back_to)
    was = replace(straight, events=straight.events[:back_to])
    assert comes_to(course_of(board)) == comes_to(course_of(was))
    assert [each.record for each in board.in_force] == [each.record for each in was.events]
    for choice in choices[back_to:]:
        board = turn(board, choice)
    assert comes_to(course_of(board)) == comes_to(course_of(straight))
    assert record_of(board, course_of(board)) == record_of(straight, course_of(straight))
    for moveno in range(course_of(straight).ply + 1):
        then = up_to_move(board, course_of(board), moveno)
        meant = up_to_move(straight, course_of(straight), moveno)
        assert comes_to(course_of(then)) == comes_to(course_of(meant))


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_what_is_taken_back_again_and_again_comes_to_what_is_in_force(data: st.DataObject, game: str) -> None:
    """Moves and undos in any order, an undo of an undo among them; the cache, warm and cold, says the same."""
    board, courses = begun(game), GameStateCache(GAMES)
    plain: dict[int, Board] = {0: board}
    for _ in range(data.draw(st.integers(1, 10), label="steps")):
        before = plain[board.event_number]
        takes_back = data.draw(st.booleans(), label="undo")
        if board.events and takes_back:
            back_to = data.draw(st.sampled_from(sorted(plain)), label="back to")
            board, before = undone(board, back_to), plain[back_to]
        else:
            choice = data.draw(st.integers(0, 10**6), label="choice")
            if course_of(board).result is not None:
                break
            board, before = turn(board, choice), turn(before, choice)
        plain[board.event_number] = before
        assert comes_to(courses.of(board)) == comes_to(course_of(before))
        assert courses.of(board) == GameStateCache(GAMES).of(board)
        assert [each.record for each in board.in_force] == [each.record for each in before.events]
        assert len(course_of(board).waited_for) == len(board.events)
    assert replay(record_of(board, course_of(board)), GAMES[game], AT).error is None


def played(count_: int, game: str = "superbo") -> Board:
    board = begun(game)
    for _ in range(count_):
        board = turn(board, 0)
    return board


def test_who_has_taken_his_only_move_back_has_not_moved() -> None:
    board = played(2)
    assert [board.has_moved(seat) for seat in (0, 1)] == [True, True]
    assert [undone(board, 1).has_moved(seat) for seat in (0, 1)] == [True, False]
    assert [undone(board, 0).has_moved(seat) for seat in (0, 1)] == [False, False]


def test_a_swap_is_taken_back_as_any_move() -> None:
    board = played(1)
    swapped = turn(board, -1)
    assert [each.text.move for each in course_of(swapped).inputs][1:] == ["swap"]
    assert comes_to(course_of(undone(swapped, 1))) == comes_to(course_of(board))
    assert comes_to(course_of(turn(undone(swapped, 1), -1))) == comes_to(course_of(swapped))


def test_a_seat_stays_handed_over_when_older_moves_are_taken_back() -> None:
    board = played(2).with_handover(1, SeatHolder(PlayerId(9), "p9"), AT)
    assert not undone(turn(board, 0), 2).has_moved(1)
    assert [each.kind for each in undone(board, 1).in_force] == [EventKind.MOVE, EventKind.HANDOVER]


def test_an_offer_is_open_until_something_happens() -> None:
    board = played(2)
    offered = board.with_event(EventKind.OFFER, 1, AT, {"of": "draw"})
    offer = course_of(offered).offer
    assert offer is not None
    assert (offer.kind, offer.seat, offer.event) == (OfferKind.DRAW, 1, 3)
    assert offer.waits_for(offered, course_of(offered).position.playing) == (PlayerId(1),)
    moved = course_of(turn(offered, 0))
    assert (moved.offer, moved.talk.ended, moved.talk.refused) == (None, offer, ())
    refused = course_of(offered.with_event(EventKind.REFUSAL, 0, AT))
    assert (refused.offer, refused.talk.ended, refused.talk.refused) == (None, offer, ((OfferKind.DRAW, 1),))
    assert course_of(turn(offered.with_event(EventKind.REFUSAL, 0, AT), 0)).talk.refused == ()


def test_of_three_players_both_others_have_to_answer() -> None:
    board = turn(begun("mamba", 3), 0).with_event(EventKind.OFFER, 0, AT, {"of": "draw"})
    course = course_of(board)
    assert course.offer is not None
    assert course.offer.waits_for(board, course.position.playing) == (PlayerId(2), PlayerId(3))
    agreed = board.with_event(EventKind.CONSENT, 2, AT)
    course = course_of(agreed)
    assert course.offer is not None
    assert course.offer.waits_for(agreed, course.position.playing) == (PlayerId(2),)


def test_while_something_is_offered_nobody_uses_time() -> None:
    board = played(2)
    used = course_of(board).time_used(board)
    offered = board.with_event(EventKind.OFFER, 1, board.last_at + MINUTE, {"of": "draw"})
    assert [pause.why for pause in offered.stands] == [OFFER]
    refused = offered.with_event(EventKind.REFUSAL, 0, board.last_at + timedelta(days=2))
    assert refused.stands == ()
    after = turn(refused, 0)  # a minute later
    assert course_of(after).time_used(after) == (used[0] + 2 * MINUTE, used[1])
    agreed = offered.with_event(EventKind.CONSENT, 0, board.last_at + MINUTE)
    assert agreed.stands == offered.stands


def test_up_to_a_move_what_was_offered_then_is_left_out() -> None:
    offered = played(1).with_event(EventKind.OFFER, 0, AT, {"of": "draw"})
    board = turn(offered, 0)
    then = up_to_move(board, course_of(board), 1)
    assert then.events == board.events[:1]
    assert up_to_move(offered, course_of(offered), 1) is offered


@pytest.mark.parametrize("record", [None, {"by": "clock"}, {"by": "operator"}])
def test_a_draw_is_written_down_without_what_was_said_and_taken_back_before(record: dict[str, str] | None) -> None:
    talked = undone(played(3), 2).with_event(EventKind.OFFER, 1, AT, {"of": "draw"})
    board = talked.with_event(EventKind.DRAW, 0, AT, record)
    written = record_of(board, course_of(board))
    assert len(written.turns) == 3
    assert written.turns[-1] == {"seat": 0, "event": "draw"}
    again = replay(written, GAMES["superbo"], AT)
    assert again.error is None
    assert again.last.result is not None


class CountingGame(Superbo):
    """A game, and how many inputs it was asked to play."""

    def __init__(self) -> None:
        self.inputs = 0

    def play_input(self, *args: Any) -> Any:
        self.inputs += 1
        return super().play_input(*args)


def test_however_much_is_taken_back_every_input_is_played_once() -> None:
    board = played(4)
    for _ in range(6):
        board = turn(undone(board, 3), 1)
    game = CountingGame()
    assert follow(board, game).ply == 4
    assert game.inputs == 4 + 6
