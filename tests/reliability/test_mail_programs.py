"""A whole game through a mailbox: letters by IMAP in, mails by SMTP out, and two mail programs that people use."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.dovecot import Dovecot, running_dovecot
from tests.support.mail import PATIENCE, Mail
from tests.support.mail_provider import MailProvider
from tests.support.server import RunningServer
from tests.support.tools import require_tool

SERVER = "pbem@localhost"
GAME = ("b3", "c4,k5", "g2,h7", "d8,r10", "a7,v6")
"""Superbo; the player who begins wins with the last turn."""


@dataclass(frozen=True)
class MuttUser:
    """A player with a mail program, which hands letters over to the provider's relay."""

    program: str
    userid: str
    provider: MailProvider
    home: Path

    @property
    def address(self) -> str:
        """Their address."""
        return f"{self.userid}@example.org"

    def writes(self, subject: str, words: str = "", *, to: str = SERVER, in_reply_to: str = "") -> None:
        """Write a letter, and send it."""
        rc = self.home / f"{self.userid}.rc"
        rc.write_text(
            f'set from = "{self.address}"\nset copy = no\nset ssl_force_tls = no\nset ssl_starttls = no\n'
            f'set smtp_url = "smtp://127.0.0.1:{self.provider.port}"\n'
            + (f"my_hdr In-Reply-To: {in_reply_to}\n" if in_reply_to else ""),
            encoding="utf-8",
        )
        command = [self.program, "-n", "-F", str(rc), "-s", subject, "--", to]
        environ = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "TERM": "dumb"}
        done = subprocess.run(
            command, input=f"{words}\n".encode(), env=environ, capture_output=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, (done.stdout, done.stderr)

    def answers(self, mail: Mail, words: str) -> None:
        """Answer a mail, its text quoted below."""
        quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
        named = str(mail.parsed["Message-ID"])
        self.writes(f"Re: {mail.subject}", f"{words}\n\n{quoted}", to=mail.reply_to, in_reply_to=named)

    def reads(self) -> Mail:
        """The next mail."""
        return self.provider.next_for(self.address)


@pytest.fixture
def dovecot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dovecot]:
    with running_dovecot() as dovecot:
        for name, value in dovecot.environ.items():
            monkeypatch.setenv(name, value)
        yield dovecot


def test_a_whole_game_is_played_with_two_mail_programs_through_a_mailbox(tmp_path: Path, dovecot: Dovecot) -> None:
    programs = [require_tool(name) for name in ("mutt", "neomutt")]
    with MailProvider(dovecot, "dmarc=pass header.from=example.org") as provider:
        server = RunningServer(tmp_path, provider, mailbox_url=dovecot.url, confirm_signup="true").start()
        try:
            server.wait_for_line("mailbox begun")  # what lay there before is left alone
            players = [
                MuttUser(program, userid, provider, tmp_path)
                for program, userid in zip(programs, ("alice", "bob"), strict=True)
            ]
            for player in players:
                player.writes(f"signup {player.userid} secret")
                player.answers(player.reads(), "yes")
                assert player.reads().subject == f"Welcome to pbem, {player.userid}"
            players[0].writes("superbo challenge alice bob", "Good luck!")
            mails = [player.reads() for player in players]
            for number, turn in enumerate(GAME):
                mover = number % 2
                players[mover].answers(mails[mover], f"{turn}\n\nYours, {players[mover].userid}")
                mails = [player.reads() for player in players]
                assert f"{players[mover].userid} writes:" in mails[1 - mover].text
            assert "You won! You played A7,V6." in mails[0].text
            assert "alice won. alice played A7,V6." in mails[1].text
            assert "For a rematch, answer this mail with:  again" in mails[1].text
        finally:
            server.stop()
