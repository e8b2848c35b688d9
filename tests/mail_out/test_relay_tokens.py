"""Relays that take access tokens in place of a password (XOAUTH2): a real one, and a real server that gives tokens."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from structlog.testing import capture_logs

from pbem.access_tokens import AccessTokens, OAuthGrant
from pbem.bootstrap.relay import relay_maker, relay_tokens
from pbem.config import BadSetting, Settings
from pbem.mail_out.relay import RelayDown
from pbem.mail_out.relay_check import check_relay
from tests.support.certificates import certified
from tests.support.token_server import BEGINNING, CLIENT, TokenServer, running_token_server

USER = "club@example.org"
REFUSAL = '{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}'


class TokenRelay:
    """Takes mails from whoever shows a token that is in force, and says why it refuses others as providers do."""

    def __init__(self, tokens: TokenServer) -> None:
        self.tokens = tokens
        self.shown: list[str] = []
        self.senders: list[str] = []
        self.refuses_with: str | None = None

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        user, bearer, *ends = b64decode(args[1]).decode().split("\1")
        assert (user, ends) == (f"user={USER}", ["", ""])
        self.shown.append(bearer.removeprefix("auth=Bearer "))
        if self.refuses_with is not None:
            return AuthResult(success=False, handled=False, message=self.refuses_with)
        if self.tokens.is_good(self.shown[-1]):
            return AuthResult(success=True)
        assert await server.challenge_auth(REFUSAL) == b""
        return AuthResult(success=False, handled=False)

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.senders.append(str(envelope.mail_from))
        return "250 OK"


@pytest.fixture
def tokens() -> Iterator[TokenServer]:
    with running_token_server(USER) as tokens:
        yield tokens


@pytest.fixture
def relay(tokens: TokenServer) -> TokenRelay:
    return TokenRelay(tokens)


@pytest.fixture
def settings(
    authority: trustme.CA, serve: Callable[..., int], tokens: TokenServer, relay: TokenRelay
) -> dict[str, str]:
    """Those of a relay that is spoken to in TLS."""
    port = serve(relay, ssl_context=certified(authority), auth_require_tls=False)
    return {
        "PBEM_RELAY_URL": f"smtps://club%40example.org@127.0.0.1:{port}",
        "PBEM_RELAY_TOKEN_URL": f"{tokens.url}/token",
        "PBEM_RELAY_CLIENT_ID": CLIENT,
        "PBEM_RELAY_REFRESH_TOKEN": "first",
        "PBEM_RELAY_MAILS_PER_CONNECTION": "1",
    }


def send(settings: dict[str, str], mails: int = 1, between: Callable[[], None] = lambda: None) -> None:
    """Hand mails over, each by a connection of its own."""
    relay = relay_maker(Settings.read(settings))()
    try:
        for number in range(mails):
            relay.send(USER, "bob@example.org", b"Subject: hello\r\n\r\nfirst\r\n", str(number))
            between()
    finally:
        relay.close()


def test_mails_are_handed_over_with_one_token_as_long_as_it_is_good(
    settings: dict[str, str], relay: TokenRelay
) -> None:
    send(settings, 3)
    assert relay.senders == [USER] * 3
    assert relay.shown == [f"{BEGINNING}0"] * 3


def test_a_token_that_is_refused_is_asked_for_anew_once(settings: dict[str, str], relay: TokenRelay) -> None:
    send(settings, 2, between=lambda: relay.tokens.revoked.add(relay.tokens.given[-1]))
    assert relay.senders == [USER] * 2
    assert relay.shown == [f"{BEGINNING}{number}" for number in (0, 0, 1)]


def test_a_new_token_that_is_refused_is_not_shown_again(settings: dict[str, str], relay: TokenRelay) -> None:
    relay.refuses_with = f"535 5.7.3 Authentication unsuccessful with {BEGINNING}0"
    with capture_logs() as logs, pytest.raises(RelayDown) as down:
        send(settings)
    assert down.value.facts == {"reason": "535 5.7.3 Authentication unsuccessful with ***", "is_busy": False}
    assert relay.shown == [f"{BEGINNING}0"]
    assert logs == []


def test_a_token_is_kept_while_the_relay_is_only_busy(settings: dict[str, str], relay: TokenRelay) -> None:
    relay.refuses_with = "454 4.7.0 Too many login attempts"
    maker = relay_maker(Settings.read(settings))
    for _ in range(2):
        with pytest.raises(RelayDown) as down:
            maker().send(USER, "bob@example.org", b"Subject: hello\r\n\r\n", "1")
        assert down.value.facts == {"reason": relay.refuses_with, "is_busy": True}
    assert relay.shown == [f"{BEGINNING}0"] * 2


@pytest.mark.parametrize("refresh_token", ["stolen", "file:/nowhere/token"])
def test_mails_wait_while_there_is_no_token(settings: dict[str, str], relay: TokenRelay, refresh_token: str) -> None:
    with pytest.raises(RelayDown) as down:
        send({**settings, "PBEM_RELAY_REFRESH_TOKEN": refresh_token})
    said = {"stolen": "the token server: invalid_grant, so the refresh token has expired or was withdrawn"}
    assert str(down.value.facts["reason"]).startswith(said.get(refresh_token, "/nowhere/token cannot be read"))
    assert relay.shown == []


def test_client_and_refresh_token_may_be_those_of_the_mailbox(
    settings: dict[str, str], relay: TokenRelay, tmp_path: Path
) -> None:
    file = tmp_path / "mailbox.token"
    file.write_text("first\n")
    of_relay = ("PBEM_RELAY_CLIENT_ID", "PBEM_RELAY_REFRESH_TOKEN")
    given = {name: value for name, value in settings.items() if name not in of_relay}
    send({**given, "PBEM_MAILBOX_CLIENT_ID": CLIENT, "PBEM_MAILBOX_REFRESH_TOKEN": f"file:{file}"})
    assert relay.senders == [USER]
    assert file.read_text() == "second\n"


def found(settings: dict[str, str]) -> list[tuple[str, str]]:
    read = Settings.read(settings)
    return [(each.level.value, each.said) for each in check_relay(read.relay_url, USER, relay_tokens(read))]


def test_a_look_at_the_relay_shows_the_token_and_says_what_is_wrong(
    settings: dict[str, str], relay: TokenRelay
) -> None:
    assert found(settings) == [("ok", f"it takes mails from {USER}")]
    relay.refuses_with = f"535 5.7.8 Not {BEGINNING}1"
    said = "it refuses name and access token: 535 5.7.8 Not ***; is the token of this account"
    assert found(settings) == [("wrong", f"{said}, does its scope let it send, is SMTP allowed there?")]
    assert found({**settings, "PBEM_RELAY_REFRESH_TOKEN": "stolen"})[0][1].startswith("the token server: invalid_grant")


def test_a_relay_that_takes_no_tokens_is_told(authority: trustme.CA, serve: Callable[..., int]) -> None:
    tokens = AccessTokens(OAuthGrant("", CLIENT, None, "first"), lambda _url, _form: b'{"access_token": "x"}')
    port = serve(object(), ssl_context=certified(authority))
    ((finding),) = check_relay(f"smtps://club@127.0.0.1:{port}", USER, tokens)
    assert finding.said.startswith("It does not offer XOAUTH2, which access tokens need.")


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"PBEM_RELAY_CLIENT_ID": ""}, "PBEM_RELAY_CLIENT_ID"),
        ({"PBEM_RELAY_REFRESH_TOKEN": ""}, "PBEM_RELAY_REFRESH_TOKEN"),
        ({"PBEM_RELAY_URL": "smtps://smtp.example.org"}, "PBEM_RELAY_URL"),
        ({"PBEM_RELAY_URL": "maildir:mail"}, "PBEM_RELAY_URL"),
    ],
)
def test_settings_that_a_token_needs_are_asked_for(changed: dict[str, str], name: str) -> None:
    given = {
        "PBEM_RELAY_URL": "smtps://club@smtp.example.org",
        "PBEM_RELAY_TOKEN_URL": "google",
        "PBEM_RELAY_CLIENT_ID": CLIENT,
        "PBEM_RELAY_REFRESH_TOKEN": "first",
    }
    with pytest.raises(BadSetting) as bad:
        relay_maker(Settings.read({**given, **changed}))
    assert bad.value.facts["name"] == name
