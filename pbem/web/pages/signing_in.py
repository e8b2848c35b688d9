"""Signing up and in, and tokens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from secrets import token_urlsafe
from urllib.parse import quote

from starlette.responses import Response

from pbem.commands.accounts import SignUp
from pbem.domain.credentials import ConfirmationKind, hashed
from pbem.domain.mails import Notice
from pbem.domain.replies import ConfirmReply
from pbem.errors import PlayerError
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.passwords import WrongAttempt
from pbem.usecases import signing_in
from pbem.usecases.confirmations import end_keys
from pbem.usecases.context import Context, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.guests import newest_board
from pbem.usecases.signing_in import LINK_FOR, MOST_TOKENS, count_asked, make_token, revoke_token, tokens_of_speaker
from pbem.web.boards.page import KEPT_FOR, forget_words, keeps
from pbem.web.connections import Evenly
from pbem.web.context import SESSION, NotSignedIn, RequestContext
from pbem.web.sessions import (
    familiar_browser,
    forget_familiar,
    keep_session,
    keep_signup,
    question_of,
    signup_of,
    then_of,
    unkept,
    with_player,
)

_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)
_LONGEST_THEN = 200
"""Most characters of the final address that a link in a mail leads to: it was chosen by whoever asked for the link.

Of a longer one the link only has the part before the query."""


def show_sign_in(visit: RequestContext) -> Response:
    """The ways to sign in."""
    return _ways(visit)


def _ways(visit: RequestContext, wrong: PlayerError | None = None, who: str = "", status: int = 200) -> Response:
    then = then_of(visit)
    kept = {"keeps": keeps(visit, then), "lost": bool(visit.asked("lost")), "hours": KEPT_FOR // _HOUR}
    return visit.page("sign_in", {"wrong": wrong, "then": then, "who": who, **kept}, status)


def ask_link(visit: RequestContext) -> Response:
    """Mail a link to the player of this name; neither words nor time tell if there is one."""
    began = time.monotonic()
    visit.check_form()
    who, then, browser = visit.form.get("who", "").strip(), then_of(visit), familiar_browser(visit)
    last = then if len(then) <= _LONGEST_THEN else then.partition("?")[0]

    def sign(question: ConfirmReply) -> str:
        link = f"{visit.site.url}/sign-in/{visit.site.signer.sign(question)}"
        return link if last == "/" or len(last) > _LONGEST_THEN else f"{link}?then={quote(last, safe='/')}"

    try:
        visit.change(lambda context: signing_in.ask_link(who, sign, context, browser))
    except PlayerError as wrong:
        return _ways(visit, wrong, who, 429)
    minutes = {"minutes": LINK_FOR // _MINUTE, "next_after": signing_in.NEXT_LINK_AFTER // _MINUTE}
    kept = keeps(visit, then)
    is_cut = "draft" in kept and "draft" not in keeps(visit, last)
    return Evenly(visit.page("sign_in_asked", {**minutes, "keeps": kept, "is_cut": is_cut}), began)


def show_link(visit: RequestContext) -> Response:
    """A page with a button: programs that scan mails open links, but press no buttons.

    Raises:
        LinkSpent: the link cannot be used any more.
    """
    question = question_of(visit)

    def player(context: Context) -> object:
        asked = signing_in.open_question(question, ConfirmationKind.SIGN_IN, context)
        return context.uow.players.get(asked.player)

    facts = {"player": visit.look(player), "days": visit.site.session_for.days, "then": then_of(visit)}
    return unkept(visit.page("sign_in_link", facts))


def use_link(visit: RequestContext) -> Response:
    """Sign in with a link.

    Raises:
        LinkSpent, AccountBanned: it is not allowed.
    """
    visit.check_form()
    question = question_of(visit)
    return _sign_in(visit, lambda context: signing_in.sign_in_by_link(question, visit.site.session_for, context))


def use_password(visit: RequestContext) -> Response:
    """Sign in with userid and password; neither the words nor the time of a refusal tell which of them was wrong."""
    began = time.monotonic()
    visit.check_form()
    userid, password = visit.form.get("userid", "").strip(), visit.form.get("password", "")
    lasts, browser = visit.site.session_for, familiar_browser(visit)
    tried: list[WrongAttempt] = []

    def begin(context: Context) -> list[Notice]:
        tried[:] = signing_in.begin_try(userid, context, browser)
        return []

    try:
        visit.change(begin)
        return _sign_in(visit, lambda context: signing_in.sign_in_by_password(userid, password, lasts, context, tried))
    except PlayerError as wrong:
        page = _ways(visit, wrong, userid, 403)
    return Evenly(page, began)


def _sign_in(visit: RequestContext, begin: Callable[[Context], str]) -> Response:
    """Begin a session in place of the browser's old one, and go on to the page that its user wanted."""
    begun = list[tuple[str, PlayerId]]()

    def decide(context: Context) -> list[Notice]:
        begun[:] = [with_player(begin(context), context)]
        context.uow.sessions.end(hashed(visit.secret))
        return []

    visit.change(decide)
    return keep_session(*begun[0], visit.go(then_of(visit)), visit)


def sign_out(visit: RequestContext) -> Response:
    """End the session of this browser, or all sessions of its player."""
    visit.check_form()

    def decide(context: Context) -> list[Notice]:
        if visit.form.get("where") == "everywhere":
            end_keys(visit.known.id, context)
        context.uow.sessions.end(hashed(visit.secret))
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


def show_sign_up(visit: RequestContext) -> Response:
    """The form of a new account."""
    return visit.page("sign_up", {"wrong": None, "given": {}})


def sign_up(visit: RequestContext) -> Response:
    """Open an account; it can be used once its address has answered."""
    return take_sign_up(visit, "sign_up")


def take_sign_up(visit: RequestContext, form: str) -> Response:
    """Open an account with the fields of a form, which is shown again if they are refused; a guest keeps their boards.

    Where no address has to answer first, the player is signed in at once.

    Raises:
        NotFromHere: the form is not ours.
    """
    visit.check_form()
    guest = visit.player.id if visit.player is not None and visit.player.is_guest else None
    userid, address = visit.form.get("userid", "").strip(), visit.form.get("address", "").strip()
    command, secret = SignUp(userid, visit.form.get("password", "") or None, (address,)), token_urlsafe(16)
    begun, kept = list[tuple[str, PlayerId]](), list[BoardNumber | None]()

    def decide(context: Context) -> list[Notice]:
        count_asked(context, is_signup=True)
        told = dispatch(command, replace(context, speaker=Speaker(None, session=hashed(secret), guest=guest)))
        opened = context.uow.players.by_userid(userid) if any(each.name == "welcome" for each in told) else None
        begun[:] = (
            [] if opened is None else [(signing_in.begin_session(opened, visit.site.session_for, context), opened.id)]
        )
        kept[:] = [newest_board(player, context) for _, player in begun if guest]
        if begun:
            context.uow.sessions.end(hashed(visit.secret))
        return [replace(notice, answers=False) for notice in told]

    try:
        visit.change(decide)
    except PlayerError as wrong:
        return visit.page(form, {"wrong": wrong, "given": {"userid": userid, "address": address}}, 409)
    if begun:
        return keep_session(*begun[0], visit.go(f"/boards/{kept[0]}?kept=yes" if kept and kept[0] else "/"), visit)
    page = visit.page("signed_up", {"userid": userid, "address": address})
    keep_signup(secret, page, visit)
    return page


def show_confirm(visit: RequestContext) -> Response:
    """A page with a button by which somebody confirms that an address is theirs.

    Raises:
        LinkSpent: the link cannot be used any more.
    """
    question = question_of(visit)

    def facts(context: Context) -> dict[str, object]:
        asked = signing_in.open_question(question, ConfirmationKind.ADDRESS, context)
        player = context.uow.players.get(asked.player)
        is_new = not player.confirmed
        asks_password = is_new and asked.password_hash is not None and not signing_in.is_from(asked, signup_of(visit))
        return {"player": player, "address": asked.address, "is_new": is_new, "asks_password": asks_password}

    return unkept(visit.page("confirm", {**visit.look(facts), "days": visit.site.session_for.days}))


def confirm(visit: RequestContext) -> Response:
    """Confirm an address; a player who has just signed up is signed in with it, and sees the game that they kept.

    Raises:
        LinkSpent, NotAsked, AccountBanned: it is not allowed.
    """
    visit.check_form()
    question, begun, lasts = question_of(visit), list[tuple[str, PlayerId]](), visit.site.session_for
    kept: list[BoardNumber | None] = []
    keeps = visit.form.get("password") == "keep"

    def decide(context: Context) -> list[Notice]:
        secret, mailed = signing_in.confirm_by_link(question, lasts, context, signup_of(visit), keeps_password=keeps)
        begun[:] = [with_player(secret, context)] if secret else []
        kept[:] = [newest_board(begun[0][1], context)] if secret else []
        if secret:
            context.uow.sessions.end(hashed(visit.secret))
        return mailed

    visit.change(decide)
    response = visit.go(f"/boards/{kept[0]}?kept=yes" if kept and kept[0] else "/")
    return keep_session(*begun[0], response, visit) if begun else response


def show_tokens(visit: RequestContext) -> Response:
    """The tokens of the signed-in player.

    Raises:
        NotSignedIn: nobody is signed in.
    """
    return _page(visit)


def change_tokens(visit: RequestContext) -> Response:
    """Make a token, whose secret only this page shows, or revoke one.

    Raises:
        NotSignedIn, NotFromHere: it is not allowed.
    """
    visit.check_form()
    revoked = visit.form.get("revoke")
    if revoked is not None:
        visit.change(lambda context: _without(revoked, context))
        return visit.go("/settings/tokens")
    made, name = list[str](), visit.form.get("name", "")
    try:
        visit.change(lambda context: _with(name, made, context))
    except NotSignedIn:
        raise
    except PlayerError as wrong:
        return _page(visit, wrong=wrong, name=name, status=409)
    return _page(visit, secret=made[-1])


def _with(name: str, made: list[str], context: Context) -> list[Notice]:
    if context.speaker.player is None:  # the session has ended just now
        raise NotSignedIn
    secret, told = make_token(name, context)
    made.append(secret)
    return told


def _without(name: str, context: Context) -> list[Notice]:
    if context.speaker.player is None:
        raise NotSignedIn
    revoke_token(name, context)
    return []


def _page(
    visit: RequestContext, wrong: PlayerError | None = None, secret: str = "", name: str = "", status: int = 200
) -> Response:
    """The page, which no browser keeps: it may show a secret.

    Raises:
        NotSignedIn: nobody is signed in.
    """
    visit.check_signed_in()
    facts = {"tokens": visit.look(tokens_of_speaker), "most": MOST_TOKENS, "wrong": wrong, "secret": secret}
    response = visit.page("tokens", {**facts, "name": name}, status)
    response.headers["cache-control"] = "no-store"
    return response
