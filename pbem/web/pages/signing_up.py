"""Signing up, and confirming an address by the link in a mail."""

from __future__ import annotations

from dataclasses import replace
from secrets import token_urlsafe

from starlette.responses import Response

from pbem.commands.model import SignUp
from pbem.domain.confirmations import ConfirmationKind
from pbem.domain.notices import Notice
from pbem.domain.sessions import hashed
from pbem.errors import PlayerError
from pbem.ids import PlayerId
from pbem.usecases.context import Context, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.signing_in import sessions
from pbem.usecases.signing_in.visitors import count_asked
from pbem.web.familiar import keep_signup, signup_of
from pbem.web.sessions import keep_session, question_of, unkept, with_player
from pbem.web.visits import Visit


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
        count_asked(context, is_signup=True)
        told = dispatch(command, replace(context, speaker=Speaker(None, session=hashed(secret))))
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
    question = question_of(visit)

    def facts(context: Context) -> dict[str, object]:
        asked = sessions.open_question(question, ConfirmationKind.ADDRESS, context)
        player = context.uow.players.get(asked.player)
        is_new = not player.confirmed
        asks_password = is_new and asked.password_hash is not None and not sessions.is_from(asked, signup_of(visit))
        return {"player": player, "address": asked.address, "is_new": is_new, "asks_password": asks_password}

    return unkept(visit.page("confirm", {**visit.look(facts), "days": visit.site.session_for.days}))


def confirm(visit: Visit) -> Response:
    """Confirm an address; who has just signed up is signed in with it.

    Raises:
        LinkSpent, NotAsked, AccountBanned: it cannot be.
    """
    visit.check_form()
    question, begun, lasts = question_of(visit), list[tuple[str, PlayerId]](), visit.site.session_for
    keeps = visit.form.get("password") == "keep"

    def decide(context: Context) -> list[Notice]:
        secret, mailed = sessions.confirm_by_link(question, lasts, context, signup_of(visit), keeps_password=keeps)
        begun[:] = [with_player(secret, context)] if secret else []
        if secret:
            context.uow.sessions.end(hashed(visit.secret))
        return mailed

    visit.change(decide)
    response = visit.go("/")
    return keep_session(*begun[0], response, visit) if begun else response
