"""Protection from others: headers, cookies (RFC 6265), forms that are ours, and data that other sites may read."""

from __future__ import annotations

import hmac
import re
import secrets
from datetime import timedelta
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.domain.players import networks_of

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Only files of this server, and no script or style within a page (CSP 3)."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}

TOKEN = "token"  # noqa: S105 - the name of a field
"""The field of a form that proves that the page is ours."""

_STRAY = re.compile(rb"%(?![0-9A-Fa-f]{2})")
"""A percent sign that encodes nothing (RFC 3986 s 2.1)."""


class SafeHeaders:
    """Adds to every answer the headers that make browsers cautious.

    Args:
        app: answers the requests.
        secure: True if the server is reached by TLS alone.
    """

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        more = {"strict-transport-security": "max-age=31536000"} if secure else {}
        self._headers = [(name.encode(), value.encode()) for name, value in {**HEADERS, **more}.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and add."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in self._headers if each[0] not in given)]
            await send(message)

        await self._app(scope, receive, add if scope["type"] == "http" else send)


class WithoutNul:
    """Removes NUL from addresses: no name contains it here, and PostgreSQL rejects it.

    Args:
        app: answers the requests.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on."""
        if scope["type"] == "http":
            scope = {
                **scope,
                "path": scope["path"].replace("\0", ""),
                "query_string": without_nul(scope["query_string"]),
            }
        await self._app(scope, receive, send)


def without_nul(encoded: bytes) -> bytes:
    """The query of an address, or a form, without NUL."""
    encoded = _STRAY.sub(b"%25", encoded.replace(b"\0", b""))  # or what stands around one NUL would make the next
    return encoded.replace(b"%00", b"")


def token_of(secret: str) -> str:
    """The token in the forms of a session."""
    return hmac.digest(secret.encode(), b"form", "sha256").hex()[:32]


def masked(token: str) -> str:
    """A token as one page has it: never the same twice, so that the compressed length of a page tells nothing of it.

    Otherwise anyone who makes a browser request pages, and sees the lengths of the answers, can find it out letter by
    letter (BREACH).
    """
    pad = secrets.token_bytes(len(token) // 2)
    return (pad + _xor(pad, bytes.fromhex(token))).hex()


def unmasked(said: str) -> str:
    """The token that a form contains; empty if it contains none."""
    try:
        both = bytes.fromhex(said)
    except ValueError:
        return ""
    half = len(both) // 2
    return _xor(both[:half], both[half:]).hex() if len(both) == 2 * half else ""


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=True))


def is_ours(request: Request, token: str, secret: str, own: str) -> bool:
    """Return True if a form comes from a page of this server.

    Args:
        request: brings the form.
        token: from the form, masked.
        secret: of the session; empty if there is none.
        own: the public address of the server.
    """
    if secret and not hmac.compare_digest(unmasked(token).encode(), token_of(secret).encode()):
        return False
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin, here = request.headers.get("origin"), urlsplit(own)
    return origin is None or origin in (
        f"{here.scheme}://{here.netloc}",
        f"{here.scheme}://{request.headers.get('host', here.netloc)}",
    )


def is_path(then: str) -> bool:
    """Return True if it is the address of a page of this site, as browsers would read it, and of nowhere else."""
    return then.startswith("/") and not then.startswith("//") and "\\" not in then and then.isprintable()


def host_of(request: Request) -> str:
    """The host that a request comes from."""
    return request.client.host if request.client else "nowhere"


def network_of(host: str) -> str:
    """The network that is counted as one host."""
    return networks_of(host)[0].name


class Cookies:
    """Cookies that no script reads, and that a form of another site does not bring along.

    Args:
        secure: True if they travel by TLS alone, and no neighbour of the host sets them.
    """

    def __init__(self, *, secure: bool) -> None:
        self._secure = secure

    def said(self, name: str, request: Request) -> str:
        """The value that the browser keeps; empty if there is none."""
        return request.cookies.get(self._full(name), "")

    def keep(self, name: str, value: str, time: timedelta, response: Response) -> None:
        """Have the browser keep a value for this time."""
        response.set_cookie(
            self._full(name),
            value,
            max_age=int(time.total_seconds()),
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="lax",
        )

    def drop(self, name: str, response: Response) -> None:
        """Have the browser forget a value."""
        response.delete_cookie(self._full(name), path="/", secure=self._secure, httponly=True, samesite="lax")

    def _full(self, name: str) -> str:
        return f"__Host-{name}" if self._secure else name


OPEN = {"access-control-allow-origin": "*", "access-control-expose-headers": "etag"}
"""The headers that open an answer to other sites."""

PREFLIGHT = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "if-none-match, cache-control, last-event-id",
    "access-control-max-age": "86400",
}
"""The answer to a preflight request."""

_FOLLOWED = re.compile(r"/boards/\d+/live")


class OpenToAll:
    """Lets pages of other sites read data for programs, including the stream of a board's events.

    Args:
        app: answers the requests.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a preflight request, or pass on, and add."""
        if scope["type"] != "http" or not _is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and "access-control-request-method" in Headers(scope=scope):
            await Response(status_code=204, headers=PREFLIGHT)(scope, receive, send)
            return

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in OPEN.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, add)


def _is_open(path: str) -> bool:
    return path.endswith(".json") or _FOLLOWED.fullmatch(path) is not None
