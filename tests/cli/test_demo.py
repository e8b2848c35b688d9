"""``pbem demo``: a whole game, shown."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.cli.running import pbem


def test_it_shows_a_whole_game_to_its_win(tmp_path: Path) -> None:
    demo = pbem(tmp_path, "demo")
    assert demo.returncode == 0, demo.stderr
    assert demo.stderr == ""
    for subject in (
        "Please confirm your pbem account alice",
        "Welcome to pbem, bob",
        "New superbo Board 101 alice",
        "superbo Board 101 bob",
    ):
        assert f"\nSubject: {subject}\n" in demo.stdout
    assert demo.stdout.count("alice won.") == demo.stdout.count("You won!") == 1
    assert "O has a closed group with an eye." in demo.stdout
    assert demo.stdout.index("bob mails") < demo.stdout.index("alice won.")


def test_it_leaves_nothing_behind(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(temporary)
    try:
        assert pbem(tmp_path, "demo").returncode == 0
    finally:
        os.environ.pop("TMPDIR")
        if before is not None:
            os.environ["TMPDIR"] = before
    assert tempfile.gettempdir() != str(temporary)
    assert list(temporary.iterdir()) == []
    assert list(tmp_path.iterdir()) == [temporary]


def test_settings_of_the_caller_do_not_spoil_it(tmp_path: Path) -> None:
    demo = pbem(tmp_path, "demo", smtp_listen="off", relay_url="maildir:elsewhere", confirm_signup="false")
    assert demo.returncode == 0, demo.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("pause", ["-1", "inf"])
def test_a_pause_that_cannot_be_made_is_misuse(tmp_path: Path, pause: str) -> None:
    demo = pbem(tmp_path, "demo", "--pause", pause)
    assert (demo.returncode, demo.stdout) == (2, "")
    assert "is not in the range" in demo.stderr
