import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.diagrams.ascii import draw
from pbem.diagrams.parse import (
    MOST_CHARACTERS,
    MOST_LETTERS,
    DrawingTooLarge,
    NothingDrawn,
    UnreadableDrawing,
    read,
)
from pbem.errors import PlayerError
from pbem.games.hextile.grid import Cell, reading_order
from pbem.games.hextile.position import Position
from pbem.games.hextile.tiles import State
from tests.games.hextile.playing import STATES, figure, positions

EYE = figure("superbo/o_wins_eye")


def from_first(tiles: dict[Cell, State]) -> dict[Cell, State]:
    first = min(tiles, key=reading_order)
    return {Cell(cell.q - first.q, cell.r - first.r): state for cell, state in tiles.items()}


@given(positions(most_steps=40), st.booleans(), st.integers(0, 30), st.booleans())
@settings(max_examples=25)
def test_reading_what_was_drawn_gives_the_tiles_back(
    position: Position, with_labels: bool, margin: int, blanks: bool
) -> None:
    layout = position.layout
    lines = draw(layout.tiles, layout.labels if with_labels else None).splitlines()
    shifted = [" " * margin + (line.ljust(200) if blanks else line) for line in lines]
    assert read("\n".join(shifted), STATES) == from_first(dict(layout.tiles))


def test_lines_may_end_as_in_a_mail() -> None:
    assert read("\r\n\r\n" + EYE.replace("\n", "\r\n") + "\r\n", STATES) == read(EYE, STATES)


@pytest.mark.parametrize("label", ["m", "M", "AB", "zzz"])
def test_labels_are_passed_over(label: str) -> None:
    tile = {Cell(0, 0): STATES[1]}
    assert read(draw(tile, {Cell(1, -1): label}), STATES) == tile


def test_a_label_must_stand_in_a_space() -> None:
    with pytest.raises(UnreadableDrawing):
        read(draw({Cell(0, 0): STATES[1]}, {Cell(3, -1): "A"}), STATES)


@pytest.mark.parametrize(
    ("line", "column", "character"), [(1, 5, "%"), (3, 12, "Q"), (10, 14, "#"), (1, 60, "z"), (17, 3, " ")]
)
def test_the_place_of_what_does_not_belong_is_told(line: int, column: int, character: str) -> None:
    lines = [list(text.ljust(70)) for text in EYE.splitlines()]
    lines[line - 1][column - 1] = character
    with pytest.raises(UnreadableDrawing) as refused:
        read("\n".join(map("".join, lines)), STATES)
    assert refused.value.facts == {"line": line, "column": column, "found": character}


def test_a_missing_mark_is_told_by_its_place() -> None:
    with pytest.raises(UnreadableDrawing) as refused:
        read(EYE.replace("`--oo", " --oo"), STATES)
    assert refused.value.facts["found"] == " "


def test_a_drawing_cut_off_at_the_top_is_refused_at_its_first_line() -> None:
    with pytest.raises(UnreadableDrawing) as refused:
        read(EYE.split("\n", 1)[1], STATES)
    assert refused.value.facts["line"] == 1


def test_a_drawing_cut_off_at_the_left_is_refused_at_its_first_column() -> None:
    with pytest.raises(UnreadableDrawing) as refused:
        read("\n".join(line[2:] for line in EYE.splitlines()), STATES)
    assert refused.value.facts["column"] == 1


@pytest.mark.parametrize("text", ["", " \n ", "a diagram", "A\nB\nC"])
def test_a_text_without_tiles_is_no_drawing(text: str) -> None:
    with pytest.raises(NothingDrawn):
        read(text, STATES)


@pytest.mark.parametrize("text", [" " * (MOST_CHARACTERS + 1), "o" * (MOST_LETTERS + 1)])
def test_a_text_longer_than_any_board_is_not_looked_at(text: str) -> None:
    with pytest.raises(DrawingTooLarge):
        read(text, STATES)


@given(st.text(alphabet="ox .-`/\\)AB\n", max_size=200) | st.text(max_size=80))
@settings(max_examples=150)
def test_any_text_gives_tiles_or_a_refusal(text: str) -> None:
    try:
        tiles = read(text, STATES)
    except PlayerError:
        return
    assert read(draw(tiles), STATES) == tiles


@given(st.integers(0, len(EYE) - 1), st.sampled_from("ox .-`/\\)A\n"))
@settings(max_examples=150)
def test_a_damaged_figure_gives_tiles_or_a_refusal(place: int, character: str) -> None:
    damaged = EYE[:place] + character + EYE[place + 1 :]
    try:
        tiles = read(damaged, STATES)
    except PlayerError:
        return
    assert read(draw(tiles), STATES) == tiles
