"""Turns in the making: what they lead to, and how they are said."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.domain.game_state import GameState
from pbem.errors import PlayerError
from pbem.games.game import Game, IllegalMove, UnreadableMove
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA
from pbem.usecases.previews import MOST_TURNS, TooManyTurns, course_after, draft
from tests.conversations.mamba import ANSWERS, MOVERS, OPENINGS, OWNERS
from tests.storage.stock import OPENING, WON

SUPERBO_BEGINS = GameState(SUPERBO.begin({}, 2))
MAMBA_BEGINS = GameState(MAMBA.begin({}, 3))


def after(game: Game[Any, Any], players: int, *turns: str, **options: object) -> GameState:
    position = game.begin(options, players)
    for turn in turns:
        position = game.read_input(position, turn).position
    return GameState(position)


def test_nothing_drafted_is_where_the_board_stands() -> None:
    made = draft(SUPERBO_BEGINS, SUPERBO, "  ")
    assert (made.is_empty, made.goes_on, made.said, made.last) == (True, True, "", None)
    assert made.after == SUPERBO_BEGINS.position
    assert made.with_step("B3") == "B3"


def test_a_turn_goes_on_until_its_last_tile() -> None:
    course = after(SUPERBO, 2, *OPENING[:1])
    begun = draft(course, SUPERBO, "h10")
    assert (begun.goes_on, begun.said, begun.with_step("M1")) == (True, "H10", "H10 M1")
    whole = draft(course, SUPERBO, "h10,m1")
    assert (whole.goes_on, whole.said, whole.said_before) == (False, "H10 M1", "H10")
    assert whole.last is not None
    assert whole.last.text.move == "H10,M1"
    assert draft(course, SUPERBO, whole.said) == whole


def test_the_turns_of_others_are_drafted_behind_a_stroke() -> None:
    made = draft(SUPERBO_BEGINS, SUPERBO, " / ".join(OPENING[:3]))
    assert [turn.seat for turn in made.turns] == [0, 1, 0]
    assert made.said == "C3 / H10 M1 / B8 U1"
    assert (made.goes_on, made.goes_further) == (False, False)
    further = draft(SUPERBO_BEGINS, SUPERBO, made.said_further)
    assert (further.goes_on, further.goes_further, further.last) == (True, True, None)
    assert further.with_step("Z12") == "C3 / H10 M1 / B8 U1 / Z12"


def test_one_step_after_the_other_is_taken_back_to_the_beginning() -> None:
    said, seen = "C3/H10 M1/", []
    while said:
        said = draft(SUPERBO_BEGINS, SUPERBO, said).said_before
        seen.append(said)
    assert seen == ["C3 / H10 M1", "C3 / H10", "C3 / ", "C3", ""]


def test_a_turn_before_others_must_be_whole() -> None:
    with pytest.raises(IllegalMove):
        draft(SUPERBO_BEGINS, SUPERBO, "C3/H10/B8,U1")


@pytest.mark.parametrize(("said", "wrong"), [("zz", UnreadableMove), ("A99", IllegalMove), ("C3/!", UnreadableMove)])
def test_what_the_game_refuses_is_refused(said: str, wrong: type[PlayerError]) -> None:
    with pytest.raises(wrong):
        draft(SUPERBO_BEGINS, SUPERBO, said)


def test_no_more_turns_are_looked_at_than_in_a_preview() -> None:
    with pytest.raises(TooManyTurns):
        draft(SUPERBO_BEGINS, SUPERBO, "/" * MOST_TURNS)


def test_a_draft_may_end_the_game_and_nothing_comes_after_that() -> None:
    made = draft(SUPERBO_BEGINS, SUPERBO, "/".join(WON) + "/a1/")
    assert (made.goes_on, made.goes_further, len(made.turns)) == (False, False, len(WON))
    ended = course_after(SUPERBO_BEGINS, made)
    assert ended.result is not None
    assert ended.result.winners == (0,)
    assert [played.moveno for played in ended.inputs] == list(range(1, len(WON) + 1))


def test_a_part_of_a_turn_of_mamba_is_open() -> None:
    made = draft(MAMBA_BEGINS, MAMBA, "pass/pass")
    assert [turn.seat for turn in made.turns] == [0, 1]
    assert not made.goes_on
    assert course_after(MAMBA_BEGINS, made).result is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_answer_to_a_decision_is_a_turn_of_its_own(players: int) -> None:
    course = GameState(MAMBA.begin({}, players))
    opening = "/".join(OPENINGS[players])
    asked = draft(course, MAMBA, opening)
    assert (asked.goes_on, asked.after.to_act) == (False, OWNERS[players])
    assert asked.after.decision is not None
    answered = draft(course, MAMBA, f"{asked.said_further}{ANSWERS[players][0]}")
    assert [turn.seat for turn in answered.turns[-2:]] == [MOVERS[players], OWNERS[players]]
    assert answered.after.decision is None
