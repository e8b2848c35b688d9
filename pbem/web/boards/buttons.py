"""What is done on the page of a board: moves, queued moves, offers and answers, words, watching."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from starlette.requests import Request

from pbem.commands.model import (
    AcceptOffer,
    AskUndo,
    BoardCommand,
    CancelQueued,
    Chat,
    MakeMove,
    ProposeDraw,
    QueueMove,
    RejectOffer,
    Resign,
    Subscribe,
    Unsubscribe,
)
from pbem.errors import PlayerError
from pbem.ids import BoardNumber
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.web.numbers import read_number
from pbem.web.visits import Visit

MOST_WORDS = 4000
"""Characters of a comment or a chat."""

_BUTTONS: Mapping[str, Callable[[BoardNumber], BoardCommand]] = {
    "propose": ProposeDraw,
    "undo": AskUndo,
    "accept": AcceptOffer,
    "reject": RejectOffer,
    "resign": Resign,
    "cancel": CancelQueued,
    "subscribe": Subscribe,
    "unsubscribe": Unsubscribe,
}
"""What buttons ask for that need no more than the board."""

_IN_POSITION = ("propose", "undo", "accept", "reject", "resign")
"""Those that are meant for the board as the page has shown it."""


def accepted(number: BoardNumber, context: Context) -> Collection[str]:
    """Which buttons would do something now: each is tried, and nothing of it stays."""
    return [verb for verb, command in _BUTTONS.items() if _would_be_done(command(number), context)]


def _would_be_done(command: BoardCommand, context: Context) -> bool:
    with context.uow.rehearsal():
        try:
            dispatch(command, context)
        except PlayerError:
            return False
    return True


def number_of(visit: Visit) -> BoardNumber:
    """Of the board that the address names."""
    return number_in(visit.request)


def number_in(request: Request) -> BoardNumber:
    """The same of a request."""
    return BoardNumber(request.path_params["number"])


def make_move(visit: Visit) -> None:
    """Make the move that has been drafted.

    Raises:
        PlayerError: it cannot be made.
    """
    visit.tell(MakeMove(number_of(visit), visit.form.get("turn", "")), _words(visit), _event(visit))


def do(visit: Visit) -> None:
    """Do what a button says; nothing if there is no such button.

    Raises:
        PlayerError: it cannot be done.
    """
    verb, number = visit.form.get("verb", ""), number_of(visit)
    if verb == "queue":
        visit.tell(QueueMove(number, " ".join(visit.form.get("move", "").split())), "", _event(visit))
    elif verb == "chat":
        visit.tell(Chat(number), _words(visit))
    elif verb in _BUTTONS:
        event = _event(visit) if verb in _IN_POSITION else None
        visit.tell(_BUTTONS[verb](number), _words(visit), event)


def _words(visit: Visit) -> str:
    """What he has written, as a letter would have it."""
    return visit.form.get("comment", "").strip()[:MOST_WORDS]


def _event(visit: Visit) -> int | None:
    return read_number(visit.form.get("event", ""))
