"""Chess and its kin as OpenSpiel draws and writes them: FEN, SFEN and the rows of Xiangqi."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase

from pbem.games.figure import At, Piece
from pbem.games.layouts import Layout, rectangle
from pbem.hall.drawings import in_hand
from pbem.hall.positions import Act, Contents, HallPosition, Writing

_KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
_PROMOTED = str.maketrans("ECAHecah", "QRBNqrbn")
"""The letters that OpenSpiel has in Crazyhouse for men that were pawns."""
_FILES = ascii_lowercase[:8]
_SQUARES = tuple(f"{file}{rank}" for rank in range(8, 0, -1) for file in _FILES)
"""In the order of a FEN."""


def _men(placement: str) -> Iterator[str]:
    """The squares of a FEN's or SFEN's first field, row by row: a letter, with ``+`` before it if it is promoted."""
    for found in re.finditer(r"([0-9])|(\+?[A-Za-z])", placement.partition("[")[0].replace("~", "")):
        yield from [""] * int(found[1]) if found[1] else [found[2]]


def _side(man: str) -> int:
    """White has capitals, which is the first of the sides."""
    return int(man[-1].islower())


def read_fen(position: HallPosition, layout: Layout) -> Contents:
    """The men of a FEN, and those in hand, which Crazyhouse has in brackets."""
    placement = position.drawn.split()[0]
    men = zip(layout.spots, (man.translate(_PROMOTED) for man in _men(placement)), strict=True)
    pieces = {name: Piece(_side(man), man, _KINDS[man.lower()]) for name, man in men if man}
    return Contents(pieces, held=tuple(in_hand(placement.partition("[")[2].rstrip("]"), layout, _KINDS)))


_EMPTY = str.maketrans({str(number): "." * number for number in range(1, 9)} | {"/": None, "~": None})


@lru_cache(maxsize=256)
def _on_squares(fen: str) -> str:
    """The man on each square of a FEN, or a dot."""
    return fen.partition(" ")[0].partition("[")[0].translate(_EMPTY)


def without_counts(fen: str) -> str:
    """The men, whose turn it is, and the rights to castle and to capture in passing."""
    return " ".join(fen.split()[:4])


_REMARKS = re.compile(r"(?i)^\s*[0-9]+\.+\s*|\s*\(?e\.?\s?p\.?\)?\s*$")


def without_remarks(text: str) -> str:
    """A move without its number in front, and without the remark that some put behind a capture in passing."""
    return _REMARKS.sub("", text)


def write_san(act: Act) -> Writing:
    """A move in SAN, which can also be written with both of its squares."""
    (text,) = act.words
    if "@" in text:
        return Writing(text, (text.partition("@")[2][:2],))
    changed = [each for each in zip(_SQUARES, *map(_on_squares, (act.before, act.after)), strict=True)
               if each[1] != each[2]]  # fmt: skip
    own = str.islower if act.before.split()[1] == "b" else str.isupper
    left = [(name, was) for name, was, now in changed if now == "." and own(was)]
    taken = [(name, now) for name, _, now in changed if own(now)]
    if text.startswith("O-O"):
        start, end = (next(name for name, man in each if man.lower() == "k") for each in (left, taken))
        return Writing(text, (start, end), (start + end, f"K{start}{end}", text.replace("O", "0")))
    (start, mover), (end, _), promoted = left[0], taken[0], text.partition("=")[2][:1]
    man = "" if mover.lower() == "p" else mover.upper().translate(_PROMOTED)
    square = text.rstrip("+#").partition("=")[0][-2:]
    short = f"{man}{'x' if 'x' in text else ''}{square}"
    vague = [short] if man and short != text.rstrip("+#") else [text.partition("=")[0]] if promoted else []
    also = (start + end + promoted, *vague, *([man + start + end] if man else []))
    if man != text[:1] and man:  # it was a pawn; there may be another that was none
        return Writing(man + start + end + text[-1:].strip("12345678"), (start, end), (*also, man + text[1:]))
    return Writing(text, (start, end), also)


def _plain(layout: Layout) -> Layout:
    """A board that is not chequered."""
    return replace(layout, spots={name: replace(spot, shade=0) for name, spot in layout.spots.items()})


SHOGI_LAYOUT = replace(_plain(rectangle("987654321", ascii_lowercase[:9])), pitch=3)
_KOMA = re.compile(r"[1-9][a-i]")


def shogi_places(text: str) -> Sequence[str]:
    """The squares that a move of Shogi names."""
    return _KOMA.findall(text)


def read_sfen(position: HallPosition, layout: Layout) -> Contents:
    """The men of an SFEN and those in hand, of which it counts those that are more than one."""
    placement, _, held, *_ = position.drawn.split()
    men = zip(layout.spots, _men(placement), strict=True)
    pieces = {name: Piece(_side(man), man, "koma") for name, man in men if man}
    hand = "".join(found[2] * int(found[1] or 1) for found in re.finditer(r"([0-9]*)([A-Za-z])", held))
    return Contents(pieces, held=tuple(in_hand(hand, layout)))


def write_shogi(act: Act) -> Writing:
    """A move by its squares, which can also be written with the man and where it goes."""
    (text,) = act.words
    if "*" in text:
        return Writing(text, also=(f"{text[0]}-{text[-2:]}", f"{text[0]}{text[-2:]}"))
    men = dict(zip(SHOGI_LAYOUT.spots, _men(act.before.split()[0]), strict=True))
    man = men[text[:2]].upper()
    return Writing(text, also=(f"{man}-{text[2:]}", f"{man}x{text[2:]}"))


_ROWS = 10
_XIANGQI = _plain(rectangle(ascii_lowercase[:9], [str(rank) for rank in range(_ROWS - 1, -1, -1)], points=True))
_RIVER = (4, 5)
"""The rows on both sides of it, from above; only the outermost lines cross it."""


def _xiangqi_lines() -> Iterator[tuple[At, At]]:
    for row in range(_ROWS):
        yield (0, row), (8, row)
    for column in range(9):
        if column in (0, 8):
            yield (column, 0), (column, _ROWS - 1)
        else:
            yield (column, 0), (column, _RIVER[0])
            yield (column, _RIVER[1]), (column, _ROWS - 1)
    for top in (0, 7):
        yield (3, top), (5, top + 2)
        yield (5, top), (3, top + 2)


XIANGQI_LAYOUT = replace(_XIANGQI, lines=tuple(_xiangqi_lines()))


def read_xiangqi(position: HallPosition, layout: Layout) -> Contents:
    """The men on ten rows; Red's are capitals."""
    rows = position.drawn.splitlines()[:_ROWS]
    men: Mapping[str, str] = dict(zip(layout.spots, "".join(rows), strict=True))
    return Contents({name: Piece(_side(man), man, "letter") for name, man in men.items() if man != "."})


_XIANGQI_MOVE = re.compile(r"([A-Za-z])\(([0-9]),([0-9])\)-\(([0-9]),([0-9])\)")
_STRAIGHT = frozenset("RCGS")
"""Men whose steps are counted where they go straight; others are told the line that they come to."""


def write_xiangqi(act: Act) -> Writing:
    """``C(7,7)-(7,4)``, rows and columns counted from above and the left: ``h2-e2``, or ``C2=5`` by the mover's."""
    found = _XIANGQI_MOVE.fullmatch(act.words[0])
    if found is None:
        raise ValueError(act.words[0])
    man, (row, column, to_row, to_column) = found[1], (int(found[each]) for each in range(2, 6))
    start, end = (f"{ascii_lowercase[file]}{_ROWS - 1 - line}" for file, line in ((column, row), (to_column, to_row)))
    ahead = -1 if man in ascii_uppercase else 1
    line, to_line = (9 - file if ahead < 0 else file + 1 for file in (column, to_column))
    steps = abs(to_row - row) if man.upper() in _STRAIGHT and to_row != row else to_line
    sign = "=" if to_row == row else "+" if (to_row - row) * ahead > 0 else "-"
    return Writing(f"{start}-{end}", also=(start + end, f"{man.upper()}{line}{sign}{steps}"))
