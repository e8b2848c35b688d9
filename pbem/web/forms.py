"""Forms, read from the bodies of requests."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from pbem.domain.letters import plain_lines
from pbem.web.security import without_nul

FormReader: TypeAlias = Callable[[Request], Awaitable[dict[str, str]]]

MOST_FORM_BYTES = 64 * 1024
MOST_FIELDS = 50
_FORM = "application/x-www-form-urlencoded"
_FORM_OF_PARTS = "multipart/form-data"
_BOUNDARY = re.compile(r"""boundary="?([0-9A-Za-z'()+_,./:=? -]{1,70})"?""", re.IGNORECASE)
_NAME = re.compile(r"""form-data; *name="([^"\r\n]{1,100})\"""", re.IGNORECASE)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form (HTML, "URL-encoded form data"), made plain like letters; our pages send no files.

    Raises:
        HTTPException: it is no form, or too large.
    """
    body = await read_body(request)
    if body and _type_of(request) != _FORM:
        raise HTTPException(415)
    try:
        text = without_nul(body).decode("utf-8", "replace")
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise HTTPException(413) from None
    return {name: plain_lines(value) for name, value in fields}


async def read_any_form(request: Request) -> dict[str, str]:
    """The same, also of a form in parts (RFC 7578), as RFC 8058 s 3.1 prefers it.

    Raises:
        HTTPException: it is no form, or too large.
    """
    boundary = _BOUNDARY.search(request.headers.get("content-type", ""))
    if _type_of(request) != _FORM_OF_PARTS or boundary is None:
        return await read_form(request)
    fields: dict[str, str] = {}
    text = without_nul(await read_body(request)).decode("utf-8", "replace")
    for part in text.split(f"--{boundary[1]}", MOST_FIELDS)[1:]:
        head, _, value = part.partition("\r\n\r\n")
        if name := _NAME.search(head):
            fields[name[1]] = plain_lines(value.removesuffix("\r\n"))
    return fields


async def read_body(request: Request, most_bytes: int = MOST_FORM_BYTES) -> bytes:
    """The body of a request.

    Raises:
        HTTPException: it is too large.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most_bytes:
            raise HTTPException(413)
    return bytes(body)


def _type_of(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
