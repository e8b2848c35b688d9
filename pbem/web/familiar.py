"""Cookies that open nothing: in which browser a player has signed in before, and in which somebody has signed up."""

from __future__ import annotations

import hmac
import secrets
from datetime import timedelta

from starlette.responses import Response

from pbem.domain.sessions import hashed
from pbem.ids import PlayerId
from pbem.usecases.signing_in.browsers import FamiliarBrowser
from pbem.web.visits import Visit

_FAMILIAR, _SIGNUP = "familiar", "signup"
_FAMILIAR_FOR, _SIGNUP_FOR = timedelta(days=365), timedelta(days=14)


def familiar_browser(visit: Visit) -> FamiliarBrowser | None:
    """What the browser shows of who has signed in there last; None if nothing that we have signed."""
    player, _, rest = visit.site.cookies.said(_FAMILIAR, visit.request).partition(".")
    name, _, mark = rest.partition(".")
    if not (player.isascii() and player.isdecimal() and len(player) < 12):
        return None
    ours = visit.site.signer.tags(_FAMILIAR, player, name)
    if not any(hmac.compare_digest(each.encode(), mark.encode()) for each in ours):
        return None
    return FamiliarBrowser(PlayerId(int(player)), name)


def make_familiar(player: PlayerId, response: Response, visit: Visit) -> None:
    """Have the browser keep that this player has signed in there."""
    before = familiar_browser(visit)
    name = before.name if before is not None and before.player == player else secrets.token_urlsafe(12)
    mark = visit.site.signer.tag(_FAMILIAR, player, name)
    visit.site.cookies.keep(_FAMILIAR, f"{player}.{name}.{mark}", _FAMILIAR_FOR, response)


def forget_familiar(response: Response, visit: Visit) -> None:
    """Have the browser forget who has signed in there."""
    visit.site.cookies.drop(_FAMILIAR, response)


def keep_signup(secret: str, response: Response, visit: Visit) -> None:
    """Have the browser keep what tells that a signup came from there."""
    visit.site.cookies.keep(_SIGNUP, secret, _SIGNUP_FOR, response)


def signup_of(visit: Visit) -> str | None:
    """The hash of what tells which signup came from the browser; None if none did."""
    secret = visit.site.cookies.said(_SIGNUP, visit.request)
    return hashed(secret) if secret else None
