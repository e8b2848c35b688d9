"""Boards for the help pages."""

from __future__ import annotations

import pytest

from pbem.bootstrap import find_games
from pbem.games.game import IllegalMove, UnreadableMove
from pbem.games.options import UnknownOption
from pbem.wording.drawings import BadFigure, Figures, beside

FIGURES = Figures(find_games())


def test_a_figure_is_the_board_after_its_moves() -> None:
    assert FIGURES.figure("mambo", "A3 E2 D1", won="O", labels="").split("\n") == [
        "      .--oo",
        "     / ooo \\",
        "    oooo    `--oo",
        "     \\    xx   oo\\",
        "      )  xxxx  oo )",
        "     /    xx   oo/",
        "    oooo    .--oo",
        "     \\ ooo /",
        "      `--oo",
    ]


def test_a_figure_shows_the_labels_it_is_told_to_and_always_the_null_points() -> None:
    everything = FIGURES.figure("mambo", "A6 F2 H1 M3")
    few = FIGURES.figure("mambo", "A6 F2 H1 M3", labels="q b")
    assert {"B", "Q", "-"} <= set(everything.split())
    assert [word for word in few.split() if word.isupper()] == ["B", "Q"]
    assert "-" in few.split()


@pytest.mark.parametrize(
    ("game", "moves", "options", "fault"),
    [
        ("mambo", "A3 Z1", "", IllegalMove),
        ("mambo", "A3 E2 D1 B1", "", IllegalMove),
        ("mambo", "A3 ?", "", UnreadableMove),
        ("mambo", "A3", "fast", UnknownOption),
        ("lambo", "A1 H3", "", IllegalMove),
        ("chess", "", "", KeyError),
    ],
)
def test_what_the_rules_forbid_is_not_drawn(game: str, moves: str, options: str, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        FIGURES.figure(game, moves, options)


@pytest.mark.parametrize(("moves", "won"), [("A3 E2 D1", "X"), ("A3 E2 D1", "nobody"), ("A3 E2", "O")])
def test_a_figure_that_says_the_wrong_winner_is_a_fault(moves: str, won: str) -> None:
    with pytest.raises(BadFigure):
        FIGURES.figure("mambo", moves, won=won)


def test_moves_are_listed_with_what_followed_by_itself() -> None:
    listed = " ".join(FIGURES.moves("mambo", "A6 G5 C5 M6").split())
    assert listed == "1. A6 2. G5 3. C5 4. M6 (Auto) B4"
    assert FIGURES.moves("lambo", "A1 h3;NE2") == "    1. A1      2. H3,M2"


def test_states_are_drawn_three_in_a_row() -> None:
    every = FIGURES.states("superbo").split("\n")
    assert len(every) == 4 * 5 + 3
    assert " 1 xxx" in every[2]
    assert "12 xxxx" in every[20]
    assert FIGURES.states("mambo", 4).split("\n")[2] == "     4 ooo  xx )"


def test_figures_stand_side_by_side() -> None:
    assert beside("    a\n    bb", "    c") == "    a       c\n    bb"
    assert beside("    a", "    c\n    d", gap=1) == "    a c\n      d"
