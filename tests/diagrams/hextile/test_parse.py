"""Reading drawings: what they show, and where those are wrong that show nothing."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.diagrams.hextile import parse
from pbem.diagrams.hextile.letters import draw
from pbem.diagrams.hextile.parse import DrawingTooLarge, NothingDrawn, TilesApart, UnreadableDrawing, read, read_drawing
from pbem.errors import PlayerError
from pbem.games.hextile.grid import Cell, State, reading_order
from pbem.games.hextile.layout import Layout
from tests.games.hextile.playing import FIGURE_NAMES, GAMES, MARKED, STATES, figure, positions, rules_of

EYE = figure("superbo/o_wins_eye")
MAMBO = rules_of("mambo").states
LAMBO = rules_of("lambo").states


def from_first(tiles: dict[Cell, State]) -> dict[Cell, State]:
    first = min(tiles, key=reading_order)
    return {Cell(cell.q - first.q, cell.r - first.r): state for cell, state in tiles.items()}


def labelled(layout: Layout) -> dict[Cell, str]:
    """As a mail shows the spaces."""
    return layout.labels | dict.fromkeys(layout.null_points, "-")


def damaged(text: str, line: int, column: int, character: str) -> str:
    lines = [list(each.ljust(70)) for each in text.splitlines()]
    lines[line - 1][column - 1] = character
    return "\n".join(map("".join, lines))


def place(text: str, game: str = "superbo") -> tuple[int, int]:
    """The place for which a drawing is refused."""
    with pytest.raises(UnreadableDrawing) as refused:
        read_drawing(text, rules_of(game).states)
    return refused.value.facts["line"], refused.value.facts["column"]  # type: ignore[return-value]


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data(), margin=st.integers(0, 300), blanks=st.booleans(), with_labels=st.booleans())
@settings(max_examples=15)
def test_reading_what_was_drawn_gives_it_back(
    game: str, data: st.DataObject, margin: int, blanks: bool, with_labels: bool
) -> None:
    layout = data.draw(positions(game, most_steps=40)).layout
    labels = labelled(layout) if with_labels else {}
    drawn = draw(layout.tiles, labels)
    assume(drawn)
    shifted = [" " * margin + (line.ljust(200) if blanks else line) for line in drawn.splitlines()]
    drawing = read_drawing("\n".join(shifted), layout.states)
    assert drawing.tiles == (from_first(dict(layout.tiles)) if layout.tiles else {})
    assert sorted(drawing.labels.values()) == sorted(labels.values())
    assert str(drawing) == drawn


@pytest.mark.parametrize("name", FIGURE_NAMES)
def test_a_figure_is_read_with_its_marks_and_drawn_again(name: str) -> None:
    drawing = read_drawing(figure(name), rules_of(name.partition("/")[0]).states)
    assert drawing.labels == MARKED.get(name, {})
    assert str(drawing) == figure(name)


def test_lines_may_end_as_in_a_mail() -> None:
    assert read("\r\n\r\n" + EYE.replace("\n", "\r\n") + "\r\n", STATES) == read(EYE, STATES)
    assert read(EYE.replace("\n", "\r"), STATES) == read(EYE, STATES)


def test_blanks_may_be_tabs_and_such_as_do_not_break() -> None:
    indented = ["\t" + line for line in EYE.splitlines()]
    assert read("\n".join(indented), STATES) == read(EYE, STATES)
    assert read("\n".join([" " * 8 + EYE.splitlines()[0], *indented[1:]]), STATES) == read(EYE, STATES)
    assert read("\ufeff" + EYE.replace(" ", "\u00a0"), STATES) == read(EYE, STATES)


@pytest.mark.parametrize("label", ["m", "M", "AB", "zzz"])
def test_a_label_may_stand_in_any_space(label: str) -> None:
    tile = {Cell(0, 0): STATES[1]}
    drawn = draw(tile, {Cell(1, -1): label})
    drawing = read_drawing(drawn, STATES)
    assert (drawing.tiles, drawing.labels, str(drawing)) == (tile, {Cell(1, -1): label}, drawn)


def test_a_label_must_stand_in_a_space() -> None:
    with pytest.raises(UnreadableDrawing):
        read(draw({Cell(0, 0): STATES[1]}, {Cell(3, -1): "A"}), STATES)


@pytest.mark.parametrize(("text", "column"), [("I", 11), ("7", 11), ("ABCD", 14), ("A B", 13)])
def test_what_is_no_label_must_not_stand_in_a_space(text: str, column: int) -> None:
    assert place(draw({Cell(0, 0): STATES[1]}, {Cell(1, -1): text})) == (1, column)


@pytest.mark.parametrize("mark", ["-", "X"])
def test_a_null_point_may_be_marked_as_the_designer_does(mark: str) -> None:
    drawing = read_drawing(figure("mambo/null_point").replace("   -", f"   {mark}"), MAMBO)
    assert str(drawing) == figure("mambo/null_point")


@pytest.mark.parametrize("mark", ["-", "X"])
def test_a_null_point_must_not_be_marked_where_a_tile_fits(mark: str) -> None:
    ladder = figure("mambo/ladder_before").replace("m", mark)
    assert place(ladder, "mambo") == (5, 11)
    assert place(figure("mambo/null_point").replace("   -", f"   {mark}").replace("x", "o"), "lambo") == (7, 11)


def test_the_label_of_the_first_space_alone_is_an_empty_table() -> None:
    for text in ("A", "\n\n    a \n"):
        drawing = read_drawing(text, MAMBO)
        assert (drawing.tiles, str(drawing)) == ({}, "A")


@pytest.mark.parametrize("name", ["superbo/o_wins_eye", "mambo/ladder_before", "lambo/tile_2"])
@pytest.mark.parametrize("character", "?ox `")
def test_a_wrong_character_is_told_by_its_place_wherever_it_stands(name: str, character: str) -> None:
    lines = [line.ljust(24) for line in figure(name).splitlines()]
    for line, text in enumerate(lines, start=1):
        for column, there in enumerate(text, start=1):
            if there not in (character, "m"):
                refused = place(damaged("\n".join(lines), line, column, character), name.partition("/")[0])
                assert refused == (line, column)


def test_what_is_there_and_what_belongs_there_are_told() -> None:
    dot = EYE.index(".") + 1
    for column, found, expected in ((dot, " ", "."), (dot + 1, "%", "-"), (60, "z", " ")):
        with pytest.raises(UnreadableDrawing) as refused:
            read(damaged(EYE, 1, column, found), STATES)
        assert refused.value.facts == {"line": 1, "column": column, "found": found, "expected": expected}


def test_a_state_of_another_game_is_told_by_its_first_letter() -> None:
    assert place(figure("superbo/tile_07_Oo"), "mambo") == (2, 2)


@pytest.mark.parametrize(("missing", "told"), [(7, 7), (11, 11), (17, 17)])
def test_a_missing_line_is_told_where_it_was(missing: int, told: int) -> None:
    lines = EYE.splitlines()
    assert place("\n".join(lines[: missing - 1] + lines[missing:]))[0] == told


def test_a_line_out_of_place_is_told() -> None:
    for number, line in enumerate(EYE.splitlines(), start=1):
        shifted = EYE.splitlines()
        shifted[number - 1] = " " + line
        assert place("\n".join(shifted))[0] == number


def test_a_drawing_cut_off_at_the_top_is_refused_at_its_first_line() -> None:
    assert place(EYE.split("\n", 1)[1])[0] == 1


def test_a_drawing_cut_off_at_the_left_is_refused_at_its_first_column() -> None:
    assert place("\n".join(line[2:] for line in EYE.splitlines()))[1] == 1


def test_tiles_must_lie_together() -> None:
    tiles = {Cell(0, 0): STATES[1], Cell(0, 1): STATES[1], Cell(2, 1): STATES[2]}
    with pytest.raises(TilesApart) as refused:
        read("\n" + draw(tiles), STATES)
    lines = draw(tiles).splitlines()
    line, column = refused.value.facts["line"], refused.value.facts["column"]
    assert (line, column) == (10, lines[8].rindex("xx") + 1)


@pytest.mark.parametrize("text", ["", " \n ", "a diagram", "A\nB\nC", "B", "-", "\n".join("o" for _ in range(2000))])
def test_a_text_without_tiles_is_no_drawing(text: str) -> None:
    with pytest.raises(NothingDrawn):
        read(text, STATES)


@pytest.mark.parametrize(
    "text",
    [" " * (parse.MOST_CHARACTERS + 1), "o" * (parse.MOST_LETTERS + 1), ".\n" * (parse.MOST_DRAWN + 1)],
    ids=["characters", "letters", "marks"],
)
def test_a_text_longer_than_any_board_is_not_looked_at(text: str) -> None:
    with pytest.raises(DrawingTooLarge):
        read(text, STATES)


def test_a_long_row_of_tiles_is_read() -> None:
    tiles = {Cell(q, 0): LAMBO[1] for q in range(400)}
    assert read(draw(tiles), LAMBO) == tiles


def noise() -> st.SearchStrategy[str]:
    return st.text(alphabet="ox .-`/\\)ABX\t\n", max_size=300) | st.text(max_size=80)


@given(noise(), st.sampled_from(sorted(GAMES)))
@settings(max_examples=200)
def test_any_text_gives_tiles_or_a_refusal(text: str, game: str) -> None:
    _check_read(text, game)


@given(st.integers(0, len(EYE) - 1), st.text(alphabet="ox .-`/\\)A\n", max_size=4), st.integers(0, 4))
@settings(max_examples=150)
def test_a_damaged_figure_gives_tiles_or_a_refusal(start: int, inserted: str, removed: int) -> None:
    _check_read(EYE[:start] + inserted + EYE[start + removed :], "superbo")


def _check_read(text: str, game: str) -> None:
    """Check that a drawing that was read comes out the same when it is drawn and read again."""
    states = rules_of(game).states
    try:
        drawing = read_drawing(text, states)
    except PlayerError:
        return
    assert read_drawing(str(drawing), states) == drawing
