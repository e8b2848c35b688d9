"""Letters by HTTP: ``POST /inbound``, for services that forward mail to an address of the web.

The body is the letter (RFC 5322), the headers are its envelope. What is replied is what an SMTP client would hear.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Sequence
from http import HTTPStatus

import structlog
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pbem.domain.letters import Envelope
from pbem.mail_in.acceptance import NO_SENDER, Acceptance
from pbem.mail_in.envelopes import read_path
from pbem.web.forms import read_body
from pbem.web.security import host_of

log = structlog.get_logger()

PATH = "/inbound"
FROM, TO, CLIENT = "envelope-from", "envelope-to", "envelope-client"
"""Headers: the sender, empty for a bounce; the recipients, with commas between them; the IP address of the client."""
_WRONG_SECRET = "535 5.7.8 The secret is wrong"  # noqa: S105 - a reply
_NO_ENVELOPE = "501 5.5.4 The headers Envelope-From and Envelope-To are needed"
_NO_CLIENT = "501 5.5.4 Envelope-Client is no IP address"
_EMPTY = "554 5.6.0 There is no letter"
_STATUS = {
    "250": HTTPStatus.OK,
    "450": HTTPStatus.TOO_MANY_REQUESTS,
    "451": HTTPStatus.SERVICE_UNAVAILABLE,
    "501": HTTPStatus.BAD_REQUEST,
    "535": HTTPStatus.UNAUTHORIZED,
    "552": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
}
"""By the code of the reply; all others are final refusals of this letter."""
_HEADERS = {
    HTTPStatus.UNAUTHORIZED: {"www-authenticate": "Bearer"},
    HTTPStatus.TOO_MANY_REQUESTS: {"retry-after": "60"},
    HTTPStatus.SERVICE_UNAVAILABLE: {"retry-after": "60"},
}


def inbound_route(acceptance: Acceptance, secrets: Sequence[str], most_bytes: int) -> Route:
    """The route that takes letters.

    Args:
        acceptance: decides about them.
        secrets: one of them must come along as a bearer token (RFC 6750).
        most_bytes: of a letter.
    """

    async def take(request: Request) -> JSONResponse:
        if not _knows_secret(request, secrets):
            log.warning("inbound refused", because="wrong secret", client=host_of(request))
            return _answer(_WRONG_SECRET)
        envelope, refusal = _envelope(request.headers, acceptance)
        if envelope is None:
            return _answer(refusal)
        try:
            letter = await read_body(request, most_bytes)
        except HTTPException:
            letter = None
        if letter is not None and not letter.strip():
            return _answer(_EMPTY)
        return _answer(await acceptance.store(envelope, letter))

    return Route(PATH, take, methods=["POST"])


def _envelope(headers: Headers, acceptance: Acceptance) -> tuple[Envelope | None, str]:
    """The envelope in the headers of a request; None, and why it is refused, where it is."""
    paths = [each.strip() for value in headers.getlist(TO) for each in value.split(",")]
    if FROM not in headers or not any(paths):
        return None, _NO_ENVELOPE
    client = headers.get(CLIENT)
    if client is not None and not _is_address(client):
        return None, _NO_CLIENT
    sender = read_path(headers[FROM])
    refusal = NO_SENDER if sender is None else acceptance.refuse_sender(client, sender)
    if sender is None or refusal is not None:
        return None, refusal or ""
    ours: list[str] = []
    for recipient in (read_path(each) or "" for each in paths if each):
        refusal = acceptance.refuse_recipient(recipient, len(ours))
        if refusal is None:
            ours.append(recipient)
    return (Envelope(sender, tuple(ours), client) if ours else None), refusal or ""


def _answer(reply: str) -> JSONResponse:
    status = _STATUS.get(reply[:3], HTTPStatus.UNPROCESSABLE_ENTITY)
    return JSONResponse({"reply": reply}, status, _HEADERS.get(status))


def _knows_secret(request: Request, secrets: Sequence[str]) -> bool:
    """Return True if a request brings a secret; each is compared in a time that tells nothing of it."""
    scheme, _, said = request.headers.get("authorization", "").partition(" ")
    matches = [hmac.compare_digest(said.strip().encode("latin-1"), secret.encode()) for secret in secrets]
    return scheme.lower() == "bearer" and any(matches)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
