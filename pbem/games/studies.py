"""Studies: comments on the moves of a finished game, and variations in place of them.

As typed, a move of the game or a variation a line; nested variations stand behind the move that they replace::

    #0 {A game that I should have won.}
    #12 {The losing move.}
    #12 D5,E6 {threatens K7} / C4 (K7 / A1 {too late}) / G2

In a record, the same is the field ``study``: see `to_json`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeAlias

from pbem.errors import NotAllowed, PlayerError, Quoted, Unreadable
from pbem.games.game import BETWEEN_TURNS, Game, Position, Seat, TurnRecord, UnreadableMove

MOST_MOVES = 500
"""Moves in the variations of a study, all together."""
MOST_NESTED = 8
"""Variations within each other; a record with more would be too deep for its readers."""
LONGEST_COMMENT = 1000
"""Characters."""
LONGEST_TITLE = 80
"""Characters."""
LONGEST_TEXT = 40_000
"""Characters of a study as it is typed."""
VERSION = 1
"""Of the field in a record; readers leave out what is newer."""


class StudyUnreadable(Unreadable):
    """The text is no study; ``expected``, a part of the form, is missing before ``word``, or at the end."""

    word: Quoted
    expected: str


class StudyTooLarge(NotAllowed):
    """There is more than a study holds of ``what``: ``moves``, ``nested``, ``comment``, ``title`` or ``text``."""

    what: str
    most: int


class NoMoveToStudy(NotAllowed):
    """The game has no such move; variations may also follow the ``last`` one, comments may not."""

    moveno: int
    last: int
    is_comment: bool = False
    """Something may be played there, but it can have no comment."""


class VariationStopped(NotAllowed):
    """``said`` cannot be played in a variation in place of move ``moveno``; ``reasons`` says why."""

    moveno: int
    said: Annotated[str, 120]
    reasons: Sequence[PlayerError]


class BadStudy(Unreadable):
    """A field of the study in a record is missing, or holds what cannot stand there."""

    field: str


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """A move of a variation as it is typed, or as it stands in a record."""

    turn: TurnRecord
    comment: str = field(default="", repr=False)
    instead: tuple[WrittenLine, ...] = ()
    """Variations in place of it."""


WrittenLine: TypeAlias = tuple[WrittenMove, ...]


@dataclass(frozen=True, slots=True)
class Remarked:
    """The comment on a move of the game, and variations in place of it, not yet played."""

    moveno: int
    """From 1; 0 stands for the whole game, and one more than the last for what may follow."""
    comment: str = field(default="", repr=False)
    lines: tuple[WrittenLine, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyMove:
    """A move of a variation that the rules allow."""

    number: int
    seat: Seat
    text: str
    """In the notation of the game."""
    record: TurnRecord
    after: Position[Any] = field(repr=False, compare=False)
    comment: str = field(default="", repr=False)
    instead: tuple[StudyLine, ...] = ()


StudyLine: TypeAlias = tuple[StudyMove, ...]


@dataclass(frozen=True, slots=True)
class Annotation:
    """The comment on a move of the game, and variations in place of it."""

    moveno: int
    comment: str = field(default="", repr=False)
    lines: tuple[StudyLine, ...] = ()


@dataclass(frozen=True, slots=True)
class StudiedGame:
    """A game, as far as a study needs it."""

    game: Game[Any, Any]
    before: Sequence[Position[Any]]
    """The positions before each move, from the first on; of a game that the rules have not ended, the last one, too."""
    moves: Sequence[TurnRecord | None]
    """The moves of the game; None for one that came in several parts."""

    @property
    def last(self) -> int:
        """The number of the last move."""
        return len(self.moves)


_HEAD = re.compile(r"#\s?([0-9]{1,5})\b[.:]?|([0-9]{1,5})[.:]?(?=\s*\{)")
"""The number of a move, with its sign; before a comment the sign may be left out: ``12. {The losing move.}``."""
_BESIDE = re.compile(r"(\{[^{}]*\})|(?<=[^\s();{}])\(([^\s();]+)\)")
"""A comment; or a word in parentheses that is joined to a move, and no variation: ``d1-d7(g7)``."""
_COMMENT_OR_SIGN = r"\{[^{}]*\}|[(){}]"


def read_study(text: str, game: Game[Any, Any]) -> tuple[Remarked, ...]:
    """The comments and variations of a text, in the order in which they stand there.

    Raises:
        StudyUnreadable, StudyTooLarge: it is no study.
    """
    if len(text) > LONGEST_TEXT:
        raise StudyTooLarge("text", LONGEST_TEXT)
    entries: list[str] = []
    for line in map(str.strip, text.split("\n")):
        if (line.startswith("#") or _HEAD.match(line)) and not _is_within_comment(entries):
            entries.append(line)
        elif line and entries:
            entries[-1] += f" {line}"
        elif line:
            raise StudyUnreadable(line.split()[0], "#")
    return tuple(_entry(each, game) for each in entries)


def _is_within_comment(entries: Sequence[str]) -> bool:
    return bool(entries) and entries[-1].count("{") > entries[-1].count("}")


def _entry(text: str, game: Game[Any, Any]) -> Remarked:
    head = _HEAD.match(text)
    if head is None:
        raise StudyUnreadable(text.split()[0], "#")
    reader = _Reader(_BESIDE.sub(_apart, text[head.end() :]), game.turn_separator)
    comment = reader.comment()
    reader.take("/")
    lines = (reader.line(1),) if reader.peek() or not comment else ()
    if reader.peek():
        raise StudyUnreadable(reader.peek(), "move")
    return Remarked(int(head[1] or head[2]), comment, lines)


def _apart(found: re.Match[str]) -> str:
    """A comment as it is, or a word without its parentheses."""
    return found[1] or f" {found[2]}"


class _Reader:
    """Takes an entry apart from left to right."""

    def __init__(self, text: str, separator: str) -> None:
        tokens = re.split(f"({_COMMENT_OR_SIGN}|{separator})", text)
        self._tokens = [each for each in map(str.strip, tokens) if each]
        self._at = 0

    def peek(self) -> str:
        """The next piece; empty at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self, wanted: str) -> bool:
        """Go behind a piece if it is the next one."""
        taken = self.peek() == wanted
        self._at += taken
        return taken

    def comment(self) -> str:
        """The words between braces, if they come next."""
        piece = self.peek()
        if piece in ("{", "}"):
            raise StudyUnreadable(piece, self._missing_for(piece))
        if not piece.startswith("{"):
            return ""
        self._at += 1
        return tidy_comment(piece[1:-1])

    def _missing_for(self, sign: str) -> str:
        """The other sign around a comment; or its ``words``, if all are there, but some of them within the comment."""
        if sign == "}":
            return "{"
        rest = "".join(self._tokens[self._at :])
        return "}" if rest.count("{") > rest.count("}") else "words"

    def line(self, depth: int) -> WrittenLine:
        """Moves up to the end, or to the parenthesis behind them."""
        if depth > MOST_NESTED:
            raise StudyTooLarge("nested", MOST_NESTED)
        moves: list[WrittenMove] = []
        while True:
            piece = self.peek()
            if not piece or piece in "(){}/" or piece.startswith("{"):
                raise StudyUnreadable(piece, "move")
            self._at += 1
            moves.append(self._behind(WrittenMove(" ".join(piece.split())), depth))
            is_between = self.take("/")
            if not is_between and self.peek() in ("", ")"):
                return tuple(moves)

    def _behind(self, move: WrittenMove, depth: int) -> WrittenMove:
        comment, instead = self.comment(), []
        while self.take("("):
            instead.append(self.line(depth + 1))
            if not self.take(")"):
                raise StudyUnreadable(self.peek(), ")")
        return replace(move, comment=comment or self.comment(), instead=tuple(instead))


def tidy_comment(text: str) -> str:
    """A comment as it is kept: in one paragraph, without the signs around comments.

    Raises:
        StudyTooLarge: it is too long.
    """
    said = " ".join(text.replace("{", "(").replace("}", ")").split())
    if len(said) > LONGEST_COMMENT:
        raise StudyTooLarge("comment", LONGEST_COMMENT)
    return said


def typed(annotations: Sequence[Annotation]) -> str:
    """A study as `read_study` reads it."""
    return "\n".join(line for each in annotations for line in _typed_lines(each))


def _typed_lines(annotation: Annotation) -> Iterator[str]:
    if annotation.comment:
        yield f"#{annotation.moveno} {{{annotation.comment}}}"
    for line in annotation.lines:
        yield f"#{annotation.moveno} {_typed_line(line)}"


def _typed_line(line: StudyLine) -> str:
    return BETWEEN_TURNS.join(_typed_move(each) for each in line)


def _typed_move(move: StudyMove) -> str:
    behind = [f"({_typed_line(each)})" for each in move.instead]
    return " ".join((move.text, *([f"{{{move.comment}}}"] if move.comment else []), *behind))


_Steps: TypeAlias = Callable[[Position[Any], TurnRecord], Sequence[Any]]


class _Node:
    """A position in the tree of a study: the move that leads to it, and what may follow."""

    def __init__(self, move: StudyMove | None = None) -> None:
        self.move = move
        self.next: dict[str, _Node] = {}
        self.is_said = False
        """The comment is of the text that is being added."""

    def with_move(self, move: StudyMove, *, is_known: bool = False) -> _Node:
        """The node that a move leads to; a comment takes the place of a known one on the same move."""
        blank = replace(move, comment="", instead=())
        node = self.next.setdefault(json.dumps(move.record, sort_keys=True), _Node(blank))
        if move.comment and node.move is not None:
            node.move = replace(node.move, comment=_joined(node.move.comment if node.is_said else "", move.comment))
            node.is_said = not is_known
        return node

    def add(self, line: StudyLine, *, is_known: bool = False) -> None:
        """Have a variation follow, with those within it."""
        node = self
        for move in line:
            before, node = node, node.with_move(move, is_known=is_known)
            for other in move.instead:
                before.add(other, is_known=is_known)

    def lines(self) -> Iterator[StudyLine]:
        """The variations that follow, each with those within it."""
        for first in self.next.values():
            moves, node = [first.move], first
            while node.next:
                main, *others = node.next.values()
                instead = tuple(line for other in others for line in _Node.lines(_only(other)))
                moves.append(None if main.move is None else replace(main.move, instead=instead))
                node = main
            yield tuple(move for move in moves if move is not None)


def _only(node: _Node) -> _Node:
    """A position after which nothing but one node follows."""
    root = _Node()
    root.next[""] = node
    return root


def annotated(
    known: Sequence[Annotation], added: Sequence[Remarked], studied: StudiedGame, *, in_records: bool = False
) -> tuple[Annotation, ...]:
    """A study with more comments and variations; a comment takes the place of a known one on the same move.

    Comments on the same move that are added together become one.

    Args:
        known: the study so far.
        added: what comes to it.
        studied: the game.
        in_records: the moves are those of records, and not typed.

    Raises:
        NoMoveToStudy, VariationStopped: the game has no such moves.
        StudyTooLarge: the study would be.
    """
    comments: dict[int, str] = {}
    roots: dict[int, _Node] = defaultdict(_Node)
    steps = _recorded_steps(studied.game) if in_records else _typed_steps(studied.game)
    for one in known:
        for line in one.lines:
            roots[one.moveno].add(line, is_known=True)
    for each in added:
        _check_move(each, studied)
        comments[each.moveno] = _joined(comments.get(each.moveno, ""), each.comment)
        for written in each.lines:
            line = _played_line(written, each.moveno, studied.before[each.moveno - 1], studied.game, steps)
            _place(line, each.moveno, studied, roots, comments)
    before = {each.moveno: each.comment for each in known}
    comments = before | {number: comment for number, comment in comments.items() if comment}
    numbers = sorted({*comments, *roots})
    found = (Annotation(number, comments.get(number, ""), tuple(roots[number].lines())) for number in numbers)
    annotations = tuple(each for each in found if each.comment or each.lines)
    if count(annotations) > MOST_MOVES:
        raise StudyTooLarge("moves", MOST_MOVES)
    if any(_depth(each.lines) > MOST_NESTED for each in annotations):
        raise StudyTooLarge("nested", MOST_NESTED)
    return annotations


def _joined(comment: str, other: str) -> str:
    """Two comments on the same move as one.

    Raises:
        StudyTooLarge: it is too long.
    """
    if other in comment or comment in other:
        return max(comment, other, key=len)
    return tidy_comment(f"{comment} {other}")


def count(annotations: Sequence[Annotation]) -> int:
    """The number of moves in all variations."""
    return sum(_count(line) for each in annotations for line in each.lines)


def _count(line: StudyLine) -> int:
    return len(line) + sum(_count(each) for move in line for each in move.instead)


def _depth(lines: Sequence[StudyLine]) -> int:
    return max((1 + _depth([each for move in line for each in move.instead]) for line in lines), default=0)


def _check_move(remarked: Remarked, studied: StudiedGame) -> None:
    """Accept the number of a move that the game has; variations may also follow the last one.

    Raises:
        NoMoveToStudy: it has none.
    """
    moveno, lines = remarked.moveno, remarked.lines
    if not (1 <= moveno <= len(studied.before) if lines else 0 <= moveno <= max(studied.last, len(studied.before))):
        raise NoMoveToStudy(moveno, studied.last)
    if remarked.comment and moveno > studied.last:
        raise NoMoveToStudy(moveno, studied.last, is_comment=moveno <= len(studied.before))


def _place(
    line: StudyLine, moveno: int, studied: StudiedGame, roots: dict[int, _Node], comments: dict[int, str]
) -> None:
    """Add a variation at the first move where it leaves the game, as what the game goes on with is no variation."""
    others: list[tuple[StudyLine, int]] = []
    while line:
        first, rest = line[0], line[1:]
        others += [(other, moveno) for other in first.instead]
        if not (moveno <= studied.last and studied.moves[moveno - 1] == first.record):
            roots[moveno].add((replace(first, instead=()), *rest))
            break
        comments[moveno] = _joined(comments.get(moveno, ""), first.comment)
        moveno, line = moveno + 1, rest
    for other, number in others:
        _place(other, number, studied, roots, comments)


def _played_line(
    written: WrittenLine, moveno: int, position: Position[Any], game: Game[Any, Any], steps: _Steps
) -> StudyLine:
    """A variation, its moves played."""
    moves: list[StudyMove] = []
    for each in written:
        try:
            made = _played_move(each, position, game, steps)
        except PlayerError as wrong:
            raise VariationStopped(moveno, str(each.turn), [wrong]) from wrong
        instead = tuple(_played_line(other, moveno, position, game, steps) for other in each.instead)
        moves.append(replace(made, instead=instead))
        position = made.after
    return tuple(moves)


def _played_move(move: WrittenMove, position: Position[Any], game: Game[Any, Any], steps: _Steps) -> StudyMove:
    """The move of a variation.

    Raises:
        PlayerError: the rules forbid it, or it cannot be read.
    """
    made = tuple(steps(position, move.turn))
    after, seat = game.play_input(position, made), position.to_act
    record = game.input_record(position, made)
    if isinstance(record, dict):
        record = {"seat": seat, **record}
    text = game.input_text(after, made).move
    return StudyMove(position.ply + 1, 0 if seat is None else seat, text, record, after, move.comment)


def _typed_steps(game: Game[Any, Any]) -> _Steps:
    def steps(position: Position[Any], text: TurnRecord) -> Sequence[Any]:
        played = game.read_input(position, text)
        if played.left_over:
            raise UnreadableMove(why=played.left_over)
        made: Sequence[Any] = played.steps
        return made

    return steps


def _recorded_steps(game: Game[Any, Any]) -> _Steps:
    def steps(position: Position[Any], record: TurnRecord) -> Sequence[Any]:
        if isinstance(record, dict):
            if record.get("seat") != position.to_act:
                raise BadStudy("seat")
            record = {name: value for name, value in record.items() if name != "seat"}
        return game.input_steps(position, record)

    return steps


def to_json(annotations: Sequence[Annotation]) -> list[dict[str, Any]]:
    """The moves of a study as they stand in a record."""
    return [
        {
            "move": each.moveno,
            **({"comment": each.comment} if each.comment else {}),
            **({"lines": [_line_to_json(line) for line in each.lines]} if each.lines else {}),
        }
        for each in annotations
    ]


def _line_to_json(line: StudyLine) -> list[dict[str, Any]]:
    return [
        {
            "turn": move.record,
            **({"comment": move.comment} if move.comment else {}),
            **({"lines": [_line_to_json(each) for each in move.instead]} if move.instead else {}),
        }
        for move in line
    ]


@dataclass(frozen=True, slots=True)
class RecordedStudy:
    """The study in a record."""

    title: str
    author: str
    """Their userid."""
    moves: tuple[Remarked, ...]


def read_recorded(value: Any) -> RecordedStudy | None:
    """The study that a JSON value is; None if it is of a later version.

    Raises:
        BadStudy: it is not well formed.
        StudyTooLarge: a comment or the title is too long, or it is nested too deeply.
    """
    if not isinstance(value, dict) or type(value.get("version")) is not int:
        raise BadStudy("version")
    if value["version"] > VERSION:
        return None
    title = " ".join(_field(value, "title", str).split())
    if len(title) > LONGEST_TITLE:
        raise StudyTooLarge("title", LONGEST_TITLE)
    return RecordedStudy(title, _field(value, "author", str), from_json(_field(value, "moves", list)))


def from_json(value: Any) -> tuple[Remarked, ...]:
    """The moves of a study as they stand in a record.

    Raises:
        BadStudy, StudyTooLarge: as `read_recorded`.
    """
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise BadStudy("moves")
    return tuple(Remarked(_field(each, "move", int), _comment(each), _lines(each, 1)) for each in value)


def recorded(annotations: Sequence[Annotation], title: str, author: str) -> dict[str, Any]:
    """A study as the field of a record."""
    return {"version": VERSION, "title": title, "author": author, "moves": to_json(annotations)}


def _lines(value: Mapping[str, Any], depth: int) -> tuple[WrittenLine, ...]:
    lines = value.get("lines", [])
    if depth > MOST_NESTED and lines:
        raise StudyTooLarge("nested", MOST_NESTED)
    if not isinstance(lines, list) or not all(isinstance(each, list) and each for each in lines):
        raise BadStudy("lines")
    return tuple(tuple(_written(move, depth) for move in line) for line in lines)


def _written(value: Any, depth: int) -> WrittenMove:
    if not isinstance(value, dict) or "turn" not in value:
        raise BadStudy("turn")
    return WrittenMove(value["turn"], _comment(value), _lines(value, depth + 1))


def _comment(value: Mapping[str, Any]) -> str:
    comment = value.get("comment", "")
    if not isinstance(comment, str):
        raise BadStudy("comment")
    return tidy_comment(comment)


def _field(value: Mapping[str, Any], name: str, kind: type) -> Any:
    if type(value.get(name)) is not kind:
        raise BadStudy(name)
    return value[name]
