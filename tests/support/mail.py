"""People who mail the server, and the mail server that their answers come to."""

from __future__ import annotations

import json
import re
import smtplib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from functools import cached_property
from itertools import count
from threading import Condition
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.parsing import parsed

PATIENCE = 60.0
"""Seconds that a mail may take before a test fails; nothing is concluded from how long it took."""

_MESSAGE_ID = re.compile(rb"(?im)^message-id:\s*(<[^>]+>)")

_bystanders = count(1)
"""Each asks once, or the server would take them for a machine."""


@dataclass
class Mail:
    """A mail that was handed over to the postbox."""

    envelope_sender: str
    recipient: str
    raw: bytes

    @cached_property
    def parsed(self) -> EmailMessage:
        """The mail, parsed."""
        return parsed(self.raw)

    @cached_property
    def subject(self) -> str:
        """Its Subject."""
        return str(self.parsed["Subject"])

    @cached_property
    def text(self) -> str:
        """Its text."""
        body = self.parsed.get_body(("plain",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n")

    @cached_property
    def html(self) -> str:
        """Its HTML; empty if it has none."""
        body = self.parsed.get_body(("html",))
        return "" if body is None else str(body.get_content()).replace("\r\n", "\n")

    @cached_property
    def words(self) -> str:
        """Its text with the line breaks taken out, to look for sentences in."""
        return " ".join(self.text.split())

    @property
    def reply_to(self) -> str:
        """The address to which a mail program would send the answer."""
        return parseaddr(str(self.parsed["Reply-To"] or self.parsed["From"]))[1]


class AnyPort(Controller):
    """A controller that lets the system choose the port; its own check asks port 0 otherwise."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = int(server.sockets[0].getsockname()[1])
        super()._trigger_server()  # type: ignore[no-untyped-call]


class Postbox:
    """The mail system of all people: a real SMTP server that keeps what comes, in the order it came."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        self.repeated: list[Mail] = []
        """Those of them that had come before: a server that was killed may hand over a mail twice, readers see one."""
        self.answer: Callable[[Mail], str] = lambda _mail: "250 OK"
        """The answer to DATA; a mail that is not answered 250 is not kept."""
        self.at_rcpt: dict[str, str] = {}
        """The answers to RCPT for addresses that are refused."""
        self._unread: dict[str, list[Mail]] = defaultdict(list)
        self._known: set[tuple[str, bytes]] = set()
        self._came = Condition()

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    @cached_property
    def _controller(self) -> AnyPort:
        return AnyPort(self, hostname="127.0.0.1", port=0)

    @property
    def port(self) -> int:
        """The port of 127.0.0.1 on which it listens."""
        return int(self._controller.port)

    def send(self, port: int, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a letter over to the server that listens there; on return it has been accepted."""
        with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
            client.sendmail(sender, [recipient], raw)

    def settle(self, port: int) -> None:
        """Wait until all is answered that was sent so far.

        Letters are handled and mails handed over in the order in which they came: when a letter that comes now is
        answered, everything before it has arrived.
        """
        bystander = Person(f"bystander{next(_bystanders)}@example.org", self, port)
        bystander.says("help")
        bystander.hears()

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient, unless another answer is set."""
        if address.lower() in self.at_rcpt:
            return self.at_rcpt[address.lower()]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the mail."""
        assert isinstance(envelope.content, bytes)
        return self.take(Mail(envelope.mail_from or "", envelope.rcpt_tos[0], envelope.content))

    def take(self, mail: Mail) -> str:
        """Keep a mail, unless another answer is set; return the answer."""
        answer = self.answer(mail)
        if answer.startswith("250"):
            with self._came:
                self._keep(mail)
                self._came.notify_all()
        return answer

    def _keep(self, mail: Mail) -> None:
        self.mails.append(mail)
        named = _MESSAGE_ID.search(mail.raw)
        key = (mail.recipient.lower(), mail.raw if named is None else named[1])
        if key in self._known:
            self.repeated.append(mail)
        else:
            self._known.add(key)
            self._unread[mail.recipient.lower()].append(mail)

    def next_for(self, address: str, patience: float = PATIENCE) -> Mail:
        """The next unread mail to an address, waiting for it if need be."""
        with self._came:
            unread = self._unread[address.lower()]
            assert self._came.wait_for(lambda: unread, patience), f"no mail came to {address}"
            return unread.pop(0)

    def wait_until(self, holds: Callable[[list[Mail]], bool], patience: float = PATIENCE) -> None:
        """Wait until the mails that came fulfil a condition."""
        with self._came:
            assert self._came.wait_for(lambda: holds(self.mails), patience), "the mails waited for did not come"

    def unread_for(self, address: str) -> list[Mail]:
        """The unread mails that are there, without waiting."""
        with self._came:
            return list(self._unread[address.lower()])


@dataclass
class Person:
    """Somebody with an address and a mail program."""

    address: str
    postbox: Postbox
    port: int
    server: str = "pbem@localhost"
    vouched: bool = False
    """True if the MTA in front of the server vouches for the letters: its name is mx.example.org."""
    sent: list[str] = field(default_factory=list)
    """The Message-IDs of the letters that were answered 250."""

    def says(
        self, subject: str, body: str = "", *, to: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        """Mail a letter; on return it has been accepted."""
        letter = EmailMessage()
        if self.vouched:
            letter["Authentication-Results"] = "mx.example.org; dmarc=pass header.from=example.org"
        letter["From"] = self.address
        letter["To"] = to or self.server
        letter["Subject"] = subject
        letter["Message-ID"] = make_msgid(domain="example.org")
        for name, value in (headers or {}).items():
            letter[name] = value
        letter.set_content(body + "\n")
        self.mails(letter.as_bytes(policy=policy.SMTP), to or self.server)
        self.sent.append(str(letter["Message-ID"]))

    def mails(self, raw: bytes, to: str | None = None, *, sender: str | None = None) -> None:
        """Hand over bytes as they are."""
        self.postbox.send(self.port, self.address if sender is None else sender, to or self.server, raw)

    def hears(self, patience: float = PATIENCE) -> Mail:
        """The next mail to this person."""
        return self.postbox.next_for(self.address, patience)

    def answers(self, mail: Mail, body: str) -> None:
        """Answer a mail as a mail program does: to its Reply-To, its text quoted below."""
        quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
        self.says(
            f"Re: {mail.subject}",
            f"{body}\n\nOn Friday, pbem <{mail.reply_to}> wrote:\n{quoted}",
            to=mail.reply_to,
            headers={"In-Reply-To": str(mail.parsed["Message-ID"])},
        )

    def hears_nothing(self) -> bool:
        """Return True if no mail has come, nor will, of all that was said so far."""
        self.postbox.settle(self.port)
        return not self.postbox.unread_for(self.address)


def attached(mail: Mail) -> tuple[str | None, str, dict[str, Any]]:
    """Name, type and content of the one file that a mail carries."""
    (file,) = mail.parsed.iter_attachments()
    content = file.get_content()
    assert content.endswith(b"\n")
    return file.get_filename(), file.get_content_type(), json.loads(content)
