"""Game records as JSON lines, read within limits and written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pbem.errors import NotAllowed, PbemError, Quoted, Unreadable
from pbem.games.formats import LONGEST_GAME, FileFormat
from pbem.games.game import Game, Options, Seat, TurnRecord
from pbem.games.studies import RecordedStudy, read_recorded

DEEPEST = 32
"""Lists and objects within each other; no record needs a quarter of it."""

LONGEST_LINE = 4_000_000
"""Bytes; no record has a quarter of them."""

LONGEST_NUMBER = 15
"""Digits of a whole number, its sign included; every program reads such a number exactly."""

BLANKS = " \t\r\n"
"""Of JSON; those after its text are no part of it."""

LONGEST_QUOTE = 40
"""Characters of an unreadable record that are repeated."""


class NoJson(Unreadable):
    """The line is no JSON text; ``at`` is the character where that shows, from 1, or 0 if there is no such place.

    ``cut_off`` tells whether the line ends before the text does.
    """

    at: int
    cut_off: bool = False


class RecordTooLong(Unreadable):
    """The line is longer than any record; ``longest`` is how many bytes one may have."""

    longest: int = LONGEST_LINE


class NameTwice(Unreadable):
    """An object on the line has two fields of one name, so that nobody can tell which of them counts."""

    name: Quoted


class TooDeep(Unreadable):
    """The line has more lists and objects within each other than any record."""

    deepest: int


class NumberTooLong(Unreadable):
    """The line has a number of more digits than anything that a record counts."""

    digits: int


def parse_line(line: bytes) -> Any:
    """The JSON value of one line.

    Raises:
        RecordTooLong: there is more than any record has.
        NoJson: it has none; not a number and endless numbers are no JSON either.
        NameTwice: a name stands in an object twice.
        TooDeep, NumberTooLong: it has one that nothing here should have to walk through.
    """
    if len(line) > LONGEST_LINE:
        raise RecordTooLong
    try:
        text = line.decode("utf-8-sig").rstrip(BLANKS)
        value = json.loads(text, parse_constant=_refuse, parse_int=_whole, object_pairs_hook=_object)
    except json.JSONDecodeError as wrong:
        raise NoJson(wrong.pos + 1, cut_off=wrong.pos >= len(text)) from None
    except ValueError:  # not UTF-8, or NaN
        raise NoJson(0) from None
    except RecursionError:
        raise TooDeep(DEEPEST) from None
    if _is_deeper(value, DEEPEST):
        raise TooDeep(DEEPEST)
    return value


def format_of(text: bytes, games: Mapping[str, Game[Any, Any]]) -> FileFormat | None:
    """The format of one of the games in which a text begins; None for our own, which has lines of JSON."""
    formats = {game.file_format for game in games.values() if game.file_format is not None}
    return next((each for each in formats if each.recognises(text)), None)


def parse_game(text: bytes, file_format: FileFormat, games: Mapping[str, Game[Any, Any]]) -> Any:
    """The JSON value of a game in a format of its own, which in older files is in Latin-1.

    Raises:
        RecordTooLong: it is longer than any game.
        PlayerError: as `FileFormat.read`.
    """
    if len(text) > LONGEST_GAME:
        raise RecordTooLong(LONGEST_GAME)
    try:
        return file_format.read(text.decode("utf-8-sig"), games)
    except UnicodeDecodeError:
        return file_format.read(text.decode("latin-1"), games)


def _is_deeper(value: Any, depth: int) -> bool:
    """Return True if lists and objects are nested deeper than ``depth``; looks level by level."""
    level = [value]
    for _ in range(depth):
        inner = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [each for values in inner for each in values]
    return bool(level)


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise NumberTooLong(LONGEST_NUMBER)
    return int(digits)


def _object(fields: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(fields)
    if len(value) < len(fields):
        ((twice, _),) = Counter(name for name, _ in fields).most_common(1)
        raise NameTwice(twice)
    return value


def _refuse(constant: str) -> None:
    raise ValueError(constant)


FORMAT = "pbem-game/1"
"""The only version so far."""


class UnknownFormat(Unreadable):
    """The line is no game record, or one of another version; ``found`` is empty if it does not say."""

    def __init__(self, found: object) -> None:
        PbemError.__init__(self, found=found[:LONGEST_QUOTE] if isinstance(found, str) else "", known=FORMAT)


class BadField(Unreadable):
    """A field of the record is missing, or holds what cannot stand there."""

    field: str
    missing: bool


class OtherRules(NotAllowed):
    """The game was played under a version of the rules that is not known here."""

    game: str
    rules: int
    known: int


class NotForSoMany(NotAllowed):
    """The game is for another number of players than the record names."""

    game: str
    count: int
    least: int
    most: int


class UnreadableEvent(Unreadable):
    """A turn that is an event does not say which one, or whose it is; ``known`` are those that there are."""

    def __init__(self) -> None:
        PbemError.__init__(self, known=tuple(Happening))


class NoSuchSeat(NotAllowed):
    """An event belongs to a seat that the game does not have; seats count from 0."""

    def __init__(self, seat: int, seats: int) -> None:
        PbemError.__init__(self, seat=seat, last=seats - 1)


class SeatIsOut(NotAllowed):
    """An event belongs to a player who has lost or left already."""

    seat: int


class OutOfTurn(NotAllowed):
    """A turn is said to be one seat's, and it is another's."""

    seat: int
    to_act: int


class SeatMissing(Unreadable):
    """A turn does not say whose it is, and in this game that is part of it."""


class TurnAfterEnd(NotAllowed):
    """The game was over before this turn."""


class OtherResult(NotAllowed):
    """The result that the record gives is not what its turns come to; ``found`` is None while nothing is decided."""

    given: RecordedResult
    found: RecordedResult | None


class Happening(StrEnum):
    """The kinds of event in a record."""

    RESIGN = "resign"
    FORFEIT = "forfeit"
    DRAW = "draw"
    SWAP = "swap"
    """Played in place of a turn, so the game itself reads it."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """A turn of a record that is an event, with its seat."""

    seat: Seat
    happening: Happening


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """The end of a game; no winners: nobody has won."""

    winners: tuple[Seat, ...]
    reason: str | None = None
    """In one word; None where a record leaves it out."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it is written down."""

    game: str
    options: Options
    players: tuple[str, ...]
    """By seat."""
    turns: tuple[TurnRecord, ...]
    """As they stand in the record; each is read when it is played."""
    result: RecordedResult | None = None
    """None while the game is on, or where the record leaves it out."""
    rules: int | None = None
    """The version of the rules; None: the present one."""
    first: Seat = 0
    study: RecordedStudy | None = None
    """Comments and variations of a player, of a game that is over."""


def read_record(value: object) -> GameRecord:
    """The record that a JSON value is.

    Raises:
        UnknownFormat: it is no record of this format.
        BadField, BadStudy, StudyTooLarge: it is one, but not well formed.
    """
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise UnknownFormat(value.get("format") if isinstance(value, dict) else None)
    players = _field(value, "players", list)
    if not players or not all(isinstance(each, str) and each for each in players):
        raise BadField("players", missing=False)
    return GameRecord(
        game=_field(value, "game", str),
        options=_field(value, "options", dict),
        players=tuple(players),
        turns=tuple(_field(value, "turns", list)),
        result=_result(value, len(players)),
        rules=_field(value, "rules", int) if "rules" in value else None,
        first=_seat(value["first"], len(players), "first") if "first" in value else 0,
        study=read_recorded(value["study"]) if "study" in value else None,
    )


def to_json(record: GameRecord) -> dict[str, Any]:
    """The JSON object of a record, without its study: `pbem.games.studies.recorded` makes one of that."""
    value: dict[str, Any] = {
        "format": FORMAT,
        "game": record.game,
        "options": dict(record.options),
        "players": list(record.players),
        "turns": list(record.turns),
    }
    if record.result is not None:
        value["result"] = result_to_json(record.result)
    return value | ({} if record.rules is None else {"rules": record.rules}) | {"first": record.first}


def result_to_json(result: RecordedResult) -> dict[str, Any]:
    """The JSON object of a result: one winner is a seat, a team a list of seats, nobody is null."""
    winners = result.winners
    winner = list(winners) if len(winners) > 1 else winners[0] if winners else None
    return {"winner": winner} | ({} if result.reason is None else {"reason": result.reason})


def event_in(turn: TurnRecord, seats: int) -> RecordedEvent | None:
    """The event that a turn of a record is, or None if it is a turn of the game's own.

    Raises:
        UnreadableEvent: it is an event, and not well formed.
        NoSuchSeat: it belongs to nobody here.
    """
    if not isinstance(turn, dict) or "event" not in turn:
        return None
    match turn:
        case {"seat": int(seat), "event": str(name), **more} if name in tuple(Happening) and not more:
            if isinstance(seat, bool):
                raise UnreadableEvent
            if seat not in range(seats):
                raise NoSuchSeat(seat, seats)
            return RecordedEvent(seat, Happening(name))
    raise UnreadableEvent


def _field(value: Mapping[str, Any], name: str, kind: type) -> Any:
    if name not in value:
        raise BadField(name, missing=True)
    if type(value[name]) is not kind:  # isinstance would take true for a number
        raise BadField(name, missing=False)
    return value[name]


def _seat(value: object, seats: int, field: str) -> Seat:
    if type(value) is not int or value not in range(seats):
        raise BadField(field, missing=False)
    return value


def _result(value: Mapping[str, Any], seats: int) -> RecordedResult | None:
    if "result" not in value:
        return None
    given = _field(value, "result", dict)
    if "winner" not in given or not isinstance(given.get("reason", ""), str):
        raise BadField("result", missing=False)
    winner = given["winner"]
    winners = [] if winner is None else winner if isinstance(winner, list) else [winner]
    found = {_seat(each, seats, "result") for each in winners}
    if len(found) < len(winners):
        raise BadField("result", missing=False)
    return RecordedResult(tuple(sorted(found)), given.get("reason"))
