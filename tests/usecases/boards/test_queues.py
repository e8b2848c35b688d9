"""Queued moves at boards of two to four."""

from __future__ import annotations

import pytest

from pbem.commands.playing import CancelQueued, QueueMove
from pbem.domain.boards import QueuedMove
from pbem.domain.game_state import BoardEnding
from pbem.domain.mails import Notice
from pbem.errors import PlayerError
from pbem.games.mamba.refusals import NotOwnPiece, StepNeedsCells, UnreadableStep
from pbem.usecases.follow_ups import OtherMoveNumber, QueuedMoveResult
from pbem.usecases.moves import NothingQueued, Overtaken
from pbem.usecases.understanding import BoardOver, NotAtBoard
from tests.conversations.mamba import ANSWERS, OPENINGS
from tests.usecases.house import NUMBER, House, told

THREE = ("ann", "ben", "cat")


def queues(house: House, userid: str, text: str, moveno: int | None = None) -> list[Notice]:
    return house.asks(userid, QueueMove(NUMBER, text, moveno))


def queued(house: House) -> dict[str, str]:
    return {holder.userid: holder.queued.text for holder in house.board.seats if holder.queued is not None}


def fates(notices: list[Notice]) -> dict[str, QueuedMoveResult]:
    """What was said of queued moves, by reader."""
    found = {each.to.userid: each.facts.get("fate") for each in notices if not isinstance(each.to, str)}
    return {userid: fate for userid, fate in found.items() if isinstance(fate, QueuedMoveResult)}


def test_a_queued_move_is_kept_and_only_its_owner_is_told(house: House) -> None:
    house.challenges("ann", "ben")
    notices = queues(house, "ben", "pass")
    assert told(notices) == {"ben": "queued"}
    assert queued(house) == {"ben": "pass"}
    assert (house.to_act, house.course.ply, house.board.events) == ("ann", 0, ())


def test_it_is_made_by_itself_with_the_move_before_it(house: House) -> None:
    house.challenges("ann", "ben")
    queues(house, "ben", "pass")
    notices = house.moves("ann", "pass")
    assert told(notices) == {"ann": "board", "ben": "board"}
    assert fates(notices) == {"ben": QueuedMoveResult("pass", made=True)}
    assert (house.to_act, house.course.ply, queued(house)) == ("ann", 2, {})


def test_a_move_that_is_not_legal_then_is_dropped_and_its_owner_told_why(house: House) -> None:
    house.challenges("ann", "ben")
    queues(house, "ben", "move d3-c2")  # a piece of the other
    notices = house.moves("ann", "pass")
    (fate,) = fates(notices).values()
    assert list(fates(notices)) == ["ben"]
    assert isinstance(fate.wrong, NotOwnPiece)
    assert (fate.made, house.to_act, house.course.ply, queued(house)) == (False, "ben", 1, {})


def test_another_one_takes_its_place(house: House) -> None:
    house.challenges("ann", "ben")
    queues(house, "ben", "pass")
    (notice,) = queues(house, "ben", "move d9-c8")
    assert notice.facts["was"] == QueuedMove("pass")
    assert queued(house) == {"ben": "move d9-c8"}


def test_it_can_be_taken_back(house: House) -> None:
    house.challenges("ann", "ben")
    queues(house, "ben", "pass")
    (notice,) = house.asks("ben", CancelQueued(NUMBER))
    assert (notice.facts["was"], notice.facts["queued"], queued(house)) == (QueuedMove("pass"), None, {})
    with pytest.raises(NothingQueued):
        house.asks("ben", CancelQueued(NUMBER))
    house.moves("ann", "pass")
    assert house.course.ply == 1


def test_it_can_be_taken_back_in_answer_to_any_mail_since_it_was_queued(house: House) -> None:
    house.challenges(*THREE)
    queues(house, "cat", "pass")
    house.moves("ann", "pass")
    assert told(house.asks("cat", CancelQueued(NUMBER), answers_event=0)) == {"cat": "queued"}
    assert queued(house) == {}
    queues(house, "cat", "move d9-c8")
    with pytest.raises(Overtaken):
        house.asks("cat", CancelQueued(NUMBER), answers_event=0)
    assert queued(house) == {"cat": "move d9-c8"}
    house.asks("cat", CancelQueued(NUMBER), answers_event=1)
    with pytest.raises(NothingQueued):
        house.asks("cat", CancelQueued(NUMBER), answers_event=0)


def test_on_turn_it_is_made_at_once(house: House) -> None:
    house.challenges("ann", "ben")
    assert told(queues(house, "ann", "pass")) == {"ann": "board", "ben": "board"}
    assert (house.to_act, queued(house)) == ("ben", {})
    with pytest.raises(OtherMoveNumber):
        queues(house, "ben", "pass", moveno=4)


def test_several_queued_moves_follow_each_other(house: House) -> None:
    house.challenges(*THREE)
    queues(house, "ben", "pass")
    queues(house, "cat", "pass", moveno=3)
    notices = house.moves("ann", "pass")
    assert fates(notices) == dict.fromkeys(("ben", "cat"), QueuedMoveResult("pass", made=True))
    assert (house.to_act, house.course.ply) == ("ann", 3)


def test_the_chain_stops_where_one_cannot_be_made(house: House) -> None:
    house.challenges(*THREE)
    queues(house, "ben", "move c4-e4")
    queues(house, "cat", "pass")
    notices = house.moves("ann", "pass")
    assert list(fates(notices)) == ["ben"]
    assert (house.to_act, queued(house)) == ("ben", {"cat": "pass"})
    assert fates(house.moves("ben", "pass")) == {"cat": QueuedMoveResult("pass", made=True)}


def test_a_move_meant_for_another_turn_is_dropped(house: House) -> None:
    house.challenges("ann", "ben")
    queues(house, "ben", "pass", moveno=4)
    (fate,) = fates(house.moves("ann", "pass")).values()
    assert isinstance(fate.wrong, OtherMoveNumber)
    assert (house.to_act, house.course.ply, queued(house)) == ("ben", 1, {})


def test_a_move_that_was_made_already_is_not_queued(house: House) -> None:
    house.challenges("ann", "ben")
    house.moves("ann", "pass")
    with pytest.raises(OtherMoveNumber):
        queues(house, "ann", "pass", moveno=1)


@pytest.mark.parametrize(
    ("text", "wrong"), [("jump", UnreadableStep), ("lay", StepNeedsCells), ("move d9-c8 jump", UnreadableStep)]
)
def test_what_the_game_could_never_read_is_refused_at_once(house: House, text: str, wrong: type[PlayerError]) -> None:
    house.challenges("ann", "ben")
    with pytest.raises(wrong):
        queues(house, "ben", text)
    assert queued(house) == {}


def test_it_waits_for_the_turn_where_its_owner_has_to_decide_something_first(house: House) -> None:
    house.challenges("ann", "ben")
    for line in OPENINGS[2][:-1]:
        house.moves(house.to_act or "", line)
    queues(house, "ben", "pass")
    notices = house.moves("ann", OPENINGS[2][-1])
    assert fates(notices) == {}
    assert (house.to_act, queued(house)) == ("ben", {"ben": "pass"})
    assert fates(house.moves("ben", ANSWERS[2][0])) == {}
    assert (house.to_act, queued(house)) == ("ann", {"ben": "pass"})
    assert list(fates(house.moves("ann", "pass"))) == ["ben"]
    assert (house.to_act, queued(house)) == ("ann", {})


def test_an_answer_to_a_decision_can_be_queued(house: House) -> None:
    house.challenges("ann", "ben")
    for line in OPENINGS[2][:-1]:
        house.moves(house.to_act or "", line)
    queues(house, "ben", ANSWERS[2][1])
    notices = house.moves("ann", OPENINGS[2][-1])
    assert fates(notices) == {"ben": QueuedMoveResult(ANSWERS[2][1], made=True)}
    assert (house.to_act, house.position.mid_turn) == ("ann", True)


def test_who_has_also_announced_to_resign_resigns(house: House) -> None:
    house.challenges("ann", "ben")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    (notice,) = queues(house, "ben", "pass")
    assert notice.facts["resigns"] is False
    house.resigns("ben")
    (notice,) = queues(house, "ben", "pass", moveno=4)
    assert notice.facts["resigns"] is True
    house.moves("ann", "pass")
    assert house.course.result is not None
    assert house.course.result.ending == BoardEnding.RESIGNED
    assert queued(house) == {}


def test_a_resignation_lets_a_queued_move_follow_and_takes_that_of_who_leaves_along(house: House) -> None:
    house.challenges(*THREE)
    for userid in THREE:
        house.moves(userid, "pass")
    queues(house, "ben", "pass")
    assert fates(house.resigns("ann")) == {"ben": QueuedMoveResult("pass", made=True)}
    queues(house, "ben", "pass")
    house.resigns("cat")
    assert queued(house) == {}


def test_a_new_beginning_drops_it_and_tells_its_owner(house: House) -> None:
    house.challenges("ann", "ben", "cat", "dan")
    queues(house, "cat", "pass")
    assert fates(house.resigns("dan")) == {"cat": QueuedMoveResult("pass")}
    assert queued(house) == {}


def test_of_two_seats_the_one_that_acts_first_makes_it(house: House) -> None:
    house.challenges("ann", "ben", "cat", "ben")
    queues(house, "ben", "pass")
    assert list(fates(house.moves("ann", "pass"))) == ["ben"]
    assert (house.to_act, house.course.ply) == ("cat", 2)


def test_refusals(house: House) -> None:
    house.challenges("ann", "ben")
    house.moves("ann", "pass")
    with pytest.raises(NotAtBoard):
        queues(house, "cat", "pass")
    with pytest.raises(Overtaken):
        house.asks("ann", QueueMove(NUMBER, "pass"), answers_event=0)
    house.moves("ben", "pass")
    house.resigns("ann")
    with pytest.raises(BoardOver):
        queues(house, "ben", "pass")


def test_nothing_that_is_printed_of_a_board_has_the_move(house: House) -> None:
    house.challenges("ann", "ben")
    queues(house, "ben", "move d9-c8")
    assert "d9" not in repr(house.board)
