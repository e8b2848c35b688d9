"""Typed steps: everything that people and their mail programs make of ``lay b2>b3 move e5-e7``."""

import pytest

from pbem.games.mamba import refusals
from pbem.games.mamba.notation import read_line
from pbem.games.mamba.squares import grid


def read(line: str) -> list[str]:
    """The steps of a line, as they are printed."""
    return [typed.text for typed in read_line(grid(9), line)]


@pytest.mark.parametrize(
    "joint", ["-", "\u2013", "\u2212", ">", "->", "-->", "=>", "==>", "\u2192", "\u21d2", "\u27a1\ufe0f"]
)
@pytest.mark.parametrize("blank", ["", " "])
def test_cells_are_joined_by_dashes_and_arrows(joint: str, blank: str) -> None:
    cells = f"F3{blank}{joint}{blank}f4"
    assert read(f"lay {cells} move {cells}") == ["lay f3>f4", "move f3-f4"]
    assert read(f"cut {cells}") == ["cut f3-f4"]
    assert read(f"pass {cells}") == ["pass", "move f3-f4" if joint in "-\u2013\u2212" else "lay f3>f4"]


def test_cells_are_joined_by_words() -> None:
    assert read("lay f5 to f6 Move F3 To F4") == ["lay f5>f6", "move f3-f4"]
    assert read("lay from f5 to f6 move from f3 to f4") == ["lay f5>f6", "move f3-f4"]
    assert read("move from f3 f4") == read("from f3-f4") == read("f3 to f4") == ["move f3-f4"]
    assert read("cut c8 to c7") == ["cut c8-c7"]


@pytest.mark.parametrize(
    "line",
    [
        '"move f3-f4"',
        "\u201cmove f3-f4\u201d.",
        "\u00ab move f3-f4 \u00bb",
        "**move f3-f4**",
        "*move* f3-f4",
        "_move f3-f4_",
        "__move__ `f3-f4`",
        "'f3-f4'",
        "* move f3-f4",
        "\u2022 move f3-f4",
        "Move: f3-f4",
        "move : f3 - f4",
        '"f3 f4"',
    ],
)
def test_what_stands_around_steps_is_no_obstacle(line: str) -> None:
    assert read(line) == ["move f3-f4"]
    assert read(f"{line} *turn*: f3") == ["move f3-f4", "turn f3"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("f3 x f4", "x"),
        ("from f3 x f4", "x"),
        ("f3 f", "f"),
        ("f3 -", ""),
        ("f3 to", ""),
        ("f3 to x", "x"),
        ("f3 lay b2>b3", "lay"),
    ],
)
def test_a_cell_in_front_of_anything_else_begins_a_move(line: str, word: str) -> None:
    with pytest.raises(refusals.StepNeedsCells) as refusal:
        read(line)
    assert refusal.value.facts == {"verb": "move", "word": word, "which": 1}


@pytest.mark.parametrize("line", ["f3", "f3,f4", "f3.", "from", "to f3", "= f3", "f3=f4"])
def test_a_cell_alone_and_cells_in_a_list_begin_none(line: str) -> None:
    with pytest.raises(refusals.UnreadableStep) as refusal:
        read(line)
    assert refusal.value.facts["which"] == 1
