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
from tests.usecases.house import NUMBER, House, told


def reasons_of(refused: pytest.ExceptionInfo[InvalidChallenge]) -> list[PlayerError]:
    reasons = refused.value.facts["reasons"]
    assert isinstance(reasons, tuple)
    return list(reasons)


@pytest.mark.parametrize("userids", [("ann", "ben"), ("cat", "ann", "ben"), ("ben", "dan", "cat", "ann")])
def test_everybody_who_is_named_sits_in_this_order_and_is_told(house: House, userids: tuple[str, ...]) -> None:
    assert told(house.challenges(*userids)) == dict.fromkeys(userids, "new_board")
    assert house.userids == " ".join(userids)
    assert (house.board.first, house.to_act) == (0, userids[0])


def test_who_begins_is_drawn_by_lot_and_kept_with_the_board(house: House) -> None:
    drawn = []
    for _ in range(12):
        house.challenges("ann", "ben", "cat", options="")
    with house.work() as uow:
        for number in range(NUMBER, NUMBER + 12):
            board = uow.boards.find(BoardNumber(number))
            assert board is not None
            drawn.append(board.first)
            assert house.courses.of(board).to_act == board.first
    assert set(drawn) == {0, 1, 2}
    lots = Signer(["a key"])
    assert drawn == [lots.draw_lots(BoardNumber(number), 3) for number in range(NUMBER, NUMBER + 12)]


def test_in_order_the_first_named_begins_however_the_lot_would_fall(house: House) -> None:
    for _ in range(6):
        house.challenges("ann", "ben", "cat", options="inorder")
    with house.work() as uow:
        assert {board.first for board in uow.boards.each()} == {0}


def test_partners_sit_opposite(house: House) -> None:
    house.challenges("ann", "ben", "cat", "dan", options="teams inorder")
    assert house.board.options == {"teams": True, "inorder": True}
    assert house.position.rules.winners(0) == (0, 2)


@pytest.mark.parametrize("userids", [("ann", "ben"), ("ann", "ben", "cat")])
def test_teams_need_four(house: House, userids: tuple[str, ...]) -> None:
    with pytest.raises(InvalidChallenge) as refused:
        house.challenges(*userids, options="teams")
    (reason,) = reasons_of(refused)
    assert isinstance(reason, TeamsNeedFour)
    assert reason.facts["players"] == len(userids)


def test_every_reason_against_a_challenge_is_given_at_once(house: House) -> None:
    with pytest.raises(InvalidChallenge) as refused:
        house.challenges("ann", "yan", "zoe", options="teams")
    assert [type(reason) for reason in reasons_of(refused)] == [NoSuchPlayer, NoSuchPlayer, TeamsNeedFour]
    with pytest.raises(InvalidChallenge) as refused:
        house.challenges("ann", "ben", "cat", "dan", "zoe", options="fast size=10")
    first, second, third = reasons_of(refused)
    assert isinstance(first, NoSuchPlayer)
    assert isinstance(second, WrongNumberOfPlayers)
    assert (second.facts["least"], second.facts["most"]) == (2, 4)
    assert isinstance(third, OptionsRefused)
    with house.work() as uow:
        assert uow.boards.find(NUMBER) is None


def test_one_player_may_hold_several_seats(house: House) -> None:
    notices = house.challenges("ann", "ben", "ann", "ben", options="teams inorder")
    assert told(notices) == {"ann": "new_board", "ben": "new_board"}
    assert len(notices) == 2
    assert [len(house.board.seats_of(player)) for player in house.board.players] == [2, 2]
