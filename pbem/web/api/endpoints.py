"""The addresses where programs read, each with the schema of its answers."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ids import HIGHEST_NUMBER
from pbem.web.api.answers import Endpoint, Field, ref, text, whole
from pbem.web.api.reading import (
    WHICH,
    board,
    boards,
    explorer,
    games,
    history,
    player,
    puzzle,
    puzzles,
    standings,
    study,
    tournament,
    tournaments,
)
from pbem.web.paging import BEHIND, PAGE

_FROM_ZERO, _FROM_ONE = ({**whole(least=least), "maximum": HIGHEST_NUMBER} for least in (0, 1))
_NUMBER = Field("number", "the number of the board", _FROM_ONE, in_path=True)
_GAME = Field("game", "the name of the game", in_path=True)
_OF_GAME = Field("game", "only those of this game")
_PLAYER = Field("player", "only boards of this player")
_TURN = Field("turn", "steps to be tried out from there, as they are typed; nothing is sent", text())
_VARIANT = Field("variant", "a named variant of the game, which has ratings of its own")
_PAGE = Field(PAGE, "which part of a long list; follow `next`", _FROM_ONE)
_PARTS = (
    _PAGE,
    Field(BEHIND, "the board that the part before ended with; `next` has it", _FROM_ONE),
)

ENDPOINTS: Sequence[Endpoint] = (
    Endpoint(
        "/boards/{number:number}.json",
        "getBoard",
        "A board: its record, where it stands, what can be played, what it waits for.",
        board,
        ref("Board"),
        (
            _NUMBER,
            Field("move", "the move after which it is to be shown; 0: before the first", _FROM_ZERO),
            _TURN,
        ),
    ),
    Endpoint(
        "/boards.json",
        "listBoards",
        "Boards, a line each.",
        boards,
        ref("Boards"),
        (
            _OF_GAME,
            Field("player", "only those of this player; may come several times"),
            Field("which", "those in play, those that are over, or both", text(enum=list(WHICH))),
            *_PARTS,
        ),
    ),
    Endpoint("/games.json", "listGames", "The games, with their options.", games, ref("Games")),
    Endpoint(
        "/players/{userid}.json",
        "getPlayer",
        "What everybody may know of a player.",
        player,
        ref("Player"),
        (Field("userid", "their name on this server", in_path=True),),
    ),
    Endpoint("/standings.json", "listStandings", "The top of every game.", standings, ref("Standings")),
    Endpoint(
        "/standings/{game}.json",
        "getStandings",
        "How players stand.",
        standings,
        ref("Standings"),
        (_GAME, _VARIANT, _PAGE),
    ),
    Endpoint(
        "/explorer/{game}.json",
        "exploreOpenings",
        "What was played in a position at the beginning of finished games, the usual turns first.",
        explorer,
        ref("Explored"),
        (
            _GAME,
            Field("turns", "the turns from the beginning, with strokes between them"),
            Field("options", "those of the game, as they are typed"),
            Field("players", "how many play", _FROM_ONE),
        ),
    ),
    Endpoint(
        "/studies/{key}.json",
        "getStudy",
        "The record of a game with the study of it that somebody shares.",
        study,
        ref("Record"),
        (Field("key", "the key in the link of the study", in_path=True),),
    ),
    Endpoint("/history.json", "listHistory", "Boards that are over.", history, ref("History"), (_PLAYER, *_PARTS)),
    Endpoint(
        "/history/{game}.json", "getHistory", "Those of one game.", history, ref("History"), (_GAME, _PLAYER, *_PARTS)
    ),
    Endpoint(
        "/tournaments/{game}.json",
        "listTournaments",
        "Tournaments.",
        tournaments,
        ref("Tournaments"),
        (_GAME, _PAGE),
    ),
    Endpoint(
        "/tournaments/{game}/{name}.json",
        "getTournament",
        "A tournament, with its tables and boards.",
        tournament,
        ref("Tournament"),
        (_GAME, Field("name", "what it is called", in_path=True)),
    ),
    Endpoint("/puzzles.json", "listPuzzles", "Puzzles, a line each.", puzzles, ref("Puzzles"), (_OF_GAME,)),
    Endpoint(
        "/puzzles/{number:number}.json",
        "getPuzzle",
        "A puzzle: how it came to be, and what can be played. What solves it is told to nobody who does not try.",
        puzzle,
        ref("Puzzle"),
        (Field("number", "the number of the puzzle", _FROM_ONE, in_path=True), _TURN),
    ),
)
"""All endpoints for reading."""
