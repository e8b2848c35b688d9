"""Playing and resigning at boards of two to four."""

from __future__ import annotations

import pytest

from pbem.commands.playing import Resign
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding, Result
from pbem.domain.mails import Notice
from pbem.games.mamba.squares import MARKS
from pbem.usecases.follow_ups import LeftOverInput, OtherMoveNumber
from pbem.usecases.moves import NotYourTurn, OutOfTheGame, Overtaken
from pbem.usecases.understanding import BoardOver, NotAtBoard
from tests.usecases.house import NUMBER, House, told

FOUR = ("ann", "ben", "cat", "dan")
DECISION_OF_ANOTHER = (2, 55)
"""A recorded game after so many inputs: the second has laid, and the first must cut; the third is out."""
AMONG_THREE = (3, 93)
"""Another one: all are in play, the third has moved, and the first must cut."""


def begun(house: House, *userids: str, options: str = "inorder") -> None:
    """Everybody has made a move."""
    house.challenges(*userids, options=options)
    for userid in userids:
        house.moves(userid, "pass")


def pieces(house: House, seat: int) -> int:
    return house.position.squares.count(MARKS[seat])


def decliners(notices: list[Notice]) -> list[list[str]]:
    """Who has declined, by notice."""
    players = [each.facts["decliners"] for each in notices]
    return [[player.userid for player in each] for each in players if isinstance(each, tuple)]


# declining


def test_who_declines_before_his_first_move_leaves_the_others_to_begin_anew(house: House) -> None:
    house.challenges(*FOUR)
    notices = house.resigns("ann")
    assert told(notices) == dict.fromkeys(FOUR, "declined")
    assert house.userids == "ben cat dan"
    assert (house.to_act, house.course.ply, house.position.rules.players) == ("ben", 0, 3)
    assert [(event.kind, event.seat, event.record) for event in house.board.events] == [
        (EventKind.DECLINE, 0, {"players": ["ben", "cat", "dan"]})
    ]
    with pytest.raises(NotAtBoard):
        house.moves("ann", "pass")
    house.moves("ben", "pass", moveno=1)
    assert house.to_act == "cat"


def test_out_of_turn_too_and_what_was_played_is_played_anew(house: House) -> None:
    house.challenges(*FOUR)
    house.moves("ann", "move d1-c2")
    house.resigns("cat")
    assert house.userids == "ann ben dan"
    assert (house.to_act, house.course.ply, house.course.inputs) == ("ann", 0, ())
    assert house.position == house.courses.of(house.board).position


def test_four_become_three_and_then_two_and_then_none(house: House) -> None:
    house.challenges(*FOUR)
    house.resigns("dan")
    house.resigns("ann")
    assert (house.userids, house.to_act, house.course.result) == ("ben cat", "ben", None)
    assert house.board.restarted == 2
    house.resigns("cat")
    assert house.course.result == Result((), BoardEnding.DECLINED, by=1)
    with pytest.raises(BoardOver):
        house.moves("ben", "pass")


def test_after_a_new_beginning_everybody_may_decline_again(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.moves("ann", "pass")
    house.resigns("ben")
    house.resigns("ann")
    assert house.course.result == Result((), BoardEnding.DECLINED, by=0)


@pytest.mark.parametrize(("first", "decliner", "begins"), [(2, "ann", "cat"), (2, "cat", "dan"), (3, "dan", "ann")])
def test_the_lot_is_not_drawn_again(house: House, first: int, decliner: str, begins: str) -> None:
    """Who was to begin still does, or else the next one clockwise."""
    for _ in range(40):
        house.challenges(*FOUR, options="")
    with house.work() as uow:
        number = next(board.number for board in uow.boards.each() if board.first == first)
    house.number = number
    house.resigns(decliner)
    assert house.to_act == begins
    assert house.board.first == house.userids.split().index(begins)


def test_in_teams_who_declines_ends_the_board(house: House) -> None:
    house.challenges(*FOUR, options="teams inorder")
    house.resigns("cat")
    assert house.course.result == Result((), BoardEnding.DECLINED, by=2)
    assert house.userids == "ann ben cat dan"


def test_who_holds_two_seats_declines_both(house: House) -> None:
    house.challenges("ann", "ben", "ann", "cat")
    assert told(house.resigns("ann")) == dict.fromkeys(("ann", "ben", "cat"), "declined")
    assert (house.userids, house.to_act) == ("ben cat", "ben")


def test_who_has_moved_with_one_of_his_seats_resigns_with_it(house: House) -> None:
    house.challenges("ann", "ben", "ann", "cat")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    house.resigns("ann")
    assert house.position.playing == (0, 1, 3)
    house.moves("cat", "pass")
    house.resigns("ann")
    assert list(house.position.playing) == [1, 3]
    with pytest.raises(OutOfTheGame):
        house.resigns("ann")


def test_who_has_left_does_not_come_back_when_another_declines(house: House) -> None:
    house.challenges(*FOUR)
    for _ in range(2):
        house.moves(house.to_act or "", "pass")
    house.forfeits(0)
    assert house.position.playing == (1, 2, 3)
    house.resigns("dan")
    assert (house.userids, house.to_act) == ("ben cat", "ben")


def test_of_three_one_who_has_left_and_one_who_declines_leave_no_game(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.moves("ann", "pass")
    house.forfeits(0)
    house.resigns("cat")
    assert house.course.result == Result((), BoardEnding.DECLINED, by=2)


def test_who_has_announced_to_resign_declines_with_another_and_all_are_told(house: House) -> None:
    house.challenges(*FOUR)
    for userid in ("ann", "ben", "cat"):
        house.moves(userid, "pass")
    house.resigns("ann")
    notices = house.resigns("dan")
    assert (house.userids, house.to_act, house.course.result) == ("ben cat", "ben", None)
    assert told(notices) == dict.fromkeys(("ben", "cat", "dan", "ann"), "declined")
    assert decliners(notices) == [["dan", "ann"]] * 4


def test_one_who_declines_and_one_who_had_announced_to_resign_may_leave_no_game(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    house.resigns("ben")
    notices = house.resigns("cat")
    assert house.course.result is not None
    assert house.course.result.ending == BoardEnding.DECLINED
    assert told(notices) == dict.fromkeys(("ann", "ben", "cat"), "declined")


def test_a_board_that_is_over_takes_nobody_else_off(house: House) -> None:
    house.challenges(*FOUR, options="teams inorder")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    house.resigns("ann")
    assert decliners(house.resigns("cat")) == [["cat"]] * 4
    assert house.userids == "ann ben cat dan"


# resigning


@pytest.mark.parametrize(("userids", "next_one"), [(("ann", "ben", "cat"), "ben"), (FOUR, "ben")])
def test_on_turn_one_player_is_off_and_the_others_go_on(house: House, userids: tuple[str, ...], next_one: str) -> None:
    begun(house, *userids)
    notices = house.resigns("ann")
    assert told(notices) == dict.fromkeys(userids, "board")
    assert (pieces(house, 0), house.to_act, house.course.result) == (0, next_one, None)
    assert house.position.playing == tuple(range(1, len(userids)))
    assert house.course.ply == len(userids) + 1


def test_out_of_turn_it_is_announced_to_nobody_else_and_carried_out_in_turn(house: House) -> None:
    begun(house, *FOUR)
    before = pieces(house, 2)
    assert told(house.resigns("cat")) == {"cat": "resignation_announced"}
    assert (pieces(house, 2), house.to_act) == (before, "ann")
    house.moves("ann", "pass")
    assert house.to_act == "ben"
    assert told(house.moves("ben", "pass")) == dict.fromkeys(FOUR, "board")
    assert (pieces(house, 2), house.to_act) == (0, "dan")
    assert house.board.events[-1].kind is EventKind.RESIGNATION


def test_a_second_announcement_takes_the_first_one_back(house: House) -> None:
    begun(house, *FOUR)
    house.resigns("cat")
    house.resigns("cat")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    assert (house.to_act, house.position.playing) == ("cat", (0, 1, 2, 3))


@pytest.mark.parametrize(("before", "resigns", "stays"), [("ann", 2, 0), ("ann ben ann", 0, 2)])
def test_who_holds_two_seats_resigns_with_the_one_that_is_to_act_first(
    house: House, before: str, resigns: int, stays: int
) -> None:
    house.challenges("ann", "ben", "ann", "cat")
    for userid in before.split():
        house.moves(userid, "pass")
    (announced,) = house.resigns("ann")
    assert announced.facts["has_choice"]
    house.moves(house.to_act or "", "pass")
    playing = house.position.playing
    assert (resigns in playing, stays in playing) == (False, True)
    for _ in range(3):
        house.moves(house.to_act or "", "pass")
    assert house.position.playing == playing, "he has announced it once"


def test_a_second_announcement_of_who_holds_two_seats_takes_the_first_one_back(house: House) -> None:
    house.challenges("ann", "ben", "ann", "cat")
    for userid in ("ann", "ben", "ann", "cat", "ann"):
        house.moves(userid, "pass")
    assert [house.resigns("ann")[0].facts["resigning"] for _ in range(3)] == [True, False, True]


def test_two_in_a_row_who_have_announced_it_go_one_after_the_other(house: House) -> None:
    begun(house, *FOUR)
    house.resigns("cat")
    house.resigns("ben")
    house.moves("ann", "pass")
    assert (house.to_act, house.position.playing) == ("dan", (0, 3))
    assert [event.seat for event in house.board.events[-3:]] == [0, 1, 2]
    assert house.course.ply == 7


def test_all_others_who_have_announced_it_leave_the_game_to_one(house: House) -> None:
    begun(house, *FOUR)
    for userid in ("dan", "cat", "ben"):
        house.resigns(userid)
    house.moves("ann", "pass")
    assert house.course.result == Result((0,), BoardEnding.RESIGNED, by=3)


def test_the_last_but_one_who_resigns_loses_to_the_last(house: House) -> None:
    begun(house, "ann", "ben", "cat")
    house.resigns("ann")
    house.resigns("ben")
    assert house.course.result == Result((2,), BoardEnding.RESIGNED, by=1)
    assert house.to_act is None


def test_a_team_has_won_when_both_of_the_other_have_resigned(house: House) -> None:
    begun(house, *FOUR, options="teams inorder")
    house.resigns("ann")
    house.moves("ben", "pass")
    assert (house.course.result, house.to_act) == (None, "cat")
    house.resigns("cat")
    assert house.course.result == Result((1, 3), BoardEnding.RESIGNED, by=2)


def test_who_is_out_can_neither_move_nor_resign_but_is_told(house: House) -> None:
    begun(house, *FOUR)
    house.resigns("ann")
    with pytest.raises(OutOfTheGame):
        house.moves("ann", "pass")
    with pytest.raises(OutOfTheGame):
        house.resigns("ann")
    assert told(house.moves("ben", "pass")) == dict.fromkeys(FOUR, "board")


# decisions


def test_the_owner_of_a_decision_answers_out_of_turn_and_the_other_goes_on(house: House) -> None:
    house.takes_over(*DECISION_OF_ANOTHER, "ann", "ben", "cat")
    moveno = house.course.ply + 1
    decision = house.position.decision
    assert decision is not None
    assert house.to_act == "ann"
    with pytest.raises(NotYourTurn) as refused:
        house.moves("ben", decision.options[0])
    assert refused.value.facts["to_act"] == "ann"
    assert refused.value.facts["options"] == decision.options
    with pytest.raises(OtherMoveNumber):
        house.moves("ann", decision.options[0], moveno + 1)
    house.moves("ann", decision.options[0], moveno)
    assert (house.to_act, house.course.ply) == ("ben", moveno - 1)
    assert house.position.mid_turn
    with pytest.raises(NotYourTurn):
        house.moves("ann", decision.options[0])


@pytest.mark.parametrize("forfeits", [False, True])
def test_who_leaves_instead_of_deciding_takes_his_pieces_and_the_game_goes_on(house: House, forfeits: bool) -> None:
    house.takes_over(*AMONG_THREE, "ann", "ben", "cat")
    assert house.to_act == "ann"
    if forfeits:
        house.forfeits(0)
    else:
        house.resigns("ann")
    assert (pieces(house, 0), house.to_act, house.course.result) == (0, "ben", None)
    assert house.position.decision is None


def test_an_announced_resignation_is_carried_out_when_there_is_something_to_decide(house: House) -> None:
    game, inputs = AMONG_THREE
    house.takes_over(game, inputs - 1, "ann", "ben", "cat")
    house.resigns("ann")
    house.moves("cat", "move g5-f6")
    assert (pieces(house, 0), house.to_act, house.course.result) == (0, "ben", None)


def test_who_is_on_turn_announces_it_while_another_decides(house: House) -> None:
    house.takes_over(*DECISION_OF_ANOTHER, "ann", "ben", "cat")
    assert told(house.resigns("ben")) == {"ben": "resignation_announced"}
    house.moves("ann", "cut e4")
    assert house.course.result == Result((0,), BoardEnding.RESIGNED, by=1)


def test_what_stands_behind_a_decision_of_another_is_told_back_to_the_mover_alone(house: House) -> None:
    game, inputs = DECISION_OF_ANOTHER
    house.takes_over(game, inputs - 1, "ann", "ben", "cat")
    notices = house.moves("ben", "lay f9>e8 cut e4 pass")
    assert [each.facts["left_over"] for each in notices] == [
        None,
        LeftOverInput("cut e4 pass", mover=1, decider=0),
        None,
    ]
    assert list(told(notices)) == ["ann", "ben", "cat"]


def test_who_had_to_decide_is_told_even_if_he_has_announced_to_resign(house: House) -> None:
    house.takes_over(AMONG_THREE[0], AMONG_THREE[1] - 1, "ann", "ben", "cat")
    house.resigns("ann")
    notices = house.moves("cat", "move g5-f6 pass")
    assert house.to_act == "ben"
    assert notices[2].facts["left_over"] == LeftOverInput("pass", mover=2, decider=0)
    assert {each.facts["new_input"] for each in notices} == {house.board.event_number - 1}


def test_which_mails_are_overtaken_by_what_for_whom(house: House) -> None:
    begun(house, "ann", "ben", "cat")
    for userid, can_act in (("ann", True), ("ben", False)):
        with pytest.raises(Overtaken) as refused:
            house.asks(userid, Resign(NUMBER), answers_event=1)
        assert refused.value.facts["can_act"] is can_act
