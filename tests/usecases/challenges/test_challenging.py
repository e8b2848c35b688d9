"""Starting boards for two to four players."""

from __future__ import annotations

import pytest

from pbem.domain.replies import Signer
from pbem.errors import PlayerError
from pbem.games.mamba.refusals import TeamsNeedFour
from pbem.games.options import OptionsRefused
from pbem.ids import BoardNumber
from pbem.usecases.challenging import InvalidChallenge, WrongNumberOfPlayers
from pbem.usecases.understanding import NoSuchPlayer
from tests.support.handlers import NUMBER, HandlerFixture, told


def reasons_of(refused: pytest.ExceptionInfo[InvalidChallenge]) -> list[PlayerError]:
    reasons = refused.value.facts["reasons"]
    assert isinstance(reasons, tuple)
    return list(reasons)


@pytest.mark.parametrize("userids", [("ann", "ben"), ("cat", "ann", "ben"), ("ben", "dan", "cat", "ann")])
def test_everybody_who_is_named_sits_in_this_order_and_is_told(
    handlers: HandlerFixture, userids: tuple[str, ...]
) -> None:
    assert told(handlers.challenges(*userids)) == dict.fromkeys(userids, "new_board")
    assert handlers.userids == " ".join(userids)
    assert (handlers.board.first, handlers.to_act) == (0, userids[0])


def test_who_begins_is_drawn_by_lot_and_kept_with_the_board(handlers: HandlerFixture) -> None:
    drawn = []
    for _ in range(12):
        handlers.challenges("ann", "ben", "cat", options="")
    with handlers.work() as uow:
        for number in range(NUMBER, NUMBER + 12):
            board = uow.boards.find(BoardNumber(number))
            assert board is not None
            drawn.append(board.first)
            assert handlers.courses.of(board).to_act == board.first
    assert set(drawn) == {0, 1, 2}
    lots = Signer(["a key"])
    assert drawn == [lots.draw_lots(BoardNumber(number), 3) for number in range(NUMBER, NUMBER + 12)]


def test_in_order_the_first_named_begins_however_the_lot_would_fall(handlers: HandlerFixture) -> None:
    for _ in range(6):
        handlers.challenges("ann", "ben", "cat", options="inorder")
    with handlers.work() as uow:
        assert {board.first for board in uow.boards.each()} == {0}


def test_partners_sit_opposite(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat", "dan", options="teams inorder")
    assert handlers.board.options == {"teams": True, "inorder": True}
    assert handlers.position.rules.winners(0) == (0, 2)


@pytest.mark.parametrize("userids", [("ann", "ben"), ("ann", "ben", "cat")])
def test_teams_need_four(handlers: HandlerFixture, userids: tuple[str, ...]) -> None:
    with pytest.raises(InvalidChallenge) as refused:
        handlers.challenges(*userids, options="teams")
    (reason,) = reasons_of(refused)
    assert isinstance(reason, TeamsNeedFour)
    assert reason.facts["players"] == len(userids)


def test_every_reason_against_a_challenge_is_given_at_once(handlers: HandlerFixture) -> None:
    with pytest.raises(InvalidChallenge) as refused:
        handlers.challenges("ann", "yan", "zoe", options="teams")
    assert [type(reason) for reason in reasons_of(refused)] == [NoSuchPlayer, NoSuchPlayer, TeamsNeedFour]
    with pytest.raises(InvalidChallenge) as refused:
        handlers.challenges("ann", "ben", "cat", "dan", "zoe", options="fast size=10")
    first, second, third = reasons_of(refused)
    assert isinstance(first, NoSuchPlayer)
    assert isinstance(second, WrongNumberOfPlayers)
    assert (second.facts["least"], second.facts["most"]) == (2, 4)
    assert isinstance(third, OptionsRefused)
    with handlers.work() as uow:
        assert uow.boards.find(NUMBER) is None


def test_one_player_may_hold_several_seats(handlers: HandlerFixture) -> None:
    notices = handlers.challenges("ann", "ben", "ann", "ben", options="teams inorder")
    assert told(notices) == {"ann": "new_board", "ben": "new_board"}
    assert len(notices) == 2
    assert [len(handlers.board.seats_of(player)) for player in handlers.board.players] == [2, 2]
