"""Boards and players as JSON: the facts that mails and pages show to everybody, under stable names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.players import is_robot
from pbem.domain.ratings import FinishedBoard, Ranked, Ranks, Standings
from pbem.domain.records import NotPlayed, record_of
from pbem.domain.waits import waiting
from pbem.games.game import Game, Options, Position
from pbem.games.options import in_words
from pbem.games.records import to_json
from pbem.usecases.ratings import Rated
from pbem.web.api.answers import Json
from pbem.web.api.positions import hextile_of


def row_of(row: Mapping[str, Any], url: str) -> Json:
    """A board in a list of boards."""
    board, course = row["board"], row["course"]
    return {
        "board": board.number,
        "url": board_url(board, url),
        "game": board.game,
        "options": options_of(board.options),
        "players": players_of(board, row["sides"]),
        "moves": course.ply,
        "to_act": course.to_act,
        "event": board.event_number,
        "since": row["since"],
        "result": outcome_of(course),
    }


def board_url(board: Board, url: str) -> str:
    """The address of a board's page."""
    return f"{url}/boards/{board.number}"


def options_of(options: Options) -> Sequence[str]:
    """Options as written in a challenge."""
    return [f"-{in_words(name, value)}" for name, value in options.items()]


def players_of(board: Board, sides: Sequence[str]) -> Sequence[Json]:
    """The players, in the order of seats."""
    return [
        {"seat": seat, "userid": holder.userid, "robot": is_robot(holder.userid), "side": sides[seat]}
        for seat, holder in enumerate(board.seats)
    ]


def outcome_of(course: GameState) -> Json | None:
    """The result of a board; None while it is active."""
    result = course.result
    if result is None:
        return None
    by_rules = course.position.outcome if result.ending == "rules" else None
    return {
        "ending": result.ending.value,
        "reason": str(by_rules.ending) if by_rules else None,
        "winners": list(result.winners),
        "by": result.by,
    }


def record_facts(board: Board, course: GameState) -> Json | None:
    """The record of a board, as ``export`` gives it; None if no game was played."""
    try:
        return to_json(record_of(board, course))
    except NotPlayed:
        return None


def state_of(position: Position[Any], game: Game[Any, Any], *, is_on: bool, said: str = "") -> Json:
    """A position.

    Args:
        position: the position.
        game: its game.
        is_on: True if a move can be played there.
        said: the drafted steps that led there.
    """
    decision = position.decision if is_on else None
    return {
        "to_act": position.to_act if is_on else None,
        "moves": position.ply,
        "turn": said,
        "mid_turn": position.mid_turn,
        "decision": decision and {"kind": decision.kind, "seat": decision.owner, "options": list(decision.options)},
        "legal": [game.step_text(position, step) for step in position.legal()] if is_on else [],
        "position": game.report(position),
        "hextile": hextile_of(position),
    }


def offer_of(board: Board, course: GameState) -> Json | None:
    """The offer that is still unanswered."""
    offer = course.offer
    if offer is None:
        return None
    waits_for = offer.waits_for(board, course.position.playing)
    return {
        "kind": offer.kind.value,
        "seat": offer.seat,
        "at": offer.at,
        "agreed": list(offer.agreed),
        "waits_for": [seat for seat, holder in enumerate(board.seats) if holder.player in waits_for],
    }


def clock_of(board: Board, course: GameState) -> Json:
    """The clock of a board. Its facts change only when something happens, so that known ones need not be sent again."""
    wait = waiting(board, course)
    used = course.time_used(board)
    return {
        "nag_seconds": board.clock.nag,
        "forfeit_seconds": board.clock.forfeit,
        "total_seconds": board.clock.total,
        "since": wait and wait.since,
        "ends_at": wait and wait.ends_at,
        "stands": bool(board.stands),
        "used_seconds": list(used),
    }


def changes_of(rated: Rated | None) -> Json | None:
    """The changes of ratings because of a board; None while it is active."""
    if rated is None:
        return None
    changes = [{"userid": each.userid, "before": each.before, "after": each.after} for each in rated.changes]
    return {"changes": changes, "waits": rated.waits, "pair": rated.pair}


def finished_of(row: FinishedBoard, url: str) -> Json:
    """A finished board, in short."""
    changes = [{"userid": userid, "before": each.before, "after": each.after} for userid, each in row.changes.items()]
    return {
        "board": row.number,
        "url": f"{url}/boards/{row.number}",
        "game": row.game,
        "finished_at": row.finished_at,
        "players": list(row.players),
        "winners": list(row.winners),
        "ending": row.ending,
        "ratings": changes,
    }


def ranked_of(row: Ranked) -> Json:
    """The record of a player in one game or variant."""
    rating = row.rating
    return {
        "userid": row.userid,
        "robot": is_robot(row.userid),
        "game": row.game,
        "variant": row.variant or None,
        "rating": rating.value if rating.games else None,
        "established": rating.is_established,
        "won": rating.won,
        "lost": rating.lost,
        "tied": rating.tied,
        "boards": row.boards,
        "limit": row.limit,
        "seeking": row.seeking,
    }


def standings_of(table: Standings) -> Json:
    """The standings of a game."""
    kinds: Mapping[str, Ranks] = {
        "established": table.established,
        "provisional": table.provisional,
        "inactive": table.inactive,
    }
    return {kind: {"rows": [ranked_of(row) for row in ranks.rows], "more": ranks.more} for kind, ranks in kinds.items()}
