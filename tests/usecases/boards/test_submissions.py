"""Moves that are submitted and confirmed."""

from __future__ import annotations

import pytest

from pbem.commands.playing import AcceptOffer, AskUndo, ConfirmMove, QueueMove, SubmitMove
from pbem.domain.boards import SubmittedMove
from pbem.domain.mails import Notice
from pbem.games.mamba.refusals import NotOwnPiece
from pbem.usecases.follow_ups import OtherMoveNumber
from pbem.usecases.moves import NothingSubmitted, NotYourTurn, Overtaken
from tests.support.handlers import NUMBER, HandlerFixture, told


def submits(handlers: HandlerFixture, userid: str, text: str, moveno: int | None = None) -> list[Notice]:
    return handlers.asks(userid, SubmitMove(NUMBER, text, moveno))


def confirms(handlers: HandlerFixture, userid: str, answers: int | None = None) -> list[Notice]:
    return handlers.asks(userid, ConfirmMove(NUMBER), answers)


def test_a_submitted_move_is_shown_to_its_player_and_not_made(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    (notice,) = submits(handlers, "ann", "move d1-c2")
    assert told([notice]) == {"ann": "submitted"}
    assert (handlers.to_act, handlers.board.events) == ("ann", ())
    assert handlers.board.seats[0].submitted == SubmittedMove("move d1-c2", 0)
    ahead = notice.facts["ahead"]
    assert isinstance(ahead, dict)
    assert ahead["course"].ply == 1
    assert ahead["to_act"].userid == "ben"
    assert notice.reply is not None
    assert notice.thread is not None
    assert notice.thread.event == 0


def test_confirmed_it_is_made(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    submits(handlers, "ann", "move d1-c2")
    assert told(confirms(handlers, "ann", answers=0)) == {"ann": "board", "ben": "board"}
    assert [each.text.move for each in handlers.course.inputs] == ["move d1-c2"]
    assert handlers.board.seats[0].submitted is None
    with pytest.raises(Overtaken):
        confirms(handlers, "ann", answers=0)
    with pytest.raises(NothingSubmitted):
        confirms(handlers, "ann")


def test_the_last_one_submitted_counts(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    submits(handlers, "ann", "move d1-c2")
    submits(handlers, "ann", "pass")
    confirms(handlers, "ann")
    assert [each.text.move for each in handlers.course.inputs] == ["pass"]


def test_who_makes_another_move_has_nothing_left_to_confirm(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    submits(handlers, "ann", "move d1-c2")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    with pytest.raises(NothingSubmitted):
        confirms(handlers, "ann")


def test_it_does_not_wait_for_a_board_that_has_changed(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    for userid in ("ann", "ben", "cat"):
        handlers.moves(userid, "pass")
    submits(handlers, "ann", "pass")
    handlers.forfeits(2)
    with pytest.raises(Overtaken):
        confirms(handlers, "ann")
    assert handlers.course.ply == 3


def test_what_is_said_meanwhile_does_not_overtake_it_and_an_undo_does(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    submits(handlers, "ann", "pass")
    handlers.asks("ben", AskUndo(NUMBER))
    confirms(handlers, "ann")
    assert handlers.course.ply == 3
    submits(handlers, "ben", "pass")
    handlers.asks("ann", AskUndo(NUMBER))
    handlers.asks("ben", AcceptOffer(NUMBER))
    with pytest.raises(NothingSubmitted):
        confirms(handlers, "ben")


def test_a_queued_move_of_the_other_is_not_looked_at_before(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.asks("ben", QueueMove(NUMBER, "pass"))
    (notice,) = submits(handlers, "ann", "pass")
    ahead = notice.facts["ahead"]
    assert isinstance(ahead, dict)
    assert ahead["course"].ply == 1
    confirms(handlers, "ann")
    assert handlers.course.ply == 2


def test_refusals(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    with pytest.raises(NotYourTurn):
        submits(handlers, "ben", "pass")
    with pytest.raises(OtherMoveNumber):
        submits(handlers, "ann", "pass", moveno=2)
    with pytest.raises(NotOwnPiece):
        submits(handlers, "ann", "move e5-e6")
    with pytest.raises(NothingSubmitted):
        confirms(handlers, "ben")
    submits(handlers, "ann", "pass")
    with pytest.raises(OtherMoveNumber):
        handlers.asks("ann", ConfirmMove(NUMBER, moveno=2))
    assert handlers.board.events == ()
