"""A player's settings, and forms to change them: each is a command that could be mailed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from starlette.responses import Response

from pbem.commands.accounts import (
    AddAddresses,
    Block,
    ChangeAddresses,
    ChangePassword,
    SetPreferences,
    ShowVacation,
    Unblock,
)
from pbem.commands.challenges import ShowLimit
from pbem.commands.command import Command
from pbem.commands.grammar import parse
from pbem.commands.refusals import MissingWord
from pbem.domain.preferences import Preferences
from pbem.errors import PlayerError
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.web.context import RequestContext

LINES = {
    "vacation": "vacation {until}",
    "back": "vacation off",
    "limit": "{game} limit {most}",
    "seek": "{game} seek {wanted} {options}",
    "data": "data",
    "signoff": "signoff",
}
"""The commands that forms make of their fields, by the deed that a form names; words of the others are never read as
commands are, where a userid and a password may stand."""


def show_settings(visit: RequestContext) -> Response:
    """The player's settings.

    Raises:
        NotSignedIn: nobody is signed in.
    """
    visit.check_signed_in()
    facts = visit.look(lambda context: _facts(visit, context))
    return visit.page("settings", {**facts, "wrong": None, "answers": None, "typed": {}})


def change_settings(visit: RequestContext) -> Response:
    """Do what a form asks for; the page shows the answer that a mail would bring below its heading.

    Raises:
        NotSignedIn: nobody is signed in.
    """
    visit.check_form()
    visit.check_signed_in()
    wrong, answers = None, None
    try:
        command = _command(visit.form, visit.look(lambda context: context.games))
        answers = [visit.site.wording.page_answer(notice) for notice in visit.tell(command)]
    except PlayerError as refused:
        wrong = refused
    after = visit.again()
    facts = after.look(lambda context: _facts(after, context))
    typed = {name: said for name, said in visit.form.items() if wrong and name != "password"}
    is_shown = visit.form.get("deed") == "preferences"  # by the form itself
    told = {"wrong": wrong, "answers": answers, "typed": typed, "saved": is_shown and wrong is None}
    return after.page("settings", {**facts, **told}, 200 if wrong is None else 409)


def _command(form: Mapping[str, str], games: Collection[str]) -> Command:
    """The command made from the fields of a form.

    Raises:
        Unreadable: there is none.
    """
    match form.get("deed"):
        case "preferences":
            return SetPreferences(tuple((name, form[name].strip()) for name in Preferences.names() if name in form))
        case "password":
            return ChangePassword(form.get("password", ""))
        case "block" | "unblock" as verb:
            return (Block if verb == "block" else Unblock)(_given(form, "userid", verb))
        case "add":
            return AddAddresses(tuple(_given(form, "addresses", "add").split()))
        case "addresses":
            return ChangeAddresses(tuple(_given(form, "addresses", "change").replace(",", " ").split()))
        case deed:
            fields = {name: " ".join(value.split()) for name, value in form.items()}
            return parse(LINES.get(deed or "", "").format_map(_Fields(fields)), games)


def _given(form: Mapping[str, str], name: str, verb: str) -> str:
    """The text of a field that must not be empty, in one line; commas do not count.

    Raises:
        MissingWord: it is empty.
    """
    said = " ".join(form.get(name, "").split())
    if not said.strip(", "):
        raise MissingWord(verb, "userid" if name == "userid" else "address")
    return said


class _Fields(dict[str, str]):
    """The fields of a form; one that it does not have is empty."""

    def __missing__(self, name: str) -> str:
        return ""


def _facts(visit: RequestContext, context: Context) -> Mapping[str, object]:
    player = visit.known
    blocked = [context.uow.players.userid_of(each) for each in context.uow.blocks.blocked_by(player.id)]
    return {
        "player": player,
        "choices": {name: Preferences.values(name) for name in Preferences.names()},
        "vacation": dispatch(ShowVacation(), context)[0].facts,
        "blocked": sorted(blocked, key=str.casefold),
        "limits": [dispatch(ShowLimit(game), context)[0].facts for game in sorted(context.games)],
        "sessions": context.uow.sessions.of(player.id, visit.now),
        "this_session": visit.session,
        "push_key": visit.site.push and visit.site.push.public_key,
        "is_notified": visit.session is not None and context.uow.pushes.has(visit.session.secret_hash),
    }
