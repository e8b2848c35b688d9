"""Sessions, cookies and familiar browsers."""

from __future__ import annotations

import hmac
import secrets
from datetime import timedelta

from starlette.responses import Response

from pbem.domain.credentials import hashed
from pbem.domain.mails import Notice
from pbem.domain.replies import ConfirmReply
from pbem.ids import PlayerId
from pbem.usecases.context import Context
from pbem.usecases.signing_in import FamiliarBrowser, LinkSpent
from pbem.web.context import SESSION, RequestContext
from pbem.web.security import is_path

_FAMILIAR, _SIGNUP = "familiar", "signup"
_FAMILIAR_FOR, _SIGNUP_FOR = timedelta(days=365), timedelta(days=14)


def familiar_browser(visit: RequestContext) -> FamiliarBrowser | None:
    """The browser's proof of the player who last signed in there; None if we have not signed any."""
    player, _, rest = visit.site.cookies.said(_FAMILIAR, visit.request).partition(".")
    name, _, mark = rest.partition(".")
    if not (player.isascii() and player.isdecimal() and len(player) < 12):
        return None
    ours = visit.site.signer.tags(_FAMILIAR, player, name)
    if not any(hmac.compare_digest(each.encode(), mark.encode()) for each in ours):
        return None
    return FamiliarBrowser(PlayerId(int(player)), name)


def make_familiar(player: PlayerId, response: Response, visit: RequestContext) -> None:
    """Have the browser keep that this player has signed in there."""
    before = familiar_browser(visit)
    name = before.name if before is not None and before.player == player else secrets.token_urlsafe(12)
    mark = visit.site.signer.tag(_FAMILIAR, player, name)
    visit.site.cookies.keep(_FAMILIAR, f"{player}.{name}.{mark}", _FAMILIAR_FOR, response)


def forget_familiar(response: Response, visit: RequestContext) -> None:
    """Have the browser forget the player who has signed in there."""
    visit.site.cookies.drop(_FAMILIAR, response)


def keep_signup(secret: str, response: Response, visit: RequestContext) -> None:
    """Have the browser keep the proof that a signup came from there."""
    visit.site.cookies.keep(_SIGNUP, secret, _SIGNUP_FOR, response)


def signup_of(visit: RequestContext) -> str | None:
    """The hash of the browser's proof of a signup; None if it has none."""
    secret = visit.site.cookies.said(_SIGNUP, visit.request)
    return hashed(secret) if secret else None


def question_of(visit: RequestContext) -> ConfirmReply:
    """The question that the link of the address answers.

    Raises:
        LinkSpent: it answers none, or not any more.
    """
    reply = visit.site.signer.read(visit.word("token"), visit.now)
    if not isinstance(reply, ConfirmReply):
        raise LinkSpent
    return reply


def link_spent(visit: RequestContext, wrong: LinkSpent) -> Response:
    """The page of a link that no longer works, with advice."""
    is_for_signing_in = visit.request.url.path.startswith("/sign-in/")
    facts = {"wrong": wrong, "is_for_signing_in": is_for_signing_in, "then": then_of(visit)}
    return unkept(visit.page("link_spent", facts, 403))


def then_of(visit: RequestContext) -> str:
    """The page of this site to go on to, or the front page."""
    then = visit.form.get("then") or visit.asked("then")
    return then if is_path(then) and " " not in then else "/"


def unkept(response: Response) -> Response:
    """Mark a page as one that no browser keeps."""
    response.headers["cache-control"] = "no-store"
    return response


def with_player(secret: str, context: Context) -> tuple[str, PlayerId]:
    """The secret of a session that has just begun, and its player.

    Raises:
        LinkSpent: it has not begun.
    """
    session = context.uow.sessions.find(hashed(secret), context.now)
    if session is None:
        raise LinkSpent
    return secret, session.player


def keep_session(secret: str, player: PlayerId, response: Response, visit: RequestContext) -> Response:
    """Have the browser keep a session that has just begun, and that its player has signed in there."""
    _keep(secret, response, visit)
    make_familiar(player, response, visit)
    return response


def keep_guest(secret: str, response: Response, visit: RequestContext) -> Response:
    """Have the browser keep the session of a guest, who is nobody that it could be familiar with."""
    return _keep(secret, response, visit)


def _keep(secret: str, response: Response, visit: RequestContext) -> Response:
    visit.site.cookies.keep(SESSION, secret, visit.site.session_for, response)
    return response


def stay(visit: RequestContext, response: Response) -> Response:
    """Prolong a session in use, from time to time."""
    session, lasts = visit.session, visit.site.session_for
    if session is None or visit.request.method != "GET" or not session.is_to_be_prolonged(lasts, visit.now):
        return response

    def decide(context: Context) -> list[Notice]:
        context.uow.sessions.prolong(session.secret_hash, visit.now + lasts)
        return []

    visit.change(decide)
    return _keep(visit.secret, response, visit)
