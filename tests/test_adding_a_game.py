"""Do what docs/adding-a-game.md says, step by step."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.mail import attached
from tests.support.server import running_server

PAGE = Path(__file__).parents[1] / "docs" / "adding-a-game.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    """The blocks of code of the page, each with its language."""
    return BLOCK.findall(PAGE.read_text())


def files() -> dict[str, str]:
    """Those blocks that name a file in their first line."""
    named = ((re.match(r"# (\S+\.\w+)\n", text), text) for _, text in blocks())
    return {name[1]: text for name, text in named if name}


def shown(number: int) -> str:
    """A block of plain text, by its number: words that a program prints, or a player writes."""
    return [text for language, text in blocks() if language == "text"][number]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the game was installed to, as the page says, but without network."""
    folder, target = tmp_path_factory.mktemp("matches"), tmp_path_factory.mktemp("installed")
    for name, text in files().items():
        (folder / name).write_text(text)
    offline = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *offline, "--target", str(target), str(folder)], check=True)
    return target


def environment(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{installed}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def test_the_page_names_every_file_once() -> None:
    assert list(files()) == ["pbem_matches.py", "pyproject.toml", "try_it.py"]


def test_the_game_is_found_and_played_as_shown(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "try_it.py").write_text(files()["try_it.py"])
    program = [sys.executable, str(tmp_path / "try_it.py")]
    done = subprocess.run(program, env=environment(installed), capture_output=True, text=True, check=True)
    assert done.stdout == shown(0)


def test_a_game_is_played_by_mail_to_its_end(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", environment(installed)["PYTHONPATH"])
    with running_server(tmp_path) as server:
        alice, bob = server.player("alice"), server.player("bob")
        alice.says("list")
        assert "\n  matches\n" in alice.hears().text
        alice.says(shown(1).strip())
        first, _ = alice.hears(), bob.hears()
        assert first.subject == "New matches Board 101 alice"
        assert "| | | | | (5 left)\n" in first.text
        for word in ("Tiles", "states", "fits"):
            assert word not in first.text
        refused = {
            "4": "You cannot take 4 of 5",
            **dict.fromkeys(("all", "x" * 3000, "9" * 3000), "A move is a number"),
        }
        for bad, why in refused.items():
            alice.answers(first, bad)
            refusal = alice.hears()
            assert refusal.subject == "matches Board 101 Error"
            assert why in refusal.words
        alice.answers(first, "3")
        second = bob.hears()
        assert alice.hears().subject == second.subject == "matches Board 101 bob"
        assert "| | (2 left)\n" in second.text
        bob.answers(second, "2")
        for person, told in ((alice, "bob won. bob played 2."), (bob, "You won! You played 2.")):
            end = person.hears()
            assert end.subject == "matches Board 101"
            assert f"\n{told}\nThe rules have ended the game.\n" in end.text
        alice.says("matches export 101")
        _, _, record = attached(alice.hears())
        assert record["turns"] == ["3", "2"]


@pytest.mark.parametrize(
    ("turns", "answer"),
    [
        ('["3", "2"]', '"ok": true, "result": {"winner": 1'),
        ('["3", "3"]', '"ok": false, "error": {"turn": 2, "reason": "You cannot take 3 of 2'),
        ('["x"]', '"ok": false, "error": {"turn": 1, "reason": "A move is a number'),
        ("[[3]]", '"ok": false, "error": {"turn": 1, "reason": "A turn in a record of Matches'),
    ],
)
def test_its_records_are_replayed(installed: Path, tmp_path: Path, turns: str, answer: str) -> None:
    players = '"players": ["a", "b"], "options": {"matches": 5}'
    record = f'{{"format": "pbem-game/1", "game": "matches", {players}, "turns": {turns}}}'
    replay = [sys.executable, "-m", "pbem", "replay"]
    done = subprocess.run(
        replay, env=environment(installed), cwd=tmp_path, input=record, capture_output=True, text=True, check=False
    )
    assert answer in done.stdout, done.stderr
