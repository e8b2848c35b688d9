"""Boards as text: drawn, and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.diagrams.mamba import draw
from pbem.games.mamba.squares import grid
from tests.diagrams.mamba.boards import PLAYERS, Drawing, crowded, read, start

START_OF_TWO = """\
   a  b  c  d  e  f  g  h  i
9  .  .  .  B  .  B  .  .  .  9
8  .  .  .  B  B  B  .  .  .  8
7  .  .  .  B  .  B  .  .  .  7
6  .  .  .  .  .  .  .  .  .  6
5  .  .  .  .  .  .  .  .  .  5
4  .  .  .  .  .  .  .  .  .  4
3  .  .  .  A  .  A  .  .  .  3
2  .  .  .  A  A  A  .  .  .  2
1  .  .  .  A  .  A  .  .  .  1
   a  b  c  d  e  f  g  h  i"""

START_OF_FOUR_ON_11_CHANGED = """\
    a  b  c  d  e  f  g  h  i  j  k
11  .  .  .  .  C  .  C  .  .  .  .  11
10  .  .  .  .  C  C  C  .  .  .  .  10
 9  .  .  .  .  C  .  C  .  .  .  .  9
 8  .  .  .  .  .  .  .  .  .  .  .  8
 7  B  B [B] .  .  .  .  .  D  D  D  7
 6  .  B [.] .  .  .  .  .  .  D  .  6
 5  B  B  B  .  .  .  .  .  D  D  D  5
 4  .  .  .  .  .  .  .  .  .  .  .  4
 3  .  .  .  .  A  .  A  .  .  .  .  3
 2  .  .  .  .  A  A  A  .  .  .  .  2
 1 [.] .  .  .  A  .  A  .  .  . [.] 1
    a  b  c  d  e  f  g  h  i  j  k"""


def cells(size: int, *names: str) -> list[int]:
    return [grid(size).by_name[name] for name in names]


def test_a_board_has_its_coordinates_on_all_sides() -> None:
    assert draw(start(2).squares, 9) == START_OF_TWO


def test_cells_that_changed_stand_in_brackets() -> None:
    changed = cells(11, "c7", "c6", "a1", "k1")
    assert draw(start(4, size=11).squares, 11, changed) == START_OF_FOUR_ON_11_CHANGED


@given(data=st.data(), size=st.sampled_from((3, 9, 11)), indent=st.sampled_from(("", "    ", "> ")))
def test_a_drawing_is_read_back(data: st.DataObject, size: int, indent: str) -> None:
    squares = data.draw(st.text(".ABCD", min_size=size**2, max_size=size**2))
    changed = data.draw(st.frozensets(st.integers(0, size**2 - 1)))
    text = draw(squares, size, changed)
    assert not any(line.endswith(" ") for line in text.splitlines())
    mailed = "".join(f"{indent}{line}\r\n" for line in ("Hello,", *text.splitlines(), "3 pieces"))
    assert read(mailed) == Drawing(squares, size, changed)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_position_is_read_back(players: int) -> None:
    position = crowded(players)
    assert read(draw(position.squares, 9)) == (position.squares, 9, frozenset())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no board",
        START_OF_TWO.replace("5  .", "5  E"),
        START_OF_TWO.replace("5  .  .", "5  ."),
        "\n".join(line for line in START_OF_TWO.splitlines() if not line.startswith("4")),
        START_OF_TWO.replace("  .  .  9", "  .  .  8"),
        START_OF_TWO + "\n" + START_OF_FOUR_ON_11_CHANGED,
        START_OF_TWO.replace("2  . ", "2 [. "),
    ],
    ids=["empty", "words", "unknown mark", "short row", "row missing", "row numbered twice", "two boards", "bracket"],
)
def test_what_is_no_board_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="not one whole board"):
        read(text)
