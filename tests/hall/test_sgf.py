"""Games in SGF: real ones in and out, games at random, and what others write in such files."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pbem.bootstrap import find_games
from pbem.cli.progress import records_in
from pbem.domain.records import record_of, replay
from pbem.errors import PlayerError
from pbem.games.formats import LONGEST_GAME
from pbem.games.game import Game
from pbem.games.records import GameRecord, RecordTooLong, to_json
from pbem.hall.game import HallGame
from pbem.hall.refusals import BegunElsewhere, GameNotNamed, LongerThanAnyGame, NotWellFormed, PlayersNotNamed
from pbem.hall.sgf import MOST_NODES, SGF
from pbem.usecases.rankings import read_line
from tests.cli.running import pbem
from tests.hall.openspiel import GAMES as HALL
from tests.hall.openspiel import LONGEST

GAMES: Mapping[str, Game[Any, Any]] = find_games()
AT = datetime(2026, 11, 27, tzinfo=UTC)
REAL = (Path(__file__).parent / "real.sgf").read_bytes()
REAL_GAMES = [text.decode() for _, text in records_in(BytesIO(REAL), GAMES)]
IN_SGF = [game for game in HALL if game.file_format is SGF]
NAMES = "PB[alice]PW[bob]"


def read(text: str) -> GameRecord:
    return read_line(text.encode(), GAMES)[0]


def written(record: GameRecord) -> str:
    """The record as a board would have it, in SGF."""
    played = replay(record, GAMES[record.game], AT)
    assert played.error is None
    return SGF.write(to_json(record_of(played.board, played.last)), "Board 101", date(2026, 11, 27))


def moves_of(text: str) -> list[str]:
    return [move.lower() for move in re.findall(r";\s*[BWbr]\[([^\]]*)\]", text)]


def test_there_are_ten_games_of_go_and_of_hex() -> None:
    games = [read(text).game for text in REAL_GAMES]
    assert (games.count("go"), games.count("hex")) == (10, 10)
    assert len({number for number, _ in records_in(BytesIO(REAL), GAMES)}) == len(REAL_GAMES)


@pytest.mark.parametrize("text", REAL_GAMES, ids=range(len(REAL_GAMES)))
def test_a_real_game_is_legal_and_goes_out_as_it_came_in(text: str) -> None:
    record = read(text)
    out = written(record)
    back = read(out)
    assert (back.players, back.options, back.turns) == (record.players, record.options, record.turns)
    assert record.result in (None, back.result)
    assert max(map(len, out.splitlines()[1:])) <= 79
    if "littlegolem" not in text.lower() and "SWAP" not in text:
        main_line = text.replace("(;W[e3];B[j2])", "")  # the one game that has variations
        assert moves_of(out) == [move for move in moves_of(main_line) if move != "resign"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", IN_SGF, ids=lambda game: game.name)
def test_a_game_at_random_comes_back_as_it_went_out(game: HallGame, seed: int) -> None:
    lot = random.Random(seed)
    options: dict[str, Any] = {"swap": True} if "swap" in game.vocabulary.names and seed else {}
    position, turns = game.begin(options, 2), list[str]()
    while position.outcome is None and len(turns) < LONGEST // 4:
        text = "swap" if position.may_swap else " ".join(step.text for step in a_turn(position, lot))
        turns.append(text)
        position = game.read_input(position, text).position
    record = GameRecord(game.name, options, ("alice", "bob"), tuple(turns))
    out = written(record)
    back = read(out)
    assert (back.players, back.turns) == (record.players, record.turns)
    assert written(back) == out


def a_turn(position: Any, lot: random.Random) -> list[Any]:
    """Steps of a whole turn; people seldom pass."""
    steps = list[Any]()
    while not steps or position.mid_turn:
        legal = [step for step in position.legal() if step.text not in ("swap", "pass")] or position.legal()
        steps.append(lot.choice(legal))
        position = position.play(steps[-1])
    return steps


def test_comments_and_variations_are_left_out() -> None:
    record = read(
        "\ufeff \n(;FF[4]GM[1]SZ[9:9]KM[5.5]PB[Lee \\] Sedol]PW[bob]C[a ( comment \\] with ; signs]\n"
        ";B[ee]C[x];White[cc]\n(;B[gc]LB[gc:a];W[](;B[aa];W[tt])(;B[bb]))(;B[aa];W[bb]))trailing"
    )
    assert record.turns == ("e5", "c7", "g7", "pass", "a9", "pass")
    assert (record.players, record.options) == (("lee-sedol", "bob"), {"size": 9, "komi": "5.5"})


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("(;GM[2]SZ[8]AB[e4][d5]AW[d4][E5]PL[B]PB[a]PW[b];B[d3])", "othello"),
        ("(\n;GM[18]AB[dj][gj][ag][jg]AW[da][ga][ad][jd]PB[a]PW[b];B[djddgd])", "amazons"),
    ],
)
def test_a_file_may_say_how_the_game_always_begins(text: str, game: str) -> None:
    ((_, found),) = records_in(BytesIO(text.encode()), GAMES)
    assert read(found.decode()).game == game


def test_a_swap_in_hex_mirrors_what_follows() -> None:
    swapped = read(f"(;GM[11]SZ[5]{NAMES};B[a2];W[swap-pieces];B[c4];W[e1])")
    assert swapped.turns == ("a2", "swap", "d3", "a5")
    assert moves_of(written(swapped)) == ["a2", "swap-pieces", "c4", "e1"]


@pytest.mark.parametrize("swap", ["W[swap];W[c4]", "W[SWAP];W[c4]", "W[swap-sides];B[c4]"])
def test_after_a_swap_of_sides_nothing_is_mirrored(swap: str) -> None:
    record = read(f"(;GM[11]SZ[5]{NAMES};B[a2];{swap};B[e1];W[resign])")
    assert record.turns == ("a2", "swap", "c4", "e1", {"seat": 0, "event": "resign"})


def test_a_pass_that_is_forced_in_othello_is_written_and_read() -> None:
    line = ["f5", "f6", "e6", "f4", "g5", "e7", "e3", "d3", "c2", "g4", "h4", "d7", "e8", "f7", "g8"]
    game, turns = GAMES["othello"], list[str]()
    position = game.begin({}, 2)
    lot = random.Random(3)
    while not position.passed:
        text = line[len(turns)] if len(turns) < 3 else lot.choice(position.legal()).text
        turns.append(text)
        position = game.read_input(position, text).position
        assert position.outcome is None
    record = GameRecord("othello", {}, ("alice", "bob"), tuple(turns))
    assert moves_of(written(record))[-1] == ""
    assert read(written(record)).turns == record.turns


@pytest.mark.parametrize(
    ("end", "event"),
    [
        ("RE[B+R]", {"seat": 1, "event": "resign"}),
        ("RE[W+Time]", {"seat": 0, "event": "forfeit"}),
        ("RE[W+3.5]", {"seat": 0, "event": "resign"}),
        ("RE[Draw]", {"seat": 0, "event": "draw"}),
        ("RE[0]", {"seat": 0, "event": "draw"}),
    ],
)
def test_a_result_that_the_moves_do_not_give_is_an_event(end: str, event: object) -> None:
    record = read(f"(;GM[1]SZ[9]{NAMES}{end};B[ee];W[cc])")
    assert record.turns == ("e5", "c7", event)
    assert read(written(record)).turns == record.turns


@pytest.mark.parametrize("end", ["?", "Void", ""])
def test_a_game_without_result_goes_on(end: str) -> None:
    record = read(f"(;GM[1]SZ[9]{NAMES}RE[{end}];B[ee])")
    assert record.result is None
    assert "RE[" not in written(record)


def test_passes_that_would_contradict_the_result_are_left_out() -> None:
    white = f"(;GM[1]SZ[5]KM[0.5]{NAMES}RE[W+2.5];B[cc];W[aa];B[cd];W[];B[])"
    assert read(white).turns == ("c3", "a5", "c2", {"seat": 0, "event": "resign"})
    assert read(white.replace("W+2.5", "B+0.5")).turns == ("c3", "a5", "c2", "pass", "pass")


def test_the_move_that_cannot_be_played_is_named() -> None:
    played = replay(read(f"(;GM[11]SZ[5]{NAMES}RE[B+];B[a2];W[z9];B[c4])"), GAMES["hex"], AT)
    assert played.wrong_turn == 2


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("(;GM[3]PB[a]PW[b];B[e4])", GameNotNamed),
        ("(;EV[Meijin]PB[a]PW[b];B[ee])", GameNotNamed),
        ("(;GM[1]SZ[9]AB[aa]PB[a]PW[b];W[ee])", BegunElsewhere),
        ("(;GM[2]AB[a1][e4]AW[d4][e5]PB[a]PW[b];B[d3])", BegunElsewhere),
        ("(;GM[1]SZ[9:13]PB[a]PW[b];W[ee])", NotWellFormed),
        ("(;GM[18]SZ[8]PB[a]PW[b];B[djddgd])", NotWellFormed),
        ("(;GM[1]SZ[nine]PB[a]PW[b];W[ee])", NotWellFormed),
        ("(;GM[1]SZ[9]KM[much]PB[a]PW[b];W[ee])", NotWellFormed),
        ("(;GM[1]SZ[9]PB[a]PW[b];B[ee", NotWellFormed),
        ("(;GM[1]SZ[9]PB[a]PW[b];B[ee]", NotWellFormed),
        ("(;GM[1]SZ[9]PB[a]PW[b] & ;B[ee])", NotWellFormed),
        ("(;GM[1]SZ[9]PB[a]PW[?]C[x];B[ee])", PlayersNotNamed),
        ("(;GM[1]SZ[9]PB[a]PW[b]" + ";B[ee]" * (MOST_NODES + 1) + ")", LongerThanAnyGame),
        ("(;" + "C[]" * LONGEST_GAME, RecordTooLong),
    ],
)
def test_what_is_no_game_from_the_beginning_is_refused(text: str, refusal: type[PlayerError]) -> None:
    with pytest.raises(refusal):
        read(text)


@pytest.mark.parametrize("cut", range(0, len(REAL_GAMES[0]), 61))
def test_part_of_a_file_is_a_game_or_a_refusal(cut: int) -> None:
    text = REAL_GAMES[0].encode()
    for part in (text[:cut], text[cut:], text[:cut] + b"\0\xff[" + text[cut:]):
        try:
            record, game = read_line(part, GAMES)
            replay(record, game, AT)
        except PlayerError:
            continue


def test_files_are_imported_and_exported(tmp_path: Path) -> None:
    records = [(text, read(text)) for text in REAL_GAMES]
    over = [text for text, record in records if replay(record, GAMES[record.game], AT).last.result is not None]
    (tmp_path / "real.sgf").write_text("".join(over))
    done = pbem(tmp_path, "import", "real.sgf")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"imported: {len(over)}," in done.stdout
    out = pbem(tmp_path, "export", "--format", "sgf")
    games = [text.decode() for _, text in records_in(BytesIO(out.stdout.encode()), GAMES)]
    assert [read(text).turns for text in games] == [read(text).turns for text in over]
