"""Moves that are submitted and confirmed."""

from __future__ import annotations

import pytest

from pbem.commands.playing import AcceptOffer, AskUndo, ConfirmMove, QueueMove, SubmitMove
from pbem.domain.boards import SubmittedMove
from pbem.domain.mails import Notice
from pbem.games.mamba.refusals import NotOwnPiece
from pbem.usecases.follow_ups import OtherMoveNumber
from pbem.usecases.moves import NothingSubmitted, NotYourTurn, Overtaken
from tests.usecases.house import NUMBER, House, told


def submits(house: House, userid: str, text: str, moveno: int | None = None) -> list[Notice]:
    return house.asks(userid, SubmitMove(NUMBER, text, moveno))


def confirms(house: House, userid: str, answers: int | None = None) -> list[Notice]:
    return house.asks(userid, ConfirmMove(NUMBER), answers)


def test_a_submitted_move_is_shown_to_its_player_and_not_made(house: House) -> None:
    house.challenges("ann", "ben")
    (notice,) = submits(house, "ann", "move d1-c2")
    assert told([notice]) == {"ann": "submitted"}
    assert (house.to_act, house.board.events) == ("ann", ())
    assert house.board.seats[0].submitted == SubmittedMove("move d1-c2", 0)
    ahead = notice.facts["ahead"]
    assert isinstance(ahead, dict)
    assert ahead["course"].ply == 1
    assert ahead["to_act"].userid == "ben"
    assert notice.reply is not None
    assert notice.thread is not None
    assert notice.thread.event == 0


def test_confirmed_it_is_made(house: House) -> None:
    house.challenges("ann", "ben")
    submits(house, "ann", "move d1-c2")
    assert told(confirms(house, "ann", answers=0)) == {"ann": "board", "ben": "board"}
    assert [each.text.move for each in house.course.inputs] == ["move d1-c2"]
    assert house.board.seats[0].submitted is None
    with pytest.raises(Overtaken):
        confirms(house, "ann", answers=0)
    with pytest.raises(NothingSubmitted):
        confirms(house, "ann")


def test_the_last_one_submitted_counts(house: House) -> None:
    house.challenges("ann", "ben")
    submits(house, "ann", "move d1-c2")
    submits(house, "ann", "pass")
    confirms(house, "ann")
    assert [each.text.move for each in house.course.inputs] == ["pass"]


def test_who_makes_another_move_has_nothing_left_to_confirm(house: House) -> None:
    house.challenges("ann", "ben")
    submits(house, "ann", "move d1-c2")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    with pytest.raises(NothingSubmitted):
        confirms(house, "ann")


def test_it_does_not_wait_for_a_board_that_has_changed(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    for userid in ("ann", "ben", "cat"):
        house.moves(userid, "pass")
    submits(house, "ann", "pass")
    house.forfeits(2)
    with pytest.raises(Overtaken):
        confirms(house, "ann")
    assert house.course.ply == 3


def test_what_is_said_meanwhile_does_not_overtake_it_and_an_undo_does(house: House) -> None:
    house.challenges("ann", "ben")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    submits(house, "ann", "pass")
    house.asks("ben", AskUndo(NUMBER))
    confirms(house, "ann")
    assert house.course.ply == 3
    submits(house, "ben", "pass")
    house.asks("ann", AskUndo(NUMBER))
    house.asks("ben", AcceptOffer(NUMBER))
    with pytest.raises(NothingSubmitted):
        confirms(house, "ben")


def test_a_queued_move_of_the_other_is_not_looked_at_before(house: House) -> None:
    house.challenges("ann", "ben")
    house.asks("ben", QueueMove(NUMBER, "pass"))
    (notice,) = submits(house, "ann", "pass")
    ahead = notice.facts["ahead"]
    assert isinstance(ahead, dict)
    assert ahead["course"].ply == 1
    confirms(house, "ann")
    assert house.course.ply == 2


def test_refusals(house: House) -> None:
    house.challenges("ann", "ben")
    with pytest.raises(NotYourTurn):
        submits(house, "ben", "pass")
    with pytest.raises(OtherMoveNumber):
        submits(house, "ann", "pass", moveno=2)
    with pytest.raises(NotOwnPiece):
        submits(house, "ann", "move e5-e6")
    with pytest.raises(NothingSubmitted):
        confirms(house, "ben")
    submits(house, "ann", "pass")
    with pytest.raises(OtherMoveNumber):
        house.asks("ann", ConfirmMove(NUMBER, moveno=2))
    assert house.board.events == ()
