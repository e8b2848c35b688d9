"""Do what docs/ten-minutes.md says, word by word, with a mailbox and a relay that run on this machine."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.checkouts import CHECKOUT, copy_checkout
from tests.support.databases import Database
from tests.support.dovecot import PASSWORD, USER, Dovecot, running_dovecot
from tests.support.mail import PATIENCE, Person
from tests.support.mail_provider import MailProvider
from tests.support.server import CHEAP
from tests.support.terminals import Terminal
from tests.support.user_manager import running_user_manager

PAGE = (CHECKOUT / "docs" / "ten-minutes.md").read_text()
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_IGNORE_INSTALLED": "1"}
"""Whatever pbem needs is there already: the libraries of the tests."""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", PAGE)


INSTALL, SETTINGS, CHECK, NAME, SERVE, KEEP = blocks("sh")
CHECKED, READY, *LETTERS = blocks("text")


@dataclass
class Club:
    """A folder in which pbem is installed and set up, and the provider of its mailbox."""

    home: Path
    provider: MailProvider
    dovecot: Dovecot
    environ: dict[str, str]

    def own(self, block: str) -> str:
        """A block with the names of this provider in place of the examples."""
        block = block.replace("imap.example.org", f"localhost:{self.dovecot.port}")
        block = block.replace("smtp.example.org", f"localhost:{self.provider.port}")
        return block.replace("app password", PASSWORD).replace("app%20password", PASSWORD.replace(" ", "%20"))

    def person(self, address: str) -> Person:
        """Somebody who writes to the club."""
        return Person(address, self.provider, 0, USER)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    home, checkout = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("checkout")
    copy_checkout(checkout)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environ = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": "/run/user"}
    environ |= OFFLINE | {"PYTHONPATH": sysconfig.get_path("purelib"), "PBEM_WEB_LISTEN": "127.0.0.1:0"}
    environ |= {name: value for name, value in CHEAP.items() if "PASSWORD" in name}
    with running_dovecot() as dovecot:
        results = "dmarc=pass header.from=example.org"
        with MailProvider(dovecot, results, address=USER, wants_login=True) as provider:
            club = Club(home, provider, dovecot, environ | dict(dovecot.environ))
            with Terminal(checkout, club.environ) as terminal:
                terminal.paste(INSTALL)
                terminal.paste(club.own(SETTINGS))
            yield club


def wait_until_letters_are_fetched(club: Club) -> None:
    """Wait until the mailbox has been opened: letters that lay there before would not be answered."""
    file = club.home / "club" / "pbem.db"
    deadline = time.monotonic() + PATIENCE
    while not (
        file.exists() and Database(f"sqlite:///{file}").rows("SELECT uid_next FROM mailboxes WHERE uid_next > 0")
    ):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_first_game_is_played_as_the_page_says(club: Club) -> None:
    with Terminal(club.home, club.environ) as terminal:
        cd, *_, export = SETTINGS.splitlines()
        terminal.paste(f"{cd}\n{export}\n")
        printed = terminal.paste(CHECK)
        assert re.sub(r"after \d+ seconds", "after 1 seconds", printed) == CHECKED.replace(
            "imap.example.org", "localhost"
        )
        terminal.paste(NAME)
        terminal.paste_lasting(SERVE)
        ready, opened = re.escape(club.own(READY)), "mailbox begun"
        terminal.wait_for(rf"{ready}[\s\S]*{opened}|{opened}[\s\S]*{ready}")  # whichever comes first
        you = club.person("you@example.net")
        signup, yes, challenge, move = (letter.strip() for letter in LETTERS)
        you.says(signup)
        question = you.hears()
        you.answers(question, yes)
        welcome = you.hears()
        you.says(challenge)
        begun = you.hears()
        for mail in (question, welcome, begun):
            assert f"*{mail.subject}*" in " ".join(PAGE.split())
        you.answers(begun, move)
        answer = you.hears()
        if answer.subject == "superbo Board 101 robot1":  # which thinks for long
            answer = you.hears()
        assert answer.subject == "superbo Board 101 yourname"
        assert re.search(r"robot1 played \w+,\w+[.;]", answer.words)
        terminal.press_ctrl_c()
        assert "pbem: ending" in terminal.shown


def test_systemd_keeps_it_running_as_the_page_says(club: Club, tmp_path: Path) -> None:
    with (
        running_user_manager(club.environ, tmp_path / "log") as entering,
        Terminal(club.home, club.environ, entering) as terminal,
    ):
        terminal.paste(KEEP)
        wait_until_letters_are_fetched(club)
        reader = club.person("reader@example.net")
        reader.says("help")
        assert reader.hears().subject == "pbem help"
        terminal.paste("systemctl --user stop club\n")
        assert terminal.paste("systemctl --user show --property=Result,ExecMainStatus club\n").split() == [
            "Result=success",
            "ExecMainStatus=0",
        ]
