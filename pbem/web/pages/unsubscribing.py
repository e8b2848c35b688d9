"""Fewer mails by one click: the link in the List-Unsubscribe of mails that a player can have fewer of (RFC 8058)."""

from __future__ import annotations

from contextlib import suppress

from starlette.responses import Response

from pbem.domain.preferences import Preferences
from pbem.domain.replies import QuietReply, StopReply, UnsubscribeReply
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.understanding import NoSuchBoard
from pbem.usecases.watching import NoMoreMails, NotSubscribed, command_of_link
from pbem.web.context import RequestContext
from pbem.web.sessions import unkept

_FIELD, _ONE_CLICK = "List-Unsubscribe", "One-Click"


def show_unsubscribe(visit: RequestContext) -> Response:
    """A page with a button; it changes nothing, since programs that scan mails open links."""
    return _page(visit, _link_of(visit))


def unsubscribe(visit: RequestContext) -> Response:
    """Do what a letter to the address in the same header does; once it is done, nothing more.

    The link is all the proof (RFC 8058 s 3.2): mail systems send neither cookies nor what our own forms hold.
    """
    link = _link_of(visit)
    if link is None:
        return _page(visit, None)
    if visit.form.get(_FIELD) != _ONE_CLICK:
        return _page(visit, link, status=400)
    with suppress(NoSuchBoard, NoMoreMails, NotSubscribed):  # there is no mail to have less of
        visit.change(lambda context: dispatch(command_of_link(link, is_click=True), context))
    return _page(visit, link, is_done=True)


def _link_of(visit: RequestContext) -> UnsubscribeReply | None:
    """The contents of the link; None if we have not signed it, or if it is too old."""
    reply = visit.site.signer.read(visit.word("token"), visit.now)
    return reply if isinstance(reply, UnsubscribeReply) else None


def _page(
    visit: RequestContext, link: UnsubscribeReply | None, status: int = 200, *, is_done: bool = False
) -> Response:
    match link:
        case None:
            return unkept(visit.page("unsubscribe", {"about": None}, 403))
        case QuietReply(player, number):
            board = visit.look(lambda context: context.uow.boards.find(number))
            plays = board is not None and bool(board.seats_of(player))
            facts = {"about": "board", "number": number, "plays": plays, "undo": f"subscribe {number}"}
        case StopReply(preference=key):
            value = next(each for each in Preferences.values(key) if each != "off")
            facts = {"about": key, "undo": f"set {key}={value}"}
    return unkept(visit.page("unsubscribe", {**facts, "is_done": is_done}, status))
