"""Signing up, in and out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.commands.model import SignUp
from pbem.domain.replies import ConfirmReply
from pbem.domain.sessions import digest
from pbem.errors import PlayerError
from pbem.usecases import sessions
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.sessions import LINK_FOR, LinkSpent

if TYPE_CHECKING:
    from starlette.responses import Response

    from pbem.domain.notices import Notice
    from pbem.usecases.context import Context
    from pbem.web.site import Visit


def show_sign_in(visit: Visit) -> Response:
    """The ways to sign in."""
    return visit.page("sign_in", {"wrong": None, "then": _then(visit)})


def ask_link(visit: Visit) -> Response:
    """Mail a link to whoever is called so."""
    visit.check_form()
    who, then = visit.form.get("who", "").strip(), _then(visit)

    def sign(question: ConfirmReply) -> str:
        link = f"{visit.site.url}/sign-in/{visit.site.signer.sign(question)}"
        return link if then == "/" else f"{link}?then={then}"

    visit.change(lambda context: sessions.ask_link(who, sign, context))
    return visit.page("sign_in_asked", {"minutes": LINK_FOR // timedelta(minutes=1)})


def show_link(visit: Visit) -> Response:
    """A page with a button: programs that look through mails open links, and press no buttons.

    Raises:
        LinkSpent: the link cannot be used any more.
    """
    question = _question(visit)
    player = visit.look(lambda context: context.uow.players.get(sessions.link_of(question, context).player))
    return visit.page("sign_in_link", {"player": player, "days": visit.site.session_for.days, "then": _then(visit)})


def use_link(visit: Visit) -> Response:
    """Sign in with a link.

    Raises:
        LinkSpent, AccountBanned: it cannot be.
    """
    visit.check_form()
    question, secrets = _question(visit), list[str]()

    def decide(context: Context) -> list[Notice]:
        secrets[:] = [sessions.sign_in_by_link(question, visit.site.session_for, context)]
        return []

    visit.change(decide)
    return _signed_in(visit, secrets[0])


def use_password(visit: Visit) -> Response:
    """Sign in with userid and password."""
    visit.check_form()
    userid, password, secrets = visit.form.get("userid", "").strip(), visit.form.get("password", ""), list[str]()

    def decide(context: Context) -> list[Notice]:
        secrets[:] = [sessions.sign_in_by_password(userid, password, visit.site.session_for, context)]
        return []

    try:
        visit.change(decide)
    except PlayerError as wrong:
        return visit.page("sign_in", {"wrong": wrong, "then": _then(visit)}, 403)
    return _signed_in(visit, secrets[0])


def _signed_in(visit: Visit, secret: str) -> Response:
    response = visit.go(_then(visit))
    visit.site.cookies.keep(response, secret, int(visit.site.session_for.total_seconds()))
    return response


def sign_out(visit: Visit) -> Response:
    """End the session of this browser."""
    visit.check_form()

    def decide(context: Context) -> list[Notice]:
        context.uow.sessions.end(digest(visit.secret))
        return []

    if visit.player is not None:
        visit.change(decide)
    response = visit.go("/")
    visit.site.cookies.drop(response)
    return response


def show_sign_up(visit: Visit) -> Response:
    """The form of a new account."""
    return visit.page("sign_up", {"wrong": None, "given": {}})


def sign_up(visit: Visit) -> Response:
    """Open an account; it plays once its address has answered."""
    visit.check_form()
    userid, address = visit.form.get("userid", "").strip(), visit.form.get("address", "").strip()
    command = SignUp(userid, visit.form.get("password", "") or None, (address,))
    try:
        visit.change(lambda context: dispatch(command, context))
    except PlayerError as wrong:
        return visit.page("sign_up", {"wrong": wrong, "given": {"userid": userid, "address": address}}, 409)
    return visit.page("signed_up", {"userid": userid, "address": address})


def _question(visit: Visit) -> ConfirmReply:
    reply = visit.site.signer.read(visit.word("token"), visit.now)
    if not isinstance(reply, ConfirmReply):
        raise LinkSpent
    return reply


def _then(visit: Visit) -> str:
    """Where to go on: a page of this site, or the front page."""
    then = visit.form.get("then") or visit.asked("then")
    is_here = then.startswith("/") and not then.startswith("//") and "\\" not in then and then.isprintable()
    return then if is_here else "/"
