"""An outbox, and a worker that hands its mails to a real server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Row, select, text, update

from pbem.domain.letters import OutgoingMail
from pbem.mail_out.relay import Relay, make_relay
from pbem.storage.engine import make_engine, reading, writing
from pbem.storage.models import MailRow
from pbem.storage.outbox import Outbox
from pbem.workers.outbox import DeliveryWorker, Retries
from tests.support.mail import Mail, Postbox

DELAYS = (60, 300)
DAY = timedelta(days=1)


class OutboxFixture:
    """An outbox, a worker and the mail server that it hands over to."""

    def __init__(self, database_url: str, postbox: Postbox) -> None:
        self.engine = make_engine(database_url)
        self.outbox = Outbox(self.engine, timedelta(minutes=5))
        self.postbox = postbox
        self.relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
        self.worker = self.worker_with(self.relay)

    def worker_with(self, relay: Relay) -> DeliveryWorker:
        return DeliveryWorker(self.outbox, relay, Retries(DELAYS, DAY))

    def posts(self, *names: str, at: datetime | None = None) -> None:
        mails = [
            OutgoingMail(
                name, f"<{name}@localhost>", "", f"{name}@example.org", f"Subject: {name}\r\n\r\nFrom me\r\n".encode()
            )
            for name in names
        ]
        with writing(self.engine) as connection:
            self.outbox.add(connection, mails, at or datetime.now(UTC))

    def works(self) -> int:
        steps = 0
        while self.worker.step():
            steps += 1
        return steps

    def database_goes(self) -> None:
        """Nothing can be noted from now on."""
        with writing(self.engine) as connection:
            connection.execute(text("ALTER TABLE outbox RENAME TO away"))

    def database_comes(self) -> None:
        """All is as before."""
        with writing(self.engine) as connection:
            connection.execute(text("ALTER TABLE away RENAME TO outbox"))

    def time_passes(self) -> None:
        """Whatever waits for its time is due now."""
        with writing(self.engine) as connection:
            connection.execute(update(MailRow).values(next_attempt_at=datetime.now(UTC)))

    def row(self, name: str) -> Row[tuple[object, ...]]:
        with reading(self.engine) as connection:
            return connection.execute(select(*MailRow.__table__.c).where(MailRow.key == name)).one()

    def arrived(self) -> list[str]:
        return [mail.recipient.partition("@")[0] for mail in self.postbox.mails]


def answer_with(post: OutboxFixture, answers: dict[str, str]) -> None:
    def answer(mail: Mail) -> str:
        return answers.get(mail.recipient, "250 OK")

    post.postbox.answer = answer
