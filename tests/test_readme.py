"""What the README shows was produced by running it, and still is."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.mail import PATIENCE
from tests.support.maildir import mails_in, text_of
from tests.support.server import RunningServer, running_server
from tests.support.tools import require_tool

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def mails(folder: Path) -> list[str]:
    """Every mail of a Maildir as the README shows it, in the order they were sent."""
    return [f"Subject: {mail['Subject']}\n\n{text_of(mail)}" for mail in mails_in(folder / "mail")]


def wait_for_mails(folder: Path, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(mails(folder)) < count:
        assert time.monotonic() < deadline, "the mails did not come"
        time.sleep(0.02)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[RunningServer]:
    """A server that delivers into a Maildir in its own folder, as `make run` does."""
    for place in ("tmp", "new", "cur"):
        (tmp_path / "mail" / place).mkdir(parents=True)
    with running_server(tmp_path, relay_url="maildir:mail") as server:
        yield server


def test_the_first_game_goes_as_the_readme_tells(served: RunningServer) -> None:
    commands = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    environ = {"PBEM_SMTP_LISTEN": f"127.0.0.1:{served.port}", "PATH": ""}
    expected = 0
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == ".venv/bin/pbem"
        subprocess.run([sys.executable, "-m", "pbem", *arguments], cwd=served.folder, env=environ, check=True)
        expected += 1 if expected < 4 else 2
        wait_for_mails(served.folder, expected)
    came = mails(served.folder)
    shown = [block for block in blocks("text") if block.startswith("Subject: ")]
    assert len(shown) == 2
    for block in shown:
        assert any(mail.startswith(block) for mail in came)


def test_the_board_at_the_top_is_one_of_the_game() -> None:
    board, *mails_shown = blocks("text")
    assert board in mails_shown[0]


def test_the_first_moves_with_swaks_go_as_the_readme_tells(served: RunningServer) -> None:
    require_tool("swaks")
    (script,) = [block for block in blocks("console") if "swaks" in block]
    lines = script.replace("127.0.0.1:8025", f"127.0.0.1:{served.port}").splitlines()
    helpers = "\n".join(line for line in lines if not line.startswith("$S"))
    expected = 0
    for line in (line for line in lines if line.startswith("$S")):
        subprocess.run(
            ["bash", "-euc", f"{helpers}\n{line}"], cwd=served.folder, check=True, stdin=subprocess.DEVNULL, timeout=60
        )
        expected += 1 if expected < 4 else 2
        wait_for_mails(served.folder, expected)
    assert mails(served.folder)[-1].startswith("Subject: superbo Board 101 alice\n")
