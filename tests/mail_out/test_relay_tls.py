"""Relays that are spoken to in TLS: a real server, a real certificate, and one that is not to be believed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trustme
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.mail_out.relay import RelayDown, make_relay
from tests.support.certificates import certified


class Keeper:
    """Keeps what comes, and whether it came in TLS."""

    def __init__(self) -> None:
        self.came: list[tuple[bytes, bool]] = []

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.came.append((envelope.content, bool(session.ssl)))
        return "250 OK"


def send(url: str) -> None:
    relay = make_relay(url)
    try:
        relay.send("pbem@localhost", "bob@example.org", b"Subject: hello\r\n\r\nfirst\r\n", "1")
        relay.send("pbem@localhost", "bob@example.org", b"Subject: hello\r\n\r\nsecond\r\n", "2")
    finally:
        relay.close()


def test_smtps_speaks_tls_from_the_first_byte(authority: trustme.CA, serve: Callable[..., int]) -> None:
    keeper = Keeper()
    port = serve(keeper, ssl_context=certified(authority))
    send(f"smtps://127.0.0.1:{port}")
    assert [raw.split(b"\r\n")[2] for raw, _ in keeper.came] == [b"first", b"second"]


def test_starttls_is_spoken_where_it_is_asked_for(authority: trustme.CA, serve: Callable[..., int]) -> None:
    keeper = Keeper()
    port = serve(keeper, tls_context=certified(authority))
    send(f"smtp://127.0.0.1:{port}?starttls=yes")
    assert [in_tls for _, in_tls in keeper.came] == [True, True]


@pytest.mark.parametrize("url", ["smtps://127.0.0.1:{port}", "smtp://user:secret@127.0.0.1:{port}"])
def test_a_certificate_of_somebody_else_is_not_believed(
    authority: trustme.CA, serve: Callable[..., int], url: str
) -> None:
    keeper = Keeper()
    strange = certified(authority, "mail.example.org")
    port = serve(keeper, **{"ssl_context" if url.startswith("smtps") else "tls_context": strange})
    with pytest.raises(RelayDown):
        send(url.format(port=port))
    assert not keeper.came
