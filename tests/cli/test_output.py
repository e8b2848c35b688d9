"""A standard output that cannot be written, or that nobody reads, and the list of subcommands that stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import environment, pbem
from tests.games.hextile.playing import figure, playthroughs
from tests.support.mail import PATIENCE

FULL = Path("/dev/full")
SENTENCE = f"pbem: the standard output cannot be written: {os.strerror(28)}\n"


def printed_to(output: int, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a subcommand beside a drawing and some records."""
    (folder / "drawing").write_text(figure("mambo/null_point"))
    (folder / "records").write_text("".join(json.dumps(each["record"]) + "\n" for each in playthroughs("mambo")[:3]))
    return subprocess.run(
        [sys.executable, "-m", "pbem", *words],
        cwd=folder,
        env=environment({}),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        timeout=3 * PATIENCE,
        check=False,
    )


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["settings"],
        ["diagram", "mambo", "drawing"],
        ["diagram", "mambo", "drawing", "--json"],
        ["diagram", "mambo", "drawing", "--png", "-"],
        ["replay", "records"],
        ["import", "records"],
        ["export"],
    ],
    ids=" ".join,
)
def test_an_output_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path, words: list[str]) -> None:
    if words == ["export"]:
        assert printed_to(subprocess.DEVNULL, tmp_path, "import", "records").returncode == 0
    with FULL.open("wb") as full:
        done = printed_to(full.fileno(), tmp_path, *words)
    assert (done.returncode, done.stderr) == (1, SENTENCE)


@pytest.mark.parametrize("words", [["settings"], ["replay", "records"], ["diagram", "mambo", "drawing", "--png", "-"]])
def test_a_pipe_that_is_closed_early_is_no_matter_for_words(tmp_path: Path, words: list[str]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = printed_to(theirs, tmp_path, *words)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (1, "")


def test_every_subcommand_is_listed_with_a_whole_sentence(tmp_path: Path) -> None:
    listed = pbem(tmp_path, "--help").stdout.partition("Commands:\n")[2].splitlines()
    assert len(listed) == 14
    for line in listed:
        assert re.fullmatch(r"  [a-z]+ +[A-Z].*[^.]\.", line)
        assert len(line) <= 80
