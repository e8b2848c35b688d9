"""Cookies that browsers keep for this server alone (RFC 6265)."""

from __future__ import annotations

from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response


class Cookies:
    """Cookies that no script reads, and that a form of another site does not bring along.

    Args:
        secure: whether they travel by TLS alone, and no neighbour of the host sets them.
    """

    def __init__(self, *, secure: bool) -> None:
        self._secure = secure

    def said(self, name: str, request: Request) -> str:
        """What the browser keeps; empty if nothing."""
        return request.cookies.get(self._full(name), "")

    def keep(self, name: str, value: str, time: timedelta, response: Response) -> None:
        """Have the browser keep it for so long."""
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
        """Have the browser forget it."""
        response.delete_cookie(self._full(name), path="/", secure=self._secure, httponly=True, samesite="lax")

    def _full(self, name: str) -> str:
        return f"__Host-{name}" if self._secure else name
