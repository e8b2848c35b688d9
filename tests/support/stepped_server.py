"""A server without doors, whose letters are put into its inbox and whose worker is stepped by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from pbem.bootstrap.server import Server
from pbem.config import Settings
from pbem.domain.letters import Envelope
from pbem.storage.engine import reading
from pbem.storage.inbox import Inbox
from pbem.storage.models import Base, LetterRow, MailRow
from pbem.workers.inbox import InboxWorker
from tests.support.parsing import parsed
from tests.support.readers import shared_reader

SETTINGS = {
    "PBEM_SECRET_KEY": "a key for tests alone",
    "PBEM_CONFIRM_SIGNUP": "false",
    "PBEM_OPERATOR": "operator@example.org",
    "PBEM_PASSWORD_MEMORY_KIB": "8",
    "PBEM_PASSWORD_ROUNDS": "1",
    "PBEM_RETRY_LETTER_SECONDS": "0",
}


@dataclass(frozen=True)
class StoredMail:
    """A mail in the outbox."""

    recipient: str
    sender: str
    subject: str
    raw: bytes


class SteppedServer:
    """The server, one worker, and a look into its database."""

    def __init__(self, database_url: str, folder: Path, **settings: str) -> None:
        own = {"PBEM_DATABASE_URL": database_url, "PBEM_RELAY_URL": f"maildir:{folder / 'mail'}"}
        self.server = Server(Settings.read(SETTINGS | own | settings), shared_reader())
        self.server.prepare()
        self.worker = self.server.inbox_worker()

    def rival(self) -> InboxWorker:
        """A second worker on the same database."""
        worker = self.server.inbox_worker()
        worker._inbox = Inbox(self.server.engine, "rival", self.server.inbox._lease)
        return worker

    def gets(
        self,
        subject: str,
        body: str = "",
        *,
        sender: str = "alice@example.org",
        envelope_sender: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A letter comes; it is stored when this returns."""
        letter = EmailMessage(policy=policy.SMTP)
        letter["From"] = sender
        letter["To"] = "pbem@localhost"
        letter["Subject"] = subject
        letter["Message-ID"] = make_msgid(domain="example.org")
        letter.set_content(body + "\n")
        for name, value in (headers or {}).items():
            del letter[name]
            letter[name] = value
        self.gets_bytes(letter.as_bytes(), sender if envelope_sender is None else envelope_sender)

    def gets_bytes(self, raw: bytes, sender: str) -> None:
        """Bytes come; they are stored when this returns."""
        envelope = Envelope(sender, ("pbem@localhost",))
        assert self.server.accept(envelope, raw, datetime.now(UTC)).result(20)

    def works(self) -> int:
        """Step until there is nothing to do; return how many steps there were."""
        steps = 0
        while self.worker.step():
            steps += 1
        return steps

    def mails(self, since: int = 0) -> list[StoredMail]:
        """The mails in the outbox, oldest first, without the first ``since``."""
        with reading(self.server.engine) as connection:
            rows = connection.execute(select(*MailRow.__table__.c).order_by(MailRow.id).offset(since)).all()
        return [
            StoredMail(row.recipient, row.sender, _subject(row.raw), row.raw) for row in rows if row.raw is not None
        ]

    def told(self) -> list[tuple[str, str]]:
        """The recipients and Subjects of the mails in the outbox."""
        return [(mail.recipient, mail.subject) for mail in self.mails()]

    def states(self) -> list[tuple[str, int]]:
        """State and attempts of every letter, oldest first."""
        with reading(self.server.engine) as connection:
            query = select(LetterRow.state, LetterRow.attempts).order_by(LetterRow.id)
            return [(state, attempts) for state, attempts in connection.execute(query)]

    def all_it_keeps(self) -> str:
        """Every value in every row of every table."""
        with reading(self.server.engine) as connection:
            return "\n".join(
                repr(tuple(row)) for table in Base.metadata.sorted_tables for row in connection.execute(table.select())
            )


def goes_out_of_order(patch: pytest.MonkeyPatch, stepped: SteppedServer) -> None:
    """From now on the database takes no mails: it is full, or somebody has locked it."""

    def fails(*_: object) -> None:
        raise OperationalError("INSERT", {}, RuntimeError("database is locked"))

    patch.setattr(stepped.server.outbox, "add", fails)


def _subject(raw: bytes) -> str:
    return str(parsed(raw)["Subject"])
