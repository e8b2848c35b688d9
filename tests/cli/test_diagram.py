"""``pbem diagram``, as somebody with a drawing runs it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.cli.main import main
from tests.games.hextile.playing import FIGURES, GAMES, figure, playthroughs

NAMES = sorted(f"{path.parent.name}/{path.stem}" for path in FIGURES.glob("*/*.txt"))
EYE = figure("superbo/o_wins_eye")

LABELLED = """\
      A

F   .--oo   B
   x   oo\\
  xxx  oo )
   x   oo/
E   `--oo   C

      D
"""


def diagram(*words: str, text: str = "") -> Result:
    return CliRunner().invoke(main, ["diagram", *words], input=text)


def shown(game: str, text: str) -> dict[str, Any]:
    done = diagram(game, "--json", text=text)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_rendered_as_it_is(name: str) -> None:
    done = diagram(name.partition("/")[0], str(FIGURES / f"{name}.txt"), "--render")
    assert (done.exit_code, done.stdout) == (0, figure(name) + "\n")


def test_a_drawing_is_rendered_with_its_labels_and_without_its_margins() -> None:
    moved = "\n\n" + "\n".join("     " + line + "   " for line in LABELLED.splitlines()) + "\n\n"
    assert diagram("superbo", "--render", text=moved).stdout == LABELLED


def test_the_json_names_tiles_spaces_null_points_and_groups() -> None:
    found = shown("mambo", figure("mambo/null_point"))
    assert list(found) == ["tiles", "spaces", "null_points", "groups"]
    assert found["tiles"][0] == {"q": 0, "r": 0, "state": 2, "bridge": "o", "tip": "x", "corner": "NE"}
    assert found["null_points"] == [{"q": 0, "r": 1}]
    assert {"q": 0, "r": 1, "states": []} in found["spaces"]
    assert {"q": 1, "r": -1, "states": [1, 5, 6]} in found["spaces"]
    assert all(group["killed"] is False for group in found["groups"])


def test_labels_change_nothing_of_the_json() -> None:
    unlabelled = "".join(letter if letter not in "ABCDEF" else " " for letter in LABELLED)
    assert shown("superbo", LABELLED) == shown("superbo", unlabelled)


@pytest.mark.parametrize("game", ["superbo", "lambo"])
def test_only_groups_of_mambo_can_be_killed(game: str) -> None:
    name = {"superbo": "superbo/o_wins_eye", "lambo": "lambo/dark_wins"}[game]
    groups = shown(game, figure(name))["groups"]
    assert any(group["closed"] for group in groups)
    assert not any("killed" in group for group in groups)


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_have_the_groups_that_they_should(game: str) -> None:
    expected = playthroughs(game)[0]["expected"]
    found = shown(game, "\n".join(expected["drawing"]))["groups"]
    groups = [{name: group[name] for name in expected["groups"][0]} for group in found]
    assert sorted(groups, key=json.dumps) == sorted(expected["groups"], key=json.dumps)


def test_the_words_say_what_the_json_says() -> None:
    said = diagram("superbo", text=EYE).stdout
    assert said.startswith("Superbo: 8 tiles, 14 spaces to play in.\n")
    assert "  1,0 state 2 " in said
    assert "5. o: 4 bridges, 4 points, 1 loop, territory 1, 1 eye, inside group 3,\n    closed\n" in said
    assert "  A at 0,-1: 3-5 10-12 " in said
    assert "The labels are those of a board laid from top to bottom." in said


def test_the_words_use_the_labels_of_the_drawing() -> None:
    drawing = LABELLED.replace("C", "AB")
    said = diagram("superbo", text=drawing).stdout
    assert drawing in said
    assert "The labels are those" not in said
    assert "AB at 1,0: " in said


def test_marks_that_are_no_labels_give_way_to_labels_in_the_words() -> None:
    said = diagram("mambo", text=figure("mambo/ladder_before")).stdout
    assert "4. x: 0 bridges, 1 point, way out C\n" in said


def test_the_words_name_null_points_and_who_is_killed() -> None:
    said = diagram("mambo", text=figure("mambo/null_point")).stdout
    assert said.startswith("Mambo: 4 tiles, 11 spaces to play in, 1 null point.\n")
    assert said.endswith("\nNull points, where nothing fits: 0,1\n")
    ended = diagram("mambo", text="\n".join(playthroughs("mambo")[0]["expected"]["drawing"])).stdout
    assert ", killed\n" in ended


def test_an_empty_table_of_mambo_is_one_space() -> None:
    assert shown("mambo", "A\n") == {
        "tiles": [],
        "spaces": [{"q": 0, "r": 0, "states": [1, 2, 3, 4, 5, 6]}],
        "null_points": [],
        "groups": [],
    }
    assert "0 tiles, 1 space to play in" in diagram("mambo", text="A").stdout
    assert diagram("mambo", "--render", text="   A").stdout == "A\n"
    assert diagram("superbo", text="A").stderr == "pbem: There is no tile in the drawing.\n"


def test_pictures_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    done = diagram("lambo", "--svg", str(svg), "--png", str(png), text=figure("lambo/dark_wins"))
    assert (done.exit_code, done.output) == (0, "")
    assert svg.read_text().startswith("<svg ")
    assert "<title>Lambo: 14 tiles, 17 spaces to play in.</title>" in svg.read_text()
    assert png.read_bytes().startswith(b"\x89PNG")
    assert diagram("lambo", "--svg", "-", text=figure("lambo/dark_wins")).stdout == svg.read_text()
    assert diagram("lambo", "--png", "-", text=figure("lambo/dark_wins")).stdout_bytes == png.read_bytes()
    assert json.loads(diagram("lambo", "--json", "--svg", str(svg), text=figure("lambo/dark_wins")).stdout)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (EYE.replace("\\    oo", "\\    o?", 1), 'line 4, column 8 has "?" where "o" belongs.'),
        (EYE.replace(".--xx", ".- xx", 1), 'line 1, column 5 has a blank where "-" belongs.'),
        (EYE + " \u2603", 'line 17, column 9 has "\\u2603" where nothing belongs.'),
        (EYE + " \x1b", 'line 17, column 9 has "\\x1b" where nothing belongs.'),
        ("", "There is no tile in the drawing."),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, said: str) -> None:
    done = diagram("superbo", "--json", text=text)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("pbem: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "lambo, mamba, mambo, palago, superbo"),
        (["superbo", "none.txt"], "No such file"),
        (["superbo", "--json", "--render"], "Only one of"),
        (["superbo", "--svg", "-", "--png", "-"], "Only one of"),
        ([], "Missing argument"),
    ],
)
def test_misuse_is_told(words: list[str], said: str) -> None:
    done = diagram(*words, text=EYE)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_game_without_tiles_has_no_drawings_to_be_read() -> None:
    done = diagram("mamba", text=EYE)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "pbem: Mamba is not played with hexagonal tiles. I can read drawings only of"
        " lambo, mambo, palago and superbo.\n"
    )


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    done = diagram("superbo", "--svg", str(tmp_path / "none" / "a.svg"), text=EYE)
    assert done.exit_code == 1
    assert done.stderr.endswith("a.svg cannot be written: No such file or directory\n")


def test_a_program_reads_from_a_pipe_and_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pbem", "diagram", "superbo", "--render"]
    done = subprocess.run(command, input=EYE.encode(), cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.decode()) == (0, EYE + "\n")
    done = subprocess.run(command, input=b"\xff\xfeox\0", cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"pbem: I cannot read the drawing: line 1, column 1 ")


def test_no_png_is_shown_on_a_terminal(tmp_path: Path) -> None:
    drawing = tmp_path / "eye.txt"
    drawing.write_text(EYE)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pbem", "diagram", "superbo", str(drawing), "--png", "-"]
    try:
        done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, timeout=60, check=False)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    assert b"cannot be shown on a terminal" in done.stderr
