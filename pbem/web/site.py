"""What pages are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import TypeVar
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from pbem.domain.replies import Signer
from pbem.executor import CommandExecutor
from pbem.web.cookies import Cookies
from pbem.web.kept import KeptPages
from pbem.wording.templates import Wording

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class Site:
    """What the pages are made from."""

    executor: CommandExecutor
    wording: Wording
    signer: Signer
    url: str
    """What links to the site begin with."""
    clock: Callable[[], datetime]
    session_for: timedelta
    """How long a browser stays signed in."""
    bulletins: Callable[[datetime], Sequence[str]]
    """What the operator tells everybody."""
    is_out_of_order: Callable[[Exception], bool]
    """Whether what has failed is the database: nobody on the web can do anything about it but wait."""
    kept: KeptPages = field(default_factory=KeptPages)

    @property
    def is_secure(self) -> bool:
        """Whether it is reached by TLS."""
        return urlsplit(self.url).scheme == "https"

    @cached_property
    def cookies(self) -> Cookies:
        """The cookies."""
        return Cookies(secure=self.is_secure)


THEMES = ("system", "light", "dark", "contrast")
"""Light and dark as the system of the visitor has it, or always so; or black on white."""
PALETTES = ("printed", "amber", "violet", "grey")
"""The colours of tiles and pieces. Static style sheets know both by these names."""

_COOKIE = "looks"
_YEAR = 365 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Theme:
    """What a visitor has chosen."""

    theme: str = THEMES[0]
    palette: str = PALETTES[0]

    @classmethod
    def named(cls, theme: str, palette: str) -> Theme:
        """The looks of these names; what is none is as if nothing had been chosen."""
        return cls(theme if theme in THEMES else THEMES[0], palette if palette in PALETTES else PALETTES[0])


def looks_of(request: Request) -> Theme:
    """What the browser says has been chosen."""
    theme, _, palette = request.cookies.get(_COOKIE, "").partition(".")
    return Theme.named(theme, palette)


def keep_looks(looks: Theme, response: Response, *, is_secure: bool) -> None:
    """Have the browser keep what has been chosen.

    Args:
        looks: what has been.
        response: what the browser is answered.
        is_secure: whether the browser shall say so over HTTPS alone.
    """
    kept = f"{looks.theme}.{looks.palette}"
    response.set_cookie(_COOKIE, kept, max_age=_YEAR, secure=is_secure, samesite="lax")
