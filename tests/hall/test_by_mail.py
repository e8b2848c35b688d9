"""Games of the hall by mail: the same conversations as with any other game."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.bootstrap import find_games
from pbem.hall import engine
from pbem.hall.engine import ENGINE
from pbem.hall.game import HallGame
from pbem.hall.games import BREAKTHROUGH, CHESS, CRAZYHOUSE, HEX, KALAH
from pbem.hall.positions import HallPosition, Step
from tests.conversations.playing import ask, begin, userid
from tests.hall.boards import begun
from tests.hall.openspiel import GAMES, each_game
from tests.support.in_process import in_process_server
from tests.support.server import GameServer, running_server


def smallest(game: HallGame) -> list[str]:
    """The option words of the smallest board that can be played."""
    sizes = [option.values for option in game.vocabulary.options if option.name == "size"]
    return [f"size={values[0]}" for values in sizes if values is not None]


MOST_TURNS_BY_SMTP = 40
"""Then somebody resigns where letters go over real connections; an even number, so it is the turn of who began."""
MOST_TURNS = 120
"""Then the player to move resigns, who began."""


def chosen(position: HallPosition, lot: random.Random) -> Step:
    """A step that ends the game if there is one and that can be seen soon, or else one at random."""
    steps = position.legal()
    ending = (step for step in steps if position.ply > 20 and len(steps) < 60 and position.play(step).outcome)
    return next(ending, None) or lot.choice(steps)


def test_all_are_found() -> None:
    assert {game.name for game in GAMES} <= find_games().keys()


@each_game
def test_a_whole_game_is_played_by_replies(shared: GameServer, game: HallGame) -> None:
    table = begun(shared, game, "a", *smallest(game))
    position, lot = game.begin(game.read_options(smallest(game)), 2), random.Random(3)
    while position.outcome is None:
        assert str(position) in table.one_mail.text
        assert str(position) in table.other_mail.text
        if position.ply == MOST_TURNS:
            table.one.answers(table.one_mail, "resign")
            table.hear()
            break
        steps, before = [], position.ply
        while position.ply == before and position.outcome is None:
            steps.append(chosen(position, lot))
            position = position.play(steps[-1])
        table.play(" ".join(step.text for step in steps))
    assert table.one_mail.subject == f"{game.name} Board {table.number}"
    assert "\nPlayers:  " in table.one_mail.text
    winners = (1,) if position.outcome is None else position.outcome.winners  # the first player has resigned
    told = ["You won!" if 0 in winners else f"{userid(table.other)} won."]
    assert f"\n\n{told[0] if winners else 'The game is a tie.'}" in table.one_mail.text
    assert str(position) in table.other_mail.text


@each_game
def test_the_picture_is_beside_the_letters(shared: GameServer, game: HallGame) -> None:
    table = begun(shared, game, "b")
    (picture,) = [part for part in table.one_mail.parsed.walk() if part.get_content_type() == "image/png"]
    assert picture.get_payload(decode=True)[:4] == b"\x89PNG"  # type: ignore[index]
    assert "before the first move" in table.one_mail.html


def test_what_cannot_be_played_is_answered_with_an_example(shared: GameServer) -> None:
    (hex_game,) = [game for game in GAMES if game.name == "hex"]
    table = begun(shared, hex_game, "c", "size=5")
    table.one.answers(table.one_mail, "z77")
    assert '"z77" is not possible here. A move that is: c3.' in table.one.hears().words
    table.one.answers(table.one_mail, "hm?")
    assert "Write a move of Hex like this one: c3." in table.one.hears().words
    table.play("C3")
    assert "[x]" in table.one_mail.text


def test_sides_are_swapped_where_it_was_agreed(shared: GameServer) -> None:
    (hex_game,) = [game for game in GAMES if game.name == "hex"]
    table = begun(shared, hex_game, "d", "swap", "size=5")
    table.play("c3")
    assert "Answer with: swap" in table.other_mail.words
    table.play("swap")
    one, other = userid(table.one), userid(table.other)
    assert f"Players:  {one} Blue (o), {other} Red (x)" in table.one_mail.text
    assert f"Your move, {one}." in table.one_mail.text
    table.one.answers(table.one_mail, "swap")
    assert "The sides can only be swapped by the second player" in table.one.hears().words


@pytest.mark.parametrize(
    ("name", "first", "queued", "answer"),
    [
        ("chess", "e4", "Nf3", "e5"),
        ("othello", "d3", "f5", "c5"),
        ("breakthrough", "a7-a6", "b7-b6", "a2-a3"),
        ("amazons", "d1-d7 g7", "g1-g6 j6", "a7-a6 b6"),
    ],
)
def test_a_move_is_queued_for_after_the_answer(
    shared: GameServer, name: str, first: str, queued: str, answer: str
) -> None:
    (game,) = [each for each in GAMES if each.name == name]
    table = begun(shared, game, f"q{name[:3]}")
    table.play(first)
    table.one.answers(table.one_mail, f"queue {queued}")
    assert "Your move is queued" in table.one.hears().words
    table.other.answers(table.other_mail, answer)
    table.hear()
    assert "Your queued move was made" in table.one_mail.words or "could not be made" in table.one_mail.words


def test_what_can_be_done_at_a_board_can_be_done_in_the_hall(shared: GameServer) -> None:
    (game,) = [each for each in GAMES if each.name == "hex"]
    table = begun(shared, game, "z", "size=5")
    one, other = userid(table.one), userid(table.other)
    table.one.answers(table.one_mail, "submit c3")
    shown = table.one.hears()
    assert "as it would be after your move c3" in shown.words
    table.one.answers(shown, "confirm")
    table.hear()
    table.one.says(f"hex preview {table.number} b2 d4")
    assert "Preview of hex Board" in table.one.hears().words
    table.other.answers(table.other_mail, "b4")
    table.hear()
    table.other.answers(table.other_mail, "undo")
    table.hear()
    table.one.answers(table.one_mail, "accept")
    table.hear()
    assert "it's move 2 again" in table.one_mail.words
    table.other.answers(table.other_mail, "b4")
    table.hear()
    table.one.answers(table.one_mail, "propose")
    table.hear()
    table.other.answers(table.other_mail, "accept")
    table.hear()
    assert "The game is a draw" in table.one_mail.words
    table.one.says(f"hex seek {one} secret -size=5")
    assert "You are looking for others to play Hex" in table.one.hears().words
    table.other.says(f"hex seek {other} secret -size=5")
    assert table.other.hears().subject.startswith("New hex Board")
    table.one.hears()
    table.one.says("hex standings")
    assert one in table.one.hears().text


def test_a_size_out_of_range_is_refused(shared: GameServer) -> None:
    one = shared.player("hexsize")
    refused = ask(one, "hex challenge -size=100")
    assert "-size does not take the value 100" in refused.words


ABORTING = """
import os, pbem.hall.child as child
answered = child.answered
child.answered = lambda states, asked: os.abort() if {fatal} in asked["actions"] else answered(states, asked)
child.main()
"""
"""A child that dies of one action and answers everything else."""


def test_a_letter_that_makes_openspiel_abort_is_set_aside_and_all_others_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_process_server(tmp_path, operator="boss@example.org") as server:
        boss = server.person("boss")
        fatal, sane = begun(server, BREAKTHROUGH, "fatal"), begun(server, BREAKTHROUGH, "sane")
        ours = begin(server, "oursone", "ourstwo")
        (deadly,) = [step for step in BREAKTHROUGH.begin({}, 2).legal() if step.text == "b7-b6"]
        monkeypatch.setattr(engine, "_CHILD", ["-c", ABORTING.format(fatal=deadly.actions[0])])
        ENGINE.close()
        fatal.one.answers(fatal.one_mail, "b7-b6")
        sane.one.answers(sane.one_mail, "c7-c6")
        ours.one.answers(ours.one_mail, "A1")
        mail = fatal.one.hears()
        assert mail.subject == "pbem could not handle your letter"
        assert "although I tried several times. That is my fault and not yours." in mail.words
        sane.hear()
        assert "played c7-c6" in sane.other_mail.words
        ours.hear()
        ((letter, sender, error),) = server.database.rows(
            "SELECT id, sender, last_error FROM inbox WHERE state = 'shunted'"
        )
        assert (sender, error.split()[0]) == (fatal.one.address, "EngineFailed")
        told = boss.hears()
        assert told.subject == f"pbem shunted letter {letter}"
        assert "EngineFailed at positions.py" in told.words
        assert f"pbem admin shunted retry {letter}" in told.text
        fatal.one.answers(fatal.one_mail, "c7-c6")
        fatal.hear()
        assert "played c7-c6" in fatal.other_mail.words, "the board itself is as it was"
        monkeypatch.undo()
        ENGINE.close()
        assert [mail.subject for mail in server.postbox.mails if mail.recipient == boss.address] == [told.subject]


def test_other_names_of_games_are_understood(shared: GameServer) -> None:
    one, other = shared.player("aliasone"), shared.player("aliastwo")
    one.says(f"Reversi challenge {userid(one)} {userid(other)}")
    assert one.hears().subject.startswith("New othello Board ")
    assert other.hears().subject.startswith("New othello Board ")
    assert "OTHELLO" in ask(one, "help reversi").words
    assert {find_games().aliases[word] for word in ("boxes", "mill", "mancala")} == {"dots", "morris", "kalah"}
    assert not find_games().aliases.keys() & find_games().keys()


def test_the_kinds_of_pieces_are_told_to_whoever_does_not_see_the_picture(shared: GameServer) -> None:
    chess, kalah = begun(shared, CHESS, "alt"), begun(shared, KALAH, "alt")
    assert "a1=R b1=N c1=B d1=Q e1=K" in chess.one_mail.html
    assert "South has 6: a1=4 b1=4" in kalah.one_mail.html
    crazy = begun(shared, CRAZYHOUSE, "alt")
    crazy.play("e4", "d5", "exd5", "c6", "dxc6")
    assert "White holds: 2P." in crazy.one_mail.html
    assert "Black holds" not in crazy.one_mail.html
    assert "\n  2P\n" in crazy.one_mail.text


def with_first_record(server: GameServer, number: str, **changes: object) -> None:
    """Change what is stored of the first move of a board."""
    with closing(sqlite3.connect(server.folder / "pbem.db")) as database:
        ((record,),) = database.execute(
            "SELECT record FROM events WHERE board_number = ? AND number = 1", (number,)
        ).fetchall()
        changed = json.dumps(json.loads(record) | changes)
        database.execute("UPDATE events SET record = ? WHERE board_number = ? AND number = 1", (changed, number))
        database.commit()


def test_a_board_goes_on_after_an_upgrade_unless_its_moves_are_no_longer_legal(tmp_path: Path) -> None:
    with in_process_server(tmp_path, operator="boss@example.org") as server:
        table = begun(server, HEX, "new")
        boss = server.person("boss")
        table.one.answers(table.one_mail, "b4")
        table.hear()
        server.stop()
        with_first_record(server, table.number, engine="0.1", actions=[[999]])
        server.start()
        table.other.answers(table.other_mail, "c5")
        table.hear()
        assert "played c5" in table.one_mail.words
        server.stop()
        with_first_record(server, table.number, move=["z9"])
        server.start()
        table.one.answers(table.one_mail, "d6")
        assert "That is my fault and not yours" in table.one.hears().words
        assert "DamagedBoard" in boss.hears().words
        table.one.says(f"show {table.number}")
        assert "That is my fault and not yours" in table.one.hears().words
        boss.hears()


def test_whole_games_go_over_real_connections(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        table = begun(server, CHESS, "smtp")
        for move in ("f3", "e5", "g4", "Qh4#"):
            who, mail = (table.one, table.one_mail) if move in ("f3", "g4") else (table.other, table.other_mail)
            who.answers(mail, move)
            table.hear()
        assert "Checkmate." in table.one_mail.words
        assert "You won" in table.other_mail.words
        for game in GAMES:
            _play_over_connections(server, game)


def _play_over_connections(server: GameServer, game: HallGame) -> None:
    table = begun(server, game, "smtp", *smallest(game)) if game is not CHESS else begun(server, game, "more")
    position, lot = game.begin(game.read_options(smallest(game)), 2), random.Random(5)
    while position.outcome is None and position.ply < MOST_TURNS_BY_SMTP:
        steps, before = [], position.ply
        while position.ply == before and position.outcome is None:
            steps.append(chosen(position, lot))
            position = position.play(steps[-1])
        table.play(" ".join(step.text for step in steps))
    if position.outcome is None:
        table.one.answers(table.one_mail, "resign")
        table.hear()
        if table.one_mail.subject != f"{game.name} Board {table.number}":  # it was not their turn
            table.other.answers(table.other_mail, "resign")
            table.hear()
    assert table.one_mail.subject == f"{game.name} Board {table.number}"
    assert str(position).partition("\n> ")[0] in table.other_mail.text
