"""The page of a board: looked at, stepped through, and played on.

A turn in the making stands in the address of the page (``?turn=a1&pick=J``), so that everything works without a script,
and going back takes a step back.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from starlette.responses import Response

from pbem.commands.model import BoardMoment
from pbem.domain.boards import Board
from pbem.domain.robots import errands
from pbem.domain.waits import nag_at, time_used, total_left, waiting
from pbem.errors import PlayerError
from pbem.games.options import in_words
from pbem.usecases.boards.sequels import announced_by, queued_by
from pbem.usecases.context import Context
from pbem.usecases.finding import at_moment, find_board
from pbem.usecases.notices.notifications import board_facts
from pbem.usecases.notices.remarks import may_read, remarks_of
from pbem.usecases.robots.analyses import analyst
from pbem.usecases.views.drafts import course_after, draft
from pbem.web.boards.buttons import MOST_WORDS, accepted, do, make_move, number_of
from pbem.web.boards.tables import Table
from pbem.web.boards.unsent import LONGEST_DRAFT, ask_to_sign_in, forget_words, unsent
from pbem.web.looks import looks_of
from pbem.web.numbers import read_number
from pbem.web.visits import NotFromHere, NotSignedIn, Visit
from pbem.wording.boards import viewer
from pbem.wording.explained import explained

MOST_LINES = 200
"""Of the list of moves, unless all are asked for: a page stays small however long a game is."""

MOST_SAID = 10_000
"""Characters of what was said, unless all of it is asked for."""


def show_board(visit: Visit) -> Response:
    """The page of a board."""
    key = _key(visit)
    return _page(visit) if key is None else visit.site.kept.page(key, lambda: _page(visit))


def show_resignation(visit: Visit) -> Response:
    """Ask whether he means it."""
    visit.check_signed_in()
    return visit.page("resign", visit.look(lambda context: _facts(visit, context)))


def play(visit: Visit) -> Response:
    """Make the move that has been drafted."""
    return _done(visit, make_move)


def act(visit: Visit) -> Response:
    """Do what a button says."""
    return _done(visit, do)


def _done(visit: Visit, deed: Callable[[Visit], None]) -> Response:
    try:
        visit.check_form()
        deed(visit)
    except NotSignedIn:
        return ask_to_sign_in(visit)
    except PlayerError as wrong:
        return _page(visit, wrong, 403 if isinstance(wrong, NotFromHere) else 409)
    done = visit.go(f"/boards/{number_of(visit)}" + ("?large=yes" if visit.asked("large") else ""))
    return forget_words(done, visit)


def _key(visit: Visit) -> Hashable | None:
    """What the page of a guest depends upon, by the minute; None: this one is made for him alone."""
    number, asked = number_of(visit), set(visit.request.query_params)
    if visit.player is not None or not asked <= {"move", "all", "large"}:
        return None
    event = visit.site.kept.seen(number)
    if event is None:
        event = visit.look(lambda context: context.uow.boards.last_events([number])).get(number)
    minute = visit.now.replace(second=0, microsecond=0)
    page = visit.request.url.path, *map(visit.asked, ("move", "all", "large")), looks_of(visit.request)
    return None if event is None else (*page, event, minute)


def _page(visit: Visit, wrong: PlayerError | None = None, status: int = 200) -> Response:
    facts = visit.look(lambda context: _facts(visit, context))
    return visit.page("board", {**facts, "wrong": wrong or facts["wrong"]}, status)


def _facts(visit: Visit, context: Context) -> Mapping[str, object]:
    """What the page of a board shows.

    Raises:
        NoSuchBoard, NoSuchMove: it is not there.
    """
    number, player = number_of(visit), context.speaker.player
    moveno = read_number(visit.asked("move"))
    now = find_board(number, None, context)
    board = at_moment(BoardMoment(number, moveno), None, context)
    last = None if moveno is None else context.course(now).position
    table = replace(_table(board, moveno, visit, context), last=last)
    course = table.course
    return {
        **board_facts(board, context, player),
        **_clock(now, context),
        **_own(now, context),
        **_words(now, visit, context),
        "most_lines": 0 if visit.asked("all") else MOST_LINES,
        **_drafted(table, visit),
        "last_move": context.course(now).ply,
        "last_event": now.event_number,
        "shown_move": course.ply,
        "strengths": [context.uow.ratings.of(holder.player, board.game) for holder in board.seats],
        "options_told": _options(board, visit),
        "is_analysed_here": course.result is not None and analyst(context) is not None,
    }


def _drafted(table: Table, visit: Visit) -> Mapping[str, object]:
    """The board with what is drafted on it, and what is not sent yet."""
    return {
        "table": table,
        "ahead": course_after(table.course, table.draft),
        "wrong": table.wrong,
        "unsent": unsent(visit),
        "most_words": MOST_WORDS,
        "longest_draft": LONGEST_DRAFT,
    }


def _options(board: Board, visit: Visit) -> Sequence[tuple[str, str]]:
    """The options of a board as they are typed, each with what the help says of it."""
    page = visit.site.wording.help.page(f"{board.game} options")
    entries = explained(page)
    words = {name: f"-{in_words(name, value)}" for name, value in board.options.items()}
    meanings = {each.word: each.meaning for each in entries}
    of_name = {name: " ".join(each.meaning for each in entries if each.name == name) for name in words}
    return [(word, meanings.get(word, of_name[name])) for name, word in words.items()]


def _clock(board: Board, context: Context) -> Mapping[str, object]:
    """What the clocks of a board show as it stands."""
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
    """What is for the visitor alone."""
    player = context.speaker.player
    queued = None if player is None else queued_by(board, player.id)
    return {
        "can": () if player is None else accepted(board.number, context),
        "queued": None if queued is None else board.seats[queued].queued,
        "announced": player is not None and announced_by(board, player.id) is not None,
        "listens": may_read(board, context),
    }


def _words(board: Board, visit: Visit, context: Context) -> Mapping[str, object]:
    """What was said at a board, the newest first, each with the number of the move that it came with or after."""
    moves = {played.event: played.moveno for played in context.course(board).inputs}
    said = list(reversed(remarks_of(board, context)))
    lengths = accumulate(len(each.text) for each in said)
    shown = [each for each, length in zip(said, lengths, strict=True) if visit.asked("all") or length <= MOST_SAID]
    last_said = context.uow.remarks.last_ids([board.number]).get(board.number, 0)
    remarks = [(each, moves.get(each.event)) for each in shown]
    return {"remarks": remarks, "older": len(said) - len(shown), "last_said": last_said}


def _table(board: Board, moveno: int | None, visit: Visit, context: Context) -> Table:
    course, game, player = context.course(board), context.games[board.game], context.speaker.player
    seats = board.seats_of(player.id) if player else ()
    typed = unsent(visit)["turn"]
    place, from_side = visit.asked("pick"), viewer(board, course, player)
    begun, to, is_large = draft(course, game, ""), visit.asked("to"), bool(visit.asked("large"))
    table = Table(board, course, game, from_side, moveno, begun, place, seats, typed, is_large=is_large, to=to)
    if not table.can_draft or not typed.strip():
        return table
    try:
        return replace(table, draft=draft(course, game, typed))
    except PlayerError as wrong:
        return replace(table, wrong=wrong)
