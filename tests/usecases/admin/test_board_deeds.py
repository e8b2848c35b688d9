"""An operator's changes to boards of three and four players, and to accounts at them."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

import pytest

from pbem.commands.command import Command
from pbem.commands.internal import (
    AnnulBoard,
    BanPlayer,
    EndBoard,
    FreezePlayer,
    HandOverSeat,
    SetAddresses,
    UnfreezePlayer,
)
from pbem.commands.playing import MakeMove
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding, Result
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.errors import PlayerError
from pbem.storage.passwords import Passwords
from pbem.usecases.admin_boards import CannotBeWon, NotSeated
from pbem.usecases.context import Context, Policy
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.opponents import open_robots
from pbem.usecases.seats import CannotBeSeated
from pbem.usecases.understanding import BoardOver
from tests.storage.stock import AT
from tests.support.handlers import GAMES, NUMBER, HandlerFixture, told

DAY = timedelta(days=1)


def does(handlers: HandlerFixture, command: Command, at: timedelta = DAY) -> list[Notice]:
    """Have an operator do something."""
    with handlers.work() as uow:
        context = Context(
            uow,
            AT + at,
            GAMES,
            handlers.courses,
            cast("Passwords", None),
            Policy("pbem@example.org"),
            Evidence(""),
            handlers.lots.draw_lots,
            handlers.lots.tag,
        )
        notices = dispatch(command, context)
        uow.commit()
    return notices


def by_forfeit(handlers: HandlerFixture) -> list[int]:
    return [event.seat for event in handlers.board.events if event.kind is EventKind.FORFEIT]


def test_one_of_four_wins_when_the_three_others_forfeit(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat", "dan")
    handlers.moves("ann", "pass")
    notices = does(handlers, EndBoard(NUMBER, "CAT"))
    assert handlers.course.result is not None
    assert (handlers.course.result.winners, handlers.course.result.by_operator) == ((2,), True)
    assert by_forfeit(handlers) == [0, 1, 3]
    assert told(notices) == dict.fromkeys(("ann", "ben", "cat", "dan"), "board_deed")


def test_a_team_wins_when_the_other_forfeits_and_no_partner_has_to(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat", "dan", options="inorder teams")
    does(handlers, EndBoard(NUMBER, "ben"))
    assert handlers.course.result is not None
    assert handlers.course.result.winners == (1, 3)
    assert by_forfeit(handlers) == [0, 2]


def test_a_draw_of_three_and_an_annulment_leave_no_winner(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    does(handlers, EndBoard(NUMBER))
    assert handlers.course.result is not None
    assert (handlers.course.result.ending, handlers.course.result.winners) == (BoardEnding.DRAWN, ())
    with pytest.raises(BoardOver):
        does(handlers, EndBoard(NUMBER))
    does(handlers, AnnulBoard(NUMBER))
    assert handlers.course.result.ending is BoardEnding.ANNULLED
    with pytest.raises(BoardOver):
        does(handlers, AnnulBoard(NUMBER))


def test_who_is_out_of_the_game_neither_wins_it_nor_gives_his_seat_away(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.forfeits(1)
    for command in (EndBoard(NUMBER, "ben"), HandOverSeat(NUMBER, "ben", "dan")):
        with pytest.raises(NotSeated):
            does(handlers, command)


def test_who_holds_every_seat_in_play_cannot_be_made_the_winner(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ann")
    with pytest.raises(CannotBeWon):
        does(handlers, EndBoard(NUMBER, "ann"))


def test_both_seats_of_a_player_are_handed_over(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "ann")
    notices = does(handlers, HandOverSeat(NUMBER, "ann", "dan"))
    assert handlers.userids == "dan ben dan"
    assert told(notices) == dict.fromkeys(("ann", "ben", "dan"), "board_deed")
    handlers.moves("dan", "pass")
    assert handlers.board.has_moved(0)


def test_who_takes_over_before_his_first_move_may_decline_and_the_others_begin_anew(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.moves("ann", "pass")
    does(handlers, HandOverSeat(NUMBER, "ann", "dan"))
    handlers.resigns("dan")
    assert handlers.userids == "ben cat"
    assert handlers.board.may_count


def test_a_letter_that_answers_the_position_before_a_handover_is_overtaken(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    does(handlers, HandOverSeat(NUMBER, "ann", "dan"))
    with pytest.raises(PlayerError, match="Overtaken"):
        handlers.asks("dan", MakeMove(NUMBER, "pass"), answers_event=0)
    handlers.asks("dan", MakeMove(NUMBER, "pass"), answers_event=1)


def test_a_seat_goes_to_nobody_who_cannot_play(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    does(handlers, FreezePlayer("dan"))
    with pytest.raises(CannotBeSeated) as refused:
        does(handlers, HandOverSeat(NUMBER, "ann", "dan"))
    assert refused.value.facts["bar"] == "frozen"


def test_clocks_stand_while_one_of_many_is_frozen_and_twice_is_no_more(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    notices = does(handlers, FreezePlayer("ann"))
    assert told(notices) == {"ann": "account_deed", "ben": "board_deed", "cat": "board_deed"}
    does(handlers, FreezePlayer("ben"), 2 * DAY)
    assert [pause.why for pause in handlers.board.stands] == ["frozen", "frozen"]
    notices = does(handlers, UnfreezePlayer("ann"), 3 * DAY)
    assert told(notices) == {"ann": "account_deed"}
    notices = does(handlers, UnfreezePlayer("ben"), 4 * DAY)
    assert told(notices) == {"ann": "board_deed", "ben": "account_deed", "cat": "board_deed"}
    assert handlers.board.stands == ()


def test_a_new_address_lets_the_clocks_run_that_stood_for_want_of_one(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    with handlers.work() as uow:
        ann = uow.players.by_userid("ann")
        assert ann is not None
        uow.players.save(ann.suppress("ann@example.org", AT, "5.1.1"))
        uow.boards.save(handlers.board.with_pause(ann.id, "unreachable", AT))
        uow.commit()
    notices = does(handlers, SetAddresses("ann", addresses=("Ann@example.net",)))
    assert handlers.board.stands == ()
    assert [(each.name, getattr(each.to, "userid", None)) for each in notices] == [
        ("account_deed", "ann"),
        ("account_deed", "ann"),
        ("reachable_again", "ann"),
        ("clocks_run", "ben"),
    ]


def test_the_others_play_on_when_one_of_four_is_banned_after_his_first_move(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat", "dan")
    handlers.moves("ann", "pass")
    does(handlers, FreezePlayer("ann"))
    notices = does(handlers, BanPlayer("ann"), 2 * DAY)
    assert [notice.name for notice in notices] == ["account_deed", *["board"] * 4]
    assert handlers.course.result is None
    assert handlers.course.position.playing == (1, 2, 3)
    assert handlers.board.stands == ()


def test_the_others_begin_anew_when_one_of_three_is_banned_before_it(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    notices = does(handlers, BanPlayer("cat"))
    assert told(notices) == dict.fromkeys(("ann", "ben", "cat"), "declined")
    assert handlers.userids == "ann ben"
    assert handlers.board.restarted
    assert handlers.board.events[0].record == {"players": ["ann", "ben"], "by": "operator"}
    handlers.moves("ann", "pass")
    does(handlers, BanPlayer("ben"), 2 * DAY)
    assert handlers.course.result == Result((), BoardEnding.DECLINED, by=1, by_operator=True)
    assert handlers.board.restarted == 1


@pytest.mark.parametrize("moved", [True, False])
@pytest.mark.parametrize("leaves", [True, False])
def test_no_clock_stands_at_a_board_that_is_over(handlers: HandlerFixture, moved: bool, leaves: bool) -> None:
    handlers.challenges("ann", "ben")
    for userid in ("ann", "ben") if moved else ():
        handlers.moves(userid, "pass")
    does(handlers, FreezePlayer("ben"))
    assert handlers.board.stands
    if leaves:
        does(handlers, BanPlayer("ann"))
    else:
        handlers.resigns("ann")
    assert handlers.course.result is not None
    assert handlers.board.stands == ()


def test_what_is_printed_of_time_shows_no_deed(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", "pass")
    does(handlers, EndBoard(NUMBER, "ann"))
    assert handlers.course.time_used(handlers.board)[1] == timedelta()


def test_a_board_whose_last_person_gives_his_seat_to_a_robot_is_over(handlers: HandlerFixture) -> None:
    with handlers.work() as uow:
        open_robots(uow, AT)
        uow.commit()
    handlers.challenges("ann", "robot1", "robot2")
    does(handlers, HandOverSeat(NUMBER, "ann", "robot3"))
    assert handlers.course.result == Result((), BoardEnding.DRAWN, 0, left_to_robots=True)
