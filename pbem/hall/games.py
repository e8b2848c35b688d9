"""The games of the hall; without the extra ``hall`` they cannot be imported, and are not here."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from string import ascii_lowercase
from typing import Any

from pbem.games.figure import Piece
from pbem.games.layouts import Layout, crossings, hexagon, points, rhombus, square, triangle
from pbem.games.options import Option, Vocabulary
from pbem.hall.chess import (
    SHOGI_LAYOUT,
    XIANGQI_LAYOUT,
    read_fen,
    read_sfen,
    read_xiangqi,
    shogi_places,
    without_counts,
    without_remarks,
    write_san,
    write_shogi,
    write_xiangqi,
)
from pbem.hall.drawings import (
    MORRIS_POINTS,
    QUARTERS,
    TWIXT_SIZE,
    board_to_play_on,
    count_area,
    count_pieces,
    dots,
    houses,
    morris,
    nine_boards,
    pentago,
    read_dots,
    read_kalah,
    read_nine_boards,
    read_oware,
    read_pentago,
    read_twixt,
    twixt,
)
from pbem.hall.game import HallGame
from pbem.hall.growing import board_around
from pbem.hall.hive import HIVE_MOVES, hive_forms, read_hive, same_again, write_hive
from pbem.hall.pgn import PGN
from pbem.hall.positions import Act, Kind, Writing
from pbem.hall.sgf import SGF
from pbem.hall.symmetry import all_ways, inside_out, left_and_right

if find_spec("pyspiel") is None:
    raise ModuleNotFoundError("the extra 'hall' is not installed", name="pyspiel")


def _size(lowest: int, highest: int, usual: int) -> Option:
    return Option("size", range(lowest, highest + 1), unsaid=usual)


def _sized(name: str, usual: int) -> Callable[[Mapping[str, Any]], Mapping[str, object]]:
    """The parameter of OpenSpiel's that an option sets."""
    return lambda options: {name: options.get("size", usual)}


def _on(layout: Callable[[int], Layout], usual: int) -> Callable[[Mapping[str, Any]], Layout]:
    return lambda options: layout(options.get("size", usual))


SWAP = Option("swap")
_RANKED = r" *[0-9]+ ?(.*)"


def _from_to(act: Act) -> Writing:
    """``a7a6``, ``b4a3*``."""
    (text,) = act.words
    return Writing(f"{text[:2]}-{text[2:4]}")


def _without_player(act: Act) -> Writing:
    """``B b8``, ``W PASS``."""
    return Writing(act.words[0].split()[-1].lower())


def _without_side(act: Act) -> Writing:
    """``xc3``."""
    return Writing(act.words[0][1:])


_NUMBERS = re.compile(r"\(([0-9]+), ([0-9]+)\)")
_QUEENS = 10
"""The rows and columns of Amazons."""


def _queens(act: Act) -> Writing:
    """``X From (7, 1)`` and ``X To (6, 2)``, then ``X Shoot: (6, 6)``: rows are counted from the top, from 1."""
    found = [_NUMBERS.findall(each)[0] for each in act.words]
    return Writing("-".join(f"{ascii_lowercase[int(column) - 1]}{_QUEENS + 1 - int(row)}" for row, column in found))


_SHOT = re.compile(r"(?i)([a-j][0-9]+)-?([a-j][0-9]+)[-/,(\s]*([a-j][0-9]+)\)?")


def _shoots(text: str) -> str:
    """``d1-d7/g7`` and ``d1-d7(g7)`` as two steps."""
    found = _SHOT.fullmatch(text.strip())
    return f"{found[1]}-{found[2]} {found[3]}" if found else re.sub("[,;/]", " ", text)


def _row_column(act: Act) -> Writing:
    """``0,14`` and ``x(0,14)``: rows are counted from the top, from 0."""
    row, column = map(int, _NUMBER.findall(act.words[0]))
    return Writing(f"{ascii_lowercase[column]}{_rows(act.before) - row}")


_NUMBER = re.compile("[0-9]+")


@lru_cache(maxsize=16)
def _rows(drawn: str) -> int:
    return sum(1 for line in drawn.splitlines() if len(line) > 1)


_COLUMNS, _ROWS = 7, 6
"""Those of Connect Four."""


_COLUMNS_AT = {letter: (float(column), 0.0) for column, letter in enumerate(ascii_lowercase[:_COLUMNS])}


def _column(act: Act) -> Writing:
    """``x3``: the column, counted from 0."""
    column = int(act.words[0][1:])
    free = sum(1 for line in act.before.splitlines() if line[column : column + 1] == ".")
    letter = ascii_lowercase[column]
    return Writing(letter, (f"{letter}{_ROWS + 1 - free}",), (str(column + 1),))


_CHECKERS = {
    f"{ascii_lowercase[column]}{row + 1}": row * 4 + (7 - column) // 2 + 1
    for row in range(8)
    for column in range(row % 2, 8, 2)
}
"""The numbers of the squares, which begin at the right of those who begin."""


def _checkers(act: Act) -> Writing:
    """``c3d4``; also by the numbers of the squares."""
    start, end = act.words[0][:2], act.words[0][2:]
    return Writing(f"{start}-{end}", also=(f"{_CHECKERS[start]}-{_CHECKERS[end]}",))


def _jumps(text: str) -> str:
    """``c3-e5-g7`` as two steps."""
    return re.sub(r"(?<=[-x])\s*([a-z]?[0-9]+)(?=[-x])", r"\1 \1", re.sub(r"[,;/]", " ", text))


_LINE = re.compile(r"\(([hv]),([0-9]+),([0-9]+)\)")


def _line(act: Act) -> Writing:
    """``P1(h,0,1)``: a line to the right of a dot or down from it, rows and columns counted from above and the left."""
    ((way, *numbers),) = _LINE.findall(act.words[0])
    row, column = map(int, numbers)
    dots = (len(act.before.splitlines()) + 1) // 2
    other = (column + 1, row) if way == "h" else (column, row + 1)
    one, two = (f"{ascii_lowercase[x]}{dots - y}" for x, y in ((column, row), other))
    return Writing(f"{one}-{two}", also=(f"{two}-{one}",))


def _morris(act: Act) -> Writing:
    """``Point 3`` places a man or takes one, ``Move 3 -> 4`` moves one; points are numbered row by row."""
    points = [MORRIS_POINTS[int(number)] for number in re.findall(r"[0-9]+", act.words[0])]
    taken = len(points) == 1 and _men_of_morris(act.before)[points[0]] != "."
    return Writing(f"x{points[0]}" if taken else "-".join(points), also=(points[0],) if taken else ())


def _men_of_morris(drawn: str) -> Mapping[str, str]:
    return dict(zip(MORRIS_POINTS, re.findall(r"[.WB]", drawn.partition("Current")[0]), strict=True))


def _takes(text: str) -> str:
    """``d6xf4`` as two steps."""
    return re.sub(r"(?<=[0-9])\s*x", " x", re.sub(r"[,;/]", " ", text.lower()))


def _house(act: Act) -> Writing:
    """``A`` and ``a``: the houses of the one below and the one above; people may count them."""
    house = act.words[0].lower()
    return Writing(house, (f"{house}{1 if act.words[0].isupper() else 2}",), (str(ord(house) - ord("a") + 1),))


def _numbered_house(act: Act) -> Writing:
    """``1`` to ``6`` are the houses of the one below, ``8`` to ``13`` of the one above, each from their left."""
    number = int(act.words[0])
    house = ascii_lowercase[(number - 1) % 7]
    return Writing(house, (f"{house}{1 if number < 7 else 2}",), (str(ord(house) - ord("a") + 1),))


def _marble(act: Act) -> Writing:
    """``a1s``."""
    return Writing(act.words[0], (act.words[0][:2],))


def _board_and_row(options: Mapping[str, Any]) -> Mapping[str, object]:
    names = {"m": "columns", "n": "rows", "k": "row"}
    return {letter: options.get(name, 3) for letter, name in names.items()}


def _clobber_board(options: Mapping[str, Any]) -> tuple[int, int]:
    """The columns and rows."""
    size = options.get("size", 6)
    return size, 5 if size == 6 else size


_CELL = re.compile(r"board ([0-9]): .\(([0-9]),([0-9])\)")


def _cell(act: Act) -> Writing:
    """``Local board 2: x(0,1)``, with the choice of the board before it if it is free."""
    board, row, column = map(int, _CELL.findall(act.words[-1])[0])
    return Writing(f"{ascii_lowercase[board % 3 * 3 + column]}{9 - (board // 3 * 3 + row)}")


OTHELLO = HallGame(
    Kind(
        "othello",
        "othello",
        "Othello",
        ("Black", "White"),
        lambda _: square(8, 8, down=True),
        "d3",
        ("x", "o"),
        "-",
        r"[1-8] (.*) [1-8]",
        passes=("pass",),
        score=count_pieces,
        symmetries=all_ways,
        ending="most_discs",
    ),
    SGF,
)
BREAKTHROUGH = HallGame(
    Kind(
        "breakthrough",
        "breakthrough",
        "Breakthrough",
        ("Black", "White"),
        lambda _: square(8, 8),
        "a7-a6",
        ("b", "w"),
        line=_RANKED,
        notation=_from_to,
        symmetries=left_and_right,
        ending="broken_through",
    )
)
LINES_OF_ACTION = HallGame(
    Kind(
        "loa",
        "lines_of_action",
        "Lines of Action",
        ("Black", "White"),
        lambda _: square(8, 8),
        "b1-h1",
        ("x", "o"),
        line=_RANKED,
        cost=lambda _: 2,
        symmetries=all_ways,
        ending="gathered",
        draw_ending="repetition",
    )
)
AMAZONS = HallGame(
    Kind(
        "amazons",
        "amazons",
        "Amazons",
        ("White", "Black"),
        lambda _: square(_QUEENS, _QUEENS),
        "d1-d7 g7",
        ("X", "O"),
        others={"#": Piece(-1, "#", "wall")},
        notation=_queens,
        strokes_in_moves=True,
        apart=_shoots,
        depth=lambda position: 1 if position.turn else 2,
        symmetries=all_ways,
        ending="shut_in",
    ),
    SGF,
)
KOMI = tuple(f"{points / 2:g}" for points in range(20))
"""The points that White gets in Go; with a whole number the game may be a draw."""
GO = HallGame(
    Kind(
        "go",
        "go",
        "Go",
        ("Black", "White"),
        _on(points, 9),
        "d4",
        ("X", "O"),
        "+",
        r" *[0-9]+ (.*)",
        notation=_without_player,
        parameters=lambda options: {"board_size": options.get("size", 9), "komi": float(options.get("komi", "7.5"))},
        vocabulary=Vocabulary((_size(5, 19, 9), Option("komi", KOMI, unsaid="7.5"), SWAP)),
        cost=lambda options: 1 + options.get("size", 9) // 6,
        score=count_area,
        symmetries=all_ways,
        ending="territory",
        draw_ending="repetition",
    ),
    SGF,
)
HEX = HallGame(
    Kind(
        "hex",
        "hex",
        "Hex",
        ("Red", "Blue"),
        _on(rhombus, 11),
        "f6",
        ("x", "o"),
        parameters=_sized("board_size", 11),
        vocabulary=Vocabulary((_size(3, 19, 11), SWAP)),
        symmetries=all_ways,
        ending="connected",
    ),
    SGF,
)
Y = HallGame(
    Kind(
        "y",
        "y",
        "Y",
        ("White", "Black"),
        _on(triangle, 13),
        "c5",
        ("O", "@"),
        line=r" *[0-9]+(.*)",
        parameters=_sized("board_size", 13),
        vocabulary=Vocabulary((_size(5, 19, 13), SWAP)),
        symmetries=all_ways,
        ending="connected",
    ),
    SGF,
)
HAVANNAH = HallGame(
    Kind(
        "havannah",
        "havannah",
        "Havannah",
        ("White", "Black"),
        _on(hexagon, 8),
        "h8",
        ("O", "@"),
        line=r" *[0-9]+(.*)",
        parameters=_sized("board_size", 8),
        vocabulary=Vocabulary((_size(3, 10, 8), SWAP)),
        symmetries=all_ways,
        ending="ring_bridge_fork",
    ),
    SGF,
)


def _chess(name: str, title: str, ending: str, example: str) -> HallGame:
    """A game of chessmen."""
    kind = Kind(
        name,
        name,
        title,
        ("White", "Black"),
        lambda _: square(8, 8),
        example,
        ("", ""),
        notation=write_san,
        looks_at_board=True,
        looks_ahead=True,
        strokes_in_moves=True,
        apart=without_remarks,
        moves=("Nbd7", "exd8=Q", "O-O", "O-O-O", "e2-e4", "e7e8q", "Ng1-f3"),
        marks_changes=True,
        cost=lambda _: 4,
        reader=read_fen,
        telling=without_counts,
        ending=ending,
        draw_ending="chess_draw",
    )
    return HallGame(kind, PGN)


CHESS = _chess("chess", "Chess", "checkmate", "Nf3")
ANTICHESS = _chess("antichess", "Antichess", "all_lost", "Nf3")
CRAZYHOUSE = _chess("crazyhouse", "Crazyhouse", "checkmate", "N@f3")
SHOGI = HallGame(
    Kind(
        "shogi",
        "shogi",
        "Shogi",
        ("Black", "White"),
        lambda _: SHOGI_LAYOUT,
        "7g7f",
        ("", ""),
        notation=write_shogi,
        looks_at_board=True,
        filling="-=!?x:.,;/()",
        moves=("P*5e", "8h2b+", "S-7h"),
        places=shogi_places,
        cost=lambda _: 8,
        reader=read_sfen,
        ending="checkmate",
        draw_ending="shogi_draw",
    )
)
XIANGQI = HallGame(
    Kind(
        "xiangqi",
        "xiangqi",
        "Xiangqi",
        ("Red", "Black"),
        lambda _: XIANGQI_LAYOUT,
        "h2-e2",
        ("", ""),
        notation=write_xiangqi,
        filling="!?,;/()",
        moves=("h2e2", "C2=5", "H2+3", "R1-1"),
        cost=lambda _: 8,
        reader=read_xiangqi,
        symmetries=left_and_right,
        ending="mated",
        draw_ending="too_long",
    )
)
GOMOKU = HallGame(
    Kind(
        "gomoku",
        "gomoku",
        "Gomoku",
        ("Black", "White"),
        lambda options: crossings(options.get("size", 15), options.get("size", 15)),
        "h8",
        ("b", "w"),
        line="([.bw]{2,})",
        notation=_row_column,
        looks_at_board=True,
        parameters=_sized("size", 15),
        vocabulary=Vocabulary((_size(5, 19, 15), SWAP)),
        symmetries=all_ways,
        ending="row_complete",
        draw_ending="board_full",
    )
)
MNK = HallGame(
    Kind(
        "mnk",
        "mnk",
        "M,n,k",
        ("X", "O"),
        lambda options: square(options.get("columns", 3), options.get("rows", 3)),
        "b2",
        ("x", "o"),
        colours=("red", "blue"),
        notation=_row_column,
        looks_at_board=True,
        cost=lambda options: 1 + options.get("columns", 3) * options.get("rows", 3) // 40,
        parameters=_board_and_row,
        can_be_won=lambda options: options.get("row", 3) <= max(options.get("columns", 3), options.get("rows", 3)),
        vocabulary=Vocabulary(
            (
                Option("columns", range(3, 20), unsaid=3),
                Option("rows", range(3, 20), unsaid=3),
                Option("row", range(3, 11), unsaid=3),
                SWAP,
            )
        ),
        symmetries=all_ways,
        ending="row_complete",
        draw_ending="board_full",
    )
)
CHECKERS = HallGame(
    Kind(
        "checkers",
        "checkers",
        "Checkers",
        ("Black", "White"),
        lambda _: square(8, 8),
        "c3-d4",
        ("o", "+"),
        line="[0-9](.{8})",
        others={"8": Piece(0, "O", "king"), "*": Piece(1, "*", "king")},
        notation=_checkers,
        strokes_in_moves=True,
        apart=_jumps,
        ending="nothing_left",
        draw_ending="no_progress",
    )
)
CLOBBER = HallGame(
    Kind(
        "clobber",
        "clobber",
        "Clobber",
        ("White", "Black"),
        lambda options: square(*_clobber_board(options)),
        "a5-b5",
        ("o", "x"),
        line=" *[0-9]+([.ox]+)",
        notation=_from_to,
        parameters=lambda options: dict(zip(("columns", "rows"), _clobber_board(options), strict=True)),
        vocabulary=Vocabulary((Option("size", range(6, 11, 2), unsaid=6),)),
        symmetries=all_ways,
        ending="stuck",
    )
)
CONNECT_FOUR = HallGame(
    Kind(
        "connect4",
        "connect_four",
        "Connect Four",
        ("Yellow", "Red"),
        lambda _: square(_COLUMNS, _ROWS),
        "d",
        ("x", "o"),
        notation=_column,
        looks_at_board=True,
        marks_changes=True,
        symmetries=lambda board: left_and_right(board, _COLUMNS_AT),
        ending="row_complete",
        draw_ending="board_full",
    )
)
DOTS = HallGame(
    Kind(
        "dots",
        "dots_and_boxes",
        "Dots and Boxes",
        ("Red", "Blue"),
        _on(dots, 5),
        "a1-b1",
        ("R", "B"),
        notation=_line,
        strokes_in_moves=True,
        looks_at_board=True,
        parameters=lambda options: {"num_rows": options.get("size", 5), "num_cols": options.get("size", 5)},
        vocabulary=Vocabulary((_size(2, 9, 5),)),
        reader=read_dots,
        score=count_pieces,
        symmetries=all_ways,
        ending="most_boxes",
        draw_ending="most_boxes",
    )
)
TWIXT = HallGame(
    Kind(
        "twixt",
        "twixt",
        "Twixt",
        ("Red", "Blue"),
        _on(twixt, TWIXT_SIZE),
        "l12",
        ("R", "B"),
        notation=_without_side,
        parameters=lambda options: {"board_size": options.get("size", TWIXT_SIZE), "ansi_color_output": False},
        vocabulary=Vocabulary((_size(5, 24, TWIXT_SIZE), SWAP)),
        hidden=lambda actions, _: {actions} if len(actions) == 1 else (),  # a swap of OpenSpiel's own
        cost=lambda options: 1 + options.get("size", TWIXT_SIZE) // 12,
        reader=read_twixt,
        symmetries=all_ways,
        ending="connected",
        draw_ending="no_connection",
    ),
    SGF,
)
MORRIS = HallGame(
    Kind(
        "morris",
        "nine_mens_morris",
        "Nine Men's Morris",
        ("White", "Black"),
        lambda _: morris(),
        "d6",
        ("W", "B"),
        line=r"([-.WB| ]*[.WB][-.WB| ]*)",
        notation=_morris,
        looks_at_board=True,
        strokes_in_moves=True,
        apart=_takes,
        symmetries=inside_out,
        ending="few_men",
        draw_ending="too_long",
    )
)
KALAH = HallGame(
    Kind(
        "kalah",
        "mancala",
        "Kalah",
        ("South", "North"),
        lambda _: houses(),
        "c",
        ("", ""),
        colours=("red", "blue"),
        notation=_numbered_house,
        strokes_in_moves=True,
        marks_changes=True,
        reader=read_kalah,
        ending="most_seeds",
        draw_ending="most_seeds",
    )
)
OWARE = HallGame(
    Kind(
        "oware",
        "oware",
        "Oware",
        ("South", "North"),
        lambda _: houses(),
        "c",
        ("", ""),
        colours=("red", "blue"),
        notation=_house,
        marks_changes=True,
        reader=read_oware,
        ending="most_seeds",
        draw_ending="most_seeds",
    )
)
PENTAGO = HallGame(
    Kind(
        "pentago",
        "pentago",
        "Pentago",
        ("White", "Black"),
        lambda _: pentago(),
        "e3x",
        ("O", "@"),
        notation=_marble,
        filling="-+#=!?:.,;/()",
        marks_changes=True,
        reader=read_pentago,
        symmetries=lambda board: all_ways(board, QUARTERS),
        ending="row_complete",
        draw_ending="rows_of_both",
    )
)
ULTIMATE_TIC_TAC_TOE = HallGame(
    Kind(
        "uttt",
        "ultimate_tic_tac_toe",
        "Ultimate Tic-Tac-Toe",
        ("X", "O"),
        lambda _: nine_boards(),
        "e5",
        ("x", "o"),
        colours=("red", "blue"),
        reader=read_nine_boards,
        notation=_cell,
        depth=lambda position: 2 if "Forced board: any" in position.drawn else 1,
        symmetries=all_ways,
        telling=board_to_play_on,
        ending="row_complete",
        draw_ending="board_full",
    )
)
HIVE = HallGame(
    Kind(
        "hive",
        "hive",
        "Hive",
        ("White", "Black"),
        lambda _: board_around(()).layout,
        "wS1 bQ/",
        ("", ""),
        notation=write_hive,
        looks_at_board=True,
        strokes_in_moves=True,
        apart=lambda text: text,
        filling="!?,;",
        moves=HIVE_MOVES,
        parameters=lambda options: {
            f"uses_{bug}": not options.get("base") for bug in ("mosquito", "ladybug", "pillbug")
        },
        vocabulary=Vocabulary((Option("base"),)),
        hidden=lambda _, steps: same_again(steps),
        cost=lambda _: 8,
        passes=("pass",),
        reader=read_hive,
        forms=hive_forms,
        ending="surrounded",
        draw_ending="surrounded_both",
    )
)


def named(name: str) -> HallGame:
    """The game of a name."""
    return next(each for each in globals().values() if isinstance(each, HallGame) and each.name == name)


# Another process has the games itself; what a kind is made of cannot be sent to it.
copyreg.pickle(HallGame, lambda game: (named, (game.name,)))
