"""Standings, histories and public records of players, and the records of their games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbem.commands.boards import ExportBoard
from pbem.commands.challenges import ShowHistory, ShowStandings
from pbem.commands.server import ShowWho
from pbem.domain import records
from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.mails import Attachment, Notice
from pbem.domain.players import Player
from pbem.domain.ratings import ACTIVE_FOR, ESTABLISHED, FinishedBoard, HeadToHead, Seen, pool_name, way
from pbem.domain.records import Replay
from pbem.domain.watches import FIRST, ListPart
from pbem.errors import NotAllowed, PlayerError, Quoted
from pbem.games.formats import FileFormat
from pbem.games.game import Game
from pbem.games.records import GameRecord, format_of, parse_game, parse_line, read_record, result_to_json, to_json
from pbem.ids import BoardNumber
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context, GameStateCache, NoSuchGame, handles
from pbem.usecases.notices import about_board, to_sender
from pbem.usecases.opponents import robots_to_challenge
from pbem.usecases.ratings import known_pace, rated_facts
from pbem.usecases.understanding import NoSuchBoard, OtherGame, find_board, find_player

_MOST_RANKED = 100
"""The most players of each kind in the standings of a game."""
_MOST_LEADING = 10
"""The most in each game, where the standings of all games come in one mail."""
_FEWEST_RANKED = 5
"""However many commands a letter has: fewer are no standings."""
_MOST_SEEN = 100
_MOST_MET = 8
"""The most opponents whom a player's results are shown against."""
_MOST_CHANGES = 500
"""The most changes of one rating that are shown."""
_SEEN_FOR = timedelta(days=30)
"""The time for which somebody was here lately."""


class NoSuchVariant(NotAllowed):
    """The game has no named variant of that name."""

    game: str
    word: Quoted
    variants: tuple[str, ...]


@handles(ShowStandings)
def show_standings(command: ShowStandings, context: Context) -> list[Notice]:
    """The standings of a game or variant, or in short those of every one that somebody has a rating in.

    Raises:
        NoSuchGame, NoSuchVariant: the server does not play it.
    """
    return [to_sender("standings", context, facts_of_standings(command, FIRST, context))]


def facts_of_standings(command: ShowStandings, part: ListPart, context: Context) -> dict[str, object]:
    """The facts of standings, or of a part of them.

    Raises:
        NoSuchGame, NoSuchVariant, NoSuchPart: the server does not play it, or has no such part.
    """
    game = None if command.game is None else context.game(command.game).name
    variant = "" if game is None else _variant(command.variant, context.games[game])
    most = max(_FEWEST_RANKED, (_MOST_LEADING if game is None else _MOST_RANKED) // context.commands)
    since = context.now - ACTIVE_FOR
    pools = [(name, of) for name in sorted(context.games) for of in ("", *context.games[name].variants)]
    wanted = pools if game is None else [(game, variant)]
    found = {pool_name(name, of): context.uow.rankings.standings(name, since, most, part, of) for name, of in wanted}
    tables = {name: table for name, table in found.items() if game is not None or not table.is_empty}
    is_any = any(not table.is_empty for table in tables.values())
    return {
        "game_name": game,
        "variant": variant,
        "variants": () if game is None else context.games[game].variants,
        "tables": tables,
        "established": ESTABLISHED,
        "active_days": ACTIVE_FOR.days,
        "shares": context.commands > 1,
        "robots": () if is_any else robots_to_challenge(context.uow),
    }


def _variant(word: str, game: Game[Any, Any]) -> str:
    """The named variant of a game that a word means; empty for the game itself.

    Raises:
        NoSuchVariant: it means none.
    """
    if word in ("", game.name):
        return ""
    if word not in game.variants:
        raise NoSuchVariant(game.name, word, game.variants)
    return word


@handles(ShowHistory)
def show_history(command: ShowHistory, context: Context) -> list[Notice]:
    """The boards that are over, of one player or all, newest first, including those that have left the lists.

    Raises:
        NoSuchGame, NoSuchPlayer: one of them is unknown.
    """
    return [to_sender("history", context, facts_of_history(command, FIRST, context))]


def facts_of_history(command: ShowHistory, part: ListPart, context: Context) -> dict[str, object]:
    """The facts of a history, or of a part of it.

    Raises:
        NoSuchGame, NoSuchPlayer, NoSuchPart: one of them is unknown.
    """
    game = None if command.game is None else context.game(command.game).name
    player = None if command.userid is None else find_player(command.userid, context)
    most = 10 * context.most_boards
    found = context.uow.rankings.history(None if player is None else player.id, game, most, part)
    rows = [_with_pair(each, context) for each in found[:most]]
    return {
        "rows": rows,
        "more": len(found) > most,
        "userid": player and player.userid,
        "game_name": game,
        "shares": context.commands > 1,
    }


def _with_pair(row: FinishedBoard, context: Context) -> FinishedBoard:
    """A finished board with the effect of the other board of its pair on its rating."""
    board = None if row.changes or row.pair is None else context.uow.boards.find_listed(row.number)
    rated = None if board is None else rated_facts(board, context)
    if rated is None or rated.pair_alone or not (rated.waits or rated.changes):
        return row
    return replace(row, rated_with=rated.pair, waits=rated.waits)


@handles(ShowWho)
def show_who(command: ShowWho, context: Context) -> list[Notice]:
    """The public record of a player, or the players who were here lately; never an address.

    Raises:
        NoSuchPlayer: there is none.
    """
    if command.userid is None:
        return [to_sender("who_is_here", context, facts_of_seen(FIRST, context))]
    player = find_player(command.userid, context)
    rankings = context.uow.rankings
    facts = {
        "player": player,
        "now": context.now,
        "games": rankings.of_player(player.id, sorted(context.games)),
        "reliability": rankings.reliability(player.id),
        "pace": known_pace(player, context),
    }
    return [to_sender("who", context, facts)]


def facts_of_seen(part: ListPart, context: Context) -> dict[str, object]:
    """The facts of the list of players who were here lately, or of a part of it.

    Raises:
        NoSuchPart: it has no such part.
    """
    most = max(1, _MOST_SEEN // context.commands)
    seen = context.uow.rankings.seen((context.now - _SEEN_FOR).date(), most, part)
    rows = [_with_pace(each, context) for each in seen[:most]]
    return {"rows": rows, "more": len(seen) > most, "days": _SEEN_FOR.days}


def ways_of_ratings(player: Player, context: Context) -> Mapping[str, tuple[tuple[datetime, int], ...]]:
    """The history of a player's ratings, by pool: the moment of each change, and the rating from then on."""
    rankings = context.uow.rankings
    rated = [each for each in rankings.of_player(player.id, sorted(context.games)) if each.rating.games]
    return {
        each.pool: way(each.rating, rankings.rating_changes(player.id, each.game, _MOST_CHANGES, each.variant))
        for each in rated
    }


def heads_to_heads(player: Player, visitor: Player | None, context: Context) -> Sequence[HeadToHead]:
    """The results of a player against a visitor, if they have met, and against those whom they have met most."""
    rankings = context.uow.rankings
    met = rankings.head_to_head(player.id, _MOST_MET)
    with_visitor = () if visitor is None else rankings.head_to_head(player.id, 1, visitor.id)
    return [*with_visitor, *(each for each in met if each not in with_visitor)]


def _with_pace(row: Seen, context: Context) -> Seen:
    """A row of the list with the pace that the page of its player shows."""
    player = context.uow.players.by_userid(row.userid) if row.pace is None and row.boards else None
    return row if player is None else replace(row, pace=known_pace(player, context))


LONGEST_QUOTE = 40
"""The most characters of a game's name that are repeated from a record that cannot be read."""


@handles(ExportBoard)
def export_board(command: ExportBoard, context: Context) -> list[Notice]:
    """The record of a board as a file, and as another one for programs for the game.

    Raises:
        NoSuchBoard, OtherGame: it is not there.
        NotPlayed: the challenge was declined.
    """
    board = find_board(command.board, command.game, context)
    files = record_files(board, context.course(board), context.games[board.game])
    notice = about_board("export", board, context, {"files": files}, reader=context.speaker.player)
    return [replace(notice, attachments=files)]


def record_files(board: Board, course: GameState, game: Game[Any, Any]) -> Sequence[Attachment]:
    """The record of a board as files to go with a mail: in our format, then in the one of programs for the game.

    Raises:
        NotPlayed: there is no game to write down.
    """
    name, file_format = f"{board.game}-{board.number}", game.file_format
    ours = Attachment(f"{name}.json", "application/json", _line(board, course).encode())
    if file_format is None:
        return (ours,)
    written = _in_format(file_format, board, course, game).encode()
    return ours, Attachment(f"{name}.{file_format.name}", file_format.content_type, written)


def _in_format(file_format: FileFormat, board: Board, course: GameState, game: Game[Any, Any]) -> str:
    title = f"{game.title} Board {board.number}"
    return file_format.write(to_json(records.record_of(board, course)), title, board.begun_at.date())


class NotInFormat(NotAllowed):
    """The records of a game are not written in the format that was asked for."""

    game: str
    format: str


def stored_record(
    number: BoardNumber, game: str | None, uow: UnitOfWork, courses: GameStateCache, file_format: str = ""
) -> str:
    """The record of a board on one line, line end included, or in another format.

    Raises:
        NoSuchBoard, OtherGame: it is not there.
        NotPlayed: the challenge was declined.
        NotInFormat: the records of its game are not written so.
    """
    board = uow.boards.find(number)
    if board is None:
        raise NoSuchBoard(number)
    if game not in (None, board.game):
        raise OtherGame(number, game, board.game)
    return _formatted(board, courses, file_format)


def stored_records(game: str | None, uow: UnitOfWork, courses: GameStateCache, file_format: str = "") -> Iterator[str]:
    """The records of all boards, or of those of one game, but for challenges that were declined, and guests' boards.

    In another format there are only those whose games are written so.
    """
    for board in uow.boards.each(game, followed=True):
        if board.of_guest:
            continue
        with suppress(records.NotPlayed, NotInFormat):
            yield _formatted(board, courses, file_format)


def _line(board: Board, course: GameState) -> str:
    return json.dumps(to_json(records.record_of(board, course))) + "\n"


def _formatted(board: Board, courses: GameStateCache, file_format: str) -> str:
    """The record of a board in a format; in ours if it has no name.

    Raises:
        NotPlayed: there is no game to write down.
        NotInFormat: the records of its game are not written so.
    """
    if not file_format:
        return _line(board, courses.of(board))
    game = courses.games[board.game]
    if game.file_format is None or game.file_format.name != file_format:
        raise NotInFormat(game.title, file_format.upper())
    return _in_format(game.file_format, board, courses.of(board), game)


def read_line(line: bytes, games: Mapping[str, Game[Any, Any]]) -> tuple[GameRecord, Game[Any, Any]]:
    """The record on a line, or in the format of a game, and its game.

    Raises:
        PlayerError: there is none, or it is not well formed.
        NoSuchGame: the server does not know the game.
    """
    known = format_of(line, games)
    record = read_record(parse_line(line) if known is None else parse_game(line, known, games))
    game = games.get(record.game)
    if game is None:
        raise NoSuchGame(record.game, tuple(sorted(games)))
    return record, game


def replay_line(
    line: bytes, games: Mapping[str, Game[Any, Any]], now: datetime, said: Callable[[PlayerError], str]
) -> dict[str, Any]:
    """The report that ``pbem replay`` prints about a record; an error is under ``error``.

    Args:
        line: the record.
        games: those that are known, by name.
        now: any moment will do.
        said: renders a refusal.
    """
    try:
        record, game = read_line(line, games)
    except PlayerError as wrong:
        return _report(_game_named(line), wrong, said)
    try:
        played = records.replay(record, game, now)
    except PlayerError as wrong:
        return _report(game.name, wrong, said)
    return _report(game.name, played.error, said, played, game)


def _report(
    name: str | None,
    error: PlayerError | None,
    said: Callable[[PlayerError], str],
    played: Replay | None = None,
    game: Game[Any, Any] | None = None,
) -> dict[str, Any]:
    report: dict[str, Any] = {"game": name, "ok": error is None}
    if error is not None:
        report["error"] = {"turn": played.wrong_turn if played else None, "reason": said(error)}
    if played is None or game is None:
        return report | {"turns": [], "tiles": [], "groups": []}
    result = records.result_of(played.last)
    if result is not None:
        report["result"] = result_to_json(result)
    return report | {"turns": records.input_reports(played, game), **game.report(played.last.position)}


def _game_named(line: bytes) -> str | None:
    """The game of a record that is otherwise unreadable."""
    try:
        value = parse_line(line)
    except PlayerError:
        return None
    name = value.get("game") if isinstance(value, dict) else None
    return name[:LONGEST_QUOTE] if isinstance(name, str) else None
