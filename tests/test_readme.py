"""Every block of the README does what it says when it is pasted into a shell."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import environment_in
from tests.support.mail import PATIENCE
from tests.support.maildir import mails_in, text_of
from tests.support.tools import require_tool

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


SUBJECTS = [
    "Please confirm your pbem account alice",
    "Welcome to pbem, alice",
    "Please confirm your pbem account bob",
    "Welcome to pbem, bob",
    "New superbo Board 101 alice",
    "superbo Board 101 bob **",
    "superbo Board 101 alice **",
    "superbo Board 101 bob",
    "superbo Board 101 alice",
    "superbo Board 101",
]
"""The answers of the first game, in their order."""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def checkout(folder: Path) -> None:
    """As much of a checkout as `make run` and `make demo` need; pbem counts as installed there."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copyfile(ROOT / name, folder / name)
    program = folder / ".venv" / "bin" / "pbem"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem "$@"\n')
    program.chmod(0o755)
    for stamp in (".made", ".run"):
        (folder / ".venv" / stamp).touch()


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has a checkout, with a free port in place of the server's usual one."""
    checkout(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    settings = {"smtp_listen": listen, "web_listen": "127.0.0.1:0", "thinkers": "0"}
    return environment_in(tmp_path, settings) | {"HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}


@contextmanager
def terminal(block: str, folder: Path, environ: Mapping[str, str]) -> Iterator[None]:
    """A terminal of its own in which the server runs."""
    command = ["bash", "-c", block]
    serving = subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert serving.stdout is not None
        assert any(line.startswith("pbem: ready") for line in serving.stdout)
        yield
    finally:
        os.killpg(serving.pid, signal.SIGTERM)
        serving.communicate(timeout=PATIENCE)


def run(command: list[str], typed: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Run a program that has nothing to complain of; return what it prints."""
    done = subprocess.run(
        command, input=typed, cwd=folder, env=environ, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def mail(folder: Path, address: str, subject: str) -> str:
    """The text of the mail to an address that has a Subject, waiting for it if need be."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for each in mails_in(folder / "mail"):
            if (each["To"], each["Subject"]) == (address, subject):
                return text_of(each)
        time.sleep(0.05)
    raise AssertionError(f"no mail {subject} has come to {address}")


def test_every_block_does_what_it_says_when_it_is_pasted(tmp_path: Path, environ: dict[str, str]) -> None:
    clients = [require_tool(name) for name in ("swaks", "mutt", "neomutt")][1:]
    server, *others = [block.replace("127.0.0.1:8025", environ["PBEM_SMTP_LISTEN"]) for block in blocks("console")]
    with terminal(server, tmp_path, environ):
        # A shell reads what is pasted as it goes: a command that reads its input would take the lines below it.
        printed = run(["bash"], "".join(others), tmp_path, environ)
        assert re.findall("(?m)^sent\n\nSubject: (.*)$", printed) == SUBJECTS
        assert "\nYou won! You played A7,V6.\nO has a closed group with an eye.\n" in printed.rpartition("\nsent\n")[2]
        assert blocks("text")[0] in mail(tmp_path, "alice@example.org", "superbo Board 101 alice **")
        assert mail(tmp_path, "alice@example.org", "New superbo Board 102 alice").startswith(
            "A new superbo board (102) "
        )
        for client, subject in zip(clients, ("help move", "help chat"), strict=True):
            assert run([client, "-F", "muttrc", "-s", subject, "pbem@localhost"], "\n", tmp_path, environ) == ""
            mail(tmp_path, "alice@example.org", f"pbem {subject.replace(' ', ': ')}")


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120
