"""A mail provider as small clubs have one: a mailbox, and a relay for those who have a mailbox there."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.certificates import certified
from tests.support.dovecot import PASSWORD, USER, Dovecot
from tests.support.mail import AnyPort, Mail, Postbox


class MailProvider(Postbox):
    """A relay that brings mails to one address to the mailbox, and keeps what is for others until they read it.

    Args:
        dovecot: the mailbox.
        address: the one that letters in the mailbox are for, with all of its sub-addresses.
        results: what the provider has found out about the sender of what the relay gets.
        keeps_sub_addresses: False: letters are delivered to the plain address.
        wants_login: mails are taken by TLS alone, and from whoever knows the password of the mailbox.
    """

    def __init__(
        self,
        dovecot: Dovecot,
        results: str = "dmarc=pass header.from=localhost",
        *,
        address: str = "pbem@localhost",
        keeps_sub_addresses: bool = True,
        wants_login: bool = False,
    ) -> None:
        super().__init__()
        self._dovecot = dovecot
        self._results = results
        self._local_part, _, self._domain = address.partition("@")
        self._keeps_sub_addresses = keeps_sub_addresses
        self._wants_login = wants_login

    @cached_property
    def _controller(self) -> AnyPort:
        options: dict[str, Any] = {}
        if self._wants_login:
            options = {
                "ssl_context": certified(self._dovecot.certificates, "localhost"),
                "authenticator": _knows_password,
                "auth_require_tls": False,  # by STARTTLS: it is spoken from the first byte
            }
        return AnyPort(self, hostname="127.0.0.1", port=0, **options)

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take the sender of a mail from whoever has logged in, if that is wanted."""
        if self._wants_login and not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    def take(self, mail: Mail) -> str:
        """Keep a mail and bring it to the mailbox if it is for that, unless another answer is set."""
        answer = super().take(mail)
        local_part, _, domain = mail.recipient.partition("@")
        plain, _, sub_address = local_part.partition("+")
        if answer.startswith("250") and (plain, domain) == (self._local_part, self._domain):
            named = f"+{sub_address}@" if sub_address and not self._keeps_sub_addresses else "@"
            raw = _found(self._results) + mail.raw.replace(named.encode(), b"@")
            self._dovecot.deliver(raw, mail.envelope_sender, mail.recipient.replace(named, "@"))
        return answer

    def send(self, _port: int, sender: str, recipient: str, raw: bytes) -> None:
        """Take a letter from the mail server of its sender, for which that vouches."""
        self._dovecot.deliver(_found(f"dmarc=pass header.from={sender.partition('@')[2]}") + raw, sender, recipient)


def _found(results: str) -> bytes:
    return f"Authentication-Results: mx.example.org; {results}\r\n".encode()


def _knows_password(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, given: Any) -> AuthResult:
    is_known = isinstance(given, LoginPassword) and (given.login, given.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_known, handled=False)
