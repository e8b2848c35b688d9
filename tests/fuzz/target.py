"""The targets of made-up letters: the reader, the grammar, and a whole server without doors."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import select

from pbem.bootstrap import find_games
from pbem.bootstrap.server import Server
from pbem.cli.settings import configure_logs
from pbem.commands.grammar import parse
from pbem.commands.reading import read_letter
from pbem.config import Settings
from pbem.domain.letters import Envelope
from pbem.errors import PlayerError
from pbem.mail_in.mime import read_letter_bytes
from pbem.mail_in.parts import UnreadableLetter
from pbem.mail_in.reading import Reader
from pbem.storage.engine import reading
from pbem.storage.models import LetterRow
from tests.support.readers import OURS

SETTINGS = {
    "PBEM_SECRET_KEY": "a key for tests alone",
    "PBEM_CONFIRM_SIGNUP": "false",
    "PBEM_TRUST_FROM": "true",
    "PBEM_PASSWORD_MEMORY_KIB": "8",
    "PBEM_PASSWORD_ROUNDS": "1",
    "PBEM_RETRY_LETTER_SECONDS": "0",
    "PBEM_MAX_ANSWERS_PER_DAY": "100000",
    "PBEM_MAX_STRANGER_MAILS_PER_DAY": "100000",
    "PBEM_MAX_ANSWER_BYTES_PER_DAY": "1000000000",
    "PBEM_MAX_WAITING_LETTERS": "10000000",
}
_SENDERS = ("alice@example.org", "bob@example.org", "", "carol@example.net")


_SERVED_OF = 3
"""The reader is thrown every letter, the server, which is slower, one in so many."""


class Misbehaved(Exception):
    """A letter did what no letter may."""


def keep_quiet() -> None:
    """Log nothing."""
    configure_logs("critical")


class Target:
    """A server with two players and a game, on a database of its own."""

    def __init__(self, folder: Path, reader: Reader | None = None) -> None:
        own = {"PBEM_DATABASE_URL": f"sqlite:///{folder / 'fuzz.db'}", "PBEM_RELAY_URL": f"maildir:{folder / 'mail'}"}
        self._server = Server(Settings.read(SETTINGS | own), reader)
        self._server.prepare()
        self._worker = self._server.inbox_worker()
        self._games = find_games()
        self._number = 0
        for sender, line in (
            ("alice", "signup alice secret"),
            ("bob", "signup bob"),
            ("alice", "superbo challenge bob"),
        ):
            self._what_the_server_says(
                f"From: {sender}@example.org\nSubject: {line}\n\n".encode(), f"{sender}@example.org"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    def take(self, raw: bytes) -> None:
        """Throw a letter at everything.

        Raises:
            Broken: it was neither answered nor given up.
        """
        is_for_all = self._number % _SERVED_OF == 0
        self._number += 1
        sender = _SENDERS[self._number % len(_SENDERS)]
        try:
            is_readable = self._can_be_read(raw)
            error = self._what_the_server_says(raw, sender) if is_for_all else None
        except Exception as failed:
            raise Misbehaved(f"{type(failed).__name__}: {failed}") from failed
        if error is not None and (is_readable or "cannot be read" not in error):
            raise Misbehaved(f"shunted: {error}")

    def _can_be_read(self, raw: bytes) -> bool:
        try:
            read = read_letter_bytes(raw, OURS, may_be_bounce=True)
        except UnreadableLetter:
            return False
        try:
            for line in read_letter(read.subject, read.body, self._games, most=20).lines:
                parse(line, self._games, None)
        except PlayerError:
            pass
        return True

    def _what_the_server_says(self, raw: bytes, sender: str) -> str | None:
        """Why the letter was shunted; None if it was not."""
        recipient = f"pbem+n{self._number}@localhost" if self._number % 3 else "pbem@localhost"
        if not self._server.accept(Envelope(sender, (recipient,)), raw, datetime.now(UTC)).result(60):
            return None  # it has been thrown before
        while self._worker.step():
            pass
        last = select(LetterRow.state, LetterRow.last_error).order_by(LetterRow.id.desc()).limit(1)
        with reading(self._server.engine) as connection:
            state, error = connection.execute(last).one()
        if state not in ("done", "shunted"):
            raise Misbehaved(f"left {state}")
        return str(error) if state == "shunted" else None
