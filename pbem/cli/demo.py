"""``pbem demo``: two scripted players, a real server, real SMTP both ways, a real win."""

from __future__ import annotations

import os
import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from queue import SimpleQueue
from typing import Any

import click
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.cli.output import FAILED

TURNS = ("B3", "C4,K5", "G2,H7", "D8,R10", "A7,V6")
"""A short game that alice (O) wins: bob's D8 lets her close a group around an eye."""

_PATIENCE = 30
_LONGEST_PAUSE = 3600


@click.command()
@click.option(
    "--pause",
    default=0.0,
    type=click.FloatRange(0, _LONGEST_PAUSE),
    help="Seconds to wait after each mail, so that you can read along.",
)
def demo(pause: float) -> None:
    """Play a whole game over real SMTP and show the mails.

    The server runs in a temporary folder, and both players are scripted.
    """
    if not play_demo(max(0.0, pause)):  # NaN is in every range, and no time to wait
        sys.exit(FAILED)


class _Letterbox:
    """The players' mail server: keeps delivered mails, in order."""

    def __init__(self) -> None:
        self.mails: SimpleQueue[EmailMessage] = SimpleQueue()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep a mail."""
        mail = message_from_bytes(envelope.content or b"", policy=policy.default)  # type: ignore[arg-type]
        self.mails.put(mail)
        return "250 OK"


class _AnyPort(Controller):
    """A controller on a port of the system's choice."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = int(server.sockets[0].getsockname()[1])
        super()._trigger_server()  # type: ignore[no-untyped-call]


class _Play:
    """The play: the players' letters, and the server's answers."""

    def __init__(self, port: int, letterbox: _Letterbox, pause: float) -> None:
        self._port = port
        self._letterbox = letterbox
        self._pause = pause

    def say(self, userid: str, subject: str, body: str = "", to: str = "pbem@localhost") -> None:
        """Mail a letter to the server, and print it."""
        letter = EmailMessage()
        letter["From"] = f"{userid}@example.org"
        letter["To"] = to
        letter["Subject"] = subject
        letter["Message-ID"] = make_msgid(domain="example.org")
        letter.set_content(body + "\n")
        with smtplib.SMTP("127.0.0.1", self._port, timeout=_PATIENCE) as client:
            client.send_message(letter)
        shown = f"To: {to}\nSubject: {subject}\n" + (f"\n{body}" if body else "")
        _rule(f"{userid} mails")
        click.secho(f"{shown.rstrip()}\n", bold=True)

    def hear(self) -> EmailMessage:
        """Wait for the next mail of the server, and print it."""
        mail = self._letterbox.mails.get(timeout=_PATIENCE)
        head = "".join(f"{name}: {mail[name]}\n" for name in ("From", "To", "Subject", "Reply-To") if mail[name])
        _rule(f"mail to {mail['To']}")
        click.echo(f"{head}\n{_text(mail)}")
        time.sleep(self._pause)
        return mail

    def answer(self, userid: str, mail: EmailMessage, body: str) -> None:
        """Answer a mail as a mail program does."""
        self.say(userid, f"Re: {mail['Subject']}", body, to=parseaddr(str(mail["Reply-To"]))[1])

    def hear_for(self, userid: str, count: int) -> EmailMessage:
        """Wait for ``count`` mails and return the one to this player."""
        mails = {parseaddr(str(mail["To"]))[1]: mail for mail in (self.hear() for _ in range(count))}
        return mails[f"{userid}@example.org"]

    def run(self) -> bool:
        """Play from signup to the win; return True if it was won."""
        for userid in ("alice", "bob"):
            self.say(userid, f"signup {userid} secret")
            self.answer(userid, self.hear(), "Yes, that is me.")
            self.hear()
        self.say("alice", "superbo challenge bob")
        board = self.hear_for("alice", 2)
        for ply, turn in enumerate(TURNS):
            mover, other = ("alice", "bob") if ply % 2 == 0 else ("bob", "alice")
            self.answer(mover, board, turn)
            board = self.hear_for(other, 2)
        return "alice won." in _text(board)


def _rule(title: str) -> None:
    """Print a line that tells what follows."""
    click.secho(f"-- {title} ".ljust(78, "-"), fg="green")


def _text(mail: EmailMessage) -> str:
    """The text of a mail, which may also have HTML."""
    body = mail.get_body(("plain",))
    return "" if body is None else str(body.get_content())


def play_demo(pause: float) -> bool:
    """Play the game in a temporary folder; return True if it went as planned.

    Args:
        pause: seconds after each mail.
    """
    letterbox = _Letterbox()
    controller = _AnyPort(letterbox, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        with tempfile.TemporaryDirectory(prefix="pbem-demo-") as folder, _server(folder, controller.port) as port:
            won = _Play(port, letterbox, pause).run()
    finally:
        controller.stop()
    _rule("That was a whole game by mail.")
    return won


@contextmanager
def _server(folder: str, relay_port: int) -> Iterator[int]:
    """Run a server in a temporary folder; yield its SMTP port."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    environ |= {
        "PBEM_SMTP_LISTEN": "127.0.0.1:0",
        "PBEM_WEB_LISTEN": "off",
        "PBEM_RELAY_URL": f"smtp://127.0.0.1:{relay_port}",
        "PBEM_LOG_LEVEL": "error",
        "PBEM_THINKERS": "0",
    }
    command = [sys.executable, "-u", "-m", "pbem", "serve"]
    with subprocess.Popen(command, cwd=folder, env=environ, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            yield _port(process)
        finally:
            process.terminate()


def _port(process: subprocess.Popen[str]) -> int:
    """Read the server's output until it is ready; return its port."""
    port = 0
    for line in process.stdout or ():
        if line.startswith("pbem: smtp "):
            port = int(line.rpartition(":")[2])
        if line.startswith("pbem: ready"):
            return port
    raise ConnectionError("the server did not start")
