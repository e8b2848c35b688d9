"""Fewer mails by one click: the link in the List-Unsubscribe of a board's mails (RFC 8058)."""

from __future__ import annotations

from contextlib import suppress

from starlette.responses import Response

from pbem.commands.internal import UnsubscribeByLink
from pbem.domain.replies import QuietReply
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.understanding import NoSuchBoard
from pbem.usecases.watching import NoMoreMails, NotSubscribed
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
        visit.change(lambda context: dispatch(UnsubscribeByLink(link.board, link.player, is_click=True), context))
    return _page(visit, link, is_done=True)


def _link_of(visit: RequestContext) -> QuietReply | None:
    """The contents of the link; None if we have not signed it, or if it is too old."""
    reply = visit.site.signer.read(visit.word("token"), visit.now)
    return reply if isinstance(reply, QuietReply) else None


def _page(visit: RequestContext, link: QuietReply | None, status: int = 200, *, is_done: bool = False) -> Response:
    if link is None:
        return unkept(visit.page("unsubscribe", {"number": None}, 403))
    board = visit.look(lambda context: context.uow.boards.find(link.board))
    plays = board is not None and bool(board.seats_of(link.player))
    facts = {"number": link.board, "plays": plays, "is_done": is_done}
    return unkept(visit.page("unsubscribe", facts, status))
