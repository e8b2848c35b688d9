"""Games of chess in PGN: the standard of 1994 (Steven J. Edwards), and variants as Lichess names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from textwrap import fill
from typing import Any, NamedTuple

from pbem.games.formats import LONGEST_GAME, FileFormat, userid_of
from pbem.games.game import Game, TurnRecord
from pbem.games.records import GameRecord, Happening, RecordedResult, read_record, to_json
from pbem.hall.game import ending_event, texts_of
from pbem.hall.positions import HallPosition, Step
from pbem.hall.refusals import BegunElsewhere, GameNotNamed, LongerThanAnyGame, NotWellFormed, PlayersNotNamed

MOST_TURNS = 2000
"""Turns of either side; the longest games that were ever played have a third of it."""

_VARIANTS = {
    "": "chess",
    "standard": "chess",
    "normal": "chess",
    "chess": "chess",
    "from position": "chess",
    "antichess": "antichess",
    "crazyhouse": "crazyhouse",
}
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_TAG = r'\[\s*(\w+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]'
_BEGINNING = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:%[^\n]*\s*)*\[\s*\w+\s*"')
_TOKEN = re.compile(
    rf"""
    (?P<nothing> \s+ | ^%.*$ | \{{[^}}]*\}} | ;.*$ | \$[0-9]+ | [!?]+ | e\.p\. )
    | (?P<tag> {_TAG} )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<end> (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?![^\s{{;()\[]) )
    | (?P<number> [0-9]+ (?: \.+ | (?=\s) ) | \.+ )
    | (?P<move> [^\s{{}}();$\[\]]+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])=?\(?([KQRBN]?)\)?")
_WINNERS: Mapping[str, tuple[int, ...]] = {"1-0": (0,), "0-1": (1,), "1/2-1/2": ()}
_UNKNOWN = ("", "?", "*")
_WIDTH = 79


class _Parsed(NamedTuple):
    tags: Mapping[str, str]
    moves: Sequence[str]
    """Of the main line."""
    end: str
    """The result behind them."""


class Pgn(FileFormat):
    """PGN, in which White begins and has the seat 0."""

    name = "pgn"
    content_type = "application/vnd.chess-pgn"

    def recognises(self, text: bytes) -> bool:
        """Return True if a tag is the first."""
        return _BEGINNING.match(text) is not None

    def split(self, lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """A game ends before a tag that stands behind moves."""
        game, begun, has_moves, in_comment = bytearray(), 1, False, False
        for number, line in enumerate(lines, 1):
            is_tag = not in_comment and line.lstrip().startswith(b"[")
            if is_tag and has_moves:
                yield begun, bytes(game)
                game.clear()
                has_moves = False
            if not game:
                begun = number
            if not is_tag:
                in_comment = _comment_after(line, in_comment=in_comment)
                has_moves = has_moves or bool(line.strip())
            if len(game) <= LONGEST_GAME and (game or line.strip()):
                game += line
        if game:
            yield begun, bytes(game)

    def read(self, text: str, games: Mapping[str, Game[Any, Any]]) -> Mapping[str, Any]:
        """The game that the tags name, with comments and variations left out."""
        parsed = _parsed(text)
        game = _game(parsed.tags, games)
        turns, position = _played(game.begin({}, 2), parsed.moves)
        end = parsed.tags.get("Result", "").strip()
        end = parsed.end if end in _UNKNOWN else end
        result = RecordedResult(_WINNERS[end]) if end in _WINNERS else None
        if result is not None and position is not None and position.outcome is None:
            late = "time" in parsed.tags.get("Termination", "").lower()
            turns.append(ending_event(result, position, late=late))
        players = tuple(userid_of(parsed.tags.get(side, "").strip()) for side in ("White", "Black"))
        if not all(players):
            raise PlayersNotNamed("PGN")
        return to_json(GameRecord(game.name, {}, players, tuple(turns), result))

    def write(self, record: Mapping[str, Any], title: str, day: date) -> str:
        """A game with the seven tags that each must have."""
        return _written(read_record(record), title, day)


def _written(record: GameRecord, title: str, day: date) -> str:
    moves = [text for turn in record.turns for text in texts_of(turn)]
    end = _end(record)
    forfeited = any(turn["event"] == Happening.FORFEIT for turn in record.turns if not texts_of(turn))
    white, black = record.players[record.first], record.players[1 - record.first]
    tags = {
        "Event": title,
        "Site": "?",
        "Date": day.strftime("%Y.%m.%d"),
        "Round": "-",
        "White": white,
        "Black": black,
        "Result": end,
        **({} if record.game == "chess" else {"Variant": record.game.capitalize()}),
        **({"Termination": "time forfeit"} if forfeited else {}),
    }
    told = (f"{each // 2 + 1}. {move}" if each % 2 == 0 else move for each, move in enumerate(moves))
    heading = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    return f"{heading}\n{fill(' '.join((*told, end)), _WIDTH, break_on_hyphens=False, break_long_words=False)}\n\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _end(record: GameRecord) -> str:
    """The result as PGN has it."""
    if record.result is None:
        return "*"
    winners = tuple(int(seat != record.first) for seat in record.result.winners)
    return next(end for end, won in _WINNERS.items() if won == winners)


def _comment_after(line: bytes, *, in_comment: bool) -> bool:
    """Return True if a comment is open behind a line."""
    for sign in re.findall(rb"[{};]", line):
        if not in_comment and sign == b";":
            return False
        in_comment = sign != b"}" and (in_comment or sign == b"{")
    return in_comment


def _parsed(text: str) -> _Parsed:
    """The tags and moves of a game.

    Raises:
        NotWellFormed: something stands where nothing can, or a bracket is not closed.
        LongerThanAnyGame: it has more moves than any game.
    """
    tags, moves, end, depth, at = dict[str, str](), list[str](), "", 0, 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or (found["close"] and not depth):
            raise _not_well_formed(text, at)
        at = found.end()
        depth += bool(found["open"]) - bool(found["close"])
        if found["tag"] and not depth:
            tags.setdefault(found[3], re.sub(r"\\(.)", r"\1", found[4]))
        if found["end"] and not depth:
            end = found["end"]
            break
        if found["move"] and not depth:
            moves.append(found["move"])
    if depth:
        raise _not_well_formed(text, len(text))
    if len(moves) > MOST_TURNS:
        raise LongerThanAnyGame(len(moves), MOST_TURNS)
    return _Parsed(tags, moves, end)


def _not_well_formed(text: str, at: int) -> NotWellFormed:
    rest = text[at:].split()
    return NotWellFormed("PGN", text.count("\n", 0, at) + 1, rest[0] if rest else "")


def _game(tags: Mapping[str, str], games: Mapping[str, Game[Any, Any]]) -> Game[Any, Any]:
    """The game that the tags name.

    Raises:
        GameNotNamed: it is not known here.
        BegunElsewhere: it did not begin as it usually does.
    """
    word = tags.get("Variant", "").strip()
    game = games.get(_VARIANTS.get(word.lower(), ""))
    if game is None:
        raise GameNotNamed("PGN", word)
    if tags.get("FEN", _START).split()[:1] not in ([], [_START]):
        raise BegunElsewhere("PGN")
    return game


def _played(position: HallPosition, moves: Sequence[str]) -> tuple[list[TurnRecord], HallPosition | None]:
    """The moves as turns, and the position behind them; None if one cannot be played, which whoever replays tells."""
    turns = list[TurnRecord]()
    for move in moves:
        step = _step(position, move)
        if step is None:
            return [*turns, *moves[len(turns) :]], None
        turns.append(step.text)
        position = position.play(step)
    return turns, position


def _step(position: HallPosition, move: str) -> Step | None:
    """The only legal step that a move in SAN can mean, however much it tells of its origin."""
    san = _bare(move).replace("0-0", "O-O").replace("O-0", "O-O")
    steps = position.legal()
    found = [step for step in steps if _bare(step.text) == san]
    wanted = _SAN.fullmatch(san)
    if not found and wanted:
        found = [step for step in steps if _fits(step, *wanted.groups())]
    return found[0] if len(found) == 1 else None


def _fits(step: Step, man: str, file: str, rank: str, end: str, promoted: str) -> bool:
    if len(step.places) < 2 or step.text.startswith("O"):
        return False
    start, to = step.places
    moved = step.text[0] if step.text[0].isupper() else ""
    became = _bare(step.text).partition("=")[2]
    origin = start.startswith(file) and start.endswith(rank)
    return (moved, to, became) == (man, end, promoted) and origin


def _bare(san: str) -> str:
    """A move without the signs that tell its effect or its worth."""
    bare = san.rstrip("+#!?")
    return f"P{bare}" if bare.startswith("@") else bare


PGN = Pgn()
