"""Draws and undos at boards of two to four."""

from __future__ import annotations

import pytest

from pbem.commands.command import TurnCommand
from pbem.commands.playing import AcceptOffer, AskUndo, ProposeDraw, QueueMove, RejectOffer, Resign, SubmitMove
from pbem.domain.boards import SeatHolder
from pbem.domain.events import EventKind, OfferKind
from pbem.domain.game_state import BoardEnding, Result
from pbem.domain.mails import Notice
from pbem.errors import NotAllowed
from pbem.usecases.follow_ups import OtherMoveNumber, QueuedMoveResult
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
from tests.usecases.house import CAT, NUMBER, House, told

FOUR = ("ann", "ben", "cat", "dan")


def begun(house: House, *userids: str) -> None:
    """Everybody has made a move."""
    house.challenges(*userids)
    for userid in userids:
        house.moves(userid, "pass")


def asks(house: House, userid: str, what: type[TurnCommand], answers: int | None = None) -> list[Notice]:
    return house.asks(userid, what(NUMBER), answers)


def kinds(house: House) -> list[str]:
    return [event.kind.value for event in house.board.events if event.kind is not EventKind.MOVE]


def waits_for(house: House) -> tuple[int, ...]:
    offer = house.course.offer
    return () if offer is None else offer.waits_for(house.board, house.course.position.playing)


# draws


def test_a_draw_that_both_want_ends_the_game(house: House) -> None:
    begun(house, "ann", "ben")
    assert told(asks(house, "ben", ProposeDraw)) == {"ann": "board", "ben": "board"}
    assert house.to_act == "ann"
    assert waits_for(house) == (1,)
    assert [pause.why for pause in house.board.stands] == ["offer"]
    assert told(asks(house, "ann", AcceptOffer)) == {"ann": "board", "ben": "board"}
    assert house.course.result == Result((), BoardEnding.DRAWN, by=0)
    assert house.board.stands == ()
    assert kinds(house) == ["offer", "draw"]
    with pytest.raises(BoardOver):
        asks(house, "ann", AcceptOffer)


def test_who_proposes_while_the_other_offers_has_agreed(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ann", ProposeDraw)
    asks(house, "ben", ProposeDraw, answers=2)
    assert house.course.result is not None
    assert house.course.result.ending == BoardEnding.DRAWN


def test_a_refused_draw_is_not_offered_again_by_the_same_before_somebody_has_moved(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ben", ProposeDraw)
    asks(house, "ann", RejectOffer)
    assert (house.course.offer, house.board.stands) == (None, ())
    with pytest.raises(OfferedTooSoon) as refused:
        asks(house, "ben", ProposeDraw)
    assert refused.value.facts["kind"] == "draw"
    asks(house, "ann", ProposeDraw)
    asks(house, "ben", RejectOffer)
    house.moves("ann", "pass")
    asks(house, "ben", ProposeDraw)


def test_who_takes_his_offer_back_cannot_make_it_again_at_once_either(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ben", ProposeDraw)
    asks(house, "ben", RejectOffer)
    assert house.course.offer is None
    with pytest.raises(OfferedTooSoon):
        asks(house, "ben", ProposeDraw)
    with pytest.raises(NothingOffered):
        asks(house, "ann", AcceptOffer)


def test_all_players_have_to_agree(house: House) -> None:
    begun(house, "ann", "ben", "cat")
    asks(house, "ann", ProposeDraw)
    assert waits_for(house) == (2, 3)
    asks(house, "cat", AcceptOffer)
    assert waits_for(house) == (2,)
    with pytest.raises(AgreedAlready):
        asks(house, "cat", AcceptOffer)
    with pytest.raises(AgreedAlready):
        asks(house, "cat", ProposeDraw)
    assert house.course.result is None
    asks(house, "ben", AcceptOffer)
    assert house.course.result == Result((), BoardEnding.DRAWN, by=1)
    assert kinds(house) == ["offer", "consent", "draw"]


def test_one_no_is_enough_even_of_who_has_agreed(house: House) -> None:
    begun(house, *FOUR)
    asks(house, "ann", ProposeDraw)
    asks(house, "cat", AcceptOffer)
    asks(house, "cat", RejectOffer)
    assert house.course.offer is None
    assert house.course.result is None


def test_who_is_out_of_the_game_is_not_asked_and_cannot_offer(house: House) -> None:
    begun(house, "ann", "ben", "cat")
    house.resigns("ann")
    with pytest.raises(OutOfTheGame):
        asks(house, "ann", ProposeDraw)
    asks(house, "ben", ProposeDraw)
    assert waits_for(house) == (CAT.id,)
    asks(house, "cat", AcceptOffer)
    assert house.course.result is not None


def test_who_holds_two_seats_says_yes_once(house: House) -> None:
    house.challenges("ann", "ben", "ann", "cat")
    for userid in ("ann", "ben", "ann", "cat"):
        house.moves(userid, "pass")
    asks(house, "ben", ProposeDraw)
    assert waits_for(house) == (1, 3)
    asks(house, "ann", AcceptOffer)
    asks(house, "cat", AcceptOffer)
    assert house.course.result is not None


def test_against_oneself_a_draw_is_agreed_at_once(house: House) -> None:
    house.challenges("ann", "ann")
    house.moves("ann", "pass")
    house.moves("ann", "pass")
    asks(house, "ann", ProposeDraw)
    assert kinds(house) == ["draw"]


@pytest.mark.parametrize("moves", [0, 1])
def test_no_draw_before_everybody_has_moved(house: House, moves: int) -> None:
    """A rated half of a game must not come of a challenge that nobody has looked at."""
    house.challenges("ann", "ben")
    for userid in ("ann", "ben")[:moves]:
        house.moves(userid, "pass")
    with pytest.raises(TooEarlyForDraw) as refused:
        asks(house, "ann", ProposeDraw)
    assert refused.value.facts["userids"] == ("ann", "ben")[moves:]


def test_who_has_left_without_a_move_keeps_nobody_from_a_draw(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.moves("ann", "pass")
    house.moves("ben", "pass")
    house.happens(EventKind.FORFEIT, 2)
    assert house.position.playing == (0, 1)
    asks(house, "ann", ProposeDraw)
    asks(house, "ben", AcceptOffer)
    assert house.course.result == Result((), BoardEnding.DRAWN, by=1)


@pytest.mark.parametrize("leaves", [False, True])
def test_a_move_or_a_resignation_withdraws_what_is_offered(house: House, leaves: bool) -> None:
    begun(house, "ann", "ben", "cat")
    asks(house, "ben", ProposeDraw)
    _ = house.resigns("ann") if leaves else house.moves("ann", "pass")
    assert house.course.offer is None
    assert house.board.stands == ()
    assert house.course.talk.refused == ()


def test_what_is_offered_ends_when_a_seat_is_handed_over(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ben", ProposeDraw)
    board = house.board.with_handover(0, SeatHolder(CAT.id, CAT.userid), house.board.last_at)
    assert house.courses.of(board).offer is None
    assert board.stands == ()


# undos


def test_an_undo_brings_the_position_of_before_back_and_the_asker_is_to_act(house: House) -> None:
    begun(house, "ann", "ben")
    before = house.course
    house.moves("ann", "move d1-c2")
    house.moves("ben", "pass")
    asks(house, "ann", AskUndo)
    offer = house.course.offer
    assert offer is not None
    assert (offer.kind, offer.back_to) == (OfferKind.UNDO, 2)
    asks(house, "ben", AcceptOffer)
    assert (house.course.position, house.course.inputs, house.course.begun) == (
        before.position,
        before.inputs,
        before.begun,
    )
    assert (house.to_act, house.course.offer, house.board.stands) == ("ann", None, ())
    house.moves("ann", "pass", moveno=3)
    assert [each.text.move for each in house.course.inputs] == ["pass"] * 3


def test_who_waits_takes_his_own_move_back_and_not_that_of_the_other(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ben", AskUndo)
    assert house.course.offer is not None
    assert house.course.offer.back_to == 1
    asks(house, "ann", AcceptOffer)
    assert (house.to_act, house.course.ply) == ("ben", 1)
    assert not house.board.has_moved(1)


def test_an_undo_after_an_undo_goes_one_more_move_back(house: House) -> None:
    begun(house, "ann", "ben")
    house.moves("ann", "pass")
    for ply in (2, 0):
        asks(house, "ann", AskUndo)
        asks(house, "ben", AcceptOffer)
        assert (house.course.ply, house.to_act) == (ply, "ann")
    with pytest.raises(NothingToTakeBack):
        asks(house, "ann", AskUndo)


def test_a_refused_undo_changes_nothing(house: House) -> None:
    begun(house, "ann", "ben")
    before = house.position
    asks(house, "ann", AskUndo)
    asks(house, "ben", RejectOffer)
    assert house.position == before
    with pytest.raises(OfferedTooSoon):
        asks(house, "ann", AskUndo)
    asks(house, "ann", ProposeDraw)  # something else


def test_of_three_all_others_have_to_agree_to_an_undo(house: House) -> None:
    begun(house, "ann", "ben", "cat")
    asks(house, "ben", AskUndo)
    asks(house, "ann", AcceptOffer)
    assert house.course.ply == 3
    asks(house, "cat", AcceptOffer)
    assert (house.course.ply, house.to_act) == (1, "ben")


def test_a_resignation_is_not_taken_back(house: House) -> None:
    begun(house, "ann", "ben", "cat")
    house.resigns("ann")
    with pytest.raises(LeftSince) as refused:
        asks(house, "cat", AskUndo)
    assert refused.value.facts["userid"] == "ann"
    house.moves("ben", "pass")
    asks(house, "ben", AskUndo)
    asks(house, "cat", AcceptOffer)
    assert (house.to_act, list(house.position.playing)) == ("ben", [1, 2])


def test_who_has_not_moved_since_he_took_a_seat_over_has_nothing_to_take_back(house: House) -> None:
    begun(house, "ann", "ben")
    with house.work() as uow:
        uow.boards.save(house.board.with_handover(0, SeatHolder(CAT.id, CAT.userid), house.board.last_at))
        uow.commit()
    with pytest.raises(NothingToTakeBack):
        asks(house, "cat", AskUndo)


def test_against_oneself_a_move_is_taken_back_at_once(house: House) -> None:
    house.challenges("ann", "ann")
    house.moves("ann", "pass")
    asks(house, "ann", AskUndo)
    assert kinds(house) == ["undo"]
    assert house.course.ply == 0


def test_an_announced_resignation_is_taken_back_by_asking_for_an_undo(house: House) -> None:
    begun(house, "ann", "ben")
    house.moves("ann", "pass")
    house.resigns("ann")
    notices = asks(house, "ann", AskUndo)
    assert [each.facts.get("stays") for each in notices] == [True, None]
    asks(house, "ben", AcceptOffer)
    assert (house.to_act, house.course.result) == ("ann", None)


def test_an_announced_resignation_lapses_when_the_only_move_is_taken_back(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ben", Resign)
    asks(house, "ann", AskUndo)
    notices = asks(house, "ben", AcceptOffer)
    assert house.course.ply == 0
    assert [notice.facts.get("lapsed") for notice in notices] == [None, True]
    house.moves("ann", "pass")
    assert (house.course.result, house.to_act) == (None, "ben")


def test_an_announced_resignation_outlives_an_undo_after_which_a_move_stands(house: House) -> None:
    begun(house, "ann", "ben")
    house.moves("ann", "move f3-f5")
    house.moves("ben", "pass")
    asks(house, "ben", Resign)
    asks(house, "ann", AskUndo)
    notices = asks(house, "ben", AcceptOffer)
    assert not any("lapsed" in notice.facts for notice in notices)
    house.moves("ann", "pass")
    assert house.course.result is not None


def test_an_undo_drops_what_was_queued_and_submitted_and_says_so_to_the_owner(house: House) -> None:
    begun(house, "ann", "ben", "cat")
    house.asks("cat", QueueMove(NUMBER, "move d9-c8"))
    house.asks("ann", SubmitMove(NUMBER, "move c4-e4"))
    asks(house, "ben", AskUndo)
    asks(house, "ann", AcceptOffer)
    assert house.board.seats[2].queued is not None
    notices = asks(house, "cat", AcceptOffer)
    fates = {each.to.userid: each.facts.get("fate") for each in notices if not isinstance(each.to, str)}
    assert fates == {"ann": None, "ben": None, "cat": QueuedMoveResult("move d9-c8")}
    assert house.board == house.board.without_plans()


# who cannot say what


def test_refusals(house: House) -> None:
    begun(house, "ann", "ben")
    refused: list[tuple[str, type[TurnCommand], type[NotAllowed]]] = [
        ("ann", AcceptOffer, NothingOffered),
        ("ann", RejectOffer, NothingOffered),
        ("cat", ProposeDraw, NotAtBoard),
        ("cat", AcceptOffer, NotAtBoard),
    ]
    for userid, command, wrong in refused:
        with pytest.raises(wrong):
            asks(house, userid, command)
    asks(house, "ann", AskUndo)
    after: list[tuple[str, type[TurnCommand], type[NotAllowed]]] = [
        ("ann", AcceptOffer, OwnOffer),
        ("ann", AskUndo, OfferOpen),
        ("ann", ProposeDraw, OfferOpen),
        ("ben", AskUndo, OfferOpen),
        ("ben", ProposeDraw, OfferOpen),
    ]
    events = house.board.events
    for userid, command, wrong in after:
        with pytest.raises(wrong):
            asks(house, userid, command)
    assert house.board.events == events


@pytest.mark.parametrize("what", [ProposeDraw, AskUndo, AcceptOffer, RejectOffer, Resign])
def test_the_number_of_the_move_is_heeded(house: House, what: type[TurnCommand]) -> None:
    begun(house, "ann", "ben")
    with pytest.raises(OtherMoveNumber):
        house.asks("ann", what(NUMBER, moveno=2))


def test_an_answer_to_a_mail_from_before_the_offer_is_none_to_it(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ben", ProposeDraw)
    for what in (AcceptOffer, RejectOffer):
        with pytest.raises(Overtaken):
            asks(house, "ann", what, answers=2)
    asks(house, "ann", AcceptOffer, answers=3)
    assert house.course.result is not None


def test_talk_does_not_overtake_an_answer_but_an_undo_does(house: House) -> None:
    begun(house, "ann", "ben")
    asks(house, "ben", ProposeDraw)
    asks(house, "ann", RejectOffer)
    asks(house, "ann", AskUndo, answers=2)
    asks(house, "ben", AcceptOffer, answers=5)
    with pytest.raises(Overtaken):
        asks(house, "ann", ProposeDraw, answers=5)
    assert house.board.changed_by == 6
