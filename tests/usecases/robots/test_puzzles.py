"""Puzzles: the next one, the right move remembered, the wrong one refuted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from pbem.bootstrap import find_games
from pbem.bootstrap.parts import stored_puzzles
from pbem.bots.puzzles import Puzzle
from pbem.commands.command import Command
from pbem.commands.server import AnswerPuzzle, NextPuzzle, ShowPuzzle
from pbem.domain.letters import Evidence
from pbem.storage.passwords import Passwords
from pbem.usecases.context import Context, GameStateCache, Policy, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.puzzles import AllSolved, NoPuzzles, NoSuchPuzzle, PuzzleOfOtherGame
from tests.support.handlers import HandlerFixture

GAMES = find_games()
PUZZLES = {number: each for number, each in stored_puzzles().items() if each.game == "mambo" and each.wins_in in (1, 2)}
THREE = dict([*PUZZLES.items()][-3:])
FIRST, SECOND, LAST = THREE


def asks(
    handlers: HandlerFixture, userid: str | None, command: Command, puzzles: Mapping[int, Puzzle] = THREE
) -> dict[str, Any]:
    """The facts of what somebody is answered."""
    with handlers.work() as uow:
        speaker = Speaker(None) if userid is None else Speaker(uow.players.by_userid(userid), Proof.CLAIMED)
        passwords = cast("Passwords", None)  # nobody has to prove anything here
        context = Context(
            *(
                uow,
                handlers.now,
                GAMES,
                GameStateCache(GAMES),
                passwords,
                Policy("pbem@example.org"),
                Evidence("ann@example.org"),
            ),
            *(lambda *_: 0, lambda *_: "", speaker),
            puzzles=puzzles,
        )
        (told,) = dispatch(command, context)
        uow.commit()
    return {"notice": told.name, **told.facts}


def solves(handlers: HandlerFixture, userid: str | None, number: int) -> dict[str, Any]:
    return asks(handlers, userid, AnswerPuzzle(number, THREE[number].lines[0][0]))


def shown(handlers: HandlerFixture, userid: str | None, game: str | None = None) -> int:
    number: int = asks(handlers, userid, NextPuzzle(game))["puzzle"].number
    return number


def test_each_is_shown_the_first_that_he_has_not_solved(handlers: HandlerFixture) -> None:
    assert shown(handlers, "ann") == FIRST
    told = solves(handlers, "ann", FIRST)
    assert (told["notice"], told["verdict"].is_right, told["following"].number) == ("puzzle_answered", True, SECOND)
    assert (told["solved"], told["count"], told["is_solved"]) == (1, 3, True)
    assert [shown(handlers, "ann", "MAMBO"), shown(handlers, "ben"), shown(handlers, None)] == [SECOND, FIRST, FIRST]
    solves(handlers, "ann", FIRST)
    assert solves(handlers, "ann", LAST)["following"].number == SECOND
    assert solves(handlers, "ann", SECOND)["following"] is None
    with pytest.raises(AllSolved):
        asks(handlers, "ann", NextPuzzle())


def test_of_a_stranger_nothing_is_remembered(handlers: HandlerFixture) -> None:
    told = solves(handlers, None, FIRST)
    assert (told["verdict"].is_right, told["is_known"], told["solved"]) == (True, False, 0)
    assert shown(handlers, None) == FIRST


def test_a_wrong_move_is_shown_with_what_refutes_it_and_solves_nothing(handlers: HandlerFixture) -> None:
    number, puzzle = next((number, each) for number, each in PUZZLES.items() if each.refutations)
    move, answer = next(iter(puzzle.refutations.items()))
    told = asks(handlers, "ann", AnswerPuzzle(number, move), PUZZLES)
    assert (told["verdict"].is_right, told["verdict"].line, told["solved"]) == (False, (move, answer), 0)
    assert len(told["course"].inputs) == len(puzzle.turns) + 2


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (ShowPuzzle(99_999), NoSuchPuzzle),
        (AnswerPuzzle(99_999, "a1"), NoSuchPuzzle),
        (ShowPuzzle(FIRST, game="superbo"), PuzzleOfOtherGame),
        (NextPuzzle("mamba"), NoPuzzles),
    ],
)
def test_what_is_not_there_is_refused(handlers: HandlerFixture, command: Command, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        asks(handlers, "ann", command)


def test_a_server_without_puzzles_says_so(handlers: HandlerFixture) -> None:
    with pytest.raises(NoPuzzles):
        asks(handlers, "ann", NextPuzzle(), {})
