"""Signing in, by a link or a password, and out."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote

from starlette.responses import Response

from pbem.domain.confirmations import ConfirmationKind
from pbem.domain.notices import Notice
from pbem.domain.replies import ConfirmReply
from pbem.domain.sessions import hashed
from pbem.errors import PlayerError
from pbem.ids import PlayerId
from pbem.storage.wrong_passwords import WrongAttempt
from pbem.usecases.context import Context
from pbem.usecases.proof.keys import end_keys
from pbem.usecases.signing_in import sessions
from pbem.usecases.signing_in.sessions import LINK_FOR
from pbem.web.boards.unsent import KEPT_FOR, forget_words, keeps
from pbem.web.familiar import familiar_browser, forget_familiar
from pbem.web.serving.evenly import Evenly
from pbem.web.sessions import keep_session, question_of, then_of, unkept, with_player
from pbem.web.visits import SESSION, Visit

_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)
_LONGEST_THEN = 200
"""Characters of the address of a page to which a link in a mail leads in the end: whoever asks for it has chosen it.

Of a longer one only what stands before its question mark is in the link."""


def show_sign_in(visit: Visit) -> Response:
    """The ways to sign in."""
    return _ways(visit)


def _ways(visit: Visit, wrong: PlayerError | None = None, who: str = "", status: int = 200) -> Response:
    then = then_of(visit)
    kept = {"keeps": keeps(visit, then), "lost": bool(visit.asked("lost")), "hours": KEPT_FOR // _HOUR}
    return visit.page("sign_in", {"wrong": wrong, "then": then, "who": who, **kept}, status)


def ask_link(visit: Visit) -> Response:
    """Mail a link to whoever is called so; neither words nor time tell whether there is anybody."""
    began = time.monotonic()
    visit.check_form()
    who, then, browser = visit.form.get("who", "").strip(), then_of(visit), familiar_browser(visit)
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
    question = question_of(visit)

    def player(context: Context) -> object:
        asked = sessions.open_question(question, ConfirmationKind.SIGN_IN, context)
        return context.uow.players.get(asked.player)

    facts = {"player": visit.look(player), "days": visit.site.session_for.days, "then": then_of(visit)}
    return unkept(visit.page("sign_in_link", facts))


def use_link(visit: Visit) -> Response:
    """Sign in with a link.

    Raises:
        LinkSpent, AccountBanned: it cannot be.
    """
    visit.check_form()
    question = question_of(visit)
    return _sign_in(visit, lambda context: sessions.sign_in_by_link(question, visit.site.session_for, context))


def use_password(visit: Visit) -> Response:
    """Sign in with userid and password; a refusal does not tell which of them was wrong, by its time neither."""
    began = time.monotonic()
    visit.check_form()
    userid, password = visit.form.get("userid", "").strip(), visit.form.get("password", "")
    lasts, browser = visit.site.session_for, familiar_browser(visit)
    tried: list[WrongAttempt] = []

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
        begun[:] = [with_player(begin(context), context)]
        context.uow.sessions.end(hashed(visit.secret))
        return []

    visit.change(decide)
    return keep_session(*begun[0], visit.go(then_of(visit)), visit)


def sign_out(visit: Visit) -> Response:
    """End the session of this browser, or all of its player's."""
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
