"""Games of chess in PGN: famous ones in and out, and what others write in such files."""

from __future__ import annotations

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
from pbem.hall.pgn import PGN
from pbem.hall.refusals import BegunElsewhere, GameNotNamed, LongerThanAnyGame, NotWellFormed, PlayersNotNamed
from pbem.usecases.rankings import read_line
from tests.cli.running import pbem

GAMES: Mapping[str, Game[Any, Any]] = find_games()
AT = datetime(2026, 11, 27, tzinfo=UTC)
FAMOUS = (Path(__file__).parent / "famous.pgn").read_text()
GAMES_OF_FILE = [text for _, text in records_in(BytesIO(FAMOUS.encode()), GAMES)]
HEADING = '[White "alice"]\n[Black "bob"]\n'


def moves_of(text: str) -> list[str]:
    """The words behind the tags."""
    return text.rpartition("]\n")[2].split()


def read(text: str) -> GameRecord:
    return read_line(text.encode(), GAMES)[0]


def written(record: GameRecord) -> str:
    """The record as a board would have it, in PGN."""
    game = GAMES[record.game]
    played = replay(record, game, AT)
    assert played.error is None
    return PGN.write(to_json(record_of(played.board, played.last)), "Board 101", date(2026, 11, 27))


def test_a_file_has_several_games() -> None:
    assert len(GAMES_OF_FILE) == 10
    assert [number for number, _ in records_in(BytesIO(FAMOUS.encode()), GAMES)][:2] == [1, 14]


@pytest.mark.parametrize("text", [text.decode() for text in GAMES_OF_FILE], ids=lambda text: text.split('"')[9][:12])
def test_a_famous_game_is_legal_and_goes_out_as_it_came_in(text: str) -> None:
    out = written(read(text))
    assert moves_of(out) == moves_of(text)
    assert written(read(out)) == out
    assert max(map(len, out.splitlines())) <= 79
    assert re.findall(r'\[(?:White|Result) "(.)', out) == [
        each.lower() for each in re.findall(r'\[(?:White|Result) "(.)', text)
    ]


def test_what_others_write_into_such_files_is_left_out() -> None:
    record = read(
        "%a line of a program\n"
        f'{HEADING}[Annotator "a \\"b\\" \\\\"]\n[Result "*"]\n\n'
        "{[%clk 1:00] a comment (not a ( variation} 1.e4 $1 e5!? ; to the end ) of a line {\n"
        "2 . Nf3 (2. f4 exf4 (2... d5 {}) 3. Bc4) 2... Nb8c6 3.Bb5 !! a6 4.Ba4 Ng8-f6 5. 0-0 Nf6xe4 *\nwhatever ]"
    )
    assert record.turns == ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Nxe4")
    assert (record.players, record.result, record.options) == (("alice", "bob"), None, {})


@pytest.mark.parametrize("taken", ["bxc4", "Bxc4"])
def test_letters_of_men_are_not_those_of_files(taken: str) -> None:
    record = read(f"{HEADING}1. e3 c5 2. b3 c4 3. {taken} b6 4. Ng1f3 Ba6 1-0")
    assert record.turns[4:7] == (taken, "b6", "Nf3")


@pytest.mark.parametrize(
    ("end", "termination", "event"),
    [
        ("1-0", "", {"seat": 1, "event": "resign"}),
        ("0-1", "Time forfeit", {"seat": 0, "event": "forfeit"}),
        ("1/2-1/2", "", {"seat": 1, "event": "draw"}),
    ],
)
def test_a_result_that_the_moves_do_not_give_is_an_event(end: str, termination: str, event: object) -> None:
    record = read(f'{HEADING}[Result "{end}"]\n[Termination "{termination}"]\n1. e4 {end}')
    assert record.turns == ("e4", event)
    assert f'[Result "{end}"]' in written(record)
    assert ('Termination "time forfeit"' in written(record)) == bool(termination)


def test_a_result_that_the_moves_contradict_is_not_believed() -> None:
    record = read(f'{HEADING}[Result "1-0"]\n1. f3 e5 2. g4 Qh4# 1-0')
    played = replay(record, GAMES["chess"], AT)
    assert type(played.error).__name__ == "OtherResult"


def test_the_turn_that_cannot_be_played_is_named() -> None:
    played = replay(read(f"{HEADING}1. e4 e5 2. Ke3 Nf6 1-0"), GAMES["chess"], AT)
    assert played.wrong_turn == 3


def test_antichess_and_crazyhouse_are_variants() -> None:
    lost = read(f'{HEADING}[Variant "Antichess"]\n1. e3 b5 2. Bxb5 Nf6 3. Bxd7 Bxd7 0-1')
    assert lost.game == "antichess"
    assert '[Variant "Antichess"]' in written(lost)
    dropped = read(f'{HEADING}[Variant "crazyhouse"]\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. @e4 P@d4 1/2-1/2')
    assert dropped.game == "crazyhouse"
    assert dropped.turns[6:8] == ("P@e4", "P@d4")
    assert read(written(dropped)) == dropped


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ('[Variant "Atomic"]\n1. e4 *', GameNotNamed),
        ('[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n1. Ka2 *', BegunElsewhere),
        ('[White "a"]\n1. e4 {no end', NotWellFormed),
        ('[White "a"]\n1. e4 (1. d4', NotWellFormed),
        ('[White "a"]\n1. e4 ) e5', NotWellFormed),
        ('[White "a]\n1. e4', NotWellFormed),
        ('[White "a"]\n' + "Nf3 " * 5000, LongerThanAnyGame),
        ('[White "a"]\n[Black "?"]\n1. e4 *', PlayersNotNamed),
        ('[White "a"]\n' + "{}" * LONGEST_GAME, RecordTooLong),
    ],
)
def test_what_is_no_game_from_the_beginning_is_refused(text: str, refusal: type[PlayerError]) -> None:
    with pytest.raises(refusal):
        read(text)


@pytest.mark.parametrize("cut", range(0, len(GAMES_OF_FILE[0]), 61))
def test_part_of_a_file_is_a_game_or_a_refusal(cut: int) -> None:
    text = GAMES_OF_FILE[0]
    for part in (text[:cut], text[cut:], text[:cut] + b"\0\xff{" + text[cut:]):
        try:
            record, game = read_line(part, GAMES)
            replay(record, game, AT)
        except PlayerError:
            continue


def test_files_are_imported_and_exported(tmp_path: Path) -> None:
    (tmp_path / "famous.pgn").write_text(FAMOUS)
    done = pbem(tmp_path, "import", "famous.pgn")
    assert (done.returncode, done.stderr) == (0, "")
    assert "imported: 10, boards 101-110" in done.stdout
    assert "anderssen-adolf" in done.stdout
    again = pbem(tmp_path, "import", "famous.pgn")
    assert "imported: 0" in again.stdout
    out = pbem(tmp_path, "export", "--format", "PGN")
    games = [text.decode() for _, text in records_in(BytesIO(out.stdout.encode()), GAMES)]
    assert [moves_of(text) for text in games] == [moves_of(text.decode()) for text in GAMES_OF_FILE]
    assert '[White "anderssen-adolf"]' in games[0]
    one = pbem(tmp_path, "export", "101", "--format", "pgn")
    assert one.stdout == games[0]
