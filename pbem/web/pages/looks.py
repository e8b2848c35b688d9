"""The page on which a visitor chooses how pages look."""

from __future__ import annotations

from starlette.responses import Response

from pbem.web.looks import PALETTES, THEMES, Looks, keep_looks
from pbem.web.security import is_path
from pbem.web.visits import Visit


def show_looks(visit: Visit) -> Response:
    """What can be chosen."""
    return visit.page("looks", {"themes": THEMES, "palettes": PALETTES, "then": _then(visit)})


def choose_looks(visit: Visit) -> Response:
    """Keep what has been chosen in the browser."""
    visit.check_form()
    chosen = Looks.named(visit.form.get("theme", ""), visit.form.get("palette", ""))
    response = visit.go(_then(visit))
    keep_looks(chosen, response, is_secure=visit.site.is_secure)
    return response


def _then(visit: Visit) -> str:
    then = visit.form.get("then") or visit.asked("then")
    return then if is_path(then) else "/"
