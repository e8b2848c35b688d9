"""Studies on the web: the list of a player's own, the page on which they make one, and the one that a link shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.responses import Response

from pbem.commands.command import Command
from pbem.commands.internal import SaveStudy
from pbem.commands.studying import DeleteStudy, ShareStudy, StudyGame
from pbem.domain.studies import Study, with_lines
from pbem.errors import PlayerError
from pbem.games.studies import LONGEST_TEXT, LONGEST_TITLE
from pbem.ids import BoardNumber
from pbem.usecases.context import Context
from pbem.usecases.studies import (
    OpenedStudy,
    StudyChanged,
    can_be_studied,
    facts_of_studies,
    facts_of_study,
    own_study,
    shared_study,
    study_to_delete,
)
from pbem.web.boards.page import WORDS_OF_STUDY, forget_words, kept_words, number_of, sign_in_first
from pbem.web.boards.views import Showcase
from pbem.web.context import NotFromHere, NotSignedIn, RequestContext, read_number
from pbem.web.pages.lists import titles
from pbem.web.paging import leaf

MOST_DRAWN = 12
"""Boards on the page; every other position is a link away."""

_BUTTONS: Mapping[str, Callable[[BoardNumber], Sequence[Command]]] = {
    "save": lambda _: [],
    "share": lambda number: [ShareStudy(number)],
    "mail": lambda number: [StudyGame(number)],
}
"""The commands of buttons, carried out once the text is saved that comes with them."""

_BELOW = "/study"
"""The page of a study, below that of its board."""


def show_studies(visit: RequestContext) -> Response:
    """The visitor's studies.

    Raises:
        NotSignedIn: they are nobody's.
        GuestsMayNot: the visitor is a guest.
        NoSuchPart: there is no such part of the list.
    """
    visit.check_signed_in()
    told, leaves = leaf(visit, visit.look, facts_of_studies)
    shown = {"leaves": leaves, "titles": visit.look(titles), "is_deleted": visit.asked("deleted") == "yes"}
    return visit.page("studies", {**told, **shown})


def show_own_study(visit: RequestContext) -> Response:
    """The visitor's study of a game, and a form to change it.

    Raises:
        NotSignedIn: it is nobody's.
        GuestsMayNot: the visitor is a guest.
        PlayerError: there is no such game.
    """
    visit.check_signed_in()
    return _own_page(visit)


def show_deletion(visit: RequestContext) -> Response:
    """Ask if the visitor means to delete their study.

    Raises:
        NotSignedIn: it is nobody's.
        PlayerError: there is no such study.
    """
    visit.check_signed_in()

    def facts(context: Context) -> Mapping[str, object]:
        board, study = study_to_delete(number_of(visit), context)
        is_shown = can_be_studied(context.course(board))
        return {"board": board, "game": context.games[board.game], "study": study, "is_shown": is_shown}

    return visit.page("delete_study", visit.look(facts))


def change_study(visit: RequestContext) -> Response:
    """Do what a button below the study says, or keep lines that were tried on the board."""
    try:
        visit.check_form()
        visit.check_signed_in()
        return _changed(visit)
    except NotSignedIn:
        return _ask_to_sign_in(visit)
    except PlayerError as wrong:
        return _own_page(visit, wrong, 403 if isinstance(wrong, NotFromHere) else 409)


def show_shared_study(visit: RequestContext) -> Response:
    """A study that somebody shares.

    Raises:
        NoSharedStudy: nobody does.
    """
    key = visit.request.path_params["key"]
    return visit.page("study", visit.look(lambda context: _facts(shared_study(key, context), context)))


def _changed(visit: RequestContext) -> Response:
    number, verb = number_of(visit), visit.form.get("verb", "")
    if verb in _BUTTONS:
        visit.tell_all([*_written(visit), *_BUTTONS[verb](number)])
    elif verb == "unshare":
        return _make_private(visit)
    elif verb == "add":
        lines = visit.form.get("lines", "").replace("\r\n", "\n")
        visit.tell(SaveStudy(number, visit.form.get("title", ""), lines))
    elif verb == "delete":
        visit.tell(DeleteStudy(number))
        return forget_words(visit.go("/studies?deleted=yes"), visit, _BELOW)
    told = "?mailed=yes" if verb == "mail" else ""
    return forget_words(visit.go(f"/boards/{number}/study{told}"), visit, _BELOW)


def _make_private(visit: RequestContext) -> Response:
    """End the link at once, whatever is in the field: what is not saved yet stays there."""
    number, form = number_of(visit), visit.form
    (told,) = visit.tell(ShareStudy(number, ends=True))
    opened, before = visit.look(lambda context: own_study(number, context)), told.facts["study"]
    typed = form.get("title", ""), form.get("text", "").replace("\r\n", "\n")
    if "text" not in form or typed == (opened.study.title, opened.text):
        return forget_words(visit.go(f"/boards/{number}{_BELOW}"), visit, _BELOW)
    seen = read_number(form.get("seen", "")) or 0
    is_seen = isinstance(before, Study) and seen == before.revision
    return _own_page(visit, seen=opened.study.revision if is_seen else seen)


def _written(visit: RequestContext) -> Sequence[SaveStudy]:
    """The command that saves what is in the field; whatever is shared or mailed is what its author sees there."""
    if "text" not in visit.form:
        return []
    seen, text = read_number(visit.form.get("seen", "")) or 0, visit.form["text"].replace("\r\n", "\n")
    return [SaveStudy(number_of(visit), visit.form.get("title", ""), text, seen)]


def _ask_to_sign_in(visit: RequestContext) -> Response:
    """Send a guest who has sent a form to the ways to sign in; their browser keeps what they wrote."""
    place, typed = f"{number_of(visit)}{_BELOW}", visit.form
    words = {name: typed[name].replace("\r\n", "\n")[:most] for name, most in WORDS_OF_STUDY.items() if typed.get(name)}
    is_written = "text" in words or "lines" in words
    return sign_in_first(visit, place, f"/boards/{place}", words if is_written else {})


def _own_page(
    visit: RequestContext, wrong: PlayerError | None = None, status: int = 200, seen: int | None = None
) -> Response:
    """The page of the visitor's study, with what they wrote in the field.

    Args:
        visit: the request.
        wrong: the reason for which it was not saved.
        status: the status of HTTP.
        seen: the revision with which what they wrote began, if it is not the one that is stored.
    """
    number = number_of(visit)
    written = visit.form or kept_words(visit, f"{number}{_BELOW}")
    typed = written.get("text", written.get("lines", ""))
    replaces = "text" in written and not isinstance(wrong, StudyChanged)

    def facts(context: Context) -> Mapping[str, object]:
        opened = own_study(number, context)
        title = written.get("title", opened.study.title)
        if isinstance(wrong, StudyChanged):
            title = title or opened.study.title
        stored = opened.study.revision
        return {
            **_facts(opened, context),
            "is_own": True,
            "seen": seen if seen is not None else stored if visit.form else written.get("seen", stored),
            "title": title[:LONGEST_TITLE],
            "text": with_lines("" if replaces else opened.text, typed[:LONGEST_TEXT]),
            "is_mailed": visit.asked("mailed") == "yes",
            "wrong": wrong,
        }

    return visit.page("study", visit.look(facts), status)


def _facts(opened: OpenedStudy, context: Context) -> Mapping[str, object]:
    game = context.games[opened.board.game]
    return {
        **facts_of_study(opened, context, MOST_DRAWN),
        "is_own": False,
        "wrong": None,
        "board": opened.board,
        "game": game,
        "showcase": lambda position: Showcase(game, position),
        "longest_title": LONGEST_TITLE,
        "longest_text": LONGEST_TEXT,
    }
