"""Home, help and looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from starlette.exceptions import HTTPException
from starlette.responses import Response

from pbem.commands.accounts import SetPreferences
from pbem.commands.boards import TableOfBoards
from pbem.commands.challenges import ShowStandings
from pbem.commands.server import Help, ListGames
from pbem.commands.verbs import VERBS
from pbem.domain.preferences import Preferences
from pbem.games.game import Game
from pbem.usecases.context import Context
from pbem.usecases.opponents import robots_to_challenge
from pbem.usecases.puzzles import puzzles_of
from pbem.usecases.seeks import seeks_of_others
from pbem.web.boards.samples import leading_first
from pbem.web.context import PALETTES, THEMES, RequestContext, Theme, keep_language, keep_looks
from pbem.web.pages.puzzles import theme_of
from pbem.web.security import is_path
from pbem.wording.help import INDEX, Lookup

Rows = Sequence[Mapping[str, Any]]


MOST_BOARDS = 10
"""Most boards on a page that is not only about boards."""
MOST_WATCHED = 4
"""Most boards of others on the front page."""
MOST_OF_FAMILY = 8
"""Most games of one family on the front page; ``/games`` has all of them."""
MOST_RANKED = 10
"""Most players on the page of a game."""
MOST_SEEKS = 20


def show_home(visit: RequestContext) -> Response:
    """The front page: a welcome, the active boards, and the first steps."""
    games, boards = _rows(visit, ListGames()), _rows(visit, TableOfBoards())
    own = _rows(visit, TableOfBoards((visit.player.userid,))) if visit.player else ()
    theirs = [row for row in boards if visit.player is None or visit.player.id not in row["board"].players]
    facts = {
        "families": by_family(games),
        "most_of_family": MOST_OF_FAMILY,
        "first_game": leading_first(row["game"].name for row in games)[0],
        "boards": theirs[:MOST_WATCHED],
        "own": [{**row, "waits": _waits_for(visit, row), "waited": visit.now - row["since"]} for row in own],
        "puzzle": visit.look(lambda context: _puzzle_of(visit.now, context)),
        "robots": visit.look(lambda context: robots_to_challenge(context.uow)) if visit.player else (),
        "last_game": _last_game(visit, games, own),
        "bulletins": visit.site.bulletins(visit.now),
    }
    return visit.page("home", facts)


def by_family(games: Rows) -> Mapping[str, Rows]:
    """The games by family: that of the leading game first, then the small ones, games without a family last."""
    rows = {row["game"].name: row for row in games}
    families: dict[str, list[Mapping[str, Any]]] = {rows[name]["game"].family: [] for name in leading_first(rows)}
    families[""] = families.pop("", [])
    for name in leading_first(rows):
        families[rows[name]["game"].family].append(rows[name])
    (leading, *others) = ((family, members) for family, members in families.items() if members)
    return dict((leading, *sorted(others, key=lambda each: (not each[0], len(each[1])))))


def _puzzle_of(now: datetime, context: Context) -> Mapping[str, object] | None:
    """The puzzle of the day, which is the same for everybody."""
    puzzles = puzzles_of(None, context)
    if not puzzles:
        return None
    puzzle = puzzles[now.date().toordinal() * _STRIDE % len(puzzles)]
    return {"number": puzzle.number, "game": context.games[puzzle.game], "theme": theme_of(puzzle)}


_STRIDE = 7919
"""Puzzles between that of one day and of the next: a prime, so that all have their turn."""


def _rows(visit: RequestContext, command: ListGames | TableOfBoards) -> Rows:
    """The rows of the table that a command shows."""
    return cast("Rows", visit.ask(command).facts["rows"])


def _last_game(visit: RequestContext, games: Rows, own: Rows) -> Game[Any, Any]:
    """The game of the visitor's newest board that is listed, or else the leading one."""
    rows = own or (_rows(visit, TableOfBoards((visit.player.userid,), "all")) if visit.player else ())
    if rows:
        return cast("Game[Any, Any]", max(rows, key=lambda row: row["board"].number)["game"])
    by_name = {row["game"].name: row["game"] for row in games}
    return cast("Game[Any, Any]", by_name[leading_first(by_name)[0]])


def _waits_for(visit: RequestContext, row: Mapping[str, Any]) -> bool:
    return bool(visit.player and row["to_act"] and row["to_act"].player == visit.player.id)


def show_design(visit: RequestContext) -> Response:
    """Each component of the pages, for those who work on them.

    Raises:
        HTTPException: the site is reached by TLS, as public ones are.
    """
    if visit.site.is_secure:
        raise HTTPException(404)
    return visit.page("design", {"games": _rows(visit, ListGames())})


def show_games(visit: RequestContext) -> Response:
    """All games of the server."""
    games = _rows(visit, ListGames())
    return visit.page("games", {"games": games, "families": by_family(games)})


def show_game(visit: RequestContext) -> Response:
    """The page of a game: its description and its players.

    Raises:
        NoSuchGame: there is no such game.
    """
    (row,) = _rows(visit, ListGames((visit.word("game"),)))
    game = row["game"]
    boards = _rows(visit, TableOfBoards(game=game.name))
    standings = visit.ask(ShowStandings(game.name)).facts
    seeks = visit.look(lambda context: _seeks(game.name, context))
    facts = {
        **row,
        "boards": boards[:MOST_BOARDS],
        "standings": standings,
        "table": cast("Mapping[str, object]", standings["tables"])[game.name],
        "most": MOST_RANKED,
        "seekers": seeks[:MOST_SEEKS],
        "more_seekers": len(seeks) - MOST_SEEKS,
        "is_seeking": visit.look(lambda context: _is_seeking(game.name, context)),
    }
    return visit.page("game", facts)


def _seeks(game: str, context: Context) -> Sequence[object]:
    return seeks_of_others(game, context)


def _is_seeking(game: str, context: Context) -> bool:
    speaker = context.speaker.player
    return speaker is not None and any(each.player == speaker.id for each in context.uow.seeks.of_game(game))


_MOST_WORDS = 10
_LONGEST = 40


def show_index(visit: RequestContext) -> Response:
    """The first page of the help, with all its subjects."""
    pages = visit.site.wording.help
    (found,) = pages.find((), visit.language)
    games = visit.look(lambda context: {name: context.games[name].title for name in leading_first(context.games)})
    english = [each for each in pages.english if each != INDEX]
    of_games = [subject for subject in english if subject.split()[0] in games]
    facts = {
        "page": found.page,
        "games": games,
        "of_games": of_games,
        "others": [subject for subject in english if subject not in of_games and subject not in VERBS],
    }
    return visit.page("help_index", facts)


def show_subject(visit: RequestContext) -> Response:
    """The page about a subject; if no page has exactly this name, those that may be meant."""
    words = visit.word("subject").replace("/", " ").split()
    told = visit.ask(Help(tuple(words[:_MOST_WORDS])))
    found = visit.site.wording.help.find(cast("Sequence[str]", told.facts["subjects"]), visit.language)
    page = found[0].page if found else None
    if len(found) == 1 and page is not None and not found[0].is_missing:
        about = page.subject.removesuffix(f" {page.language}")
        games = visit.look(lambda context: tuple(context.games))
        return visit.page("help", {"page": page, "about": about, "games": games, "lacks": found[0].lacks})
    sure = (name for asked in found for name in _surely_meant(asked))
    near = dict.fromkeys((*sure, *visit.site.wording.help.suggestions(found)))
    asked = " ".join(word[:_LONGEST] for word in words[:_MOST_WORDS])
    facts = {
        "asked": asked,
        "near": list(near),
        "is_told_there": all(each.is_told_there for each in found),
        "is_absent": len(found) == 1 and found[0].is_absent,
    }
    return visit.page("help_missing", facts, 404)


def _surely_meant(asked: Lookup) -> tuple[str, ...]:
    """The subjects that a word of an address means without a guess."""
    if asked.page is not None:
        return (asked.page.subject,)
    return asked.near if asked.is_told_there else ()


def show_looks(visit: RequestContext) -> Response:
    """The page for choosing colours."""
    return visit.page("looks", {"themes": THEMES, "palettes": PALETTES, "then": _then(visit)})


def choose_looks(visit: RequestContext) -> Response:
    """Keep the chosen colours in the browser."""
    visit.check_form()
    chosen = Theme.named(visit.form.get("theme", ""), visit.form.get("palette", ""))
    response = visit.go(_then(visit))
    keep_looks(chosen, response, is_secure=visit.site.is_secure)
    return response


def choose_language(visit: RequestContext) -> Response:
    """Keep the chosen language in the browser, and in the settings of a player."""
    visit.check_form()
    chosen = Preferences.read("language", visit.form.get("language", ""))
    if visit.player is not None:
        visit.tell(SetPreferences((("language", chosen),)))
    response = visit.go(_then(visit))
    keep_language(chosen, response, is_secure=visit.site.is_secure)
    return response


def _then(visit: RequestContext) -> str:
    then = visit.form.get("then") or visit.asked("then")
    return then if is_path(then) else "/"
