"""What an operator does to boards of three and four players, and to accounts at them."""

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
from tests.usecases.house import GAMES, NUMBER, House, told

DAY = timedelta(days=1)


def does(house: House, command: Command, at: timedelta = DAY) -> list[Notice]:
    """Have an operator do something."""
    with house.work() as uow:
        context = Context(
            uow,
            AT + at,
            GAMES,
            house.courses,
            cast("Passwords", None),
            Policy("pbem@example.org"),
            Evidence(""),
            house._lots.draw_lots,
            house._lots.tag,
        )
        notices = dispatch(command, context)
        uow.commit()
    return notices


def by_forfeit(house: House) -> list[int]:
    return [event.seat for event in house.board.events if event.kind is EventKind.FORFEIT]


def test_one_of_four_wins_when_the_three_others_forfeit(house: House) -> None:
    house.challenges("ann", "ben", "cat", "dan")
    house.moves("ann", "pass")
    notices = does(house, EndBoard(NUMBER, "CAT"))
    assert house.course.result is not None
    assert (house.course.result.winners, house.course.result.by_operator) == ((2,), True)
    assert by_forfeit(house) == [0, 1, 3]
    assert told(notices) == dict.fromkeys(("ann", "ben", "cat", "dan"), "board_deed")


def test_a_team_wins_when_the_other_forfeits_and_no_partner_has_to(house: House) -> None:
    house.challenges("ann", "ben", "cat", "dan", options="inorder teams")
    does(house, EndBoard(NUMBER, "ben"))
    assert house.course.result is not None
    assert house.course.result.winners == (1, 3)
    assert by_forfeit(house) == [0, 2]


def test_a_draw_of_three_and_an_annulment_leave_no_winner(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    does(house, EndBoard(NUMBER))
    assert house.course.result is not None
    assert (house.course.result.ending, house.course.result.winners) == (BoardEnding.DRAWN, ())
    with pytest.raises(BoardOver):
        does(house, EndBoard(NUMBER))
    does(house, AnnulBoard(NUMBER))
    assert house.course.result.ending is BoardEnding.ANNULLED
    with pytest.raises(BoardOver):
        does(house, AnnulBoard(NUMBER))


def test_who_is_out_of_the_game_neither_wins_it_nor_gives_his_seat_away(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.forfeits(1)
    for command in (EndBoard(NUMBER, "ben"), HandOverSeat(NUMBER, "ben", "dan")):
        with pytest.raises(NotSeated):
            does(house, command)


def test_who_holds_every_seat_in_play_cannot_be_made_the_winner(house: House) -> None:
    house.challenges("ann", "ann")
    with pytest.raises(CannotBeWon):
        does(house, EndBoard(NUMBER, "ann"))


def test_both_seats_of_a_player_are_handed_over(house: House) -> None:
    house.challenges("ann", "ben", "ann")
    notices = does(house, HandOverSeat(NUMBER, "ann", "dan"))
    assert house.userids == "dan ben dan"
    assert told(notices) == dict.fromkeys(("ann", "ben", "dan"), "board_deed")
    house.moves("dan", "pass")
    assert house.board.has_moved(0)


def test_who_takes_over_before_his_first_move_may_decline_and_the_others_begin_anew(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.moves("ann", "pass")
    does(house, HandOverSeat(NUMBER, "ann", "dan"))
    house.resigns("dan")
    assert house.userids == "ben cat"
    assert house.board.may_count


def test_a_letter_that_answers_the_position_before_a_handover_is_overtaken(house: House) -> None:
    house.challenges("ann", "ben")
    does(house, HandOverSeat(NUMBER, "ann", "dan"))
    with pytest.raises(PlayerError, match="Overtaken"):
        house.asks("dan", MakeMove(NUMBER, "pass"), answers_event=0)
    house.asks("dan", MakeMove(NUMBER, "pass"), answers_event=1)


def test_a_seat_goes_to_nobody_who_cannot_play(house: House) -> None:
    house.challenges("ann", "ben")
    does(house, FreezePlayer("dan"))
    with pytest.raises(CannotBeSeated) as refused:
        does(house, HandOverSeat(NUMBER, "ann", "dan"))
    assert refused.value.facts["bar"] == "frozen"


def test_clocks_stand_while_one_of_many_is_frozen_and_twice_is_no_more(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    notices = does(house, FreezePlayer("ann"))
    assert told(notices) == {"ann": "account_deed", "ben": "board_deed", "cat": "board_deed"}
    does(house, FreezePlayer("ben"), 2 * DAY)
    assert [pause.why for pause in house.board.stands] == ["frozen", "frozen"]
    notices = does(house, UnfreezePlayer("ann"), 3 * DAY)
    assert told(notices) == {"ann": "account_deed"}
    notices = does(house, UnfreezePlayer("ben"), 4 * DAY)
    assert told(notices) == {"ann": "board_deed", "ben": "account_deed", "cat": "board_deed"}
    assert house.board.stands == ()


def test_a_new_address_lets_the_clocks_run_that_stood_for_want_of_one(house: House) -> None:
    house.challenges("ann", "ben")
    with house.work() as uow:
        ann = uow.players.by_userid("ann")
        assert ann is not None
        uow.players.save(ann.suppress("ann@example.org", AT, "5.1.1"))
        uow.boards.save(house.board.with_pause(ann.id, "unreachable", AT))
        uow.commit()
    notices = does(house, SetAddresses("ann", addresses=("Ann@example.net",)))
    assert house.board.stands == ()
    assert [(each.name, getattr(each.to, "userid", None)) for each in notices] == [
        ("account_deed", "ann"),
        ("account_deed", "ann"),
        ("reachable_again", "ann"),
        ("clocks_run", "ben"),
    ]


def test_the_others_play_on_when_one_of_four_is_banned_after_his_first_move(house: House) -> None:
    house.challenges("ann", "ben", "cat", "dan")
    house.moves("ann", "pass")
    does(house, FreezePlayer("ann"))
    notices = does(house, BanPlayer("ann"), 2 * DAY)
    assert [notice.name for notice in notices] == ["account_deed", *["board"] * 4]
    assert house.course.result is None
    assert house.course.position.playing == (1, 2, 3)
    assert house.board.stands == ()


def test_the_others_begin_anew_when_one_of_three_is_banned_before_it(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    notices = does(house, BanPlayer("cat"))
    assert told(notices) == dict.fromkeys(("ann", "ben", "cat"), "declined")
    assert house.userids == "ann ben"
    assert house.board.restarted
    assert house.board.events[0].record == {"players": ["ann", "ben"], "by": "operator"}
    house.moves("ann", "pass")
    does(house, BanPlayer("ben"), 2 * DAY)
    assert house.course.result == Result((), BoardEnding.DECLINED, by=1, by_operator=True)
    assert house.board.restarted == 1


@pytest.mark.parametrize("moved", [True, False])
@pytest.mark.parametrize("leaves", [True, False])
def test_no_clock_stands_at_a_board_that_is_over(house: House, moved: bool, leaves: bool) -> None:
    house.challenges("ann", "ben")
    for userid in ("ann", "ben") if moved else ():
        house.moves(userid, "pass")
    does(house, FreezePlayer("ben"))
    assert house.board.stands
    if leaves:
        does(house, BanPlayer("ann"))
    else:
        house.resigns("ann")
    assert house.course.result is not None
    assert house.board.stands == ()


def test_what_is_printed_of_time_shows_no_deed(house: House) -> None:
    house.challenges("ann", "ben")
    house.moves("ann", "pass")
    does(house, EndBoard(NUMBER, "ann"))
    assert house.course.time_used(house.board)[1] == timedelta()


def test_a_board_whose_last_person_gives_his_seat_to_a_robot_is_over(house: House) -> None:
    with house.work() as uow:
        open_robots(uow, AT)
        uow.commit()
    house.challenges("ann", "robot1", "robot2")
    does(house, HandOverSeat(NUMBER, "ann", "robot3"))
    assert house.course.result == Result((), BoardEnding.DRAWN, 0, left_to_robots=True)
