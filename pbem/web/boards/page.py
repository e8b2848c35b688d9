"""The page of a board."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import accumulate
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from pbem.bots.analysis import GameAnalysis, Look
from pbem.commands.boards import AnalyseBoard, AskHint, Chat
from pbem.commands.challenges import PlayAgain
from pbem.commands.command import BoardCommand, BoardMoment
from pbem.commands.doubts import may_be_private
from pbem.commands.internal import ExpectPlan, SaveNote
from pbem.commands.planning import MakePlan, SharePlan
from pbem.commands.playing import (
    AcceptOffer,
    AskUndo,
    CancelQueued,
    MakeMove,
    ProposeDraw,
    QueueMove,
    RejectOffer,
    Resign,
)
from pbem.commands.reading import with_lines_below
from pbem.commands.watching import Subscribe, Unsubscribe
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState, PlayedInput
from pbem.domain.mails import Notice
from pbem.domain.offers import Settlement, settlements
from pbem.domain.openings import MOST_TURNS, is_boundary
from pbem.domain.robots import errands, robots_at
from pbem.domain.studies import LONGEST_NOTE, Study, with_lines
from pbem.domain.waits import nag_at, time_used, total_left, waiting
from pbem.errors import PlayerError
from pbem.games.game import BETWEEN_TURNS
from pbem.games.options import in_words
from pbem.games.plans import MOST_OF_PLAN, read_branches
from pbem.games.studies import LONGEST_TEXT, LONGEST_TITLE
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.analyses import StandsTheSame, analyst, kept_analysis
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.follow_ups import announced_by, planned_by, split_movenos, with_plan_below
from pbem.usecases.moves import WordsForNobody
from pbem.usecases.notices import board_facts, may_read, remarks_of
from pbem.usecases.previews import course_after, draft, last_played
from pbem.usecases.private_notes import NoteChanged
from pbem.usecases.ratings import variant_of
from pbem.usecases.understanding import at_moment, find_board
from pbem.web.boards.tables import Table
from pbem.web.context import NotFromHere, NotSignedIn, RequestContext, looks_of, read_number
from pbem.wording.boards import viewer
from pbem.wording.help import explained

MOST_WORDS = 4000
"""Characters of a comment or a chat."""

_BUTTONS: Mapping[str, Callable[[BoardNumber], BoardCommand]] = {
    "propose": ProposeDraw,
    "undo": AskUndo,
    "accept": AcceptOffer,
    "reject": RejectOffer,
    "resign": Resign,
    "cancel": CancelQueued,
    "hint": AskHint,
    "share": SharePlan,
    "subscribe": Subscribe,
    "unsubscribe": Unsubscribe,
}
"""The commands of buttons that need only the number of the board."""

_PLANNED = {"plan": "yes", "add to plan": "yes", "queue": "yes", "cancel": "cancelled"}
"""Words in the address that say what buttons have done to a plan or queued move."""

_IN_POSITION = ("propose", "undo", "accept", "reject", "resign")
"""The buttons that are meant for the board as the page has shown it."""


def accepted(number: BoardNumber, context: Context) -> Collection[str]:
    """The buttons that would do something now: each is tried out, and undone."""
    return [verb for verb, command in _BUTTONS.items() if _would_be_done(command(number), context)]


def _would_be_done(command: BoardCommand, context: Context) -> bool:
    with context.uow.rehearsal():
        try:
            dispatch(command, context)
        except PlayerError:
            return False
    return True


def number_of(visit: RequestContext) -> BoardNumber:
    """The number of the board that the address names."""
    return number_in(visit.request)


def number_in(request: Request) -> BoardNumber:
    """The number of the board that a request names."""
    return BoardNumber(request.path_params["number"])


def make_move(visit: RequestContext) -> Response:
    """Make the drafted move; return the way back to the board, where a plan that was refused waits in its field.

    Raises:
        PlayerError: it cannot be made.
    """
    number = number_of(visit)
    move = MakeMove(number, visit.form.get("turn", ""))
    line, written = f"move {number} {move.move_text}", _written(visit).split("\n")
    below = visit.look(lambda context: with_lines_below(line, written, context.games, None))
    plan, is_meant = below.plan, visit.form.get("said", "").split() == _written(visit).split()
    if below.undone or (may_be_private(below.comment, has_plan=bool(plan)) and not is_meant):
        raise WordsForNobody(is_certain=bool(below.undone))
    notices = visit.tell(move, below.comment, _event(visit), plan)
    refused = next(filter(None, (each.facts.get("plan_refused") for each in notices)), None)
    response = _back(visit, number, planned="no" if refused else "yes" if plan else "")
    if refused:
        _keep_words({"plan": plan}, str(number), response, visit)
    return response


def do(visit: RequestContext) -> Response:
    """Do what a button says, nothing if there is no such button; return the way to the board to go to.

    Raises:
        PlayerError: it is not allowed.
    """
    verb, number = visit.form.get("verb", ""), number_of(visit)
    if verb == "queue":
        _keep_plan(visit, QueueMove(number, " ".join(visit.form.get("move", "").split())))
    elif verb in ("plan", "add to plan"):
        branches = read_branches(visit.form.get("plan", ""))
        _keep_plan(visit, MakePlan(number, branches=branches, adds=verb != "plan", edits=verb == "plan"))
    elif verb == "chat":
        visit.tell(Chat(number), _written(visit))
    elif verb.startswith("note "):
        seen = read_number(verb.removeprefix("note ")) or 0
        visit.tell(SaveNote(number, visit.form.get("note", "").replace("\r\n", "\n"), seen))
    elif verb == "analyse":
        visit.tell(AnalyseBoard(number))
    elif verb == "again":
        number = _begun(visit.tell(PlayAgain(number)), number)
    elif verb in _BUTTONS:
        event = _event(visit) if verb in _IN_POSITION else None
        visit.tell(_BUTTONS[verb](number), _written(visit), event)
    return _back(visit, number, planned=_PLANNED.get(verb, ""))


def _keep_plan(visit: RequestContext, plan: MakePlan | QueueMove) -> None:
    """Keep a plan or a queued move in place of that which the page has shown, or added to it.

    Raises:
        PlayerError: it is not allowed.
    """
    seen = visit.form.get("plan_seen")
    adds = isinstance(plan, MakePlan) and plan.adds
    expected = [] if seen is None else [ExpectPlan(plan.board, seen, adds=adds)]
    visit.tell_all([*expected, plan], "", _event(visit))


def _back(visit: RequestContext, number: BoardNumber, *, planned: str) -> Response:
    """The way to a board; what was kept of the form has been sent.

    Args:
        visit: the request.
        number: the board.
        planned: ``yes`` if a plan was kept, ``no`` if one was refused, ``cancelled`` if there is none any more.
    """
    said = {"large": "yes" if visit.asked("large") else "", "planned": planned}
    query = urlencode({name: word for name, word in said.items() if word})
    return forget_words(visit.go(f"/boards/{number}" + (f"?{query}" if query else "")), visit)


def _begun(notices: Sequence[Notice], before: BoardNumber) -> BoardNumber:
    """The number of the board that has just been begun; the one before if it has not."""
    boards = (each.facts.get("board") for each in notices)
    return next((board.number for board in boards if isinstance(board, Board)), before)


def _written(visit: RequestContext) -> str:
    """The words that the visitor has written, as in a letter."""
    return visit.form.get("comment", "").strip()[:MOST_WORDS]


def _event(visit: RequestContext) -> int | None:
    return read_number(visit.form.get("event", ""))


_COOKIE = "unsent"

LONGEST_DRAFT = 1000
"""Characters of a draft."""

LONGEST_ADDRESS = 2000
"""Characters of an address with a draft: proxies limit the length of headers."""

LONGEST_COOKIE = 3800
"""Characters of the cookie: browsers keep 4096, its name and all included (RFC 6265 s 6.1)."""

KEPT_FOR = timedelta(hours=1)
"""The time for which the browser keeps the cookie."""

WORDS = {
    "comment": MOST_WORDS,
    "chat": MOST_WORDS,
    "queue": LONGEST_DRAFT,
    "plan": MOST_OF_PLAN,
    "note": LONGEST_NOTE,
}
"""The fields of the page that are kept in the cookie, with the most characters of each."""

WORDS_OF_STUDY = {"title": LONGEST_TITLE, "text": LONGEST_TEXT, "lines": LONGEST_TEXT, "seen": LONGEST_DRAFT}
"""Those of the page of a study, with the revision that it has shown."""

_ALL_WORDS = {**WORDS, **WORDS_OF_STUDY}

_MOST_BYTES = 4 * sum(_ALL_WORDS.values()) * 3
"""Most bytes in the cookie, encoded as in an address."""


def unsent(visit: RequestContext) -> Mapping[str, str]:
    """The texts in the fields of the page, either kept earlier or from a form that was refused."""
    if visit.form:
        found = _in_form(visit.form)
    else:
        kept = kept_words(visit, str(number_of(visit)))
        found = {**kept, "turn": visit.asked("turn")}
    limits = {"turn": LONGEST_DRAFT, **WORDS}
    return {name: found.get(name, "").replace("\r\n", "\n")[:most] for name, most in limits.items()}


def _in_form(form: Mapping[str, str]) -> Mapping[str, str]:
    turn, words = form.get("turn", ""), "chat" if form.get("verb") == "chat" else "comment"
    return {
        "turn": turn,
        words: form.get("comment", ""),
        "queue": "" if turn else form.get("move", ""),
        "plan": "" if turn else form.get("plan", ""),
        "note": form.get("note", ""),
    }


def ask_to_sign_in(visit: RequestContext) -> Response:
    """Send a guest who has sent a form to the ways to sign in; their browser keeps the fields of the form."""
    said, number = unsent(visit), number_of(visit)
    board, words = f"/boards/{number}", {name: said[name] for name in WORDS if said[name]}
    drafted = f"{board}?{urlencode({'turn': said['turn']})}" if said["turn"] else board
    then = drafted if len(drafted) <= LONGEST_ADDRESS else board
    return sign_in_first(visit, str(number), then, words, is_cut=then != drafted)


def sign_in_first(
    visit: RequestContext, place: str, then: str, words: Mapping[str, str], *, is_cut: bool = False
) -> Response:
    """Send a guest who has sent a form to the ways to sign in; their browser keeps what they wrote.

    Args:
        visit: the request.
        place: the page of the form, below ``/boards/``.
        then: the address to return to.
        words: the fields of the form.
        is_cut: the address lacks a part of what was drafted.
    """
    is_lost = is_cut or len(_encoded(place, words)) > LONGEST_COOKIE
    response = visit.go(f"/sign-in?then={quote(then, safe='/')}" + ("&lost=yes" if is_lost else ""))
    _keep_words(words, place, response, visit)
    return response


def _keep_words(words: Mapping[str, str], place: str, response: Response, visit: RequestContext) -> None:
    """Have the browser keep words for the fields of a page, if there are any and they are short enough."""
    cookie = _encoded(place, words)
    if words and len(cookie) <= LONGEST_COOKIE:
        visit.site.cookies.keep(_COOKIE, cookie, KEPT_FOR, response)


def forget_words(response: Response, visit: RequestContext, place: str = "", *, of_any: bool = False) -> Response:
    """Have the browser forget the words kept for the board of the page, a page below it, or any: they were sent."""
    is_kept = of_any or bool(_kept(visit, f"{number_of(visit)}{place}"))
    if visit.site.cookies.said(_COOKIE, visit.request) and is_kept:
        visit.site.cookies.drop(_COOKIE, response)
    return response


def keeps(visit: RequestContext, then: str) -> Collection[str]:
    """The parts kept of the page that somebody returns to: its ``draft``, its ``words``."""
    address = urlsplit(then)
    is_drafted = bool(parse_qs(address.query).get("turn"))
    is_written = bool(_kept(visit, address.path.removeprefix("/boards/")))
    return [name for name, is_kept in (("draft", is_drafted), ("words", is_written)) if is_kept]


def kept_words(visit: RequestContext, place: str) -> Mapping[str, str]:
    """The fields that the browser of a player keeps for a page, named by its address below ``/boards/``."""
    return {} if visit.player is None else _kept(visit, place)


def _encoded(place: str, words: Mapping[str, str]) -> str:
    packed = zlib.compress(urlencode(words).encode(), 9)
    return f"{place}.{urlsafe_b64encode(packed).decode().rstrip('=')}"


def _kept(visit: RequestContext, place: str) -> Mapping[str, str]:
    """The fields that the browser keeps for a page; none if its cookie is not ours."""
    kept_for, _, packed = visit.site.cookies.said(_COOKIE, visit.request).partition(".")
    if not packed or kept_for != place:
        return {}
    try:
        raw = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        text = zlib.decompressobj().decompress(raw, _MOST_BYTES).decode()
        return {name: words for name, words in parse_qsl(text, max_num_fields=len(_ALL_WORDS)) if name in _ALL_WORDS}
    except (ValueError, zlib.error):
        return {}


MOST_LINES = 200
"""Most entries of the list of moves, unless all are asked for: a page stays small however long a game is."""

MOST_SAID = 10_000
"""Most characters of remarks, unless all are asked for."""


def show_board(visit: RequestContext) -> Response:
    """The page of a board."""
    if visit.site.kept.seen(number_of(visit)) is not None:
        visit.freshness.replica = None  # those who follow the board have been told of what is new there
    key = _key(visit)
    return _page(visit) if key is None else visit.site.kept.page(key, lambda: _page(visit))


def show_resignation(visit: RequestContext) -> Response:
    """Ask if the visitor means it."""
    visit.check_signed_in()
    return visit.page("resign", visit.look(lambda context: _facts(visit, context)))


def play(visit: RequestContext) -> Response:
    """Make the drafted move."""
    return _done(visit, make_move)


def act(visit: RequestContext) -> Response:
    """Do what a button says."""
    return _done(visit, do)


def _done(visit: RequestContext, deed: Callable[[RequestContext], Response]) -> Response:
    try:
        visit.check_form()
        visit.check_signed_in()
        return deed(visit)
    except NotSignedIn:
        return ask_to_sign_in(visit)
    except PlayerError as wrong:
        return _page(visit, wrong, 403 if isinstance(wrong, NotFromHere) else 409)


def _key(visit: RequestContext) -> Hashable | None:
    """The facts that determine a guest's page, by the minute; None: this page is made for one visitor alone."""
    number, asked = number_of(visit), set(visit.request.query_params)
    if visit.player is not None or not asked <= {"move", "all", "large"}:
        return None
    event = visit.site.kept.seen(number)
    if event is None:
        event = visit.look(lambda context: context.uow.boards.last_events([number])).get(number)
    minute = visit.now.replace(second=0, microsecond=0)
    page = visit.request.url.path, *map(visit.asked, ("move", "all", "large")), looks_of(visit.request), visit.language
    return None if event is None else (*page, event, minute)


def _page(visit: RequestContext, wrong: PlayerError | None = None, status: int = 200) -> Response:
    facts = visit.look(lambda context: {**_facts(visit, context), **_note(visit, wrong, context)})
    seen, kept = visit.form.get("plan_seen"), getattr(facts["plan"], "stamp", "")
    is_changed = wrong is not None and seen not in (None, kept)
    return visit.page("board", {**facts, "wrong": wrong or facts["wrong"], "plan_changed": is_changed}, status)


def _facts(visit: RequestContext, context: Context) -> Mapping[str, object]:
    """The facts of the page of a board.

    Raises:
        NoSuchBoard, NoSuchMove: it does not exist.
    """
    number, player = number_of(visit), context.speaker.player
    moveno = read_number(visit.asked("move"))
    now = find_board(number, None, context)
    board = at_moment(BoardMoment(number, moveno), None, context)
    present = context.course(now)
    table = replace(_table(board, moveno, visit, context), last=None if moveno is None else present.position)
    course, is_under_way = table.course, len(present.begun) > present.ply
    return {
        **board_facts(board, context, player),
        **_clock(now, context),
        **_own(now, context),
        **_words(now, visit, context),
        "most_lines": 0 if visit.asked("all") else MOST_LINES,
        **_drafted(table, visit),
        **_unplanned(now, visit, context),
        "present": (now, present),
        "last_move": present.ply,
        "last_event": now.event_number,
        "shown_move": course.ply,
        "is_past": moveno is not None and (moveno < present.ply or is_under_way),
        "under_way": present.ply + 1 if is_under_way else None,
        "is_between_people": len(set(now.players) - set(robots_at(now))) > 1 and present.result is None,
        "strengths": [
            context.uow.ratings.of(holder.player, board.game, variant_of(board, context)) for holder in board.seats
        ],
        "options_told": _options(board, visit),
        "openings": _openings(board, course),
        "is_finished": _is_finished(present),
        "is_kept": visit.asked("kept") == "yes",
        "is_planned": visit.asked("planned") == "yes",
        "is_plan_cancelled": visit.asked("planned") == "cancelled",
        "is_told": visit.asked("begun") == "yes" and not present.inputs,
        **(_analysis(now, context) if _is_finished(present) else {}),
        "has_study": _study(now, context) if _is_finished(present) else None,
    }


def _openings(board: Board, course: GameState) -> str | None:
    """The address of the position in the opening explorer; None behind the opening, and within a turn."""
    position = course.position
    if position.ply > MOST_TURNS or not is_boundary(position):
        return None
    fields = {
        "turns": BETWEEN_TURNS.join(each.text.move for each in course.inputs),
        "options": " ".join(f"-{in_words(name, value)}" for name, value in board.options.items()),
        "players": str(len(board.seats)),
    }
    return f"/games/{board.game}/explorer?{urlencode({name: value for name, value in fields.items() if value})}"


def _study(board: Board, context: Context) -> Study | None:
    player = context.speaker.player
    return None if player is None else context.uow.studies.find(player.id, board.number)


def _is_finished(course: GameState) -> bool:
    return course.result is not None and course.result.was_played and bool(course.inputs)


def _analysis(board: Board, context: Context) -> Mapping[str, object]:
    """The analysis of a finished game, or the ways to get one."""
    kept = kept_analysis(board, context)
    is_hidden = isinstance(kept, StandsTheSame)
    return {
        "analysis": None if is_hidden else kept,
        "analysis_hidden": kept if is_hidden else None,
        "chances": chances(kept.looks) if isinstance(kept, GameAnalysis) and len(board.seats) == _PAIR else None,
        "is_being_analysed": context.uow.analyses.is_wanted(board.number),
        "is_analysed_here": analyst(context) is not None,
    }


_PAIR = 2


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of the first seat, as a line across a game."""

    shares: tuple[float, ...]
    """From 0 to 1, at the beginning and after each input."""
    turning: tuple[int, ...]
    """The inputs that have turned the game, as indices of these."""

    @property
    def points(self) -> Sequence[tuple[float, float]]:
        """Across and down."""
        width, height = CHANCES_SIZE
        step = (width - 2 * _CHANCES_EDGE) / (len(self.shares) - 1)
        deep = height - 2 * _CHANCES_EDGE
        return [
            (round(_CHANCES_EDGE + at * step, 1), round(_CHANCES_EDGE + (1 - share) * deep, 1))
            for at, share in enumerate(self.shares)
        ]

    @property
    def path(self) -> str:
        """The points as written in SVG."""
        return " ".join(f"{across:g},{down:g}" for across, down in self.points)

    @property
    def turns(self) -> Sequence[tuple[float, float]]:
        """The points at which the game has turned."""
        return [self.points[at] for at in self.turning]

    @property
    def first(self) -> int:
        """The chances at the beginning, in percent."""
        return round(100 * self.shares[0])

    @property
    def last(self) -> int:
        """The chances at the end, in percent."""
        return round(100 * self.shares[-1])


CHANCES_SIZE = (240, 60)
"""The width and height of the line."""
_CHANCES_EDGE = 5
"""The space around it, for its dots."""


def chances(looks: Sequence[Look]) -> Chances:
    """The chances of the first of two seats."""
    start = looks[0]
    after = [(each.seat, each.could if each.is_best else each.worth) for each in looks]
    shares = [share if seat == 0 else 1 - share for seat, share in [(start.seat, start.could), *after]]
    return Chances(tuple(shares), tuple(at for at, each in enumerate(looks, 1) if each.is_turning_point))


def _drafted(table: Table, visit: RequestContext) -> Mapping[str, object]:
    """The board with the draft on it, and the words not sent yet."""
    return {
        "table": table,
        "ahead": course_after(table.course, table.draft),
        "wrong": table.wrong,
        "unsent": unsent(visit),
        "most_words": MOST_WORDS,
        "most_of_plan": MOST_OF_PLAN,
        "longest_note": LONGEST_NOTE,
        "longest_draft": LONGEST_DRAFT,
    }


def _unplanned(board: Board, visit: RequestContext, context: Context) -> Mapping[str, object]:
    """The plan that was not kept with a move, without numbers of moves for its field, and why it was not."""
    said, player = unsent(visit), context.speaker.player
    if visit.asked("planned") != "no" or player is None or not said["plan"]:
        return {"plan_refused": None}
    _, text, _ = split_movenos(said["plan"])
    _, found = with_plan_below(board, replace(context, plan=said["plan"]))
    return {"plan_refused": found.get("plan_refused"), "unsent": {**said, "plan": text}}


def _options(board: Board, visit: RequestContext) -> Sequence[tuple[str, str]]:
    """The options of a board as they are typed, each with its explanation in the help."""
    page = visit.site.wording.help.page(f"{board.game} options", visit.language)
    entries = explained(page)
    words = {name: f"-{in_words(name, value)}" for name, value in board.options.items()}
    meanings = {each.word: each.meaning for each in entries}
    of_name = {name: " ".join(each.meaning for each in entries if each.name == name) for name in words}
    return [(word, meanings.get(word, of_name[name])) for name, word in words.items()]


def _clock(board: Board, context: Context) -> Mapping[str, object]:
    """The clocks of a board at present."""
    course = context.course(board)
    return {
        "wait": waiting(board, course),
        "robots_thinking": [each.userid for each in errands(board, course)],
        "tasks_before": context.uow.errands.before(board.number),
        "nag_at": nag_at(board, course),
        "used": time_used(board, course, context.now),
        "left": total_left(board, course, context.now),
    }


def _own(board: Board, context: Context) -> Mapping[str, object]:
    """The facts for this visitor alone."""
    player = context.speaker.player
    planned = None if player is None else planned_by(board, player.id)
    return {
        "can": () if player is None else accepted(board.number, context),
        "plan": None if planned is None else board.seats[planned].plan,
        "plan_dropped": () if player is None else _dropped(board, player.id),
        "announced": player is not None and announced_by(board, player.id) is not None,
        "listens": may_read(board, context),
        "next_board": None if player is None else _next_board(player.id, board.number, context),
        "hint_asked": player is not None and _is_hint_asked(player.id, board, context),
        "replied": None if player is None else _replied_to(board, context.course(board), player.id),
        "settled": () if player is None else _settled_lately(board, context.course(board), player.id),
    }


def _dropped(board: Board, player: PlayerId) -> Sequence[str]:
    """The lines of a player's plan that was dropped since they moved."""
    return next(filter(None, (board.seats[seat].dropped for seat in board.seats_of(player))), ())


def _is_hint_asked(asker: PlayerId, board: Board, context: Context) -> bool:
    """Return True if a player waits for a hint about the position of a board."""
    task = context.uow.analyses.find(asker)
    is_here = task is not None and (task.board, task.event) == (board.number, board.event_number)
    return is_here and context.course(board).result is None


def _note(visit: RequestContext, wrong: PlayerError | None, context: Context) -> Mapping[str, object]:
    """The visitor's note, and what stands in its field: both texts if the one typed may not be based on the other."""
    player = context.speaker.player
    note = None if player is None else context.uow.notes.find(player.id, number_of(visit))
    stored, typed = "" if note is None else note.text, unsent(visit)["note"]
    is_of_this = bool(visit.form) and not isinstance(wrong, NoteChanged)
    return {"note": note, "note_text": typed if typed and is_of_this else with_lines(stored, typed)}


def _replied_to(board: Board, course: GameState, player: PlayerId) -> tuple[PlayedInput, PlayedInput] | None:
    """The last two moves, if a plan or a queued move of a player's has made the second: at the moment of the first."""
    seats, last = board.seats_of(player), course.inputs[-_PAIR:]
    if len(last) < _PAIR or last[0].seat in seats or last[1].seat not in seats:
        return None
    moments = [board.events[each.event - 1].at for each in last]
    # everything at an imported board is said to have happened at once, when it began
    return (last[0], last[1]) if moments[0] == moments[1] > board.begun_at else None


def _settled_lately(board: Board, course: GameState, player: PlayerId) -> Sequence[Settlement]:
    """The last answer to an offer that has come since a player moved, with something after it; or none.

    Where nothing has come after it, the status of the board tells of it.
    """
    seats = board.seats_of(player)
    own = max((each.event for each in course.inputs if each.seat in seats), default=0)
    found = settlements(board.played) if seats and course.result is None else ()
    return [each for each in found if own < each.event.number < board.event_number][-1:]


def _next_board(player: PlayerId, here: BoardNumber, context: Context) -> BoardNumber | None:
    """Another board that waits for a player, the one that has waited longest."""
    waiting = context.uow.boards.of_players([player], "next", None, _MOST_WAITING)
    others = [(each.last_at, each.number) for each in waiting if each.number != here]
    return min(others)[1] if others else None


_MOST_WAITING = 20


def _words(board: Board, visit: RequestContext, context: Context) -> Mapping[str, object]:
    """The remarks at a board, the newest first, each with the number of the move that it came with or after."""
    moves = {played.event: played.moveno for played in context.course(board).inputs}
    said = list(reversed(remarks_of(board, context)))
    lengths = accumulate(len(each.text) for each in said)
    shown = [each for each, length in zip(said, lengths, strict=True) if visit.asked("all") or length <= MOST_SAID]
    last_said = context.uow.remarks.last_ids([board.number]).get(board.number, 0)
    remarks = [(each, moves.get(each.event)) for each in shown]
    return {"remarks": remarks, "older": len(said) - len(shown), "last_said": last_said}


def _table(board: Board, moveno: int | None, visit: RequestContext, context: Context) -> Table:
    course, game, player = context.course(board), context.games[board.game], context.speaker.player
    seats = board.seats_of(player.id) if player else ()
    typed = unsent(visit)["turn"]
    place, from_side = visit.asked("pick"), viewer(board, course, player)
    begins, to, is_large = last_played(board, course, game), visit.asked("to"), bool(visit.asked("large"))
    begun = draft(begins, game, "")
    awaits = moveno is None and bool(seats) and course.to_act not in seats and bool(errands(board, course))
    table = Table(board, course, game, from_side, moveno, begun, place, seats, typed, is_large=is_large, to=to)
    if not typed.strip():
        return replace(table, awaits_robot=awaits)
    if not table.can_draft:
        return table
    try:
        return replace(table, draft=draft(begins, game, typed))
    except PlayerError as wrong:
        is_sent = any(_same_turn(typed, each.text.move) for each in course.inputs if each.seat in seats)
        return replace(table, typed="", is_sent=True, awaits_robot=awaits) if is_sent else replace(table, wrong=wrong)


def _same_turn(one: str, other: str) -> bool:
    """Return True if two turns are written alike but for blanks and capitals."""
    return "".join(one.split()).casefold() == "".join(other.split()).casefold()
