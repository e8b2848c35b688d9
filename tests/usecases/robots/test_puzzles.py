"""Puzzles: the next one, the right move remembered, the wrong one refuted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from pbem.bootstrap.games import find_games
from pbem.bootstrap.parts import stored_puzzles
from pbem.bots.puzzles import Puzzle
from pbem.commands.command import Command
from pbem.commands.server import AnswerPuzzle, NextPuzzle, ShowPuzzle
from pbem.domain.letters import Evidence
from pbem.storage.passwords import Passwords
from pbem.usecases.context import Context, GameStateCache, Policy, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.puzzles import AllSolved, NoPuzzles, NoSuchPuzzle, PuzzleOfOtherGame
from tests.usecases.house import House

GAMES = find_games()
PUZZLES = {number: each for number, each in stored_puzzles().items() if each.game == "mambo" and each.wins_in < 3}
THREE = dict([*PUZZLES.items()][-3:])
FIRST, SECOND, LAST = THREE


def asks(house: House, userid: str | None, command: Command, puzzles: Mapping[int, Puzzle] = THREE) -> dict[str, Any]:
    """The facts of what somebody is answered."""
    with house.work() as uow:
        speaker = Speaker(None) if userid is None else Speaker(uow.players.by_userid(userid), Proof.CLAIMED)
        passwords = cast("Passwords", None)  # nobody has to prove anything here
        context = Context(
            *(
                uow,
                house.now,
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


def solves(house: House, userid: str | None, number: int) -> dict[str, Any]:
    return asks(house, userid, AnswerPuzzle(number, THREE[number].lines[0][0]))


def shown(house: House, userid: str | None, game: str | None = None) -> int:
    number: int = asks(house, userid, NextPuzzle(game))["puzzle"].number
    return number


def test_each_is_shown_the_first_that_he_has_not_solved(house: House) -> None:
    assert shown(house, "ann") == FIRST
    told = solves(house, "ann", FIRST)
    assert (told["notice"], told["verdict"].is_right, told["following"].number) == ("puzzle_answered", True, SECOND)
    assert (told["solved"], told["count"], told["is_solved"]) == (1, 3, True)
    assert [shown(house, "ann", "MAMBO"), shown(house, "ben"), shown(house, None)] == [SECOND, FIRST, FIRST]
    solves(house, "ann", FIRST)
    assert solves(house, "ann", LAST)["following"].number == SECOND
    assert solves(house, "ann", SECOND)["following"] is None
    with pytest.raises(AllSolved):
        asks(house, "ann", NextPuzzle())


def test_of_a_stranger_nothing_is_remembered(house: House) -> None:
    told = solves(house, None, FIRST)
    assert (told["verdict"].is_right, told["is_known"], told["solved"]) == (True, False, 0)
    assert shown(house, None) == FIRST


def test_a_wrong_move_is_shown_with_what_refutes_it_and_solves_nothing(house: House) -> None:
    number, puzzle = next((number, each) for number, each in PUZZLES.items() if each.refutations)
    move, answer = next(iter(puzzle.refutations.items()))
    told = asks(house, "ann", AnswerPuzzle(number, move), PUZZLES)
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
def test_what_is_not_there_is_refused(house: House, command: Command, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        asks(house, "ann", command)


def test_a_server_without_puzzles_says_so(house: House) -> None:
    with pytest.raises(NoPuzzles):
        asks(house, "ann", NextPuzzle(), {})
