"""Boards as they would be."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.commands.command import BoardMoment, Command
from pbem.commands.playing import PreviewBoard, PreviewNew
from pbem.games.mamba.refusals import TeamsNeedFour, UnreadableStep
from pbem.games.options import UnknownOption
from pbem.usecases.context import NoSuchGame
from pbem.usecases.previews import MOST_TURNS, DecisionBetween, OtherNumberOfPlayers, PreviewStopped, TooManyTurns
from pbem.usecases.understanding import BoardOver, NoSuchBoard, NoSuchMove, OtherGame
from tests.conversations.mamba import ANSWERS, OPENINGS
from tests.usecases.house import NUMBER, House


def previewed(house: House, command: Command) -> Any:
    """The course that a preview shows."""
    (notice,) = house.asks("cat", command)
    assert (notice.name, notice.thread, notice.reply) == ("preview", None, None)
    return notice.facts["course"]


def board(house: House, *turns: str, moveno: int | None = None, game: str | None = None) -> Any:
    return previewed(house, PreviewBoard(BoardMoment(NUMBER, moveno), turns, game))


def new(house: House, *turns: str, players: int | None = None, options: tuple[str, ...] = ()) -> Any:
    return previewed(house, PreviewNew("mamba", players, options, turns))


def test_a_board_is_shown_after_some_turns_and_stays_as_it_is(house: House) -> None:
    house.challenges("ann", "ben")
    house.moves("ann", "move f3-f5")
    assert board(house, "move d9-c8", "pass").ply == 3
    assert board(house).ply == 1
    assert board(house, "pass", moveno=0).ply == 1
    assert (house.course.ply, house.board.event_number) == (1, 1)


def test_a_new_board_is_begun_for_nobody(house: House) -> None:
    assert new(house).ply == 0
    assert new(house, "pass", "pass", players=3).position.rules.players == 3
    assert new(house, options=("size=11", "unrated", "nagtime=2")).position.rules.size == 11
    with house.work() as uow:
        assert list(uow.boards.each()) == []


def test_the_decision_of_another_is_a_turn_of_its_own(house: House) -> None:
    shown = new(house, *OPENINGS[2], ANSWERS[2][0], "pass")
    assert shown.ply == 5
    with pytest.raises(DecisionBetween) as refused:
        new(house, *OPENINGS[2][:-1], f"{OPENINGS[2][-1]} pass")
    assert (refused.value.facts["which"], refused.value.facts["options"]) == (5, ANSWERS[2])


def test_a_refusal_says_which_turn_it_is(house: House) -> None:
    with pytest.raises(PreviewStopped) as refused:
        new(house, "pass", "pass", "jump")
    assert refused.value.facts["which"] == 3
    reasons = refused.value.facts["reasons"]
    assert isinstance(reasons, tuple)
    assert [type(each) for each in reasons] == [UnreadableStep]


def test_refusals(house: House) -> None:
    house.challenges("ann", "ben")
    with pytest.raises(TooManyTurns):
        board(house, *(["pass"] * (MOST_TURNS + 1)))
    with pytest.raises(NoSuchMove):
        board(house, moveno=3)
    with pytest.raises(OtherGame):
        board(house, game="superbo")
    with pytest.raises(NoSuchBoard):
        previewed(house, PreviewBoard(BoardMoment(type(NUMBER)(999)), ()))
    with pytest.raises(NoSuchGame):
        previewed(house, PreviewNew("chess"))
    for players in (1, 5):
        with pytest.raises(OtherNumberOfPlayers):
            new(house, players=players)
    with pytest.raises(UnknownOption):
        new(house, options=("fast",))
    with pytest.raises(TeamsNeedFour):
        new(house, players=3, options=("teams",))
    house.resigns("ann")
    with pytest.raises(BoardOver):
        board(house)
