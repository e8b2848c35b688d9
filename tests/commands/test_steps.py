"""The shape of steps, and which lines carry a line of them on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.steps import are_steps, begins_step, begins_with_cells, take_steps, undecorated
from pbem.games.mamba import notation
from pbem.games.mamba.squares import grid


@pytest.mark.parametrize(
    "text",
    [
        "lay b2>b3 lay g7>f6 move e5-e7 turn e6 cut e2",
        "Lay B2 B3, move e5 \u2013 e7; turn e6 + cut c8-c7",
        "b2>b3 e5->e7",
        "pass",
        "PASS!",
        "lay b2>b3.  move k10-k11. #17.",
        "lay b2>b3 move",
        "lay b2>b3 lay c3",
        "move e5-e7 cut",
        "move e5 to e7 lay b2\u2192b3",
        "lay from b2 => b3, from e5 to e7",
        "lay b2 \u27a1\ufe0f b3 move from e5",
        "lay b2-->b3 move e5 to",
    ],
)
def test_these_are_steps(text: str) -> None:
    assert are_steps(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#17",
        "e3",
        "cut",
        "e3 cut e4",
        "a1,j12",
        "a1 b2",
        "passed",
        "lay b2>b3 please",
        "cut e3 #x",
        "\u04355-\u04357",
        "from e5",
        "e5 to",
        "e5=e7",
        "e5toe7",
    ],
)
def test_these_are_not(text: str) -> None:
    assert not are_steps(text)


def test_a_sentence_does_not_begin_with_a_step() -> None:
    assert begins_step("Cut e3, please")
    assert begins_step("b2 > b3")
    assert not any(map(begins_step, ("cut it", "turn 1", "lay b2b3", "pass", "e3", "re: cut e3", "")))


def test_cells_are_joined_by_dashes_arrows_and_one_word_alone() -> None:
    for words in (
        "e5-e7",
        "e5 -> e7 cut e3",
        "e5\u2212e7",
        "b2>b3,c4",
        "e5\u2192e7",
        "e5 => e7",
        "from e5 to e7 cut e3",
    ):
        assert begins_with_cells(words.split())
    assert not any(begins_with_cells(words.split()) for words in ("", "e5", "e5 e7", "e5,e7", "lay b2>b3", "e5-e7x"))


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ('"pass"', "pass"),
        ('"Pass."', "Pass."),
        ("**move f3-f4**", "move f3-f4"),
        ("_move_ f3-f4 #7", "move f3-f4 #7"),
        ("Move: f3-f4", "Move f3-f4"),
        ("- lay b2>b3", "lay b2>b3"),
        ("* b2>b3 turn: b3", "b2>b3 turn b3"),
        ("\u2022 cut e3", "cut e3"),
        ("\u2013 cut e3", "cut e3"),
        ("\u00ab lay: b2 to b3 \u00bb", "lay b2 to b3"),
        ("- move f3 x f4*", "move f3 x f4*"),
        ("* move bob se*cret lay b2>b3", "move bob se*cret lay b2>b3"),
    ],
)
def test_what_stands_around_steps_is_taken_off(line: str, steps: str) -> None:
    assert undecorated(line) == steps


@pytest.mark.parametrize(
    "line",
    [
        "",
        "a1,j12",
        "resign",
        '"resign"',
        "- a1",
        '"Turning point" is good',
        "move bob se*cret lay b2>b3",
        "- Bob",
        "-5",
    ],
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert undecorated(line) == line


def test_decorated_lines_carry_steps_on() -> None:
    line, left = take_steps("lay b2>b3", ["- lay g7>f6", "", "* Move: e5-e7", '"cut e3"', '"cut it", he said'])
    assert line == "lay b2>b3 lay g7>f6 Move e5-e7 cut e3"
    assert list(left) == ['"cut it", he said']


STEPS = st.sampled_from(
    [
        "lay b2>b3",
        "move e5-e7",
        "b2>b3",
        "e5 - e7",
        "turn e6",
        "cut e3",
        "cut c8-c7",
        "pass",
        "lay a1 a2",
        "e5 \u2192 e7",
        "move e5 to e7",
        "move from e5 to e7",
    ]
)


@given(st.lists(STEPS, min_size=1, max_size=8), st.data())
def test_a_line_of_steps_is_whole_again_wherever_it_was_broken(steps: list[str], data: st.DataObject) -> None:
    words = " ".join(steps).split()
    broken = data.draw(st.integers(1, len(words)))
    line, left = take_steps(" ".join(words[:broken]), ["", " ".join(words[broken:]), "Ha!"])
    assert line == " ".join(words)
    assert list(left)[-1] == "Ha!"
    assert notation.read_line(grid(9), " ".join(words))


@given(st.text(max_size=30), st.lists(st.text(max_size=30) | STEPS, max_size=4))
def test_no_line_is_lost_or_made_up(first: str, following: list[str]) -> None:
    line, left = take_steps(first, following)
    taken = following[: len(following) - len(left)]
    assert line.split() == " ".join((first, *taken)).split()
    assert list(left) == following[len(taken) :]
