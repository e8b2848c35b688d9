from __future__ import annotations

import io
import json
from collections.abc import Mapping
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl

import pytest
from imapclient.exceptions import LoginError
from structlog.testing import capture_logs

from pbem.access_tokens import AccessTokens, OAuthGrant
from pbem.mail_in.mailbox import MailboxTrouble, OAuthLogin

URL = "https://login.example.org/token"


class Provider:
    """Gives out access tokens, and takes them as a mailbox does."""

    def __init__(self, **answer: object) -> None:
        self.answer: Mapping[str, object] = {"access_token": "access-1", "expires_in": 3600, **answer}
        self.asked: list[dict[str, str]] = []
        self.shown: list[tuple[str, str]] = []
        self.fails: Exception | None = None
        self.refuses = False

    def post(self, url: str, form: bytes) -> bytes:
        assert url == URL
        self.asked.append(dict(parse_qsl(form.decode())))
        if self.fails is not None:
            raise self.fails
        return json.dumps(self.answer).encode()

    def oauth2_login(self, user: str, token: str) -> None:
        self.shown.append((user, token))
        if self.refuses:
            raise LoginError("AUTHENTICATE failed")


def login(provider: Provider, refresh_token: str = "refresh-1", secret: str | None = "client-secret") -> OAuthLogin:
    return OAuthLogin("club", AccessTokens(OAuthGrant(URL, "pbem", secret, refresh_token), provider.post))


def log_in(login: OAuthLogin, provider: Any) -> None:
    login.log_in(provider)


def test_an_access_token_is_asked_for_once_as_long_as_it_is_good() -> None:
    provider = Provider()
    ours = login(provider)
    log_in(ours, provider)
    log_in(ours, provider)
    assert provider.shown == [("club", "access-1")] * 2
    asked = {"grant_type": "refresh_token", "client_id": "pbem", "refresh_token": "refresh-1"}
    assert provider.asked == [{**asked, "client_secret": "client-secret"}]


def test_a_client_without_a_secret_says_none() -> None:
    provider = Provider()
    log_in(login(provider, secret=None), provider)
    assert "client_secret" not in provider.asked[0]


@pytest.mark.parametrize("seconds", [0, 30, 60])
def test_one_that_has_expired_is_asked_for_anew(seconds: int) -> None:
    provider = Provider(expires_in=seconds)
    ours = login(provider)
    log_in(ours, provider)
    log_in(ours, provider)
    assert len(provider.asked) == 2


def test_so_is_one_that_the_mailbox_has_refused() -> None:
    provider = Provider()
    ours = login(provider)
    provider.refuses = True
    with pytest.raises(LoginError):
        log_in(ours, provider)
    provider.refuses = False
    log_in(ours, provider)
    assert len(provider.asked) == 2


def test_a_token_that_somebody_else_has_written_since_is_used(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("refresh-1\n")
    provider = Provider(expires_in=0, refresh_token="refresh-2")
    ours = login(provider, f"file:{file}")
    log_in(ours, provider)
    file.write_text("of the operator\n")
    log_in(ours, provider)
    assert [each["refresh_token"] for each in provider.asked] == ["refresh-1", "of the operator"]


def test_a_token_that_cannot_be_written_is_used_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ("t" * 255)  # so that no file beside it can have a longer name
    file.write_text("refresh-1\n")
    provider = Provider(expires_in=0, refresh_token="refresh-2")
    ours = login(provider, f"file:{file}")
    with capture_logs() as logs:
        log_in(ours, provider)
    log_in(ours, provider)
    assert [each["refresh_token"] for each in provider.asked] == ["refresh-1", "refresh-2"]
    assert [each["event"] for each in logs] == ["refresh token not written"]
    assert "refresh-2" not in str(logs)


@pytest.mark.parametrize(("status", "then"), [(503, "refresh-2"), (429, "refresh-2"), (400, "refresh-1")])
def test_a_newer_token_is_dropped_only_if_it_was_refused(status: int, then: str) -> None:
    provider = Provider(expires_in=0, refresh_token="refresh-2")
    ours = login(provider)
    log_in(ours, provider)
    provider.fails = refusal(status, b'{"error": "invalid_grant"}')
    with pytest.raises(MailboxTrouble):
        log_in(ours, provider)
    provider.fails = None
    log_in(ours, provider)
    assert [each["refresh_token"] for each in provider.asked] == ["refresh-1", "refresh-2", then]


def test_a_newer_refresh_token_is_used_and_written_down(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("refresh-1\n")
    provider = Provider(expires_in=0, refresh_token="refresh-2")
    ours = login(provider, f"file:{file}")
    log_in(ours, provider)
    log_in(ours, provider)
    assert [each["refresh_token"] for each in provider.asked] == ["refresh-1", "refresh-2"]
    assert file.read_text() == "refresh-2\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["token"]


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(MailboxTrouble) as trouble:
        log_in(login(Provider(), "file:/nowhere/token"), Provider())
    assert trouble.value.facts["says"] == "/nowhere/token cannot be read: No such file or directory"


def refusal(status: int, answer: bytes) -> HTTPError:
    return HTTPError(URL, status, "no", Message(), io.BytesIO(answer))


@pytest.mark.parametrize(
    ("fails", "why", "says"),
    [
        (refusal(400, b'{"error": "invalid_grant", "error_description": "refresh-1"}'), "login", "invalid_grant, so"),
        (refusal(401, b'{"error": "invalid_client"}'), "login", "invalid_client"),
        (refusal(400, b'{"error": "<b>refresh-1</b>"}'), "login", "status 400"),
        (refusal(400, b"not JSON"), "login", "status 400"),
        (refusal(503, b""), "unreachable", "status 503"),
        (refusal(429, b""), "unreachable", "status 429"),
        (URLError("Name or service not known"), "unreachable", "Name or service not known"),
        (TimeoutError(), "unreachable", "TimeoutError"),
    ],
)
def test_refusals_are_told_without_secrets(fails: Exception, why: str, says: str) -> None:
    provider = Provider()
    provider.fails = fails
    with pytest.raises(MailboxTrouble) as trouble:
        log_in(login(provider), provider)
    assert trouble.value.facts["why"] == why
    assert str(trouble.value.facts["says"]).startswith(f"the token server: {says}")
    assert "refresh-1" not in str(trouble.value)


@pytest.mark.parametrize("answer", [{}, [], {"access_token": "x", "expires_in": "soon"}, "text"])
def test_an_answer_that_is_none_is_told(answer: Any) -> None:
    provider = Provider()
    provider.answer = answer
    with pytest.raises(MailboxTrouble, match="cannot be read"):
        log_in(login(provider), provider)


def test_secrets_are_masked_and_not_in_the_representation() -> None:
    provider = Provider(refresh_token="refresh-2")
    ours = login(provider)
    log_in(ours, provider)
    assert ours.masked("access-1 refresh-1 refresh-2 client-secret x") == "*** *** *** *** x"
    assert "refresh-1" not in repr(OAuthGrant(URL, "pbem", "client-secret", "refresh-1"))
    assert "client-secret" not in repr(OAuthGrant(URL, "pbem", "client-secret", "refresh-1"))
