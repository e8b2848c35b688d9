"""How pages look, by choice: kept in a cookie and not with the account, since it suits a screen, not a player."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

THEMES = ("system", "light", "dark", "contrast")
"""Light and dark as the system of the visitor has it, or always so; or black on white."""
PALETTES = ("printed", "amber", "violet", "grey")
"""The colours of tiles and pieces. Static style sheets know both by these names."""

_COOKIE = "looks"
_YEAR = 365 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Looks:
    """What a visitor has chosen."""

    theme: str = THEMES[0]
    palette: str = PALETTES[0]

    @classmethod
    def named(cls, theme: str, palette: str) -> Looks:
        """The looks of these names; what is none is as if nothing had been chosen."""
        return cls(theme if theme in THEMES else THEMES[0], palette if palette in PALETTES else PALETTES[0])


def looks_of(request: Request) -> Looks:
    """What the browser says has been chosen."""
    theme, _, palette = request.cookies.get(_COOKIE, "").partition(".")
    return Looks.named(theme, palette)


def keep_looks(looks: Looks, response: Response, *, is_secure: bool) -> None:
    """Have the browser keep what has been chosen.

    Args:
        looks: what has been.
        response: what the browser is answered.
        is_secure: whether the browser shall say so over HTTPS alone.
    """
    kept = f"{looks.theme}.{looks.palette}"
    response.set_cookie(_COOKIE, kept, max_age=_YEAR, secure=is_secure, samesite="lax")
