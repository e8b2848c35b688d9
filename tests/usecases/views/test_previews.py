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
from tests.support.handlers import NUMBER, HandlerFixture


def previewed(handlers: HandlerFixture, command: Command) -> Any:
    """The course that a preview shows."""
    (notice,) = handlers.asks("cat", command)
    assert (notice.name, notice.thread, notice.reply) == ("preview", None, None)
    return notice.facts["course"]


def board(handlers: HandlerFixture, *turns: str, moveno: int | None = None, game: str | None = None) -> Any:
    return previewed(handlers, PreviewBoard(BoardMoment(NUMBER, moveno), turns, game))


def new(handlers: HandlerFixture, *turns: str, players: int | None = None, options: tuple[str, ...] = ()) -> Any:
    return previewed(handlers, PreviewNew("mamba", players, options, turns))


def test_the_turns_of_a_line_are_separated_by_strokes(handlers: HandlerFixture) -> None:
    command = PreviewNew("mamba", 2, (), ("move f3-f5 / move d9-c8/pass /",))
    (notice,) = handlers.asks("cat", command)
    assert notice.facts["turns"] == ("move f3-f5", "move d9-c8", "pass")
    course: Any = notice.facts["course"]
    assert course.ply == 3


def test_a_board_is_shown_after_some_turns_and_stays_as_it_is(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.moves("ann", "move f3-f5")
    assert board(handlers, "move d9-c8", "pass").ply == 3
    assert board(handlers).ply == 1
    assert board(handlers, "pass", moveno=0).ply == 1
    assert (handlers.course.ply, handlers.board.event_number) == (1, 1)


def test_a_new_board_is_begun_for_nobody(handlers: HandlerFixture) -> None:
    assert new(handlers).ply == 0
    assert new(handlers, "pass", "pass", players=3).position.rules.players == 3
    assert new(handlers, options=("size=11", "unrated", "nagtime=2")).position.rules.size == 11
    with handlers.work() as uow:
        assert list(uow.boards.each()) == []


def test_the_decision_of_another_is_a_turn_of_its_own(handlers: HandlerFixture) -> None:
    shown = new(handlers, *OPENINGS[2], ANSWERS[2][0], "pass")
    assert shown.ply == 5
    with pytest.raises(DecisionBetween) as refused:
        new(handlers, *OPENINGS[2][:-1], f"{OPENINGS[2][-1]} pass")
    assert (refused.value.facts["which"], refused.value.facts["options"]) == (5, ANSWERS[2])


def test_a_refusal_says_which_turn_it_is(handlers: HandlerFixture) -> None:
    with pytest.raises(PreviewStopped) as refused:
        new(handlers, "pass", "pass", "jump")
    assert refused.value.facts["which"] == 3
    reasons = refused.value.facts["reasons"]
    assert isinstance(reasons, tuple)
    assert [type(each) for each in reasons] == [UnreadableStep]


def test_refusals(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    with pytest.raises(TooManyTurns):
        board(handlers, *(["pass"] * (MOST_TURNS + 1)))
    with pytest.raises(NoSuchMove):
        board(handlers, moveno=3)
    with pytest.raises(OtherGame):
        board(handlers, game="superbo")
    with pytest.raises(NoSuchBoard):
        previewed(handlers, PreviewBoard(BoardMoment(type(NUMBER)(999)), ()))
    with pytest.raises(NoSuchGame):
        previewed(handlers, PreviewNew("chess"))
    for players in (1, 5):
        with pytest.raises(OtherNumberOfPlayers):
            new(handlers, players=players)
    with pytest.raises(UnknownOption):
        new(handlers, options=("fast",))
    with pytest.raises(TeamsNeedFour):
        new(handlers, players=3, options=("teams",))
    handlers.resigns("ann")
    with pytest.raises(BoardOver):
        board(handlers)
