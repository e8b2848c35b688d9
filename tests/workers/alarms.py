"""Alarms to a relay that hears of them, and a note of when the operator was told."""

from __future__ import annotations

from datetime import datetime, timedelta
from email import message_from_bytes, policy

from sqlalchemy.exc import OperationalError

from pbem import folder
from pbem.bootstrap import find_games
from pbem.domain.replies import Signer
from pbem.mail_out.headers import Headers
from pbem.mail_out.message import Composer
from pbem.mail_out.relay import RelayDown
from pbem.wording.templates import Wording
from pbem.workers.alarms import Alarms, OperatorMails


class Noted:
    """The record of the last mail to the operator; it can be read and written, or only read, or neither."""

    def __init__(self) -> None:
        self.told: dict[str, datetime] = {}
        self.is_readable = self.is_writable = True

    def told_at(self, name: str) -> datetime | None:
        self._work(self.is_readable)
        return self.told.get(name)

    def note(self, name: str, now: datetime) -> None:
        self._work(self.is_writable)
        self.told[name] = now

    def _work(self, works: bool) -> None:
        if not works:
            raise OperationalError("", {}, Exception("disk full"))


class Listening:
    """A relay that takes mails, or does not; and the seconds that have passed."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.is_down = False
        self.hangs_up = False
        """True to hang up without a word once it has the mail."""
        self.noted = Noted()
        self.tried = 0
        self.taken: list[tuple[str, str, bytes, str]] = []

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        self.tried += 1
        if self.is_down:
            raise RelayDown("down")
        self.taken.append((sender, recipient, raw, name))
        if self.hangs_up:
            raise RelayDown("gone")

    def close(self) -> None:
        """Hold nothing open."""

    @property
    def subjects(self) -> list[str]:
        return [str(message_from_bytes(raw, policy=policy.default)["Subject"]) for _, _, raw, _ in self.taken]

    @property
    def last(self) -> str:
        """The words of the mail taken last."""
        return " ".join(self.taken[-1][2].decode().split())


OPERATOR = "operator@example.org"
MINUTE = timedelta(minutes=1)
FACTS: dict[str, object] = {"server_address": "pbem@localhost", "trust_from": False, "max_commands": 20}
SIGNER = Signer(["a key for tests alone"])


def alarms_to(relay: Listening, operator: str | None = OPERATOR) -> Alarms:
    """Alarms for an operator that the relay takes."""
    wording = Wording(folder("templates"), FACTS, find_games())
    composer = Composer(wording, Headers("pbem@localhost", SIGNER))
    return Alarms(
        relay=relay,
        mails=OperatorMails(composer, operator),
        retry_after=MINUTE,
        times=relay.noted,  # type: ignore[arg-type]
        seconds=lambda: relay.passed,
    )
