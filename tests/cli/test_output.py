"""A standard output that cannot be written, or that nobody reads, and the list of subcommands that stands there."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import environment, environment_in, pbem
from tests.games.hextile.playing import figure, playthroughs
from tests.support.databases import database_of
from tests.support.forked import Forked
from tests.support.mail import PATIENCE, Person, Postbox

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


@contextmanager
def logging_into(log: Path, **settings: str) -> Iterator[tuple[Forked, int]]:
    """A server whose log goes into a pipe that was read until it was ready, and its SMTP port; it ends orderly."""
    os.mkfifo(log)
    reading = os.open(log, os.O_RDONLY | os.O_NONBLOCK)  # first: nobody can write where nobody reads
    own = {"smtp_listen": "127.0.0.1:0", "web_listen": "off", "thinkers": "0"}
    with log.open("wb") as writing, open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device
        streams = (nothing.fileno(), writing.fileno(), writing.fileno())
        server = Forked(log.parent, environment_in(log.parent, own | settings), streams=streams)
    os.set_blocking(reading, True)
    try:
        with os.fdopen(reading) as lines:
            port = next(int(line.rpartition(":")[2]) for line in lines if line.startswith("pbem: smtp "))
            assert any(line.startswith("pbem: ready") for line in lines)
        yield server, port
    finally:
        server.send_signal(signal.SIGTERM)
        code = server.wait(PATIENCE)
    assert code == 0


def test_a_server_works_and_ends_orderly_while_nobody_reads_its_log(tmp_path: Path) -> None:
    with Postbox() as postbox, logging_into(tmp_path / "log", relay_url=f"smtp://127.0.0.1:{postbox.port}") as server:
        ann = Person("ann@example.org", postbox, server[1])
        ann.says("help")
        assert ann.hears().subject
        with (tmp_path / "log").open() as lines:  # and somebody reads it again
            ann.says("help rules")
            assert any("event='mail sent' mail='2-1'" in line for line in lines), "of the first it may tell only now"
    assert not postbox.repeated
    assert database_of(tmp_path).rows("SELECT state, attempts FROM outbox") == [("sent", 1)] * 2


def test_every_subcommand_is_listed_with_a_whole_sentence(tmp_path: Path) -> None:
    listed = pbem(tmp_path, "--help").stdout.partition("Commands:\n")[2].splitlines()
    assert len(listed) == 16
    for line in listed:
        assert re.fullmatch(r"  [a-z-]+ +[A-Z].*[^.]\.", line)
        assert len(line) <= 80
