"""``pbem replay``, ``pbem export`` and ``pbem import``, as a user runs them."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli.main import main
from pbem.errors import Conflict
from pbem.storage.unit_of_work import UnitOfWork
from tests.cli.running import environment, environment_in, pbem, serving
from tests.games.hextile.playing import playthroughs
from tests.games.mamba.playing import playthroughs as games_of_mamba
from tests.support.databases import settings_of
from tests.support.mail import PATIENCE

RECORDS: list[dict[str, Any]] = [recorded["record"] for recorded in playthroughs("mambo")[:3]]
BAD = [
    RECORDS[0] | {"turns": RECORDS[0]["turns"] + RECORDS[0]["turns"][-1:]},
    RECORDS[0] | {"game": "chess"},
    RECORDS[0] | {"players": ["a", "b", "c"]},
]
ON = RECORDS[1] | {"turns": RECORDS[1]["turns"][:3]}


def written(folder: Path, *records: Any, name: str = "games.jsonl") -> str:
    (folder / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    return name


def test_sound_records_are_replayed_with_exit_code_0(tmp_path: Path) -> None:
    done = pbem(tmp_path, "replay", written(tmp_path, *RECORDS, ON))
    assert (done.returncode, done.stderr) == (0, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["ok"] for each in told] == [True] * 4
    assert ["result" in each for each in told] == [True] * 3 + [False]
    assert list(tmp_path.iterdir()) == [tmp_path / "games.jsonl"]


def test_bad_records_are_told_in_a_sentence_each_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "garbled").write_bytes(b"\n{\xff}\n" + json.dumps(RECORDS[0]).encode() + b"\n\n[" + b"[" * 99_999)
    done = pbem(tmp_path, "replay", written(tmp_path, *BAD, RECORDS[0]))
    assert (done.returncode, done.stderr) == (1, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["ok"] for each in told] == [False, False, False, True]
    assert told[0]["error"] == {"turn": len(BAD[0]["turns"]), "reason": "The game was over before this turn."}
    assert [each["error"]["turn"] for each in told[1:3]] == [None, None]
    assert all(each["error"]["reason"].endswith(".") for each in told[:3])
    garbled = pbem(tmp_path, "replay", "garbled")
    assert (garbled.returncode, garbled.stderr) == (1, "")
    assert [json.loads(line)["ok"] for line in garbled.stdout.splitlines()] == [False, True, False]


@pytest.mark.parametrize("words", [["replay"], ["replay", "-"]])
def test_records_are_read_from_the_standard_input_without_a_file(tmp_path: Path, words: list[str]) -> None:
    done = pbem(tmp_path, *words, given=json.dumps(RECORDS[0]) + "\n")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "none"],
        ["replay", "games.jsonl", "games.jsonl"],
        ["replay", "--fast"],
        ["import", "none"],
        ["import", "."],
        ["export", "first"],
        ["export", "0"],
        ["export", "--game", "chess"],
    ],
)
def test_misuse_has_exit_code_2(tmp_path: Path, words: list[str]) -> None:
    written(tmp_path, RECORDS[0])
    done = pbem(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Error: " in done.stderr


def test_an_import_that_is_always_overtaken_asks_to_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(*_: object) -> None:
        raise Conflict

    monkeypatch.setattr(UnitOfWork, "commit", overtaken)
    settings = {"database_url": f"sqlite:///{tmp_path / 'pbem.db'}"} | settings_of(tmp_path)
    ended = CliRunner(env=environment(settings)).invoke(main, ["import"], input=json.dumps(RECORDS[0]))
    assert (ended.exit_code, ended.stdout) == (75, "")
    assert ended.stderr == "pbem: the server kept changing the data first; please try again\n"


def test_games_are_imported_into_an_empty_folder_and_exported_again(tmp_path: Path) -> None:
    file = written(tmp_path, *RECORDS)
    done = pbem(tmp_path, "import", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "imported: 3, boards 101-103\nunusable accounts created for: a, b\n"
    again = pbem(tmp_path, "import", file)
    assert (again.returncode, again.stdout) == (0, "imported: 0\nalready here: 3, boards 101-103\n")
    exported = pbem(tmp_path, "export")
    assert (exported.returncode, exported.stderr) == (0, "")
    assert [json.loads(line)["turns"] for line in exported.stdout.splitlines()] == [each["turns"] for each in RECORDS]
    two = pbem(tmp_path, "export", "103", "101", "--game", "Mambo")
    assert two.stdout.splitlines() == exported.stdout.splitlines()[::-2]
    assert pbem(tmp_path, "export", "--game", "lambo").stdout == ""


def test_games_of_mamba_that_were_exported_and_imported_are_exported_as_they_were(tmp_path: Path) -> None:
    start = {"format": "pbem-game/1", "game": "mamba", "options": {"teams": True}, "players": list("abcd")}
    left = [{"seat": 0, "event": "resign"}, {"seat": 1, "input": "pass"}, {"seat": 2, "event": "forfeit"}]
    teams = start | {"turns": left, "result": {"winner": [1, 3], "reason": "forfeited"}}
    records = [*(recorded["record"] for recorded in games_of_mamba()), teams]
    assert pbem(tmp_path, "replay", written(tmp_path, *records)).returncode == 0
    assert pbem(tmp_path, "import", "games.jsonl").stdout.startswith("imported: 7, boards 101-107\n")
    exported = pbem(tmp_path, "export")
    told = [json.loads(line) for line in exported.stdout.splitlines()]
    assert [each["turns"] for each in told] == [each["turns"] for each in records]
    assert told[-1]["result"] == teams["result"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "again.jsonl").write_text(exported.stdout)
    assert pbem(other, "import", "again.jsonl").stdout.startswith("imported: 7, boards 101-107\n")
    assert pbem(other, "export").stdout == exported.stdout
    assert pbem(tmp_path, "import", "other/again.jsonl").stdout == "imported: 0\nalready here: 7, boards 101-107\n"


def test_what_cannot_be_imported_is_told_with_its_line_and_the_others_are(tmp_path: Path) -> None:
    among_robots = ON | {"players": ["robot1", "robot2"]}
    done = pbem(tmp_path, "import", written(tmp_path, BAD[0], RECORDS[0], ON, among_robots))
    assert done.returncode == 1
    first, second, third = done.stderr.splitlines()
    assert first.startswith(f"pbem: line 1: Turn {len(BAD[0]['turns'])}: The game was over")
    assert second.startswith("pbem: line 3: The game is not over, and a and b have no confirmed account")
    assert third.startswith("pbem: line 4: Only computer opponents would be left")
    assert done.stdout.splitlines()[:2] == ["imported: 1, board 101", "refused: 3"]


@pytest.mark.parametrize(
    "steering",
    [
        {"game": "\u001b]0;x\u0007"},
        {"players": ["\u001b[31mred", "\u202eabc"]},
        {"options": {"\u001b[2J": True}},
        {"format": "\u009b2J"},
    ],
    ids=str,
)
def test_what_would_steer_a_terminal_is_told_with_escapes(tmp_path: Path, steering: dict[str, Any]) -> None:
    file = written(tmp_path, RECORDS[0] | steering, ON | steering)
    told = pbem(tmp_path, "import", file)
    assert told.returncode == 1
    assert len(told.stderr.splitlines()) == 2
    replayed = pbem(tmp_path, "replay", file)
    reasons = [
        report["error"]["reason"] for report in map(json.loads, replayed.stdout.splitlines()) if not report["ok"]
    ]
    for said in (told.stdout, told.stderr, replayed.stdout, *reasons):
        assert said.replace("\n", " ").isprintable()


@pytest.mark.sqlite
def test_boards_that_cannot_be_exported_are_told_and_the_others_printed(tmp_path: Path) -> None:
    nothing = pbem(tmp_path, "export")
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert "there is no database" in nothing.stderr
    pbem(tmp_path, "import", written(tmp_path, *RECORDS))
    done = pbem(tmp_path, "export", "999", "101")
    assert done.returncode == 1
    assert done.stderr == "pbem: There is no board 999.\n"
    assert json.loads(done.stdout)["turns"] == RECORDS[0]["turns"]


@pytest.mark.sqlite
def test_a_database_that_cannot_be_used_is_told_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "pbem.db").write_text("This is a text, and a long one too, as files go that nobody reads. " * 20)
    for words in (["export"], ["import", written(tmp_path, *RECORDS)]):
        done = pbem(tmp_path, *words)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("pbem: PBEM_DATABASE_URL: the database cannot be used")


def test_games_are_imported_and_exported_beside_a_running_server(tmp_path: Path) -> None:
    with serving(tmp_path):
        assert pbem(tmp_path, "import", written(tmp_path, *RECORDS)).returncode == 0
        assert pbem(tmp_path, "export").stdout.count("\n") == 3
    assert not list((tmp_path / "mail").glob("*/*"))


@pytest.mark.sqlite
def test_a_database_that_is_made_can_be_read_by_nobody_else(tmp_path: Path) -> None:
    games, own = (
        tmp_path / written(tmp_path, RECORDS[0]),
        environment({"database_url": f"sqlite:///{tmp_path}/pbem.db"}),
    )
    before = os.umask(0)
    try:
        assert CliRunner(env=own).invoke(main, ["import", str(games)]).exit_code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "pbem.db").stat().st_mode) == 0o600
    refused = pbem(tmp_path, "import", "games.jsonl", database_url="sqlite:///none/pbem.db")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "pbem: PBEM_DATABASE_URL: none/pbem.db cannot be made: No such file or directory\n"


def test_progress_is_shown_on_a_terminal_and_what_is_refused_on_lines_of_its_own(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "import", written(tmp_path, BAD[1], RECORDS[0])],
        cwd=tmp_path,
        env=environment_in(tmp_path, {}) | {"TERM": "xterm", "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        timeout=3 * PATIENCE,
        check=False,
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "imported: 1, board 101")
    assert "importing" in shown
    assert re.search(r'(^|[\r\n]|\x1b\[2K)pbem: line 1: I do not play a game called "chess"', shown)
