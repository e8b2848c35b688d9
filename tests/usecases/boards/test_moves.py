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
from tests.support.handlers import NUMBER, HandlerFixture, told

FOUR = ("ann", "ben", "cat", "dan")
DECISION_OF_ANOTHER = (2, 55)
"""A recorded game after so many inputs: the second has laid, and the first must cut; the third is out."""
AMONG_THREE = (3, 93)
"""Another one: all are in play, the third has moved, and the first must cut."""


def begun(handlers: HandlerFixture, *userids: str, options: str = "inorder") -> None:
    """Everybody has made a move."""
    handlers.challenges(*userids, options=options)
    for userid in userids:
        handlers.moves(userid, "pass")


def pieces(handlers: HandlerFixture, seat: int) -> int:
    return handlers.position.squares.count(MARKS[seat])


def decliners(notices: list[Notice]) -> list[list[str]]:
    """The players who have declined, by notice."""
    players = [each.facts["decliners"] for each in notices]
    return [[player.userid for player in each] for each in players if isinstance(each, tuple)]


# declining


def test_who_declines_before_his_first_move_leaves_the_others_to_begin_anew(handlers: HandlerFixture) -> None:
    handlers.challenges(*FOUR)
    notices = handlers.resigns("ann")
    assert told(notices) == dict.fromkeys(FOUR, "declined")
    assert handlers.userids == "ben cat dan"
    assert (handlers.to_act, handlers.course.ply, handlers.position.rules.players) == ("ben", 0, 3)
    assert [(event.kind, event.seat, event.record) for event in handlers.board.events] == [
        (EventKind.DECLINE, 0, {"players": ["ben", "cat", "dan"]})
    ]
    with pytest.raises(NotAtBoard):
        handlers.moves("ann", "pass")
    handlers.moves("ben", "pass", moveno=1)
    assert handlers.to_act == "cat"


def test_out_of_turn_too_and_what_was_played_is_played_anew(handlers: HandlerFixture) -> None:
    handlers.challenges(*FOUR)
    handlers.moves("ann", "move d1-c2")
    handlers.resigns("cat")
    assert handlers.userids == "ann ben dan"
    assert (handlers.to_act, handlers.course.ply, handlers.course.inputs) == ("ann", 0, ())
    assert handlers.position == handlers.courses.of(handlers.board).position


def test_four_become_three_and_then_two_and_then_none(handlers: HandlerFixture) -> None:
    handlers.challenges(*FOUR)
    handlers.resigns("dan")
    handlers.resigns("ann")
    assert (handlers.userids, handlers.to_act, handlers.course.result) == ("ben cat", "ben", None)
    assert handlers.board.restarted == 2
    handlers.resigns("cat")
    assert handlers.course.result == Result((), BoardEnding.DECLINED, by=1)
    with pytest.raises(BoardOver):
        handlers.moves("ben", "pass")


def test_after_a_new_beginning_everybody_may_decline_again(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.moves("ann", "pass")
    handlers.resigns("ben")
    handlers.resigns("ann")
    assert handlers.course.result == Result((), BoardEnding.DECLINED, by=0)


@pytest.mark.parametrize(("first", "decliner", "begins"), [(2, "ann", "cat"), (2, "cat", "dan"), (3, "dan", "ann")])
def test_the_lot_is_not_drawn_again(handlers: HandlerFixture, first: int, decliner: str, begins: str) -> None:
    """The player who was to begin still does, or else the next one clockwise."""
    for _ in range(40):
        handlers.challenges(*FOUR, options="")
    with handlers.work() as uow:
        number = next(board.number for board in uow.boards.each() if board.first == first)
    handlers.number = number
    handlers.resigns(decliner)
    assert handlers.to_act == begins
    assert handlers.board.first == handlers.userids.split().index(begins)


def test_in_teams_who_declines_ends_the_board(handlers: HandlerFixture) -> None:
    handlers.challenges(*FOUR, options="teams inorder")
    handlers.resigns("cat")
    assert handlers.course.result == Result((), BoardEnding.DECLINED, by=2)
    assert handlers.userids == "ann ben cat dan"


def test_who_holds_two_seats_declines_both(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "ann", "cat")
    assert told(handlers.resigns("ann")) == dict.fromkeys(("ann", "ben", "cat"), "declined")
    assert (handlers.userids, handlers.to_act) == ("ben cat", "ben")


def test_who_has_moved_with_one_of_his_seats_resigns_with_it(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "ann", "cat")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    handlers.resigns("ann")
    assert handlers.position.playing == (0, 1, 3)
    handlers.moves("cat", "pass")
    handlers.resigns("ann")
    assert list(handlers.position.playing) == [1, 3]
    with pytest.raises(OutOfTheGame):
        handlers.resigns("ann")


def test_who_has_left_does_not_come_back_when_another_declines(handlers: HandlerFixture) -> None:
    handlers.challenges(*FOUR)
    for _ in range(2):
        handlers.moves(handlers.to_act or "", "pass")
    handlers.forfeits(0)
    assert handlers.position.playing == (1, 2, 3)
    handlers.resigns("dan")
    assert (handlers.userids, handlers.to_act) == ("ben cat", "ben")


def test_of_three_one_who_has_left_and_one_who_declines_leave_no_game(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.moves("ann", "pass")
    handlers.forfeits(0)
    handlers.resigns("cat")
    assert handlers.course.result == Result((), BoardEnding.DECLINED, by=2)


def test_who_has_announced_to_resign_declines_with_another_and_all_are_told(handlers: HandlerFixture) -> None:
    handlers.challenges(*FOUR)
    for userid in ("ann", "ben", "cat"):
        handlers.moves(userid, "pass")
    handlers.resigns("ann")
    notices = handlers.resigns("dan")
    assert (handlers.userids, handlers.to_act, handlers.course.result) == ("ben cat", "ben", None)
    assert told(notices) == dict.fromkeys(("ben", "cat", "dan", "ann"), "declined")
    assert decliners(notices) == [["dan", "ann"]] * 4


def test_one_who_declines_and_one_who_had_announced_to_resign_may_leave_no_game(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    handlers.resigns("ben")
    notices = handlers.resigns("cat")
    assert handlers.course.result is not None
    assert handlers.course.result.ending == BoardEnding.DECLINED
    assert told(notices) == dict.fromkeys(("ann", "ben", "cat"), "declined")


def test_a_board_that_is_over_takes_nobody_else_off(handlers: HandlerFixture) -> None:
    handlers.challenges(*FOUR, options="teams inorder")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    handlers.resigns("ann")
    assert decliners(handlers.resigns("cat")) == [["cat"]] * 4
    assert handlers.userids == "ann ben cat dan"


# resigning


@pytest.mark.parametrize(("userids", "next_one"), [(("ann", "ben", "cat"), "ben"), (FOUR, "ben")])
def test_on_turn_one_player_is_off_and_the_others_go_on(
    handlers: HandlerFixture, userids: tuple[str, ...], next_one: str
) -> None:
    begun(handlers, *userids)
    notices = handlers.resigns("ann")
    assert told(notices) == dict.fromkeys(userids, "board")
    assert (pieces(handlers, 0), handlers.to_act, handlers.course.result) == (0, next_one, None)
    assert handlers.position.playing == tuple(range(1, len(userids)))
    assert handlers.course.ply == len(userids) + 1


def test_out_of_turn_it_is_announced_to_nobody_else_and_carried_out_in_turn(handlers: HandlerFixture) -> None:
    begun(handlers, *FOUR)
    before = pieces(handlers, 2)
    assert told(handlers.resigns("cat")) == {"cat": "resignation_announced"}
    assert (pieces(handlers, 2), handlers.to_act) == (before, "ann")
    handlers.moves("ann", "pass")
    assert handlers.to_act == "ben"
    assert told(handlers.moves("ben", "pass")) == dict.fromkeys(FOUR, "board")
    assert (pieces(handlers, 2), handlers.to_act) == (0, "dan")
    assert handlers.board.events[-1].kind is EventKind.RESIGNATION


def test_a_second_announcement_takes_the_first_one_back(handlers: HandlerFixture) -> None:
    begun(handlers, *FOUR)
    handlers.resigns("cat")
    handlers.resigns("cat")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    assert (handlers.to_act, handlers.position.playing) == ("cat", (0, 1, 2, 3))


@pytest.mark.parametrize(("before", "resigns", "stays"), [("ann", 2, 0), ("ann ben ann", 0, 2)])
def test_who_holds_two_seats_resigns_with_the_one_that_is_to_act_first(
    handlers: HandlerFixture, before: str, resigns: int, stays: int
) -> None:
    handlers.challenges("ann", "ben", "ann", "cat")
    for userid in before.split():
        handlers.moves(userid, "pass")
    (announced,) = handlers.resigns("ann")
    assert announced.facts["has_choice"]
    handlers.moves(handlers.to_act or "", "pass")
    playing = handlers.position.playing
    assert (resigns in playing, stays in playing) == (False, True)
    for _ in range(3):
        handlers.moves(handlers.to_act or "", "pass")
    assert handlers.position.playing == playing, "it has been announced once"


def test_a_second_announcement_of_who_holds_two_seats_takes_the_first_one_back(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "ann", "cat")
    for userid in ("ann", "ben", "ann", "cat", "ann"):
        handlers.moves(userid, "pass")
    assert [handlers.resigns("ann")[0].facts["resigning"] for _ in range(3)] == [True, False, True]


def test_two_in_a_row_who_have_announced_it_go_one_after_the_other(handlers: HandlerFixture) -> None:
    begun(handlers, *FOUR)
    handlers.resigns("cat")
    handlers.resigns("ben")
    handlers.moves("ann", "pass")
    assert (handlers.to_act, handlers.position.playing) == ("dan", (0, 3))
    assert [event.seat for event in handlers.board.events[-3:]] == [0, 1, 2]
    assert handlers.course.ply == 7


def test_all_others_who_have_announced_it_leave_the_game_to_one(handlers: HandlerFixture) -> None:
    begun(handlers, *FOUR)
    for userid in ("dan", "cat", "ben"):
        handlers.resigns(userid)
    handlers.moves("ann", "pass")
    assert handlers.course.result == Result((0,), BoardEnding.RESIGNED, by=3)


def test_the_last_but_one_who_resigns_loses_to_the_last(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben", "cat")
    handlers.resigns("ann")
    handlers.resigns("ben")
    assert handlers.course.result == Result((2,), BoardEnding.RESIGNED, by=1)
    assert handlers.to_act is None


def test_a_team_has_won_when_both_of_the_other_have_resigned(handlers: HandlerFixture) -> None:
    begun(handlers, *FOUR, options="teams inorder")
    handlers.resigns("ann")
    handlers.moves("ben", "pass")
    assert (handlers.course.result, handlers.to_act) == (None, "cat")
    handlers.resigns("cat")
    assert handlers.course.result == Result((1, 3), BoardEnding.RESIGNED, by=2)


def test_who_is_out_can_neither_move_nor_resign_but_is_told(handlers: HandlerFixture) -> None:
    begun(handlers, *FOUR)
    handlers.resigns("ann")
    with pytest.raises(OutOfTheGame):
        handlers.moves("ann", "pass")
    with pytest.raises(OutOfTheGame):
        handlers.resigns("ann")
    assert told(handlers.moves("ben", "pass")) == dict.fromkeys(FOUR, "board")


# decisions


def test_the_owner_of_a_decision_answers_out_of_turn_and_the_other_goes_on(handlers: HandlerFixture) -> None:
    handlers.takes_over(*DECISION_OF_ANOTHER, "ann", "ben", "cat")
    moveno = handlers.course.ply + 1
    decision = handlers.position.decision
    assert decision is not None
    assert handlers.to_act == "ann"
    with pytest.raises(NotYourTurn) as refused:
        handlers.moves("ben", decision.options[0])
    assert refused.value.facts["to_act"] == "ann"
    assert refused.value.facts["options"] == decision.options
    with pytest.raises(OtherMoveNumber):
        handlers.moves("ann", decision.options[0], moveno + 1)
    handlers.moves("ann", decision.options[0], moveno)
    assert (handlers.to_act, handlers.course.ply) == ("ben", moveno - 1)
    assert handlers.position.mid_turn
    with pytest.raises(NotYourTurn):
        handlers.moves("ann", decision.options[0])


@pytest.mark.parametrize("forfeits", [False, True])
def test_who_leaves_instead_of_deciding_takes_his_pieces_and_the_game_goes_on(
    handlers: HandlerFixture, forfeits: bool
) -> None:
    handlers.takes_over(*AMONG_THREE, "ann", "ben", "cat")
    assert handlers.to_act == "ann"
    if forfeits:
        handlers.forfeits(0)
    else:
        handlers.resigns("ann")
    assert (pieces(handlers, 0), handlers.to_act, handlers.course.result) == (0, "ben", None)
    assert handlers.position.decision is None


def test_an_announced_resignation_is_carried_out_when_there_is_something_to_decide(handlers: HandlerFixture) -> None:
    game, inputs = AMONG_THREE
    handlers.takes_over(game, inputs - 1, "ann", "ben", "cat")
    handlers.resigns("ann")
    handlers.moves("cat", "move g5-f6")
    assert (pieces(handlers, 0), handlers.to_act, handlers.course.result) == (0, "ben", None)


def test_who_is_on_turn_announces_it_while_another_decides(handlers: HandlerFixture) -> None:
    handlers.takes_over(*DECISION_OF_ANOTHER, "ann", "ben", "cat")
    assert told(handlers.resigns("ben")) == {"ben": "resignation_announced"}
    handlers.moves("ann", "cut e4")
    assert handlers.course.result == Result((0,), BoardEnding.RESIGNED, by=1)


def test_what_stands_behind_a_decision_of_another_is_told_back_to_the_mover_alone(handlers: HandlerFixture) -> None:
    game, inputs = DECISION_OF_ANOTHER
    handlers.takes_over(game, inputs - 1, "ann", "ben", "cat")
    notices = handlers.moves("ben", "lay f9>e8 cut e4 pass")
    assert [each.facts["left_over"] for each in notices] == [
        None,
        LeftOverInput("cut e4 pass", mover=1, decider=0),
        None,
    ]
    assert list(told(notices)) == ["ann", "ben", "cat"]


def test_who_had_to_decide_is_told_even_if_he_has_announced_to_resign(handlers: HandlerFixture) -> None:
    handlers.takes_over(AMONG_THREE[0], AMONG_THREE[1] - 1, "ann", "ben", "cat")
    handlers.resigns("ann")
    notices = handlers.moves("cat", "move g5-f6 pass")
    assert handlers.to_act == "ben"
    assert notices[2].facts["left_over"] == LeftOverInput("pass", mover=2, decider=0)
    assert {each.facts["new_input"] for each in notices} == {handlers.board.event_number - 1}


def test_which_mails_are_overtaken_by_what_for_whom(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben", "cat")
    for userid, can_act in (("ann", True), ("ben", False)):
        with pytest.raises(Overtaken) as refused:
            handlers.asks(userid, Resign(NUMBER), answers_event=1)
        assert refused.value.facts["can_act"] is can_act


def test_whoever_is_to_act_is_written_to_first(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    assert list(told(handlers.moves("ann", "pass"))) == ["ben", "ann", "cat"]
    assert list(told(handlers.moves("ben", "pass"))) == ["cat", "ann", "ben"]
