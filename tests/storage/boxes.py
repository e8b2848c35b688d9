"""Two workers' inboxes and the outbox of one database, with letters and mails to put into them."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Engine, insert

from pbem.domain.letters import Envelope, OutgoingMail
from pbem.storage.arrivals import Arrival
from pbem.storage.engine import writing
from pbem.storage.inbox import Inbox, LeasedLetter
from pbem.storage.models import LetterKeyRow
from pbem.storage.outbox import DueMail, Outbox
from tests.storage.stock import AT, MINUTE

LEASE = MINUTE
HOUR = timedelta(hours=1)


def letter(key: str, sender: str = "alice@example.org", *, at: datetime = AT, message_id: bool = True) -> Arrival:
    envelope = Envelope(sender, ("pbem@localhost", "pbem+token@localhost"), "192.0.2.1")
    return Arrival(envelope, f"Subject: {key}\r\n\r\nbody \x00\xff".encode("latin-1"), (key,), message_id, at)


def mail(key: str) -> OutgoingMail:
    return OutgoingMail(key, f"<{key}@localhost>", "pbem@localhost", f"{key}@example.org", b"mail \x00\xff")


class Boxes:
    """Two workers' inboxes and the outbox of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.inbox = Inbox(engine, "one", LEASE)
        self.other = Inbox(engine, "other", LEASE)
        self.outbox = Outbox(engine, LEASE)

    def taken(self, now: datetime = AT) -> str | None:
        """The key of the letter that is leased next."""
        leased = next(iter(self.inbox.lease(now)), None)
        return None if leased is None else leased.raw.split()[1].decode()

    def leased(self, inbox: Inbox | None = None, now: datetime = AT) -> LeasedLetter:
        found = next(iter((inbox or self.inbox).lease(now)), None)
        assert found is not None
        return found

    def finish(self, leased: LeasedLetter, inbox: Inbox | None = None) -> None:
        with writing(self.engine) as connection:
            connection.execute(insert(LetterKeyRow).values(key=f"trace {leased.id} {leased.attempts}", accepted_at=AT))
            (inbox or self.inbox).finish(connection, leased, AT)

    def post(self, *keys: str, at: datetime = AT) -> None:
        with writing(self.engine) as connection:
            self.outbox.add(connection, [mail(key) for key in keys], at)

    def due(self, now: datetime = AT, most: int = 100) -> list[str]:
        return [each.key for each in self.due_mails(now, most)]

    def due_mails(self, now: datetime = AT, most: int = 100) -> list[Named]:
        return [Named(each) for each in self.outbox.lease(now, most)]


class Named:
    """A due mail with a short name."""

    def __init__(self, mail: DueMail) -> None:
        self.mail = mail
        self.key = mail.message_id.strip("<>").partition("@")[0]
