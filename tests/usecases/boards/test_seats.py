"""Players who can hold a seat, and seats that are given while something happens to their players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.commands.challenges import Challenge
from pbem.commands.internal import BanPlayer, FreezePlayer, HandOverSeat, StopMail, SuppressAddress
from pbem.domain.boards import Board
from pbem.domain.credentials import ConfirmationKind
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.players import Player, Standing
from pbem.errors import Conflict
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases import signoff
from pbem.usecases.challenging import ChallengerUnreachable, InvalidChallenge
from pbem.usecases.confirmations import new_question
from pbem.usecases.context import Context, Policy, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.seats import CannotBeSeated, bar_to_seats
from tests.storage.stock import AT
from tests.support.handlers import ANN, BEN, DAN, GAMES, NUMBER, HandlerFixture

Act = Callable[[Context], object]


def context(handlers: HandlerFixture, uow: UnitOfWork, speaker: Player | None = None) -> Context:
    return Context(
        uow=uow,
        now=AT,
        games=GAMES,
        courses=handlers.courses,
        passwords=None,  # type: ignore[arg-type] # nobody has to prove anything here
        policy=Policy("pbem@example.org", operator="op@example.org"),
        evidence=Evidence("ann@example.org"),
        draw_lots=lambda _board, _players: 0,
        fingerprint=lambda *_parts: "",
        speaker=Speaker(speaker, Proof.CLAIMED),
    )


def done(handlers: HandlerFixture, act: Act, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Do something, with something else decided and stored between the decision and its commit."""
    with handlers.work() as uow:
        act(context(handlers, uow))
        meanwhile()
        uow.commit()


def challenges(at: Context) -> list[Notice]:
    return dispatch(
        Challenge("mamba", ("ann", "ben"), ("inorder",)), replace(at, speaker=Speaker(at.uow.players.get(ANN.id)))
    )


def hands_over(at: Context) -> list[Notice]:
    return dispatch(HandOverSeat(NUMBER, "dan", "ben"), at)


def leaves(at: Context) -> list[Notice]:
    return signoff.carry_out_signoff(None, replace(at, speaker=Speaker(at.uow.players.get(BEN.id))))  # type: ignore[arg-type] # says nothing


DEEDS: dict[str, Act] = {
    "freeze": lambda at: dispatch(FreezePlayer("ben"), at),
    "ban": lambda at: dispatch(BanPlayer("ben"), at),
    "stop": lambda at: dispatch(StopMail("ben"), at),
    "leave": leaves,
    "suppress": lambda at: dispatch(SuppressAddress("ben@example.org", "5.1.1"), at),
}


@pytest.mark.parametrize("seat", [challenges, hands_over])
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_a_seat_and_what_is_done_to_its_holder_are_never_decided_side_by_side(
    handlers: HandlerFixture, deed: Act, seat: Act
) -> None:
    handlers.challenges("cat", "dan")
    with pytest.raises(Conflict):
        done(handlers, seat, lambda: done(handlers, deed))
    with pytest.raises((InvalidChallenge, CannotBeSeated)):
        done(handlers, seat)


@pytest.mark.parametrize("seat", [challenges, hands_over])
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_what_is_done_to_a_player_takes_the_seat_in_that_he_has_got_meanwhile(
    handlers: HandlerFixture, deed: Act, seat: Act
) -> None:
    handlers.challenges("cat", "dan")
    with pytest.raises(Conflict):
        done(handlers, deed, lambda: done(handlers, seat))
    done(handlers, deed)
    for board in boards_of_ben(handlers):
        assert board.stands or handlers.courses.of(board).result is not None


def boards_of_ben(handlers: HandlerFixture) -> list[Board]:
    with handlers.work() as uow:
        boards = [board for board in uow.boards.each() if BEN.id in board.players]
    assert boards
    return boards


def test_a_refused_challenge_holds_nobody(handlers: HandlerFixture) -> None:
    def refused(at: Context) -> None:
        with pytest.raises(InvalidChallenge):
            dispatch(Challenge("mamba", ("ann", "ben", "nobody")), replace(at, speaker=Speaker(ANN)))

    done(handlers, refused, lambda: done(handlers, DEEDS["freeze"]))


@pytest.mark.parametrize(
    ("player", "bar"),
    [
        (DAN, None),
        (replace(DAN, standing=Standing.FROZEN), "frozen"),
        (replace(DAN, standing=Standing.BANNED), "banned"),
        (replace(DAN, standing=Standing.GONE, addresses=()), "gone"),
        (replace(DAN, addresses=()), "unconfirmed"),
        (replace(DAN, mail_stopped=True), "unreachable"),
        (DAN.suppress("dan@example.org", AT, None), "unreachable"),
    ],
)
def test_what_keeps_somebody_from_a_seat(player: Player, bar: str | None) -> None:
    assert bar_to_seats(player) == bar


@pytest.mark.parametrize(
    ("ann", "facts"),
    [
        (ANN.suppress("ann@example.org", AT, None), {"userid": "ann", "stopped": False, "operator": "op@example.org"}),
        (replace(ANN, mail_stopped=True), {"userid": "ann", "stopped": True, "operator": "op@example.org"}),
    ],
)
def test_who_would_not_hear_how_the_game_goes_cannot_challenge(
    handlers: HandlerFixture, ann: Player, facts: dict[str, object]
) -> None:
    with handlers.work() as uow:
        uow.players.save(replace(ann, revision=1))
        with pytest.raises(InvalidChallenge) as refused:
            dispatch(Challenge("mamba", ("ann", "ben")), context(handlers, uow, ann))
    reasons = refused.value.facts["reasons"]
    assert isinstance(reasons, tuple)
    assert [(type(each), each.facts) for each in reasons] == [(ChallengerUnreachable, facts)]


def test_no_seat_is_handed_over_to_somebody_whom_no_mail_reaches(handlers: HandlerFixture) -> None:
    handlers.challenges("cat", "dan")
    done(handlers, DEEDS["suppress"])
    with pytest.raises(CannotBeSeated) as refused:
        done(handlers, hands_over)
    assert refused.value.facts["bar"] == "unreachable"


def test_a_question_and_a_signoff_are_never_decided_side_by_side(handlers: HandlerFixture) -> None:
    def asks(at: Context) -> None:
        new_question(ConfirmationKind.COMMAND, at.uow.players.get(BEN.id), "ben@example.org", at, line="set mail=text")

    with pytest.raises(Conflict):
        done(handlers, asks, lambda: done(handlers, leaves))
