"""Commands as they could be mailed: typed in a line."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response

from pbem.commands.accounts import AddAddresses, ChangeAddresses, ChangePassword, SignOff
from pbem.commands.blanking import blanked
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
from pbem.usecases.answering import answer_visitor
from pbem.usecases.context import Context
from pbem.usecases.refusals import REFUSALS
from pbem.web.context import RequestContext
from pbem.web.security import is_path

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
    facts = {**typed, "held_back": "", "back": _back(visit), "answers": worded(told, visit), "is_refused": is_refused}
    return after.page("command", {**facts, **_LONGEST}, 409 if is_refused else 200)


def _back(visit: RequestContext) -> str:
    """The page of this site with the button that was pressed; empty if there was none."""
    page = visit.form.get("back") or visit.asked("back")
    return page if is_path(page) else ""


def _is_harmless(line: str, words: str, context: Context) -> bool:
    """Return True if no typed word may be a password: there is none without the userid."""
    names_himself = userid_key(context.speaker.known.userid) in userid_key(f"{line} {words}")
    return not names_himself and all(blanked(each, context.games) == each for each in (line, *words.splitlines()))


def worded(told: Sequence[Notice], visit: RequestContext) -> list[tuple[str, list[tuple[str, object]]]]:
    """Answers as pages show them."""
    return [visit.site.wording.page_answer(notice) for notice in told]
