"""A look at relays of all kinds: real servers on this machine."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.config import UnixListen
from pbem.domain.administration import Level
from pbem.mail_in.doors import LmtpDoor
from pbem.mail_out.relay_check import check_relay, leaves_from_here
from tests.support.certificates import certified
from tests.support.doors import opened
from tests.support.ports import free_port

OURS = "pbem@example.org"


class PickyRelay:
    """Takes mails from us alone, and none at all."""

    def __init__(self) -> None:
        self.senders: list[str] = []

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        self.senders.append(address)
        if address != OURS:
            return "553 5.7.1 Sender not owned"
        envelope.mail_from = address
        return "250 OK"


def knows_club(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, given: Any) -> AuthResult:
    """Let in whoever is called club and says the password."""
    is_known = isinstance(given, LoginPassword) and (given.login, given.password) == (b"club", b"apple pie")
    return AuthResult(success=is_known, handled=False)


def found(url: str, sender: str = OURS) -> list[tuple[str, str, str]]:
    return [(each.what, each.level.value, each.said) for each in check_relay(url, sender)]


def test_a_relay_that_takes_our_mails_is_well_and_gets_none(serve: Callable[..., int]) -> None:
    relay = PickyRelay()
    assert found(f"smtp://127.0.0.1:{serve(relay)}") == [("relay", "ok", f"it takes mails from {OURS}")]
    assert relay.senders == [OURS]


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_encryption_and_login_are_tried_as_the_setting_says(
    authority: trustme.CA, serve: Callable[..., int], scheme: str
) -> None:
    option = {"smtp": "tls_context", "smtps": "ssl_context"}[scheme]
    port = serve(PickyRelay(), authenticator=knows_club, auth_require_tls=False, **{option: certified(authority)})
    assert found(f"{scheme}://club:apple%20pie@127.0.0.1:{port}") == [("relay", "ok", f"it takes mails from {OURS}")]
    ((what, level, said),) = found(f"{scheme}://club:pear@127.0.0.1:{port}")
    assert (what, level) == ("relay", "wrong")
    assert said.startswith("it refuses name and password: 535 5.7.8 ")
    assert "app password" in said
    assert "pear" not in said


@pytest.mark.parametrize("url", ["smtps://127.0.0.1:{port}", "smtp://club:pie@127.0.0.1:{port}"])
def test_a_certificate_of_somebody_else_is_told(authority: trustme.CA, serve: Callable[..., int], url: str) -> None:
    strange = certified(authority, "mail.example.org")
    port = serve(PickyRelay(), **{"ssl_context" if url.startswith("smtps") else "tls_context": strange})
    ((_, level, said),) = found(url.format(port=port))
    assert level == "wrong"
    assert said.startswith("its certificate is not valid: IP address mismatch")
    assert said.endswith("The password was not sent")


def test_what_listens_in_another_way_is_told_with_the_usual_ports(serve: Callable[..., int]) -> None:
    port = serve(PickyRelay())
    ((_, level, said),) = found(f"smtps://127.0.0.1:{port}")
    assert level == "wrong"
    assert said.startswith("it does not speak TLS as expected (")
    ((_, level, said),) = found(f"smtp://127.0.0.1:{port}?starttls=yes")
    assert level == "wrong"
    assert said.startswith("STARTTLS extension not supported by server. Is the port right?")


def test_a_sender_that_is_refused_is_told(serve: Callable[..., int]) -> None:
    ((_, level, said),) = found(f"smtp://127.0.0.1:{serve(PickyRelay())}", "club@example.org")
    assert level == "wrong"
    assert said == (
        "it takes no mail from club@example.org: 553 5.7.1 Sender not owned; is that an address of this account?"
    )


@pytest.mark.parametrize("url", ["smtp://127.0.0.1:{port}", "lmtp+unix:{folder}/nothing", "smtp://no-such.invalid"])
def test_a_relay_that_is_not_there_is_told(tmp_path: Path, url: str) -> None:
    ((_, level, said),) = found(url.format(port=free_port(), folder=tmp_path))
    assert level == "wrong"
    assert said.startswith("it cannot be reached: ")
    assert "does it run" in said


def test_a_socket_is_a_relay_on_this_machine(tmp_path: Path) -> None:
    path = str(tmp_path / "lmtp")
    with opened(LmtpDoor, UnixListen(path)):
        assert found(f"lmtp+unix:{path}") == [("relay", "ok", f"it takes mails from {OURS}")]
    assert leaves_from_here(f"lmtp+unix:{path}")


def test_mails_that_leave_the_machine_unencrypted_are_warned_of(
    authority: trustme.CA, serve: Callable[..., int]
) -> None:
    # the system knows that 127.1 is this machine, and pbem does not
    port = serve(PickyRelay())
    _, (what, level, said) = found(f"smtp://127.1:{port}")
    assert (what, level) == ("encryption of the relay", "warning")
    assert said == "mails go over the network unencrypted; use smtps:// in PBEM_RELAY_URL"
    port = serve(PickyRelay(), tls_context=certified(authority), authenticator=knows_club, auth_require_tls=False)
    _, (what, level, said) = found(f"smtp://club:apple%20pie@127.1:{port}?starttls=no")
    assert (what, level) == ("encryption of the relay", "wrong")
    assert "the password goes over the network unencrypted; it offers STARTTLS: add ?starttls=yes" in said


@pytest.mark.parametrize(
    ("ahead", "found_of_clock"),
    [
        (timedelta(), ("ok", "the same as that of 127.1")),
        (timedelta(hours=1), ("wrong", "60 minutes behind that of 127.1")),
        (timedelta(minutes=-3), ("warning", "3 minutes ahead of that of 127.1")),
    ],
)
def test_a_clock_that_is_off_is_noticed_by_the_greeting(
    serve: Callable[..., int], ahead: timedelta, found_of_clock: tuple[str, str]
) -> None:
    greeting = f"Microsoft ESMTP MAIL Service ready at {format_datetime(datetime.now(UTC) + ahead)}"
    port = serve(PickyRelay(), ident=greeting)
    ((level, said),) = ((level, said) for what, level, said in found(f"smtp://127.1:{port}") if what == "clock")
    assert (level, said.partition(":")[0]) == found_of_clock
    assert "clock" not in [what for what, _, _ in found(f"smtp://127.0.0.1:{port}")], "it is the same clock"


def test_a_folder_sends_nothing() -> None:
    ((_, level, said),) = found("maildir:kept")
    assert (level, said) == (
        Level.WARNING,
        "mails are kept in the folder kept and sent to nobody: set PBEM_RELAY_URL",
    )
    assert not leaves_from_here("maildir:kept")
    assert not leaves_from_here("smtps://smtp.example.org")
