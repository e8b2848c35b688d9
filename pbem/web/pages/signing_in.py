"""Signing up, in and out."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from secrets import token_urlsafe
from typing import TYPE_CHECKING
from urllib.parse import quote

from pbem.commands.model import SignUp
from pbem.domain.confirmations import ConfirmationKind
from pbem.domain.replies import ConfirmReply
from pbem.domain.sessions import digest
from pbem.errors import PlayerError
from pbem.ids import PlayerId
from pbem.usecases.context import Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.proof.keys import end_keys
from pbem.usecases.signing_in import sessions
from pbem.usecases.signing_in.sessions import LINK_FOR, LinkSpent
from pbem.usecases.signing_in.visitors import count_asked
from pbem.web.boards.unsent import KEPT_FOR, forget_words, keeps
from pbem.web.pages.familiar import familiar_browser, forget_familiar, keep_signup, make_familiar, signup_of
from pbem.web.security import is_path
from pbem.web.serving.evenly import Evenly
from pbem.web.visits import SESSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response

    from pbem.domain.notices import Notice
    from pbem.usecases.context import Context
    from pbem.usecases.ports import WrongPassword as Tried
    from pbem.web.visits import Visit

_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)
_LONGEST_THEN = 200
"""Characters of the address of a page to which a link in a mail leads in the end: whoever asks for it has chosen it.

Of a longer one only what stands before its question mark is in the link."""


def show_sign_in(visit: Visit) -> Response:
    """The ways to sign in."""
    return _ways(visit)


def _ways(visit: Visit, wrong: PlayerError | None = None, who: str = "", status: int = 200) -> Response:
    then = _then(visit)
    kept = {"keeps": keeps(visit, then), "lost": bool(visit.asked("lost")), "hours": KEPT_FOR // _HOUR}
    return visit.page("sign_in", {"wrong": wrong, "then": then, "who": who, **kept}, status)


def ask_link(visit: Visit) -> Response:
    """Mail a link to whoever is called so; neither words nor time tell whether there is anybody."""
    began = time.monotonic()
    visit.check_form()
    who, then, browser = visit.form.get("who", "").strip(), _then(visit), familiar_browser(visit)
    last = then if len(then) <= _LONGEST_THEN else then.partition("?")[0]

    def sign(question: ConfirmReply) -> str:
        link = f"{visit.site.url}/sign-in/{visit.site.signer.sign(question)}"
        return link if last == "/" or len(last) > _LONGEST_THEN else f"{link}?then={quote(last, safe='/')}"

    try:
        visit.change(lambda context: sessions.ask_link(who, sign, context, browser))
    except PlayerError as wrong:
        return _ways(visit, wrong, who, 429)
    minutes = {"minutes": LINK_FOR // _MINUTE, "next_after": sessions.NEXT_LINK_AFTER // _MINUTE}
    kept = keeps(visit, then)
    is_cut = "draft" in kept and "draft" not in keeps(visit, last)
    return Evenly(visit.page("sign_in_asked", {**minutes, "keeps": kept, "is_cut": is_cut}), began)


def show_link(visit: Visit) -> Response:
    """A page with a button: programs that look through mails open links, and press no buttons.

    Raises:
        LinkSpent: the link cannot be used any more.
    """
    question = _question(visit)

    def player(context: Context) -> object:
        asked = sessions.open_question(question, ConfirmationKind.SIGN_IN, context)
        return context.uow.players.get(asked.player)

    facts = {"player": visit.look(player), "days": visit.site.session_for.days, "then": _then(visit)}
    return _unkept(visit.page("sign_in_link", facts))


def use_link(visit: Visit) -> Response:
    """Sign in with a link.

    Raises:
        LinkSpent, AccountBanned: it cannot be.
    """
    visit.check_form()
    question = _question(visit)
    return _sign_in(visit, lambda context: sessions.sign_in_by_link(question, visit.site.session_for, context))


def use_password(visit: Visit) -> Response:
    """Sign in with userid and password; a refusal does not tell which of them was wrong, by its time neither."""
    began = time.monotonic()
    visit.check_form()
    userid, password = visit.form.get("userid", "").strip(), visit.form.get("password", "")
    lasts, browser = visit.site.session_for, familiar_browser(visit)
    tried: list[Tried] = []

    def begin(context: Context) -> list[Notice]:
        tried[:] = sessions.begin_try(userid, context, browser)
        return []

    try:
        visit.change(begin)
        return _sign_in(visit, lambda context: sessions.sign_in_by_password(userid, password, lasts, context, tried))
    except PlayerError as wrong:
        page = _ways(visit, wrong, userid, 403)
    return Evenly(page, began)


def _sign_in(visit: Visit, begin: Callable[[Context], str]) -> Response:
    """Begin a session in place of the one that the browser had, and go on where its user wanted to be."""
    begun = list[tuple[str, PlayerId]]()

    def decide(context: Context) -> list[Notice]:
        begun[:] = [_begun(begin(context), context)]
        context.uow.sessions.end(digest(visit.secret))
        return []

    visit.change(decide)
    return _beginning(*begun[0], visit.go(_then(visit)), visit)


def _begun(secret: str, context: Context) -> tuple[str, PlayerId]:
    """The secret of a session that has just begun, and whose it is.

    Raises:
        LinkSpent: it has not.
    """
    session = context.uow.sessions.find(digest(secret), context.now)
    if session is None:
        raise LinkSpent
    return secret, session.player


def _beginning(secret: str, player: PlayerId, response: Response, visit: Visit) -> Response:
    _keeping(secret, response, visit)
    make_familiar(player, response, visit)
    return response


def _keeping(secret: str, response: Response, visit: Visit) -> Response:
    visit.site.cookies.keep(SESSION, secret, visit.site.session_for, response)
    return response


def stay(visit: Visit, response: Response) -> Response:
    """Let a session that is used last anew, now and then."""
    session, lasts = visit.session, visit.site.session_for
    if session is None or visit.request.method != "GET" or not session.is_to_be_prolonged(lasts, visit.now):
        return response

    def decide(context: Context) -> list[Notice]:
        context.uow.sessions.prolong(session.digest, visit.now + lasts)
        return []

    visit.change(decide)
    return _keeping(visit.secret, response, visit)


def sign_out(visit: Visit) -> Response:
    """End the session of this browser, or all of its player's."""
    visit.check_form()

    def decide(context: Context) -> list[Notice]:
        if visit.form.get("where") == "everywhere":
            end_keys(visit.known.id, context)
        context.uow.sessions.end(digest(visit.secret))
        return []

    if visit.player is not None:
        visit.change(decide)
    response = visit.go("/")
    visit.site.cookies.drop(SESSION, response)
    forget_words(response, visit, of_any=True)
    if visit.form.get("where") == "everywhere":
        forget_familiar(response, visit)
    response.headers["clear-site-data"] = '"cache"'
    return response


def show_sign_up(visit: Visit) -> Response:
    """The form of a new account."""
    return visit.page("sign_up", {"wrong": None, "given": {}})


def sign_up(visit: Visit) -> Response:
    """Open an account; it plays once its address has answered."""
    visit.check_form()
    userid, address = visit.form.get("userid", "").strip(), visit.form.get("address", "").strip()
    command, names = SignUp(userid, visit.form.get("password", "") or None, (address,)), set[str]()
    secret = token_urlsafe(16)

    def decide(context: Context) -> list[Notice]:
        count_asked(context)
        told = dispatch(command, replace(context, speaker=Speaker(None, session=digest(secret))))
        names.update(notice.name for notice in told)
        return [replace(notice, answers=False) for notice in told]

    try:
        visit.change(decide)
    except PlayerError as wrong:
        return visit.page("sign_up", {"wrong": wrong, "given": {"userid": userid, "address": address}}, 409)
    page = visit.page("signed_up", {"userid": userid, "address": address, "is_open": "welcome" in names})
    keep_signup(secret, page, visit)
    return page


def show_confirm(visit: Visit) -> Response:
    """A page with a button, by which somebody says that an address is his.

    Raises:
        LinkSpent: the link cannot be used any more.
    """
    question = _question(visit)

    def facts(context: Context) -> dict[str, object]:
        asked = sessions.open_question(question, ConfirmationKind.ADDRESS, context)
        player = context.uow.players.get(asked.player)
        is_new = not player.confirmed
        asks_password = is_new and asked.password_hash is not None and not sessions.is_from(asked, signup_of(visit))
        return {"player": player, "address": asked.address, "is_new": is_new, "asks_password": asks_password}

    return _unkept(visit.page("confirm", {**visit.look(facts), "days": visit.site.session_for.days}))


def confirm(visit: Visit) -> Response:
    """Confirm an address; who has just signed up is signed in with it.

    Raises:
        LinkSpent, NotAsked, AccountBanned: it cannot be.
    """
    visit.check_form()
    question, begun, lasts = _question(visit), list[tuple[str, PlayerId]](), visit.site.session_for
    keeps = visit.form.get("password") == "keep"

    def decide(context: Context) -> list[Notice]:
        secret, mailed = sessions.confirm_by_link(question, lasts, context, signup_of(visit), keeps_password=keeps)
        begun[:] = [_begun(secret, context)] if secret else []
        if secret:
            context.uow.sessions.end(digest(visit.secret))
        return mailed

    visit.change(decide)
    response = visit.go("/")
    return _beginning(*begun[0], response, visit) if begun else response


def _question(visit: Visit) -> ConfirmReply:
    reply = visit.site.signer.read(visit.word("token"), visit.now)
    if not isinstance(reply, ConfirmReply):
        raise LinkSpent
    return reply


def _unkept(response: Response) -> Response:
    """A page that is good for once."""
    response.headers["cache-control"] = "no-store"
    return response


def _then(visit: Visit) -> str:
    """Where to go on: a page of this site, or the front page."""
    then = visit.form.get("then") or visit.asked("then")
    return then if is_path(then) and " " not in then else "/"
