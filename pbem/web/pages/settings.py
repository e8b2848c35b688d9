"""A player's settings, and forms to change them: each is a command that could be mailed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

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
from pbem.commands.challenges import AcceptChallenges, LimitBoards, RejectChallenges, ShowLimit
from pbem.commands.command import Command
from pbem.commands.grammar import parse
from pbem.commands.line import whole_number
from pbem.commands.refusals import MissingWord, NotANumber
from pbem.domain.mails import Notice
from pbem.domain.preferences import Preferences
from pbem.errors import PlayerError
from pbem.usecases.blocking import HIGHEST_LIMIT, LimitTooHigh
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.web.boards.samples import leading_first
from pbem.web.context import RequestContext

LINES = {
    "vacation": "vacation {until}",
    "back": "vacation off",
    "seek": "{game} seek {wanted} {options}",
    "data": "data",
    "signoff": "signoff",
}
"""The commands that forms make of their fields, by the deed that a form names; words of the others are never read as
commands are, where a userid and a password may stand."""
PARTS = {
    "mails": ("preferences",),
    "games": ("limits", "seek", "vacation", "back", "block", "unblock"),
    "account": ("add", "addresses", "password", "session", "data", "signoff"),
}
"""The pages of the settings, each with the deeds of its forms; the first one has no name in its address."""
MOST_SESSIONS = 5
"""Most browsers that are listed."""


def show_settings(visit: RequestContext) -> Response:
    """The player's settings: the mails, or the part that the address names.

    Raises:
        NotSignedIn: nobody is signed in.
    """
    visit.check_signed_in()
    part = visit.request.url.path.rpartition("/")[2]
    facts = visit.look(lambda context: _facts(visit, context))
    return visit.page(
        "settings", {**facts, "part": part if part in PARTS else "mails", "wrong": None, "answers": None, "typed": {}}
    )


def change_settings(visit: RequestContext) -> Response:
    """Do what a form asks for; the page shows the answer that a mail would bring below its heading.

    Raises:
        NotSignedIn: nobody is signed in.
    """
    visit.check_form()
    visit.check_signed_in()
    wrong, answers, deed = None, None, visit.form.get("deed", "")
    is_shown = deed in ("preferences", "limits", "session")  # by the form itself
    try:
        if deed == "session":
            _end_session(visit)
        else:
            notices = visit.tell_all(_commands(visit.form, visit.look(lambda context: context.games)))
            answers = [visit.site.wording.page_answer(notice) for notice in notices]
    except PlayerError as refused:
        wrong = refused
    after = visit.again()
    facts = after.look(lambda context: _facts(after, context))
    typed = {name: said for name, said in visit.form.items() if wrong and name != "password"}
    told = {"wrong": wrong, "answers": answers, "typed": typed, "saved": is_shown and wrong is None}
    part = next((part for part, deeds in PARTS.items() if deed in deeds), "mails")
    return after.page("settings", {**facts, **told, "part": part}, 200 if wrong is None else 409)


def _end_session(visit: RequestContext) -> None:
    """End the player's sessions that began at the moment which a form names."""

    def decide(context: Context) -> list[Notice]:
        for each in context.uow.sessions.of(visit.known.id, visit.now):
            if each.began_at.isoformat() == visit.form.get("began"):
                context.uow.sessions.end(each.secret_hash)
        return []

    visit.change(decide)


def _commands(form: Mapping[str, str], games: Collection[str]) -> Sequence[Command]:
    """The commands made from the fields of a form.

    Raises:
        Unreadable: there are none.
    """
    if form.get("deed") != "limits":
        return [_command(form, games)]
    limits = [_limit(game, form[f"most.{game}"].strip()) for game in games if f"most.{game}" in form]
    return limits or [parse("", games)]


def _limit(game: str, most: str) -> Command:
    """The command for so many boards of a game at most; for any number if nothing is typed.

    Raises:
        NotANumber: something else is typed.
        LimitTooHigh: nobody plays at so many.
    """
    if most in ("", "0"):
        return RejectChallenges(game) if most else AcceptChallenges(game)
    number = whole_number(most)
    if number is None:
        raise NotANumber("limit", most)
    if number > HIGHEST_LIMIT:
        raise LimitTooHigh(HIGHEST_LIMIT)
    return LimitBoards(game, number)


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
        "limits": [dispatch(ShowLimit(game), context)[0].facts for game in leading_first(context.games)],
        "sessions": context.uow.sessions.of(player.id, visit.now),
        "this_session": visit.session,
        "most_sessions": MOST_SESSIONS,
        "push_key": visit.site.push and visit.site.push.public_key,
        "is_notified": visit.session is not None and context.uow.pushes.has(visit.session.secret_hash),
    }
