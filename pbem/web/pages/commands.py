"""Commands as they could be mailed: typed in a line, or made by the form of a challenge."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response

from pbem.commands.accounts import AddAddresses, ChangeAddresses, ChangePassword, SignOff
from pbem.commands.blanking import blanked
from pbem.commands.challenges import Challenge, Seek
from pbem.commands.command import short_form
from pbem.commands.grammar import parse
from pbem.commands.playing import (
    AcceptOffer,
    AskUndo,
    ConfirmMove,
    MakeMove,
    PassTurn,
    ProposeDraw,
    QueueMove,
    RejectOffer,
    Resign,
    SwapSides,
)
from pbem.commands.reading import MOST_CHARACTERS, read_letter
from pbem.commands.tournaments import StartTournament, WithdrawFromTournament
from pbem.domain.letters import one_line
from pbem.domain.mails import Notice
from pbem.domain.players import userid_key
from pbem.errors import PlayerError
from pbem.games.game import Game, Options
from pbem.usecases.answering import answer_visitor
from pbem.usecases.context import Context
from pbem.usecases.opponents import robots_to_challenge
from pbem.usecases.refusals import REFUSALS
from pbem.web.context import RequestContext
from pbem.web.security import is_path
from pbem.wording.help import Explained, explained

LONGEST_LINE, LONGEST_WORDS = MOST_CHARACTERS + 1, 16_000
"""Characters that are read of the fields: of a line, one more than is allowed, so that a longer one is refused."""
_LONGEST = {"longest_line": LONGEST_LINE, "longest_words": LONGEST_WORDS}
FINAL = (
    AcceptOffer,
    AddAddresses,
    AskUndo,
    ChangeAddresses,
    ChangePassword,
    ConfirmMove,
    MakeMove,
    PassTurn,
    ProposeDraw,
    QueueMove,
    RejectOffer,
    Resign,
    SignOff,
    StartTournament,
    SwapSides,
    WithdrawFromTournament,
)
"""Commands that players cannot take back alone. Links, which anybody can mail, do not fill them in for one click.

On turn a queued move is made, and a robot may agree at once to a request. Commands that send words to others are not
listed: a link brings no words, and without them nothing is sent.
"""
TERMS = ("random", "unrated", "pair")
CLOCK = ("nagtime", "forfeittime", "totaltime")
"""Options of every challenge that the form has boxes and fields for."""


def show_command(visit: RequestContext) -> Response:
    """A line for any command.

    Raises:
        NotSignedIn: the sender is unknown.
    """
    visit.check_signed_in()
    line = one_line(visit.asked("line")[:LONGEST_LINE])
    held_back = visit.look(lambda context: _may_be_final(line, context))
    facts = {"line": "" if held_back else line, "held_back": line if held_back else "", "back": _back(visit)}
    return visit.page("command", {**facts, **_LONGEST, "words": "", "answers": None, "is_refused": False})


def _may_be_final(line: str, context: Context) -> bool:
    """Return True if a line, read as a Subject, cannot be taken back or cannot be understood."""
    try:
        reading = read_letter(line, (), context.games, most=1)
        return any(isinstance(parse(each, context.games), FINAL) for each in reading.lines)
    except PlayerError:
        return True


def take_command(visit: RequestContext) -> Response:
    """Carry out the typed command, and show the answer that a mail would have brought.

    A refused command stays in its field, unless one of its words may be a password.

    Raises:
        NotSignedIn: the sender is unknown.
    """
    visit.check_form()
    visit.check_signed_in()
    line, words = visit.form.get("line", "")[:LONGEST_LINE], visit.form.get("words", "")[:LONGEST_WORDS]
    told = visit.change(lambda context: answer_visitor(line, words, context))
    is_refused = any(notice.name in REFUSALS for notice in told)
    after = visit.again()
    keeps = is_refused and after.look(lambda context: _is_harmless(line, words, context))
    typed = {"line": line, "words": words} if keeps else {"line": "", "words": ""}
    facts = {**typed, "held_back": "", "back": _back(visit), "answers": _worded(told, visit), "is_refused": is_refused}
    return after.page("command", {**facts, **_LONGEST}, 409 if is_refused else 200)


def _back(visit: RequestContext) -> str:
    """The page of this site with the button that was pressed; empty if there was none."""
    page = visit.form.get("back") or visit.asked("back")
    return page if is_path(page) else ""


def _is_harmless(line: str, words: str, context: Context) -> bool:
    """Return True if no typed word may be a password: there is none without the userid."""
    names_himself = userid_key(context.speaker.known.userid) in userid_key(f"{line} {words}")
    return not names_himself and all(blanked(each, context.games) == each for each in (line, *words.splitlines()))


def _worded(told: Sequence[Notice], visit: RequestContext) -> list[tuple[str, list[tuple[str, object]]]]:
    return [visit.site.wording.page_answer(notice) for notice in told]


def show_challenge(visit: RequestContext) -> Response:
    """The form of a challenge; the address may fill its fields, except words to be sent in the player's name.

    Raises:
        NotSignedIn: the challenger is unknown.
    """
    visit.check_signed_in()
    fields = {name: said for name, said in visit.request.query_params.items() if name != "words"}
    return visit.page("challenge", {**_facts(visit, fields), "wrong": None})


def challenge(visit: RequestContext) -> Response:
    """Begin a board, or a seek if nobody is named; or only show the options of the chosen game.

    Raises:
        NotSignedIn: the challenger is unknown.
    """
    visit.check_form()
    visit.check_signed_in()
    if visit.form.get("show"):
        return visit.page("challenge", {**_facts(visit, visit.form), "wrong": None})
    command = _challenge(visit.form)
    try:
        told = visit.tell(command, visit.form.get("words", "").strip()[:LONGEST_WORDS])
    except PlayerError as wrong:
        return visit.page("challenge", {**_facts(visit, visit.form), "wrong": wrong}, 409)
    begun = [notice.thread.board for notice in told if notice.thread is not None and notice.thread.opens]
    if len(begun) == len(told) == 1:
        return visit.go(f"/boards/{begun[0]}")
    title = visit.look(lambda context: context.game(command.game).title)
    shown = {"game": command.game, "title": title, "is_seek": isinstance(command, Seek) and not begun}
    return visit.page("told", {**shown, "answers": _worded(told, visit), "boards": begun})


def _challenge(form: Mapping[str, str]) -> Challenge | Seek:
    """The command made from the fields of the form."""
    game, userids = form.get("game", "").strip().lower(), tuple(form.get("to", "").replace(",", " ").split())
    typed = (word.lstrip("-") for word in form.get("options", "").split())
    terms = (term for term in TERMS if form.get(term))
    clock = (f"{name}={''.join(form[name].split())}" for name in CLOCK if form.get(name, "").strip())
    options = (*filter(None, typed), *terms, *clock)
    return Challenge(game, userids, options) if userids else Seek(game, 1, options)


def _facts(visit: RequestContext, fields: Mapping[str, str]) -> Mapping[str, object]:
    """The facts of the form."""
    given = {name: fields.get(name, "") for name in ("game", "to", "options", "words", "show", *TERMS, *CLOCK)}
    titles = visit.look(_titles)
    given["game"] = game = given["game"].lower() if given["game"].lower() in titles else next(iter(titles))
    command = _challenge(given)
    explained_words = _options_of(game, visit)
    told = {
        "line": short_form(command),
        "explained": explained_words,
        "example": _example(explained_words),
        "draws_lots": visit.look(lambda context: _draws_lots(context.games[game], command.options)),
    }
    robots = visit.look(lambda context: robots_to_challenge(context.uow))
    return {"given": given, "titles": titles, "robots": robots, **told, **_LONGEST}


def _titles(context: Context) -> dict[str, str]:
    """The games that can be played, by name."""
    return {
        name: context.games[name].title for name in sorted(context.games, key=lambda each: (each != "superbo", each))
    }


def _draws_lots(game: Game[Any, Any], words: Sequence[str]) -> bool:
    """Return True if the first player is drawn at random, given the words that are options of the game."""
    options: Options = {}
    for word in words:
        with contextlib.suppress(PlayerError):
            options = {**options, **game.read_options([word])}
    return game.draws_lots(options)


def _example(options: Sequence[Explained]) -> str:
    """An option that can be typed as it is, if the game has one; empty if it has no options."""
    words = [each.word for each in options]
    return next((word for word in words if "=" not in word), next(iter(words), ""))


def _options_of(game: str, visit: RequestContext) -> tuple[Explained, ...]:
    """The explanations of the options of a game in the help."""
    page = visit.site.wording.help.page(f"{game} options") or visit.site.wording.help.page(game)
    return tuple(each for each in explained(page) if each.word.startswith("-"))
