"""Access tokens (OAuth 2), got for a refresh token, which stand in for the password of a mailbox or relay (XOAUTH2)."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import structlog

from pbem.errors import PbemError

log = structlog.get_logger()

_FILE = "file:"
_SECONDS = 20
_LARGEST_ANSWER = 65_536
_EARLIER = 60.0
"""Seconds by which an access token is taken for expired before it is."""
_SHORTEST_LIFE, _USUAL_LIFE = 60.0, 3600.0
_ERROR = re.compile("[a-z_]{1,40}")
_TOO_OFTEN, _THEIR_FAULT = 429, 500
"""Answers of HTTP, the latter and all above it, that say nothing about a token."""

Post = Callable[[str, bytes], bytes]
"""Sends a form to a URL, and returns the answer."""


@dataclass(frozen=True, slots=True)
class OAuthGrant:
    """The right to ask for access tokens (RFC 6749 s 6)."""

    token_url: str
    client_id: str
    client_secret: str | None = field(repr=False)
    """None: the provider gives none to programs such as this."""
    refresh_token: str = field(repr=False)
    """Or ``file:`` and the path of a file with it, which is written anew when the provider gives another one."""


class NoAccessToken(PbemError):
    """There is no token now.

    ``why`` is "unreachable" if the provider does not answer, "login" if it gives none; ``says`` is a line for the log,
    without secrets.
    """

    why: str
    says: str


class AccessToken(NamedTuple):
    """A token that is shown in place of a password."""

    text: str
    is_new: bool
    """It has not been shown before."""


class AccessTokens:
    """Keeps an access token, and asks for one when there is none or it has expired. May be used by several threads.

    Args:
        grant: what is shown to the provider for it.
        post: sends the question.
    """

    def __init__(self, grant: OAuthGrant, post: Post | None = None) -> None:
        self._grant = grant
        self._post = post or _post
        self._newest: tuple[str, str] | None = None
        """The refresh token that the settings or the file have, and the newer one that could not be written there."""
        self._access = ""
        self._until = 0.0
        self._lock = Lock()

    def get(self) -> AccessToken:
        """A token that is good for a while.

        Raises:
            NoAccessToken: the provider gives none.
        """
        with self._lock:
            is_new = monotonic() >= self._until
            if is_new:
                self._refresh()
            return AccessToken(self._access, is_new)

    def drop(self, refused: AccessToken) -> None:
        """Show a token no more."""
        with self._lock:
            if self._access == refused.text:
                self._until = 0.0

    def masked(self, text: str) -> str:
        """A text without the tokens."""
        secrets = (self._access, *(self._newest or ()), self._grant.refresh_token, self._grant.client_secret)
        for each in filter(None, secrets):
            text = text.replace(each, "***")
        return text

    def _refresh(self) -> None:
        """Get an access token.

        Raises:
            NoAccessToken: the provider gives none.
        """
        form = {
            "grant_type": "refresh_token",
            "client_id": self._grant.client_id,
            "client_secret": self._grant.client_secret,
            "refresh_token": self._token(),
        }
        given = {name: value for name, value in form.items() if value is not None}
        try:
            answer = json.loads(self._post(self._grant.token_url, urlencode(given).encode()))
            access, life = str(answer["access_token"]), float(answer.get("expires_in", _USUAL_LIFE))
        except HTTPError as refused:
            if refused.code < _THEIR_FAULT and refused.code != _TOO_OFTEN:
                self._newest = None  # it is refused for good: what the settings or the file have may be better
            raise _refusal(refused) from None
        except (URLError, OSError, HTTPException) as failed:
            reason = getattr(failed, "reason", None) or type(failed).__name__
            raise NoAccessToken(why="unreachable", says=f"the token server: {reason}") from None
        except (ValueError, LookupError, TypeError, AttributeError):
            raise NoAccessToken(why="login", says="the token server's answer cannot be read") from None
        self._access, self._until = access, monotonic() + max(_SHORTEST_LIFE, life) - _EARLIER
        newer = answer.get("refresh_token")
        if isinstance(newer, str) and newer and newer != given["refresh_token"]:
            self._keep(newer)

    def _token(self) -> str:
        """The refresh token that is in force: another process, or the operator, may have written a newer one."""
        written = self._read()
        return self._newest[1] if self._newest is not None and self._newest[0] == written else written

    def _read(self) -> str:
        token = self._grant.refresh_token
        if not token.startswith(_FILE):
            return token
        try:
            return Path(token.removeprefix(_FILE)).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as failed:
            reason = getattr(failed, "strerror", None) or type(failed).__name__
            raise NoAccessToken(why="login", says=f"{token.removeprefix(_FILE)} cannot be read: {reason}") from None

    def _keep(self, newer: str) -> None:
        """Use another refresh token from now on, and write it into the file, if there is one."""
        self._newest = (self._read(), newer)
        if self._grant.refresh_token.startswith(_FILE):
            path = Path(self._grant.refresh_token.removeprefix(_FILE))
            try:
                _replace(path, newer + "\n")
            except OSError as failed:  # it is good until this process ends, and the old one often longer
                log.warning("refresh token not written", file=str(path), error=failed.strerror)


def _replace(path: Path, text: str) -> None:
    """Write a file anew, which only its owner may read; others may be doing so, too."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False) as aside:
        try:
            aside.write(text)
            aside.flush()
            Path(aside.name).replace(path)
        except BaseException:
            Path(aside.name).unlink()
            raise


def _refusal(refused: HTTPError) -> NoAccessToken:
    """Translate a refusal (RFC 6749 s 5.2) into words, without what else the answer says."""
    code = ""
    with refused, suppress(ValueError, LookupError, TypeError, AttributeError, OSError):
        code = str(json.loads(refused.read(_LARGEST_ANSWER))["error"])
    said = code if _ERROR.fullmatch(code) else f"status {refused.code}"
    if said == "invalid_grant":
        said += ", so the refresh token has expired or was withdrawn: get another one"
    is_theirs = refused.code >= _THEIR_FAULT or refused.code == _TOO_OFTEN
    return NoAccessToken(why="unreachable" if is_theirs else "login", says=f"the token server: {said}")


def _post(url: str, form: bytes) -> bytes:
    request = Request(url, form, {"Accept": "application/json"})  # noqa: S310 - the setting allows only https
    with urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
        read: Any = answer.read(_LARGEST_ANSWER)
    return bytes(read)
