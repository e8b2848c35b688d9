"""How pages look, by choice: kept in a cookie and not with the account, since it suits a screen, not a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.web.security import is_path

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.web.visits import Visit

THEMES = ("system", "light", "dark", "contrast")
"""Light and dark as the system of the visitor has it, or always so; or black on white."""
PALETTES = ("printed", "amber", "violet", "grey")
"""The colours of tiles and pieces. Static style sheets know both by these names."""

COOKIE = "looks"
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
    theme, _, palette = request.cookies.get(COOKIE, "").partition(".")
    return Looks.named(theme, palette)


def show_looks(visit: Visit) -> Response:
    """What can be chosen."""
    return visit.page("looks", {"themes": THEMES, "palettes": PALETTES, "then": _then(visit)})


def choose_looks(visit: Visit) -> Response:
    """Keep what has been chosen in the browser."""
    visit.check_form()
    chosen = Looks.named(visit.form.get("theme", ""), visit.form.get("palette", ""))
    response = visit.go(_then(visit))
    response.set_cookie(
        COOKIE, f"{chosen.theme}.{chosen.palette}", max_age=_YEAR, secure=visit.site.is_secure, samesite="lax"
    )
    return response


def _then(visit: Visit) -> str:
    then = visit.form.get("then") or visit.asked("then")
    return then if is_path(then) else "/"
