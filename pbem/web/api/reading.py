"""The answers of the API to programs that read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast, get_args

from pbem.bots.puzzles import Puzzle
from pbem.commands.boards import TableOfBoards
from pbem.commands.challenges import ShowHistory, ShowStandings
from pbem.commands.command import BoardMoment, Which
from pbem.commands.server import ListGames, ShowWho
from pbem.commands.tournaments import ShowTournament
from pbem.domain.boards import Board
from pbem.domain.openings import Tally
from pbem.domain.players import Standing
from pbem.domain.tables import Row
from pbem.domain.tournaments import Tournament
from pbem.games.game import Game
from pbem.usecases.board_views import facts_of_table
from pbem.usecases.context import Context
from pbem.usecases.notices import subscribers_of
from pbem.usecases.previews import draft
from pbem.usecases.puzzles import begun, find_puzzle, puzzles_of
from pbem.usecases.rankings import facts_of_history, facts_of_standings
from pbem.usecases.ratings import rated_facts
from pbem.usecases.studies import shared_study, study_record
from pbem.usecases.tournament_rounds import facts_of_list
from pbem.usecases.understanding import at_moment, find_board
from pbem.web.api.answers import Json, ask, look
from pbem.web.api.facts import (
    board_url,
    changes_of,
    clock_of,
    finished_of,
    offer_of,
    options_of,
    outcome_of,
    players_of,
    record_facts,
    row_of,
    standings_of,
    state_of,
)
from pbem.web.api.facts import ranked_of as ranked
from pbem.web.api.positions import turns_of
from pbem.web.boards.page import LONGEST_DRAFT, number_of
from pbem.web.context import NoSuchValueAsked, RequestContext, asked_number
from pbem.web.pages.explorer import asked
from pbem.web.paging import leaf
from pbem.wording.help import explained

WHICH: Sequence[str] = get_args(Which)
"""The kinds of lists of boards."""


def board(visit: RequestContext) -> Json:
    """A board, as it is or as it was.

    Raises:
        NoSuchBoard, NoSuchMove: it does not exist.
        UnreadableMove, IllegalMove: the turn that was to be tried out cannot be played.
    """
    return look(visit, lambda context: _board(visit, context))


def _board(visit: RequestContext, context: Context) -> Json:
    number, moveno = number_of(visit), asked_number(visit, "move")
    now = find_board(number, None, context)
    shown = at_moment(BoardMoment(number, moveno), None, context)
    course, game = context.course(shown), context.games[shown.game]
    is_on = context.course(now).result is None
    tried = draft(course, game, visit.asked("turn")[:LONGEST_DRAFT] if is_on else "")
    place = now.tournament
    return {
        "board": number,
        "url": board_url(now, visit.site.url),
        "game": now.game,
        "options": options_of(now.options),
        "players": players_of(now, game.sides(course.position)),
        "rated": now.may_count,
        "pair": now.pair,
        "tournament": place and {"name": place.name, "round": place.round, "label": place.label},
        "begun_at": now.begun_at,
        "last_at": now.last_at,
        "event": now.event_number,
        "moves": context.course(now).ply,
        "shown": course.ply,
        "record": record_facts(shown, course),
        "turns": turns_of(course),
        "state": state_of(tried.after, game, is_on=course.result is None, said=tried.said),
        **_present(now, context),
    }


def _present(board: Board, context: Context) -> Json:
    """The facts of the present, however old the shown position is."""
    course = context.course(board)
    return {
        "offer": offer_of(board, course),
        "clock": clock_of(board, course),
        "result": outcome_of(course),
        "ratings": changes_of(rated_facts(board, context)),
        "subscribers": [each.userid for each in subscribers_of(board, context)],
    }


def boards(visit: RequestContext) -> Json:
    """Boards, of everybody or of some players.

    Raises:
        NoSuchPlayer, NoSuchGame, NoSuchPart: one of them is unknown.
        NoSuchValueAsked: ``which`` is unknown.
    """
    which = visit.asked("which", "active")
    if which not in WHICH:
        raise NoSuchValueAsked("which", which, WHICH)
    players = tuple(visit.request.query_params.getlist("player")[:10])
    command = TableOfBoards(players, cast("Which", which), visit.asked("game") or None)
    facts, leaves = leaf(visit, partial(look, visit), lambda part, context: facts_of_table(command, part, context))
    rows = [row_of(row, visit.site.url) for row in facts["rows"]]
    return {"boards": rows, "more": facts["more"], "next": leaves.next_url}


def games(visit: RequestContext) -> Json:
    """The games."""
    return {"games": [_game(row, visit) for row in ask(visit, ListGames())["rows"]]}


def _game(row: Json, visit: RequestContext) -> Json:
    game: Game[Any, Any] = row["game"]
    page = visit.site.wording.help.page(f"{game.name} options")
    return {
        "game": game.name,
        "title": game.title,
        "rules": game.rules,
        "players": list(game.players),
        "options": [{"option": each.word, "meaning": each.meaning} for each in explained(page)],
        "active": row["active"],
        "finished": row["finished"],
        "active_players": row["players"],
        "seeks": row["seeks"],
    }


def player(visit: RequestContext) -> Json:
    """The public facts about a player.

    Raises:
        NoSuchPlayer: there is none.
    """
    facts = ask(visit, ShowWho(visit.word("userid")))
    player, reliability = facts["player"], facts["reliability"]
    away = [each.ends_at for each in player.vacations if each.began_at <= visit.now < each.ends_at]
    is_here = player.standing not in (Standing.GONE, Standing.BANNED) and not player.is_placeholder
    return {
        "userid": player.userid,
        "robot": player.is_robot,
        "standing": player.standing.value,
        "here_since": player.created_at.date() if is_here else None,
        "seen_on": player.seen_on,
        "vacation_until": max(away, default=None),
        "pace_seconds": facts["pace"],
        "finished": reliability.finished,
        "forfeits": reliability.forfeits,
        "games": [ranked(each) for each in facts["games"]],
    }


def standings(visit: RequestContext) -> Json:
    """The standings of one game or of all.

    Raises:
        NoSuchGame, NoSuchVariant, NoSuchPart: nobody plays it here, or there is no such part.
    """
    game = _game_asked(visit)
    command = ShowStandings(game, visit.asked("variant") if game else "")
    facts, leaves = leaf(visit, partial(look, visit), lambda part, context: facts_of_standings(command, part, context))
    return {
        "established_from": facts["established"],
        "active_days": facts["active_days"],
        "games": {name: standings_of(table) for name, table in facts["tables"].items()},
        "next": leaves.next_url,
    }


def explorer(visit: RequestContext) -> Json:
    """The turns that were played in a position of finished games.

    Raises:
        PlayerError: as `pbem.web.pages.explorer.asked`.
    """
    found = look(visit, partial(asked, visit))
    return {
        "game": found.opening.game.name,
        "turns": list(found.opening.turns),
        "people": _tally(found.explored.people),
        "robots": _tally(found.explored.robots),
        "played": [
            {"inputs": list(each.inputs), "people": _tally(each.found.people), "robots": _tally(each.found.robots)}
            for each in found.explored.turns
        ],
    }


def study(visit: RequestContext) -> Json:
    """The record of a game with the study of it that somebody shares.

    Raises:
        NoSharedStudy: nobody does.
    """
    key = visit.request.path_params["key"]
    return look(visit, lambda context: study_record(shared_study(key, context), context))


def _tally(tally: Tally) -> Json:
    return {"games": tally.games, "won": tally.won, "tied": tally.tied, "rating": tally.rating}


def history(visit: RequestContext) -> Json:
    """Finished boards, the newest first.

    Raises:
        NoSuchGame, NoSuchPlayer, NoSuchPart: one of them is unknown.
    """
    command = ShowHistory(visit.asked("player") or None, _game_asked(visit))
    facts, leaves = leaf(visit, partial(look, visit), lambda part, context: facts_of_history(command, part, context))
    rows = [finished_of(row, visit.site.url) for row in facts["rows"]]
    return {"boards": rows, "more": facts["more"], "next": leaves.next_url}


def _game_asked(visit: RequestContext) -> str | None:
    return visit.word("game") if "game" in visit.request.path_params else None


def puzzles(visit: RequestContext) -> Json:
    """All puzzles, or those of one game.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return look(visit, lambda context: _puzzles(visit, context))


def _puzzles(visit: RequestContext, context: Context) -> Json:
    said = visit.asked("game")
    game = context.game(said).name if said else None
    return {"puzzles": [_in_list(each, visit) for each in puzzles_of(game, context)]}


def puzzle(visit: RequestContext) -> Json:
    """A puzzle.

    Raises:
        NoSuchPuzzle: there is none.
        UnreadableMove, IllegalMove: the turn that was to be tried out cannot be played.
    """
    return look(visit, lambda context: _puzzle(visit, context))


def _puzzle(visit: RequestContext, context: Context) -> Json:
    found = find_puzzle(int(visit.word("number")), None, context)
    game = context.games[found.game]
    board, course = begun(found, context)
    tried = draft(course, game, visit.asked("turn")[:LONGEST_DRAFT])
    return {
        "puzzle": _in_list(found, visit),
        "record": record_facts(board, course),
        "turns": turns_of(course),
        "state": state_of(tried.after, game, is_on=True, said=tried.said),
    }


def _in_list(puzzle: Puzzle, visit: RequestContext) -> Json:
    return {
        "number": puzzle.number,
        "url": f"{visit.site.url}/puzzles/{puzzle.number}",
        "game": puzzle.game,
        "options": options_of(puzzle.options),
        "goal": puzzle.goal.value,
        "wins_in": puzzle.wins_in or None,
    }


def tournaments(visit: RequestContext) -> Json:
    """The tournaments of a game.

    Raises:
        NoSuchGame, NoSuchPart: nobody plays it here, or there is no such part.
    """
    game = visit.word("game")
    facts, leaves = leaf(visit, partial(look, visit), lambda part, context: facts_of_list(game, part, context))
    return {"tournaments": [_described(row, visit) for row in facts["rows"]], "next": leaves.next_url}


def tournament(visit: RequestContext) -> Json:
    """A tournament with its tables.

    Raises:
        NoSuchGame, NoSuchTournament: there is none.
    """
    facts = ask(visit, ShowTournament(visit.word("game"), visit.word("name")))
    names = facts["names"]
    return {
        "tournament": _described(facts, visit),
        "pools": [
            {"pool": pool["letter"], "rows": [_standing(row, names[row.player]) for row in pool["rows"]]}
            for pool in facts["pools"]
        ],
        "meetings": [
            {
                "board": each.board,
                "round": each.round,
                "label": each.label,
                "players": [names[player] for player in each.pair],
                "points": None if each.halves is None else [half / 2 for half in each.halves],
            }
            for each in facts["all_meetings"]
        ],
    }


def _described(facts: Json, visit: RequestContext) -> Json:
    found: Tournament = facts["tournament"]
    return {
        "name": found.name,
        "url": f"{visit.site.url}/tournaments/{found.game}/{found.name}",
        "game": found.game,
        "kind": found.kind.value,
        "state": found.state.value,
        "creator": facts["creator"],
        "created_at": found.created_at,
        "finished_at": found.finished_at,
        "options": options_of(found.options),
        "round": found.round,
        "rounds": found.rounds_planned,
        "entrants": [each.userid for each in found.entries],
        "withdrawn": [each.userid for each in found.entries if each.withdrawn_at is not None],
    }


def _standing(row: Row, userid: str) -> Json:
    return {
        "place": row.place,
        "userid": userid,
        "points": row.halves / 2,
        "played": row.played,
        "byes": row.byes,
        "buchholz": row.buchholz / 2,
        "direct": row.direct / 2,
        "berger": row.berger / 4,
        "withdrawn": row.has_withdrawn,
    }
