"""``pbem analyse``, as somebody with a game record runs it."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from click.testing import CliRunner, Result, _NamedTextIOWrapper

from pbem.cli.main import main
from tests.bots.endgames import begun, by_lot


def record() -> dict[str, Any]:
    """A short game of Lambo by lot, in which ann could have won with the last move, and lost."""
    game, start = begun("lambo size=6")
    turns, steps = [], []
    for one, two in pairwise(by_lot("lambo size=6", 1)):
        steps += [step for step in one.legal() if one.play(step) == two][:1]
        if not two.mid_turn or two.outcome:
            turns.append(game.input_record(start, steps))
            start, steps = two, []
    return {
        "format": "pbem-game/1",
        "game": "lambo",
        "options": {"size": 6},
        "players": ["ann", "bob"],
        "turns": turns,
    }


def analysed(*words: str, text: str | None = None, **environment: str) -> Result:
    given = json.dumps(record()) if text is None else text
    return CliRunner().invoke(main, ["analyse", "--playouts", "20", *words], input=given, env=environment)


def test_a_game_is_told_with_its_turning_points_and_all_its_moves() -> None:
    done = analysed()
    assert (done.exit_code, done.stderr) == (0, "")
    assert "The turning point" in done.stdout
    told = " ".join(done.stdout.split())
    assert "Move 3: ann (Light) played F1,E3, which dropped their chances from 100 % to 0 % and gave away" in told
    assert ".--oo" in done.stdout
    assert [line.split()[:2] for line in done.stdout.splitlines()[-3:]] == [["1.", "ann"], ["2.", "bob"], ["3.", "ann"]]


def test_one_move_is_told_with_what_else_could_be_played_and_where_that_leads() -> None:
    done = analysed("--move", "3", "--seed", "4")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "It was the turn of ann (Light)." in done.stdout
    assert "    won  " in done.stdout
    assert "ann (Light) played F1,E3, which dropped their chances from 100 % to 0 %." in done.stdout
    assert "The board after the first of these lines:" in done.stdout


def test_what_is_not_proven_is_said_to_be_neither_certain_nor_out_of_the_question() -> None:
    done = analysed("--move", "1", "--playouts", "2", "--seed", "45")
    assert re.findall(r"(\d+) %", done.stdout) == ["99", "47", "1"]


def test_the_progress_is_shown_where_there_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _stream: True, raising=False)
    assert "analysing" in analysed("--move", "3").stderr


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("{}", (), "not a game record"),
        (None, ("--move", "9"), "this game has no move 9"),
        (json.dumps(record() | {"turns": []}), (), "this game has no moves"),
        (json.dumps(record() | {"turns": [[]]}), (), "pbem: "),
    ],
)
def test_what_cannot_be_analysed_is_refused(text: str | None, words: tuple[str, ...], said: str) -> None:
    done = analysed(*words, text=text)
    assert done.exit_code == 1
    assert said in done.stderr
    assert done.stdout == ""


def test_without_a_record_there_is_nothing_to_analyse() -> None:
    for given in ("", "\n \n"):
        ended = CliRunner().invoke(main, ["analyse"], input=given)
        assert (ended.exit_code, ended.stdout) == (1, "")
        assert ended.stderr == "pbem: there is no game record to analyse\n"
