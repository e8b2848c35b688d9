"""Playing at once, without an account, and keeping the game with one."""

from __future__ import annotations

from starlette.responses import Response

from pbem.commands.challenges import Challenge
from pbem.domain.boards import Board
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.ids import BoardNumber
from pbem.usecases.challenging import play_now
from pbem.usecases.context import Context
from pbem.usecases.guests import OPPONENT, GuestPlaysEnough, TooManyGuests
from pbem.usecases.signing_in import begin_session
from pbem.web.boards.samples import leading_first
from pbem.web.boards.views import face
from pbem.web.context import RequestContext
from pbem.web.pages.signing_in import take_sign_up
from pbem.web.sessions import keep_guest


def show_front(visit: RequestContext) -> Response:
    """Send a browser that asks for the address of the form to the front page: looking at pages makes no guest."""
    return visit.go("/")


def play(visit: RequestContext) -> Response:
    """Open an unrated board against the weakest computer opponent, for the player or a guest.

    Raises:
        NotFromHere, NoSuchGame, NoGuests: it is not allowed.
        InvalidChallenge: the player cannot have another one.
    """
    visit.check_form()
    said = " ".join(visit.form.get("game", "").split())
    game = said or visit.look(lambda context: leading_first(context.games)[0])
    if visit.player is not None and not visit.player.is_guest:
        told = visit.tell(Challenge(game, (visit.player.userid, OPPONENT), ("unrated",)))
        (number,) = (each.thread.board for each in told if each.thread is not None and each.thread.opens)
        return visit.go(f"/boards/{number}")
    begun = list[tuple[BoardNumber, str, str]]()

    def decide(context: Context) -> list[Notice]:
        board, guest = play_now(game, context)
        if context.speaker.player is None:
            secret = begin_session(guest, visit.site.session_for, context)
            begun[:] = [(board.number, secret, _first_place(board, guest, context))]
        else:
            begun[:] = [(board.number, "", "")]
        return []

    try:
        visit.change(decide)
    except (TooManyGuests, GuestPlaysEnough) as wrong:
        return visit.page("wrong", {"wrong": wrong, "status": 429}, 429)
    ((number, secret, place),) = begun
    response = visit.go(f"/boards/{number}" + (f"?pick={place}" if place else ""))
    return keep_guest(secret, response, visit) if secret else response


def _first_place(board: Board, guest: Player, context: Context) -> str:
    """A space on which a newcomer sees at once how a tile is turned and played; empty if they lay none now."""
    course = context.course(board)
    if course.to_act is None or board.seats[course.to_act].player != guest.id:
        return ""
    choices = face(course.position, context.games[board.game]).choices
    return next((each.place for each in choices if each.kind == "tile"), "")


def show_keep(visit: RequestContext) -> Response:
    """The form by which a guest opens an account that gets their boards."""
    if visit.player is None or not visit.player.is_guest:
        return visit.go("/" if visit.player is not None else "/sign-up")
    return visit.page("keep", {"wrong": None, "given": {}})


def keep(visit: RequestContext) -> Response:
    """Open the account; the boards are its own once its address has answered.

    Raises:
        NotFromHere: it is not allowed.
    """
    return take_sign_up(visit, "keep")
