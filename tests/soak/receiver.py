"""The mail server of everybody, which has moods: it puts mails off, refuses, is slow, hangs up, or is not there."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import default
from random import Random
from threading import Event

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.reliability.posts import Post
from tests.soak.logs import Arrived, cause
from tests.support.mail import AnyPort, Mail, Postbox

OF_EVENT = re.compile(r"<g([0-9]+)\.([0-9]+)\.")
_HEADERS = BytesHeaderParser(policy=default)


@dataclass(frozen=True)
class Mood:
    """The way in which a receiver answers mails.

    Args:
        at_mail, at_rcpt, at_data: what these commands are answered with; empty: as usual.
        of: the recipients of whom that holds for ``at_rcpt`` and ``at_data``.
        seconds: the answer takes.
        hangs_up: when the connection is broken off: before a mail is kept, or behind that.
        share: of the mails that are met so.
    """

    at_mail: str = ""
    at_rcpt: str = ""
    at_data: str = ""
    of: Callable[[str], bool] = lambda _recipient: True
    seconds: float = 0.0
    hangs_up: str = ""
    share: float = 1.0


_LONGEST_MOOD = 2.0
"""Seconds that a mood lasts for want of mails."""
BEFORE, AFTER = "before", "after"
USUAL = Mood(share=0.0)


class Vain(Exception):
    """A mail that was waited for did not come."""


class Receiver(Postbox):
    """A postbox that writes down what comes, and is not always well.

    Args:
        chance: which mails of a mood's share are met by it.
        patience: seconds that a mail is waited for.
    """

    def __init__(self, chance: Random, patience: float) -> None:
        super().__init__()
        self.log: list[Arrived] = []
        self.mood = USUAL
        self._chance = chance
        self._patience = patience
        self._answers: dict[str, Mail] = {}
        self._of_boards: dict[tuple[str, int], tuple[int, Mail]] = {}
        self._met = Event()

    def _meets(self, mood: Mood) -> bool:
        met = mood.share > 0 and self._chance.random() < mood.share
        if met:
            self._met.set()
        return met

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a sender, unless the mood is against it."""
        mood = self.mood
        if mood.at_mail and self._meets(mood):
            return mood.at_mail
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient, unless the mood is against it."""
        mood = self.mood
        if mood.at_rcpt and mood.of(address) and self._meets(mood):
            with self._came:
                self.log.append(Arrived(time.monotonic(), address, "", "", "", "", mood.at_rcpt, is_kept=False))
            return mood.at_rcpt
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the mail, unless the mood is against it, and write down what became of it."""
        assert isinstance(envelope.content, bytes)
        mail = Mail(envelope.mail_from or "", envelope.rcpt_tos[0], envelope.content)
        mood = self.mood if self._meets(self.mood) else USUAL
        await asyncio.sleep(mood.seconds)
        refusal = mood.at_data if mood.at_data and mood.of(mail.recipient) else ""
        is_kept = not refusal and mood.hangs_up != BEFORE
        self._note(mail, "" if mood.hangs_up else refusal or "250 OK", is_kept=is_kept)
        if mood.hangs_up:
            transport = server.transport
            assert isinstance(transport, asyncio.WriteTransport)
            transport.abort()
        return refusal or "250 OK"

    def _note(self, mail: Mail, reply: str, *, is_kept: bool) -> None:
        headers = _HEADERS.parsebytes(mail.raw)
        answered = str(headers["In-Reply-To"]) if headers["Auto-Submitted"] == "auto-replied" else ""
        arrived = Arrived(
            time.monotonic(),
            mail.recipient,
            str(headers["Message-ID"]),
            cause(answered, mail.recipient, str(headers["Subject"])),
            str(headers["Subject"]),
            hashlib.sha256(mail.raw).hexdigest(),
            reply,
            is_kept,
        )
        with self._came:
            self.log.append(arrived)
            if is_kept:
                self._index(mail, arrived)
                self._came.notify_all()

    def _index(self, mail: Mail, arrived: Arrived) -> None:
        """Let it be found by who waits for it; only the newest of each board is kept for each of its players."""
        if arrived.answers:
            self._answers.setdefault(arrived.answers, mail)
        found = OF_EVENT.match(arrived.message_id)
        if found is not None:
            place, event = (mail.recipient, int(found[1])), int(found[2])
            if event >= self._of_boards.get(place, (0, mail))[0]:
                self._of_boards[place] = event, mail

    def answer_to(self, letter: Post) -> Mail:
        """The answer to a letter, once it is there; asked for once.

        Raises:
            Vain: it does not come.
        """
        known = cause(letter.message_id, letter.author, letter.subject)
        with self._came:
            if not self._came.wait_for(lambda: known in self._answers, self._patience):
                raise Vain(f"no answer to {letter.message_id}")
            return self._answers.pop(known)

    def of_board(self, recipient: str, board: int, event: int) -> Mail:
        """The mail by which somebody heard of an event of a board, once it is there.

        Raises:
            Vain: it does not come.
        """
        place, nothing = (recipient, board), (-1, None)
        with self._came:
            if not self._came.wait_for(lambda: self._of_boards.get(place, nothing)[0] >= event, self._patience):
                raise Vain(f"{recipient} does not hear of event {event} of board {board}")
            return self._of_boards[place][1]

    @contextmanager
    def being(self, mood: Mood) -> Iterator[None]:
        """A stretch in which mails are met so; it ends when one has been, unless none comes."""
        self._met.clear()
        self.mood = mood
        try:
            yield
            self._met.wait(_LONGEST_MOOD)
        finally:
            self.mood = USUAL

    @contextmanager
    def away(self) -> Iterator[None]:
        """A stretch in which nobody listens."""
        port = self.port
        self._controller.stop()
        try:
            yield
        finally:
            self._controller = AnyPort(self, hostname="127.0.0.1", port=port)
            self._controller.start()
