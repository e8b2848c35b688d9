"""Draws and undos at boards of two to four."""

from __future__ import annotations

import pytest

from pbem.commands.command import TurnCommand
from pbem.commands.playing import AcceptOffer, AskUndo, ProposeDraw, QueueMove, RejectOffer, Resign, SubmitMove
from pbem.domain.boards import Plan, SeatHolder
from pbem.domain.events import EventKind, OfferKind
from pbem.domain.game_state import BoardEnding, Result
from pbem.domain.mails import Notice
from pbem.errors import NotAllowed
from pbem.games.plans import Branch
from pbem.usecases.follow_ups import OtherMoveNumber, PlanResult
from pbem.usecases.moves import OutOfTheGame, Overtaken
from pbem.usecases.offers import (
    AgreedAlready,
    LeftSince,
    NothingOffered,
    NothingToTakeBack,
    OfferedTooSoon,
    OfferOpen,
    OwnOffer,
    TooEarlyForDraw,
)
from pbem.usecases.understanding import BoardOver, NotAtBoard
from tests.support.handlers import CAT, NUMBER, HandlerFixture, told

FOUR = ("ann", "ben", "cat", "dan")


def begun(handlers: HandlerFixture, *userids: str) -> None:
    """Everybody has made a move."""
    handlers.challenges(*userids)
    for userid in userids:
        handlers.moves(userid, "pass")


def asks(handlers: HandlerFixture, userid: str, what: type[TurnCommand], answers: int | None = None) -> list[Notice]:
    return handlers.asks(userid, what(NUMBER), answers)


def kinds(handlers: HandlerFixture) -> list[str]:
    return [event.kind.value for event in handlers.board.events if event.kind is not EventKind.MOVE]


def waits_for(handlers: HandlerFixture) -> tuple[int, ...]:
    offer = handlers.course.offer
    return () if offer is None else offer.waits_for(handlers.board, handlers.course.position.playing)


# draws


def test_a_draw_that_both_want_ends_the_game(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    assert told(asks(handlers, "ben", ProposeDraw)) == {"ann": "board", "ben": "board"}
    assert handlers.to_act == "ann"
    assert waits_for(handlers) == (1,)
    assert [pause.why for pause in handlers.board.stands] == ["offer"]
    assert told(asks(handlers, "ann", AcceptOffer)) == {"ann": "board", "ben": "board"}
    assert handlers.course.result == Result((), BoardEnding.DRAWN, by=0)
    assert handlers.board.stands == ()
    assert kinds(handlers) == ["offer", "draw"]
    with pytest.raises(BoardOver):
        asks(handlers, "ann", AcceptOffer)


def test_who_proposes_while_the_other_offers_has_agreed(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ann", ProposeDraw)
    asks(handlers, "ben", ProposeDraw, answers=2)
    assert handlers.course.result is not None
    assert handlers.course.result.ending == BoardEnding.DRAWN


def test_a_refused_draw_is_not_offered_again_by_the_same_before_somebody_has_moved(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ben", ProposeDraw)
    asks(handlers, "ann", RejectOffer)
    assert (handlers.course.offer, handlers.board.stands) == (None, ())
    with pytest.raises(OfferedTooSoon) as refused:
        asks(handlers, "ben", ProposeDraw)
    assert refused.value.facts["kind"] == "draw"
    asks(handlers, "ann", ProposeDraw)
    asks(handlers, "ben", RejectOffer)
    handlers.moves("ann", "pass")
    asks(handlers, "ben", ProposeDraw)


def test_who_takes_his_offer_back_cannot_make_it_again_at_once_either(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ben", ProposeDraw)
    asks(handlers, "ben", RejectOffer)
    assert handlers.course.offer is None
    with pytest.raises(OfferedTooSoon):
        asks(handlers, "ben", ProposeDraw)
    with pytest.raises(NothingOffered):
        asks(handlers, "ann", AcceptOffer)


def test_all_players_have_to_agree(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben", "cat")
    asks(handlers, "ann", ProposeDraw)
    assert waits_for(handlers) == (2, 3)
    asks(handlers, "cat", AcceptOffer)
    assert waits_for(handlers) == (2,)
    with pytest.raises(AgreedAlready):
        asks(handlers, "cat", AcceptOffer)
    with pytest.raises(AgreedAlready):
        asks(handlers, "cat", ProposeDraw)
    assert handlers.course.result is None
    asks(handlers, "ben", AcceptOffer)
    assert handlers.course.result == Result((), BoardEnding.DRAWN, by=1)
    assert kinds(handlers) == ["offer", "consent", "draw"]


def test_one_no_is_enough_even_of_who_has_agreed(handlers: HandlerFixture) -> None:
    begun(handlers, *FOUR)
    asks(handlers, "ann", ProposeDraw)
    asks(handlers, "cat", AcceptOffer)
    asks(handlers, "cat", RejectOffer)
    assert handlers.course.offer is None
    assert handlers.course.result is None


def test_who_is_out_of_the_game_is_not_asked_and_cannot_offer(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben", "cat")
    handlers.resigns("ann")
    with pytest.raises(OutOfTheGame):
        asks(handlers, "ann", ProposeDraw)
    asks(handlers, "ben", ProposeDraw)
    assert waits_for(handlers) == (CAT.id,)
    asks(handlers, "cat", AcceptOffer)
    assert handlers.course.result is not None


def test_who_holds_two_seats_says_yes_once(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "ann", "cat")
    for userid in ("ann", "ben", "ann", "cat"):
        handlers.moves(userid, "pass")
    asks(handlers, "ben", ProposeDraw)
    assert waits_for(handlers) == (1, 3)
    asks(handlers, "ann", AcceptOffer)
    asks(handlers, "cat", AcceptOffer)
    assert handlers.course.result is not None


def test_against_oneself_a_draw_is_agreed_at_once(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ann")
    handlers.moves("ann", "pass")
    handlers.moves("ann", "pass")
    asks(handlers, "ann", ProposeDraw)
    assert kinds(handlers) == ["draw"]


@pytest.mark.parametrize("moves", [0, 1])
def test_no_draw_before_everybody_has_moved(handlers: HandlerFixture, moves: int) -> None:
    """A rated half of a game must not come of a challenge that nobody has looked at."""
    handlers.challenges("ann", "ben")
    for userid in ("ann", "ben")[:moves]:
        handlers.moves(userid, "pass")
    with pytest.raises(TooEarlyForDraw) as refused:
        asks(handlers, "ann", ProposeDraw)
    assert refused.value.facts["userids"] == ("ann", "ben")[moves:]


def test_who_has_left_without_a_move_keeps_nobody_from_a_draw(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.moves("ann", "pass")
    handlers.moves("ben", "pass")
    handlers.happens(EventKind.FORFEIT, 2)
    assert handlers.position.playing == (0, 1)
    asks(handlers, "ann", ProposeDraw)
    asks(handlers, "ben", AcceptOffer)
    assert handlers.course.result == Result((), BoardEnding.DRAWN, by=1)


@pytest.mark.parametrize("leaves", [False, True])
def test_a_move_or_a_resignation_withdraws_what_is_offered(handlers: HandlerFixture, leaves: bool) -> None:
    begun(handlers, "ann", "ben", "cat")
    asks(handlers, "ben", ProposeDraw)
    _ = handlers.resigns("ann") if leaves else handlers.moves("ann", "pass")
    assert handlers.course.offer is None
    assert handlers.board.stands == ()
    assert handlers.course.talk.refused == ()


def test_what_is_offered_ends_when_a_seat_is_handed_over(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ben", ProposeDraw)
    board = handlers.board.with_handover(0, SeatHolder(CAT.id, CAT.userid), handlers.board.last_at)
    assert handlers.courses.of(board).offer is None
    assert board.stands == ()


# undos


def test_an_undo_brings_the_position_of_before_back_and_the_asker_is_to_act(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    before = handlers.course
    handlers.moves("ann", "move d1-c2")
    handlers.moves("ben", "pass")
    asks(handlers, "ann", AskUndo)
    offer = handlers.course.offer
    assert offer is not None
    assert (offer.kind, offer.back_to) == (OfferKind.UNDO, 2)
    asks(handlers, "ben", AcceptOffer)
    assert (handlers.course.position, handlers.course.inputs, handlers.course.begun) == (
        before.position,
        before.inputs,
        before.begun,
    )
    assert (handlers.to_act, handlers.course.offer, handlers.board.stands) == ("ann", None, ())
    handlers.moves("ann", "pass", moveno=3)
    assert [each.text.move for each in handlers.course.inputs] == ["pass"] * 3


def test_who_waits_takes_his_own_move_back_and_not_that_of_the_other(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ben", AskUndo)
    assert handlers.course.offer is not None
    assert handlers.course.offer.back_to == 1
    asks(handlers, "ann", AcceptOffer)
    assert (handlers.to_act, handlers.course.ply) == ("ben", 1)
    assert not handlers.board.has_moved(1)


def test_an_undo_after_an_undo_goes_one_more_move_back(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    handlers.moves("ann", "pass")
    for ply in (2, 0):
        asks(handlers, "ann", AskUndo)
        asks(handlers, "ben", AcceptOffer)
        assert (handlers.course.ply, handlers.to_act) == (ply, "ann")
    with pytest.raises(NothingToTakeBack):
        asks(handlers, "ann", AskUndo)


def test_a_refused_undo_changes_nothing(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    before = handlers.position
    asks(handlers, "ann", AskUndo)
    asks(handlers, "ben", RejectOffer)
    assert handlers.position == before
    with pytest.raises(OfferedTooSoon):
        asks(handlers, "ann", AskUndo)
    asks(handlers, "ann", ProposeDraw)  # something else


def test_of_three_all_others_have_to_agree_to_an_undo(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben", "cat")
    asks(handlers, "ben", AskUndo)
    asks(handlers, "ann", AcceptOffer)
    assert handlers.course.ply == 3
    asks(handlers, "cat", AcceptOffer)
    assert (handlers.course.ply, handlers.to_act) == (1, "ben")


def test_a_resignation_is_not_taken_back(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben", "cat")
    handlers.resigns("ann")
    with pytest.raises(LeftSince) as refused:
        asks(handlers, "cat", AskUndo)
    assert refused.value.facts["userid"] == "ann"
    handlers.moves("ben", "pass")
    asks(handlers, "ben", AskUndo)
    asks(handlers, "cat", AcceptOffer)
    assert (handlers.to_act, list(handlers.position.playing)) == ("ben", [1, 2])


def test_who_has_not_moved_since_he_took_a_seat_over_has_nothing_to_take_back(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    with handlers.work() as uow:
        uow.boards.save(handlers.board.with_handover(0, SeatHolder(CAT.id, CAT.userid), handlers.board.last_at))
        uow.commit()
    with pytest.raises(NothingToTakeBack):
        asks(handlers, "cat", AskUndo)


def test_against_oneself_a_move_is_taken_back_at_once(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ann")
    handlers.moves("ann", "pass")
    asks(handlers, "ann", AskUndo)
    assert kinds(handlers) == ["undo"]
    assert handlers.course.ply == 0


def test_an_announced_resignation_is_taken_back_by_asking_for_an_undo(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    handlers.moves("ann", "pass")
    handlers.resigns("ann")
    notices = asks(handlers, "ann", AskUndo)
    stays = [each.facts.get("stays") for each in notices]
    assert (list(told(notices)), stays) == (["ben", "ann"], [None, True])
    asks(handlers, "ben", AcceptOffer)
    assert (handlers.to_act, handlers.course.result) == ("ann", None)


def test_an_announced_resignation_lapses_when_the_only_move_is_taken_back(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ben", Resign)
    asks(handlers, "ann", AskUndo)
    notices = asks(handlers, "ben", AcceptOffer)
    assert handlers.course.ply == 0
    assert [notice.facts.get("lapsed") for notice in notices] == [None, True]
    handlers.moves("ann", "pass")
    assert (handlers.course.result, handlers.to_act) == (None, "ben")


def test_an_announced_resignation_outlives_an_undo_after_which_a_move_stands(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    handlers.moves("ann", "move f3-f5")
    handlers.moves("ben", "pass")
    asks(handlers, "ben", Resign)
    asks(handlers, "ann", AskUndo)
    notices = asks(handlers, "ben", AcceptOffer)
    assert not any("lapsed" in notice.facts for notice in notices)
    handlers.moves("ann", "pass")
    assert handlers.course.result is not None


def test_an_undo_drops_what_was_queued_and_submitted_and_says_so_to_the_owner(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben", "cat")
    handlers.asks("cat", QueueMove(NUMBER, "move d9-c8"))
    handlers.asks("ann", SubmitMove(NUMBER, "move c4-e4"))
    asks(handlers, "ben", AskUndo)
    asks(handlers, "ann", AcceptOffer)
    assert handlers.board.seats[2].plan is not None
    notices = asks(handlers, "cat", AcceptOffer)
    fates = {each.to.userid: each.facts.get("fate") for each in notices if not isinstance(each.to, str)}
    queued = Plan((Branch("", "move d9-c8"),), None, 3)
    assert fates == {"ann": None, "ben": None, "cat": PlanResult(queued, is_overtaken=True)}
    left = [(each.plan, each.submitted, each.dropped) for each in handlers.board.seats]
    assert left == [(None, None, ()), (None, None, ()), (None, None, ("move d9-c8",))]


# who cannot say what


def test_refusals(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    refused: list[tuple[str, type[TurnCommand], type[NotAllowed]]] = [
        ("ann", AcceptOffer, NothingOffered),
        ("ann", RejectOffer, NothingOffered),
        ("cat", ProposeDraw, NotAtBoard),
        ("cat", AcceptOffer, NotAtBoard),
    ]
    for userid, command, wrong in refused:
        with pytest.raises(wrong):
            asks(handlers, userid, command)
    asks(handlers, "ann", AskUndo)
    after: list[tuple[str, type[TurnCommand], type[NotAllowed]]] = [
        ("ann", AcceptOffer, OwnOffer),
        ("ann", AskUndo, OfferOpen),
        ("ann", ProposeDraw, OfferOpen),
        ("ben", AskUndo, OfferOpen),
        ("ben", ProposeDraw, OfferOpen),
    ]
    events = handlers.board.events
    for userid, command, wrong in after:
        with pytest.raises(wrong):
            asks(handlers, userid, command)
    assert handlers.board.events == events


@pytest.mark.parametrize("what", [ProposeDraw, AskUndo, AcceptOffer, RejectOffer, Resign])
def test_the_number_of_the_move_is_heeded(handlers: HandlerFixture, what: type[TurnCommand]) -> None:
    begun(handlers, "ann", "ben")
    with pytest.raises(OtherMoveNumber):
        handlers.asks("ann", what(NUMBER, moveno=2))


def test_an_answer_to_a_mail_from_before_the_offer_is_none_to_it(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ben", ProposeDraw)
    for what in (AcceptOffer, RejectOffer):
        with pytest.raises(Overtaken):
            asks(handlers, "ann", what, answers=2)
    asks(handlers, "ann", AcceptOffer, answers=3)
    assert handlers.course.result is not None


def test_talk_does_not_overtake_an_answer_but_an_undo_does(handlers: HandlerFixture) -> None:
    begun(handlers, "ann", "ben")
    asks(handlers, "ben", ProposeDraw)
    asks(handlers, "ann", RejectOffer)
    asks(handlers, "ann", AskUndo, answers=2)
    asks(handlers, "ben", AcceptOffer, answers=5)
    with pytest.raises(Overtaken):
        asks(handlers, "ann", ProposeDraw, answers=5)
    assert handlers.board.changed_by == 6
