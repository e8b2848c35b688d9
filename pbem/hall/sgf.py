"""Games in SGF, the Smart Game Format of Go and of games that programs for Go came to write, too.

The format is FF[4], https://www.red-bean.com/sgf/. The site Little Golem writes a dialect of it: points are two letters
in all games but Havannah, whose places are counted in each column from its own end; whoever begins is PB whatever their
colour, and colours may be ``b`` and ``r``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from string import ascii_lowercase
from textwrap import fill
from typing import Any, NamedTuple

from pbem.errors import PlayerError
from pbem.games.formats import LONGEST_GAME, FileFormat, userid_of
from pbem.games.game import Game, TurnRecord
from pbem.games.records import GameRecord, Happening, RecordedResult, read_record, to_json
from pbem.hall.game import HallGame, ending_event, texts_of
from pbem.hall.positions import KINDS
from pbem.hall.refusals import BegunElsewhere, GameNotNamed, LongerThanAnyGame, NotWellFormed, PlayersNotNamed

MOST_NODES = 5000
"""Moves and set-ups of the longest game that is read."""


@dataclass(frozen=True)
class _Convention:
    """The way in which SGF has a game."""

    number: str
    """``GM``; Y and Havannah have no number, and programs write their names."""
    first: str
    """The colour that begins: B or W."""
    size: int
    """That of the board where ``SZ`` is left out."""
    letters: bool = False
    """Points are two letters, of the column and of the row from above; else as they are here."""
    swap: str = "swap"
    mirrors: bool = False
    """Whoever swaps keeps their colour and has the first stone mirrored; here the players change colours instead."""


_CONVENTIONS = {
    "go": _Convention("1", "B", 19, letters=True),
    "othello": _Convention("2", "B", 8),
    "hex": _Convention("11", "B", 11, swap="swap-pieces", mirrors=True),
    "amazons": _Convention("18", "B", 10, letters=True),
    "twixt": _Convention("21", "W", 24, mirrors=True),
    "havannah": _Convention("havannah", "W", 8),
    "y": _Convention("y", "W", 13),
}
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,20})|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_POINT = re.compile("([a-z])([1-9][0-9]?)")
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*(?:;|$)")
_BRACKETS = re.compile(rb"\\.|[\[\]()]", re.DOTALL)
_RESULT = re.compile(r"([BW])(?:\+(.*))?", re.IGNORECASE)
_COLOURS = ("B", "W", "R")
_SWAPS = ("swap", "swap-pieces", "swap-sides")
_LEAVES = ("resign", "forfeit")
_PASSES = ("", "pass", "tt")
_SETUPS = ("AB", "AW", "AE", "AA")
_STARTS = {
    "othello": {"AB": {"d5", "e4"}, "AW": {"d4", "e5"}},
    "amazons": {"AB": {"dj", "gj", "ag", "jg"}, "AW": {"da", "ga", "ad", "jd"}},
}
"""The pieces with which games begin; some write them down although they are always the same."""
_WIDTH = 79


class _Parsed(NamedTuple):
    root: Mapping[str, Sequence[str]]
    """The properties before the first move."""
    moves: Sequence[tuple[str, str]]
    """Colour and move, of the main line."""


class Sgf(FileFormat):
    """SGF, of which the main line is read."""

    name = "sgf"
    content_type = "application/x-go-sgf"

    def recognises(self, text: bytes) -> bool:
        """Return True if a game tree begins."""
        return _BEGINNING.match(text) is not None

    def split(self, lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """A game ends with the bracket that closes its tree."""
        game, begun, depth, in_value = bytearray(), 1, 0, False
        for number, line in enumerate(lines, 1):
            start = 0
            for found in _BRACKETS.finditer(line):
                sign = found[0]
                if in_value:
                    in_value = sign != b"]"
                elif sign == b"[":
                    in_value = True
                elif sign in (b"(", b")"):
                    depth += 1 if sign == b"(" else -1
                    if sign == b")" and depth <= 0:
                        yield begun, bytes(game + line[start : found.end()])
                        game.clear()
                        start, depth = found.end(), 0
            rest = line[start:]
            if not game and rest.strip():
                begun = number
            if len(game) <= LONGEST_GAME and (game or rest.strip()):
                game += rest
        if game:
            yield begun, bytes(game)

    def read(self, text: str, games: Mapping[str, Game[Any, Any]]) -> Mapping[str, Any]:
        """The game of a tree, with comments and variations left out."""
        root, moves = _parsed(text)
        game = _game(root, games)
        pieces = {setup: set(map(str.lower, root[setup])) for setup in _SETUPS if setup in root}
        if pieces not in ({}, _STARTS.get(game.name)):
            raise BegunElsewhere("SGF")
        options, size = _options(root, game)
        of_site = "littlegolem" in _value(root, "SO").lower()
        by_columns = of_site and game.name == "havannah"
        points = _Points(game.name, size, letters=_are_letters(moves), by_columns=by_columns)
        texts, left = _texts(moves, points)
        if "swap" in texts:
            options["swap"] = True
        begins_black = of_site or (moves[0][0] if moves else _CONVENTIONS[game.name].first) == "B"
        players = tuple(userid_of(_value(root, name)) for name in (("PB", "PW") if begins_black else ("PW", "PB")))
        if not all(players):
            raise PlayersNotNamed("SGF")
        result, late = left or _result(root, begins_black=begins_black)
        turns = _played(game, options, texts, result, late=late)
        return to_json(GameRecord(game.name, options, players, turns, result))

    def write(self, record: Mapping[str, Any], title: str, day: date) -> str:
        """A game on lines of its own."""
        return _written(read_record(record), title, day)


class _Points:
    """Turns moves of SGF into moves as they are typed, and back, one after the other.

    Args:
        game: its name.
        size: of the board.
        letters: points are two letters, although the game has names for them.
        by_columns: the places of a hexagon are counted in each column from its own end.
    """

    def __init__(self, game: str, size: int, *, letters: bool = False, by_columns: bool = False) -> None:
        self._convention, self._size, self._by_columns = _CONVENTIONS[game], size, by_columns
        self._columns = ascii_lowercase.replace("i", "") if game == "go" else ascii_lowercase
        self._letters = letters or self._convention.letters
        self._is_mirrored = False

    def swap(self, *, sides: bool) -> None:
        """Read on behind a swap; ``sides``: players have changed colours, so that nothing need be mirrored."""
        self._is_mirrored = self._convention.mirrors and not sides

    def read(self, move: str) -> str:
        """The move as it is typed; what makes no sense stays as it is, and is refused when it is played."""
        if move in _PASSES:
            return "pass"
        points = [move[at : at + 2] for at in range(0, len(move), 2)] if self._letters else [move]
        names = list(map(self._name, points))
        return " ".join(("-".join(names[:2]), *names[2:]))

    def write(self, text: str) -> str:
        """The move as SGF has it."""
        if text == "swap":
            self.swap(sides=False)
            return self._convention.swap
        if text == "pass":
            return ""
        return "".join(map(self._point, re.findall("[a-z][0-9]+", text)))

    def _name(self, point: str) -> str:
        if self._letters and len(point) == 2 and point.isalpha():
            column, row = map(ascii_lowercase.index, point)
            if max(column, row) < self._size:
                up = self._convention.letters  # rows are counted from below in the games that SGF writes with letters
                point = f"{self._columns[column]}{self._size - row if up else row + 1}"
        found = _POINT.fullmatch(point)
        if self._by_columns and found:
            point = f"{found[1]}{int(found[2]) + max(0, ascii_lowercase.index(found[1]) + 1 - self._size)}"
        return self._turned(point)

    def _point(self, name: str) -> str:
        if not self._letters:
            return self._turned(name)
        return ascii_lowercase[self._columns.index(name[0])] + ascii_lowercase[self._size - int(name[1:])]

    def _turned(self, point: str) -> str:
        """The point on the other side of the long diagonal if sides were swapped: ``g3`` for ``c7``."""
        found = _POINT.fullmatch(point)
        if found is None or not self._is_mirrored or int(found[2]) > len(ascii_lowercase):
            return point
        return f"{ascii_lowercase[int(found[2]) - 1]}{ascii_lowercase.index(found[1]) + 1}"


def _texts(
    moves: Sequence[tuple[str, str]], points: _Points
) -> tuple[Sequence[str], tuple[RecordedResult, bool] | None]:
    """The moves as they are typed; and if the last says that somebody leaves, the result, and whether time was over.

    Behind a swap of sides the one who has swapped has the other colour, so that the same colour is named twice.
    """
    texts, sides = list[str](), False
    for place, (colour, move) in enumerate(moves):
        word = move.strip().lower()
        if word in _LEAVES:
            return texts, (RecordedResult((int((colour == moves[0][0]) != sides),)), word == "forfeit")
        if word in _SWAPS:
            follows = moves[place + 1][0] if place + 1 < len(moves) else ""
            sides = word == "swap-sides" or colour == follows
            points.swap(sides=sides)
        texts.append("swap" if word in _SWAPS else points.read(word))
    return texts, None


def _are_letters(moves: Sequence[tuple[str, str]]) -> bool:
    """Return True if points are two letters although the game has names for them."""
    return any(re.fullmatch("[a-z]{2}", move.lower()) for _, move in moves)


def _parsed(text: str) -> _Parsed:
    """The properties of the root, and the moves of the main line, which ends where the first variation does.

    Raises:
        NotWellFormed: something stands where nothing can, or a bracket is not closed.
        LongerThanAnyGame: it has more moves than any game.
    """
    root, moves = dict[str, list[str]](), list[tuple[str, str]]()
    at, depth, name, ended = 0, 0, "", False
    while not (ended and depth == 0):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _not_well_formed(text, at)
        at = found.end()
        sign, word, value = found.groups()
        if sign != ";":
            depth += (sign == "(") - (sign == ")")
        if depth < 1 and not ended and sign != ")":
            raise _not_well_formed(text, found.start())
        ended = ended or sign == ")"
        if word:
            name = "".join(letter for letter in word if letter.isupper()) or word.upper()
        elif value is not None and not ended:
            told = re.sub(r"\\(.)", r"\1", value)
            if name in _COLOURS:
                moves.append((name, told))
            elif not moves:
                root.setdefault(name, []).append(told)
    if len(moves) > MOST_NODES:
        raise LongerThanAnyGame(len(moves), MOST_NODES)
    return _Parsed(root, moves)


def _not_well_formed(text: str, at: int) -> NotWellFormed:
    rest = text[at:].split()
    return NotWellFormed("SGF", text.count("\n", 0, at) + 1, rest[0] if rest else "")


def _value(root: Mapping[str, Sequence[str]], name: str) -> str:
    return "".join(root.get(name, ())).strip()


def _game(root: Mapping[str, Sequence[str]], games: Mapping[str, Game[Any, Any]]) -> Game[Any, Any]:
    """The game that the root names; Little Golem names it with the event alone.

    Raises:
        GameNotNamed: it is not known here.
    """
    number, event = _value(root, "GM"), _value(root, "EV")
    by_number = {convention.number: name for name, convention in _CONVENTIONS.items()}
    name = by_number.get(number.lower(), "") if number else re.split("[^a-z]", event.lower())[0]
    if name not in _CONVENTIONS or name not in games:
        raise GameNotNamed("SGF", number or event)
    return games[name]


def _options(root: Mapping[str, Sequence[str]], game: Game[Any, Any]) -> tuple[dict[str, Any], int]:
    """The options that the root tells, and the size of the board; whether they can be is told when the game begins.

    Raises:
        NotWellFormed: a number is none, or the board is not the one that the game has.
    """
    told, usual = _value(root, "SZ"), _CONVENTIONS[game.name].size
    columns, _, rows = (told or str(usual)).partition(":")
    names = game.vocabulary.names if game.vocabulary else ()
    is_sized = "size" in names
    if (
        not columns.isdecimal()
        or len(columns) > 3
        or rows not in ("", columns)
        or not (is_sized or columns == f"{usual}")
    ):
        raise NotWellFormed("SGF", 1, f"SZ[{told}]")
    options: dict[str, Any] = {"size": int(columns)} if is_sized else {}
    komi = _value(root, "KM")
    if komi and "komi" in names:
        if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]*)?", komi):
            raise NotWellFormed("SGF", 1, f"KM[{komi}]")
        options["komi"] = f"{int(2 * float(komi)) / 2:g}"
    return options, int(columns)


def _result(root: Mapping[str, Sequence[str]], *, begins_black: bool) -> tuple[RecordedResult | None, bool]:
    """The result that the root tells, and whether time decided it."""
    told = _value(root, "RE")
    if told.lower() in ("0", "draw", "jigo"):
        return RecordedResult(()), False
    found = _RESULT.fullmatch(told)
    if found is None:
        return None, False
    is_first = (found[1].upper() == "B") == begins_black
    return RecordedResult((0 if is_first else 1,)), (found[2] or "").lower().startswith("t")


def _played(
    game: Game[Any, Any], options: Mapping[str, Any], texts: Sequence[str], result: RecordedResult | None, *, late: bool
) -> tuple[TurnRecord, ...]:
    """The turns, with the event that ended the game if its moves do not.

    In Go people agree on the dead stones after the last passes, which the rules here do not know: passes with which the
    other one would have won are left out.
    """
    turns, positions = list[TurnRecord](), [game.begin(options, 2)]
    for place, text in enumerate(texts):
        if text == "pass" and positions[-1].passed:
            continue  # it is no turn here where nothing else is possible
        try:
            positions.append(game.read_input(positions[-1], text).position)
        except PlayerError:
            return (*turns, *texts[place:])  # whoever replays the record tells what is wrong
        turns.append(text)
    outcome = positions[-1].outcome
    if outcome is not None and result is not None and outcome.winners != result.winners:
        while turns[-1:] == ["pass"]:
            turns.pop()
            positions.pop()
        outcome = positions[-1].outcome
    if outcome is None and result is not None:
        turns.append(ending_event(result, positions[-1], late=late))
    return tuple(turns)


def _written(record: GameRecord, title: str, day: date) -> str:
    game, convention = HallGame(KINDS[record.game]), _CONVENTIONS[record.game]
    size, komi = _option(record, game, "size"), _option(record, game, "komi")
    edge = size if isinstance(size, int) else convention.size
    colours = convention.first + ("W" if convention.first == "B" else "B")
    by_seat = colours if record.first == 0 else colours[::-1]
    root = {
        "FF": "4",
        "GM": convention.number,
        "CA": "UTF-8",
        "AP": "pbem",
        "SZ": str(edge),
        **({} if komi is None else {"KM": str(komi)}),
        **{f"P{colour}": name for colour, name in zip(by_seat, record.players, strict=True)},
        "EV": title,
        "DT": day.isoformat(),
        **_result_of(record, by_seat),
    }
    points, position, told = (
        _Points(game.name, edge),
        game.begin(record.options, 2, record.first),
        "",
    )
    for turn in record.turns:
        seat = position.to_act
        if seat is None or not texts_of(turn):
            continue
        steps = game.input_steps(position, turn)
        position = game.play_input(position, steps)
        told += f" ;{by_seat[seat]}[{points.write(' '.join(step.text for step in steps))}]"
        told += f" ;{by_seat[1 - seat]}[]" if position.passed else ""
    heading = "".join(f"{name}[{_escaped(value)}]" for name, value in root.items())
    moves = fill(told.strip(), _WIDTH).replace(" ", "")
    return f"(;{heading}\n{moves})\n"


def _option(record: GameRecord, game: HallGame, name: str) -> object:
    """An option that is given or usual; None if the game has none of this name."""
    usual = next((option.unsaid for option in game.vocabulary.options if option.name == name), None)
    return record.options.get(name, usual)


def _result_of(record: GameRecord, by_seat: str) -> Mapping[str, str]:
    if record.result is None:
        return {}
    if not record.result.winners:
        return {"RE": "0"}
    last = record.turns[-1] if record.turns else ""
    event = last.get("event") if isinstance(last, dict) else None
    how = {Happening.RESIGN.value: "R", Happening.FORFEIT.value: "T"}.get(str(event), "")
    return {"RE": f"{by_seat[record.result.winners[0]]}+{how}"}


def _escaped(value: str) -> str:
    return re.sub(r"([\\\]:])", r"\\\1", value)


SGF = Sgf()
