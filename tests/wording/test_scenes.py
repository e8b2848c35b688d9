"""Boards of Mamba for the help pages: drawn by the rules, and held to what a page says of them."""

from __future__ import annotations

import pytest

from pbem.games.game import IllegalMove, UnreadableMove
from pbem.games.mamba.ruleset import Ruleset
from pbem.wording.drawings import BadFigure
from pbem.wording.layout import WIDTH
from pbem.wording.scenes import game, moves, scene, start
from tests.diagrams.mamba.boards import read
from tests.wording.mamba import WON, cells

HOME = "B: d7 d8 d9 e8 f7 f8 f9"
PIECES = f"A: c4 d4 e2 f4 g4 b1; {HOME}"
LOST = "A moves e2-e4; A loses c4 of 5 on 4"
END = "A loses d5 of 5 on d; B is out with f7 e8 f9 g9"


def test_a_start_is_the_board_of_the_rules() -> None:
    for players, size in ((2, 9), (3, 9), (4, 11)):
        assert read(start(players, size))[:2] == (Ruleset(players, size).start, size)


def test_a_scene_shows_the_board_before_and_after_with_what_has_changed() -> None:
    drawn = scene(PIECES, "move e2-e4 cut c4", LOST)
    assert max(map(len, drawn.split("\n"))) <= WIDTH
    before, after = cells(drawn, 0), cells(drawn, 1)
    assert {cell for cell, mark in before.items() if mark == "A"} == {"c4", "d4", "e2", "f4", "g4", "b1"}
    assert {cell: mark for cell, mark in after.items() if "[" in mark} == {"c4": "[.]", "e2": "[.]", "e4": "[A]"}


def test_a_scene_may_show_some_rows_and_what_came_of_it_alone() -> None:
    drawn = scene(PIECES, "move e2-e4 cut c4", LOST, rows="2-4", after=True).split("\n")
    assert [line.split()[0] for line in drawn] == ["a", "4", "3", "2", "a"]
    assert drawn[1] == "    4  .  . [.] A [A] A  A  .  .  4"


def test_whoever_is_named_first_is_on_turn() -> None:
    pieces = "B: c4 d4 e2 f4 g4 b1; A: d7 d8 d9 e8 f7 f8 f9"
    assert scene(pieces, "move e2-e3", "B moves e2-e3")


@pytest.mark.parametrize(
    ("inputs", "happens", "asked"),
    [
        ("move e2-e4 cut c4", "A moves e2-e4; A loses g4 of 5 on 4", ""),
        ("move e2-e4 cut c4", "A moves e2-e4", ""),
        ("move e2-e4 cut c4", "", ""),
        ("move e2-e4 cut c4", LOST, "A: cut c4 or cut g4"),
        ("move e2-e4", "A moves e2-e4", ""),
        ("move e2-e4", "A moves e2-e4", "B: cut c4 or cut g4"),
        ("move e2-e4", "A moves e2-e4", "A: cut g4 or cut c4"),
    ],
)
def test_a_scene_of_which_the_page_says_something_wrong_is_a_fault(inputs: str, happens: str, asked: str) -> None:
    with pytest.raises(BadFigure):
        scene(PIECES, inputs, happens, asked=asked)
    assert scene(PIECES, "move e2-e4", "A moves e2-e4", asked="A: cut c4 or cut g4")


@pytest.mark.parametrize(
    "pieces",
    [f"A: a4 b4 c4 d4 e4 g1; {HOME}", "A: a1 g1 g2 g4 g6; B: a2 b1 d7 d8 d9 e8"],
    ids=["too long", "suffocated"],
)
def test_a_scene_begins_at_rest(pieces: str) -> None:
    with pytest.raises(BadFigure):
        scene(pieces, "pass", "A passes")


@pytest.mark.parametrize(
    ("inputs", "fault"), [("move e2-e5", IllegalMove), ("lay c4>c5", IllegalMove), ("jump", UnreadableMove)]
)
def test_what_the_rules_forbid_is_not_drawn(inputs: str, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        scene(PIECES, inputs, "")


@pytest.mark.parametrize(
    ("pieces", "inputs", "happens"),
    [
        (f"A: b3 d1 e2 f1 f3 h1; {HOME}", "lay b3>c4", "A lays b3>c4"),
        (PIECES, "pass", "A passes"),
        (
            "A: c3 d3 e1 a1 b1; B: e4 e5 d8 h8 f9",
            "move e1-e3",
            "A moves e1-e3; A e3 turns to B, 2 to 1 on e; B e3 turns to A, 2 to 1 on 3; A e3 is blocked",
        ),
        (
            "A: b3 a2 c1 e8 f8 g8; B: a1 c2 d1 b8 b9 i7",
            "move b3-b1",
            "A moves b3-b1; B a1 suffocates; A c1 suffocates",
        ),
    ],
)
def test_everything_that_happens_has_words(pieces: str, inputs: str, happens: str) -> None:
    assert scene(pieces, inputs, happens)


def test_a_game_is_drawn_around_its_last_input_and_may_have_to_end() -> None:
    drawn = game(WON, END, ending="last_in_play")
    assert cells(drawn, 0)["d5"] == "A"
    assert {cell for cell, mark in cells(drawn, 1).items() if mark == "[.]"} == {"d5", "f7", "e8", "f9", "g9"}
    for ending in ("", "all_out"):
        with pytest.raises(BadFigure):
            game(WON, END, ending=ending)
    with pytest.raises(BadFigure):
        game(WON, "A loses d5 of 5 on d", ending="last_in_play")


def test_an_answer_to_a_decision_has_the_number_of_its_turn() -> None:
    assert " ".join(moves(WON).split()).endswith("5. move e2-d3 6. move c8-d8 6. cut d5")
