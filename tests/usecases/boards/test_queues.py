"""Queued moves at boards of two to four."""

from __future__ import annotations

import pytest

from pbem.commands.planning import MakePlan
from pbem.commands.playing import CancelQueued, QueueMove
from pbem.domain.boards import Plan
from pbem.domain.game_state import BoardEnding
from pbem.domain.mails import Notice
from pbem.errors import PlayerError
from pbem.games.mamba.refusals import NotOwnPiece, StepNeedsCells, UnreadableStep
from pbem.games.plans import Branch
from pbem.usecases.follow_ups import OtherMoveNumber, PlanResult
from pbem.usecases.moves import Overtaken
from pbem.usecases.plans import NothingQueued
from pbem.usecases.understanding import BoardOver, NotAtBoard
from tests.conversations.mamba import ANSWERS, OPENINGS
from tests.support.handlers import NUMBER, HandlerFixture, told

THREE = ("ann", "ben", "cat")


def queues(handlers: HandlerFixture, userid: str, text: str, moveno: int | None = None) -> list[Notice]:
    return handlers.asks(userid, QueueMove(NUMBER, text, moveno))


def queued(handlers: HandlerFixture) -> dict[str, str]:
    return {holder.userid: holder.plan.queued for holder in handlers.board.seats if holder.plan is not None}


def plan(text: str, event: int = 0, moveno: int | None = None) -> Plan:
    return Plan((Branch("", text),), moveno, event)


def made(text: str, event: int = 0, moveno: int | None = None) -> PlanResult:
    return PlanResult(plan(text, event, moveno), text)


def fates(notices: list[Notice]) -> dict[str, PlanResult]:
    """The results of queued moves, by reader."""
    found = {each.to.userid: each.facts.get("fate") for each in notices if not isinstance(each.to, str)}
    return {userid: fate for userid, fate in found.items() if isinstance(fate, PlanResult)}


def test_a_queued_move_is_kept_and_only_its_owner_is_told(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    notices = queues(handlers, "ben", "pass")
    assert told(notices) == {"ben": "queued"}
    assert queued(handlers) == {"ben": "pass"}
    assert (handlers.to_act, handlers.course.ply, handlers.board.events) == ("ann", 0, ())


def test_a_branch_that_is_added_to_a_queued_move_is_for_its_move_number_too(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    queues(handlers, "ben", "pass", 4)
    handlers.asks("ben", MakePlan(NUMBER, branches=(Branch("pass", "pass"),), adds=True))
    fate = fates(handlers.moves("ann", "pass"))["ben"]
    assert (fate.plan.moveno, fate.made, type(fate.wrong)) == (4, False, OtherMoveNumber)
    assert (handlers.to_act, handlers.course.ply) == ("ben", 1)


def test_it_is_made_by_itself_with_the_move_before_it(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    queues(handlers, "ben", "pass")
    notices = handlers.moves("ann", "pass")
    assert told(notices) == {"ann": "board", "ben": "board"}
    assert fates(notices) == {"ben": made("pass")}
    assert (handlers.to_act, handlers.course.ply, queued(handlers)) == ("ann", 2, {})


def test_a_move_that_is_not_legal_then_is_dropped_and_its_owner_told_why(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    queues(handlers, "ben", "move d3-c2")  # a piece of the other
    notices = handlers.moves("ann", "pass")
    (fate,) = fates(notices).values()
    assert list(fates(notices)) == ["ben"]
    assert isinstance(fate.wrong, NotOwnPiece)
    assert (fate.made, handlers.to_act, handlers.course.ply, queued(handlers)) == (False, "ben", 1, {})


def test_another_one_takes_its_place(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    queues(handlers, "ben", "pass")
    (notice,) = queues(handlers, "ben", "move d9-c8")
    assert notice.facts["was"] == plan("pass")
    assert queued(handlers) == {"ben": "move d9-c8"}


def test_it_can_be_taken_back(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    queues(handlers, "ben", "pass")
    (notice,) = handlers.asks("ben", CancelQueued(NUMBER))
    assert (notice.facts["was"], notice.facts["plan"], queued(handlers)) == (plan("pass"), None, {})
    with pytest.raises(NothingQueued):
        handlers.asks("ben", CancelQueued(NUMBER))
    handlers.moves("ann", "pass")
    assert handlers.course.ply == 1


def test_it_can_be_taken_back_in_answer_to_any_mail_since_it_was_queued(handlers: HandlerFixture) -> None:
    handlers.challenges(*THREE)
    queues(handlers, "cat", "pass")
    handlers.moves("ann", "pass")
    assert told(handlers.asks("cat", CancelQueued(NUMBER), answers_event=0)) == {"cat": "queued"}
    assert queued(handlers) == {}
    queues(handlers, "cat", "move d9-c8")
    with pytest.raises(Overtaken):
        handlers.asks("cat", CancelQueued(NUMBER), answers_event=0)
    assert queued(handlers) == {"cat": "move d9-c8"}
    handlers.asks("cat", CancelQueued(NUMBER), answers_event=1)
    with pytest.raises(NothingQueued):
        handlers.asks("cat", CancelQueued(NUMBER), answers_event=0)


def test_on_turn_it_is_made_at_once(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    assert told(queues(handlers, "ann", "pass")) == {"ann": "board", "ben": "board"}
    assert (handlers.to_act, queued(handlers)) == ("ben", {})
    with pytest.raises(OtherMoveNumber):
        queues(handlers, "ben", "pass", moveno=4)


def test_several_queued_moves_follow_each_other(handlers: HandlerFixture) -> None:
    handlers.challenges(*THREE)
    queues(handlers, "ben", "pass")
    queues(handlers, "cat", "pass", moveno=3)
    notices = handlers.moves("ann", "pass")
    assert fates(notices) == {"ben": made("pass"), "cat": made("pass", moveno=3)}
    assert (handlers.to_act, handlers.course.ply) == ("ann", 3)


def test_the_chain_stops_where_one_cannot_be_made(handlers: HandlerFixture) -> None:
    handlers.challenges(*THREE)
    queues(handlers, "ben", "move c4-e4")
    queues(handlers, "cat", "pass")
    notices = handlers.moves("ann", "pass")
    assert list(fates(notices)) == ["ben"]
    assert (handlers.to_act, queued(handlers)) == ("ben", {"cat": "pass"})
    assert fates(handlers.moves("ben", "pass")) == {"cat": made("pass")}


def test_a_move_meant_for_another_turn_is_dropped(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    queues(handlers, "ben", "pass", moveno=4)
    (fate,) = fates(handlers.moves("ann", "pass")).values()
    assert isinstance(fate.wrong, OtherMoveNumber)
    assert (handlers.to_act, handlers.course.ply, queued(handlers)) == ("ben", 1, {})


def test_a_move_that_was_made_already_is_not_queued(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", "pass")
    with pytest.raises(OtherMoveNumber):
        queues(handlers, "ann", "pass", moveno=1)


@pytest.mark.parametrize(
    ("text", "wrong"), [("jump", UnreadableStep), ("lay", StepNeedsCells), ("move d9-c8 jump", UnreadableStep)]
)
def test_what_the_game_could_never_read_is_refused_at_once(
    handlers: HandlerFixture, text: str, wrong: type[PlayerError]
) -> None:
    handlers.challenges("ann", "ben")
    with pytest.raises(wrong):
        queues(handlers, "ben", text)
    assert queued(handlers) == {}


def test_it_waits_for_the_turn_where_its_owner_has_to_decide_something_first(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    for line in OPENINGS[2][:-1]:
        handlers.moves(handlers.to_act or "", line)
    queues(handlers, "ben", "pass")
    notices = handlers.moves("ann", OPENINGS[2][-1])
    assert fates(notices) == {}
    assert (handlers.to_act, queued(handlers)) == ("ben", {"ben": "pass"})
    assert fates(handlers.moves("ben", ANSWERS[2][0])) == {}
    assert (handlers.to_act, queued(handlers)) == ("ann", {"ben": "pass"})
    assert list(fates(handlers.moves("ann", "pass"))) == ["ben"]
    assert (handlers.to_act, queued(handlers)) == ("ann", {})


def test_an_answer_to_a_decision_can_be_queued(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    for line in OPENINGS[2][:-1]:
        handlers.moves(handlers.to_act or "", line)
    queues(handlers, "ben", ANSWERS[2][1])
    notices = handlers.moves("ann", OPENINGS[2][-1])
    assert fates(notices) == {"ben": made(ANSWERS[2][1], len(OPENINGS[2]) - 1)}
    assert (handlers.to_act, handlers.position.mid_turn) == ("ann", True)


def test_who_has_also_announced_to_resign_resigns(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    (notice,) = queues(handlers, "ben", "pass")
    assert notice.facts["resigns"] is False
    handlers.resigns("ben")
    (notice,) = queues(handlers, "ben", "pass", moveno=4)
    assert notice.facts["resigns"] is True
    handlers.moves("ann", "pass")
    assert handlers.course.result is not None
    assert handlers.course.result.ending == BoardEnding.RESIGNED
    assert queued(handlers) == {}


def test_a_resignation_lets_a_queued_move_follow_and_takes_that_of_who_leaves_along(handlers: HandlerFixture) -> None:
    handlers.challenges(*THREE)
    for userid in THREE:
        handlers.moves(userid, "pass")
    queues(handlers, "ben", "pass")
    assert fates(handlers.resigns("ann")) == {"ben": made("pass", 3)}
    queues(handlers, "ben", "pass")
    handlers.resigns("cat")
    assert queued(handlers) == {}


def test_a_new_beginning_drops_it_and_tells_its_owner(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat", "dan")
    queues(handlers, "cat", "pass")
    assert fates(handlers.resigns("dan")) == {"cat": PlanResult(plan("pass"), is_overtaken=True)}
    assert queued(handlers) == {}


def test_of_two_seats_the_one_that_acts_first_makes_it(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat", "ben")
    queues(handlers, "ben", "pass")
    assert list(fates(handlers.moves("ann", "pass"))) == ["ben"]
    assert (handlers.to_act, handlers.course.ply) == ("cat", 2)


def test_refusals(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", "pass")
    with pytest.raises(NotAtBoard):
        queues(handlers, "cat", "pass")
    with pytest.raises(Overtaken):
        handlers.asks("ann", QueueMove(NUMBER, "pass"), answers_event=0)
    handlers.moves("ben", "pass")
    handlers.resigns("ann")
    with pytest.raises(BoardOver):
        queues(handlers, "ben", "pass")


def test_nothing_that_is_printed_of_a_board_has_the_move(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    queues(handlers, "ben", "move d9-c8")
    assert "d9" not in repr(handlers.board)
