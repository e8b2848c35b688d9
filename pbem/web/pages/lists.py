"""Lists: players and boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast, get_args

from starlette.responses import Response

from pbem.commands.boards import TableOfBoards
from pbem.commands.challenges import ShowHistory, ShowStandings
from pbem.commands.command import Which
from pbem.commands.server import ShowWho
from pbem.domain.players import Player
from pbem.domain.ratings import FinishedBoard, Ranked, Standings
from pbem.errors import PlayerError
from pbem.usecases.board_views import facts_of_table
from pbem.usecases.context import Context
from pbem.usecases.rankings import (
    facts_of_history,
    facts_of_seen,
    facts_of_standings,
    heads_to_heads,
    ways_of_ratings,
)
from pbem.usecases.ratings import paces_of
from pbem.web.boards.samples import leading_first
from pbem.web.context import RequestContext
from pbem.web.paging import leaf

_KINDS: dict[str, Which] = {each: each for each in get_args(Which)}


def show_boards(visit: RequestContext) -> Response:
    """The table of boards, of one game or of one player if the address says so (``?game=mambo&player=bob``)."""
    game, player, which = visit.asked("game"), visit.asked("player"), _KINDS.get(visit.asked("which"), "active")
    if which == "next" and not player:
        which = "active"
    asked = {"asked_game": game, "asked_player": player, "which": which, "games": visit.look(games)}
    try:
        command = TableOfBoards((player,) if player else (), which, game or None)
        table, leaves = leaf(visit, visit.look, lambda part, context: facts_of_table(command, part, context))
    except PlayerError as wrong:
        return visit.page("boards", {**asked, "boards": (), "leaves": None, "wrong": wrong}, 404)
    return visit.page("boards", {**asked, "boards": table["rows"], "leaves": leaves, "wrong": None})


def show_history(visit: RequestContext) -> Response:
    """The finished boards, of all games or of one, of everybody or of one player (``?player=bob``).

    Raises:
        NoSuchGame, NoSuchPlayer, NoSuchPart: one of them is unknown.
    """
    command = ShowHistory(visit.asked("player") or None, _game(visit))
    told, leaves = leaf(visit, visit.look, lambda part, context: facts_of_history(command, part, context))
    return visit.page("history", {**told, "leaves": leaves, "games": visit.look(games), "titles": visit.look(titles)})


def show_standings(visit: RequestContext) -> Response:
    """The standings of one game or a variant of it (``?variant=mambogo``), or in short of all games.

    Raises:
        NoSuchGame, NoSuchVariant, NoSuchPart: there is no such game, variant or part.
    """
    game = _game(visit)
    command = ShowStandings(game, visit.asked("variant").lower() if game else "")
    told, leaves = leaf(visit, visit.look, lambda part, context: facts_of_standings(command, part, context))
    return visit.page("standings", {**told, "leaves": leaves, "games": visit.look(games)})


def games(context: Context) -> list[object]:
    """The games of the server, in the order of all pages."""
    return [context.games[name] for name in leading_first(context.games)]


def titles(context: Context) -> dict[str, str]:
    """The titles of the games, by name."""
    return {name: game.title for name, game in context.games.items()}


def _game(visit: RequestContext) -> str | None:
    """The game that the address names; None: all of them."""
    found = visit.request.path_params.get("game")
    return None if found is None else str(found)


WIDTH, HEIGHT = 240, 48
"""The size of the drawing, in its own units."""
MARGIN = 4
"""The space around the line, for its dots."""
_FLAT = 20
"""Least number of rating points that the height shows: a small change should look small."""


@dataclass(frozen=True, slots=True)
class RatingLine:
    """The history of a rating, as a line."""

    points: tuple[tuple[float, float], ...]
    """Across and down, the oldest first; each game has the same width, however long it took."""
    values: tuple[int, ...]
    since: datetime
    until: datetime

    @property
    def path(self) -> str:
        """The points as written in SVG."""
        return " ".join(f"{across:g},{down:g}" for across, down in self.points)

    @property
    def first(self) -> int:
        """The first rating."""
        return self.values[0]

    @property
    def last(self) -> int:
        """The present rating."""
        return self.values[-1]

    @property
    def lowest(self) -> int:
        """The lowest rating."""
        return min(self.values)

    @property
    def highest(self) -> int:
        """The highest rating."""
        return max(self.values)


def line(way: Sequence[tuple[datetime, int]]) -> RatingLine | None:
    """The line of a rating; None if it has never changed.

    Args:
        way: the times of its changes and the ratings from then on, the oldest first.
    """
    if len(way) < 2:
        return None
    values = tuple(value for _, value in way)
    room = max(max(values) - min(values), _FLAT)
    lowest = (max(values) + min(values) - room) / 2
    across, down = (WIDTH - 2 * MARGIN) / (len(values) - 1), (HEIGHT - 2 * MARGIN) / room
    heights = (HEIGHT - MARGIN - down * (value - lowest) for value in values)
    rounded = tuple((round(MARGIN + across * place, 1), round(y, 1)) for place, y in enumerate(heights))
    return RatingLine(rounded, values, way[0][0], way[-1][0])


_STANDINGS = ("established", "provisional", "inactive")
"""The groups of rated players in the standings."""


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place in the standings of a game."""

    number: int
    kind: str
    """The group: ``established``, ``provisional`` or ``inactive``."""


MOST_FINISHED = 20
"""The most finished boards on the page of a player, each with its picture."""


def show_players(visit: RequestContext) -> Response:
    """The players who were here lately.

    Raises:
        NoSuchPart: there is no such part of the list.
    """
    told, leaves = leaf(visit, visit.look, facts_of_seen)
    return visit.page("players", {**told, "leaves": leaves})


def show_player(visit: RequestContext) -> Response:
    """The public record of a player.

    Raises:
        NoSuchPlayer: there is none.
    """
    told = visit.ask(ShowWho(visit.word("userid"))).facts
    player, rated = cast("Player", told["player"]), cast("Sequence[Ranked]", told["games"])
    ways = visit.look(lambda context: ways_of_ratings(player, context))
    paces = {} if player.is_robot else visit.look(lambda context: paces_of(player.id, context))
    boards = visit.ask(TableOfBoards((player.userid,))).facts
    history = visit.ask(ShowHistory(player.userid)).facts
    finished = cast("Sequence[FinishedBoard]", history["rows"])
    facts = {
        **told,
        "rated": rated,
        "titles": visit.look(titles),
        "places": {each.pool: _place(each, visit) for each in rated if each.rating.games},
        "lines": {pool: line(way) for pool, way in ways.items()},
        "boards": boards["rows"],
        "more_boards": boards["more"],
        "paces": paces,
        "met": visit.look(lambda context: heads_to_heads(player, visit.player, context)),
        "history": {"rows": finished[:MOST_FINISHED], "more": history["more"] or len(finished) > MOST_FINISHED},
    }
    return visit.page("player", facts)


def _place(ranked: Ranked, visit: RequestContext) -> Place | None:
    """The place of a player in a game or variant; None if the standings end before them."""
    command = ShowStandings(ranked.game, ranked.variant)
    tables = cast("Mapping[str, Standings]", visit.ask(command).facts["tables"])
    for kind in _STANDINGS:
        for number, row in enumerate(getattr(tables[ranked.pool], kind).rows, start=1):
            if row.userid == ranked.userid:
                return Place(number, kind)
    return None
