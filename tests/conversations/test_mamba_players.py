"""The players of a game of Mamba: the random order, declining before the first move, leaving while others play on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.domain.replies import Signer
from pbem.games.mamba.game import MAMBA
from pbem.ids import BoardNumber
from tests.conversations.mamba import ANSWERS, OPENINGS, Round, begin
from tests.conversations.playing import ask, imported, played
from tests.diagrams.mamba.boards import read
from tests.support.in_process import in_process_server
from tests.support.mail import attached
from tests.support.server import GameServer

KEY = "the key of a server that draws lots"
BOARDS = 10


def drawn_firsts(folder: Path) -> list[int]:
    """Which seat begins at each of the first boards of a server with the key, by Subjects and by records."""
    folder.mkdir()
    with in_process_server(folder, secret_key=KEY) as server:
        names = ("ann", "ben", "cleo", "dora")
        people = [server.player(name) for name in names]
        people[0].says("multiple", "\n".join(["mamba challenge ben cleo dora"] * BOARDS))
        people[0].hears()
        subjects = [people[2].hears().subject for _ in range(BOARDS)]
        firsts = [names.index(subject.split()[-1]) for subject in subjects]
        for number, first in enumerate(firsts, start=101):
            people[2].says(f"export {number}")
            assert attached(people[2].hears())[2].get("first", 0) == first
        return firsts


def test_the_lot_is_the_same_for_the_same_key_and_number_and_stands_in_the_record(tmp_path: Path) -> None:
    signer = Signer([KEY])
    firsts = drawn_firsts(tmp_path / "one")
    assert firsts == [signer.draw_lots(BoardNumber(number), 4) for number in range(101, 101 + BOARDS)]
    assert drawn_firsts(tmp_path / "other") == firsts
    assert {signer.draw_lots(BoardNumber(number), 4) for number in range(101, 201)} == {0, 1, 2, 3}


def test_the_lot_is_told_and_nobody_draws_in_order(shared: GameServer) -> None:
    table = begin(shared, "ada", "bea", "cia", options=())
    first = table.userids[table.to_act]
    for mail in table.mails:
        if mail.recipient == table.people[table.to_act].address:
            assert f"Your move, {first}. You begin: that was drawn at random." in mail.words
        else:
            assert f"It's {first}'s move. {first} begins: that was drawn at random." in mail.words
    for _ in range(3):
        table.people[1].says("mamba challenge -inorder bea cia ada")
        mails = [table.people[seat].hears() for seat in (1, 2, 0)]
        assert all(mail.subject.endswith(" bea") for mail in mails)
        assert all("at random" not in mail.text for mail in mails)


def marks(text: str) -> set[str]:
    """The owners of the pieces on the board that a mail shows."""
    return set(read(text).squares) - {"."}


def test_declining_before_the_first_move_begins_anew_until_nobody_is_left(shared: GameServer) -> None:
    table = begin(shared, "dan", "eva", "fay", "gil")
    table.play("pass", "pass")
    table.answer(3, "resign\n\nNo time.")
    table.hear()
    assert "You have declined to play." in table.mails[3].text
    for mail in table.mails[:3]:
        assert mail.subject == f"mamba Board {table.number} dan **"
        assert "gil has declined to play." in mail.words
        assert "The game begins anew with 3 players, at new edges. The moves made so far are gone." in mail.words
        assert ("only declines the challenge; the others then begin anew without you.)" in mail.words) == (
            mail != table.mails[0]
        )
        assert "No time." in mail.text
        assert read(mail.text).squares == MAMBA.begin({}, 3).squares
    late = table.mails[3]
    table = Round(table.people[:3], table.mails[:3])
    gil = shared.person("gil")
    gil.answers(late, "pass")
    assert "do not play on board" in gil.hears().words
    table.answer(0, "resign")
    table.hear()
    assert "dan has declined to play." in table.mails[1].words
    table = Round(table.people[1:], table.mails[1:])
    assert table.to_act == 0
    assert read(table.mails[0].text).squares == MAMBA.begin({}, 2).squares
    table.play("pass")
    table.answer(1, "resign")
    table.hear()
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number}"
        assert "The board has been taken off the lists, and no ratings change." in mail.words
    table.answer(0, "pass")
    assert "is over" in table.people[0].hears().words


def test_one_of_a_team_declines_for_all(shared: GameServer) -> None:
    table = begin(shared, "tia", "tom", "ute", "uwe", options=("-teams", "-inorder"))
    assert all("anew" not in mail.words for mail in table.mails)
    assert all("the board is then over for all of you.)" in mail.words for mail in table.mails[1:])
    table.answer(1, "plan\nif * / pass then pass")
    table.answer(3, "queue pass")
    for place in (1, 3):
        table.people[place].hears()
    table.answer(2, "resign")
    table.hear()
    assert "Your plan there has been dropped, too: if * / pass then pass" in table.mails[1].words
    assert "Your queued move there has been dropped, too: pass" in table.mails[3].words
    assert not any("dropped, too" in table.mails[place].words for place in (0, 2))
    for mail in table.mails:
        assert "-teams needs four players, two against two, but there are 3. The board has been taken off" in mail.words
        assert "no ratings change" in mail.words
    assert {mail.subject for mail in table.mails} == {f"mamba Board {table.number}"}


def test_declining_with_one_s_decision_open_begins_anew(shared: GameServer) -> None:
    table = begin(shared, "hal", "ida", "jim", "kay")
    table.play(*OPENINGS[4])
    table.answer(3, "resign")
    table.hear()
    assert table.mails[0].subject == f"mamba Board {table.number} hal"
    assert "has to decide" not in table.mails[0].words
    assert read(table.mails[0].text).squares == MAMBA.begin({}, 3).squares


def test_who_had_announced_to_resign_declines_when_another_does(shared: GameServer) -> None:
    table = begin(shared, "cai", "ced", "col", "cyd")
    table.play("pass", "pass", "pass")
    table.answer(1, "resign")
    table.people[1].hears()
    table.answer(3, "resign\n\nSorry!")
    table.hear()
    assert "You have declined to play. ced had announced a resignation and has declined, too." in (table.mails[3].words)
    assert "You had announced that you would resign, so you have declined, too. You are off" in table.mails[1].words
    for seat in (0, 2):
        assert "ced had announced a resignation and has declined, too." in table.mails[seat].words
        assert "The game begins anew with 2 players" in table.mails[seat].words
        assert table.mails[seat].subject == f"mamba Board {table.number} cai **"
    assert all("cyd writes:\n\n  Sorry!\n" in mail.text for mail in table.mails[:3])
    assert "You wrote:\n\n  Sorry!\n" in table.mails[3].text
    left = Round(table.people[::2], table.mails[::2])
    left.play("pass", "pass")
    assert left.to_act == 0


def test_who_plays_two_sides_reads_for_which_he_is_to_act(shared: GameServer) -> None:
    kay, lou = shared.player("kay2"), shared.player("lou2")
    kay.says("mamba challenge -inorder kay2 lou2 kay2")
    table = Round([kay, lou], [kay.hears(), lou.hears()])
    for side in ("A", "C"):
        assert f"Your move, kay2, for {side}." in table.mails[0].words
        assert f"It's kay2's move, for {side}." in table.mails[1].words
        assert f"Answer this mail with your move for {side}, for example:" in table.mails[0].words
        table.play("pass")
        if side == "A":
            table.play("pass")
    table.play("pass")
    kay.says(f"resign {table.number} kay2 secret")
    assert "as soon as it's your turn, for the side of yours that is first to act." in kay.hears().words
    table.play("move d7-c7")
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number} kay2"
        assert marks(mail.text) == {"A", "B"}
        assert "kay2's move, for" not in mail.words
        assert "Your move, kay2, for" not in mail.words


def test_a_resignation_on_turn_takes_the_pieces_off_and_the_game_goes_on(shared: GameServer) -> None:
    table = begin(shared, "lea", "max", "nia")
    table.play("pass", "pass", "pass")
    table.play("resign\n\nToo hard for me.")
    for seat, mail in enumerate(table.mails):
        assert mail.subject == f"mamba Board {table.number} max **"
        left = "You have" if seat == 0 else "A (lea) has"
        assert f"{left} left the game; off the board: a4 a6 b4 b5 b6 c4 c6." in mail.words
        assert marks(mail.text) == {"B", "C"}
        assert "Too hard for me." in mail.text
    table.play("pass", "pass", "resign")
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number}"
    for mail, told in zip(
        table.mails, ("nia won. max resigned.", "nia won. You resigned.", "You won! max resigned."), strict=True
    ):
        assert f"\n{told}\n" in mail.text


@pytest.mark.parametrize("page", ["resign", "mamba"])
def test_a_draw_of_those_who_play_on_is_one_for_whoever_has_resigned_as_the_help_says(
    shared: GameServer, page: str
) -> None:
    table = begin(shared, *(f"{page}{seat}" for seat in "abc"))
    table.play("pass", "pass", "pass", "resign")
    for seat, word in ((1, "propose"), (2, "accept")):
        table.answer(seat, word)
        table.hear()
    for mail in table.mails:
        assert "The game is a draw: the players agreed on it. Your rating is 1600 (provisional)." in mail.words
    helped = ask(table.people[0], f"help {page}").words
    assert ("If they draw, it is a draw for you, too." if page == "resign" else "A draw is a draw for all") in helped


def test_a_resignation_with_one_s_decision_open_lets_the_turn_end(shared: GameServer) -> None:
    table = begin(shared, "ole", "pia", "ron", "sue")
    table.play("pass", "pass", "pass", "pass", *OPENINGS[4])
    assert table.to_act == 3
    table.play("resign")
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number} ron"
        assert marks(mail.text) == {"A", "B", "C"}
        assert "has to decide" not in mail.words
    table.play("pass", "pass")
    assert table.to_act == 1


def test_resignations_are_announced_and_carried_out_when_it_is_for_them_to_act(shared: GameServer) -> None:
    table = begin(shared, "tim", "una", "vic", "wim")
    table.play("pass", "pass", "pass", "pass")
    for seat in (1, 2):
        table.answer(seat, "resign")
        assert "You will resign as soon as it's your turn." in table.people[seat].hears().text
    assert table.people[0].hears_nothing()
    table.play("pass")
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number} wim"
        assert marks(mail.text) == {"A", "D"}


def test_the_mover_resigns_while_another_decides(shared: GameServer) -> None:
    table = begin(shared, "xia", "yan", "zoe")
    table.play("pass", "pass", "pass", *OPENINGS[3])
    assert table.to_act == 2
    table.answer(0, "resign")
    assert "You will resign as soon as it's your turn." in table.people[0].hears().text
    table.play(ANSWERS[3][0])
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number} yan"
        assert marks(mail.text) == {"B", "C"}


@pytest.mark.parametrize("event", ["resign", "forfeit"])
def test_players_who_left_a_recorded_game_have_left_it_here(shared: GameServer, event: str) -> None:
    turns = [*({"seat": seat, "input": "pass"} for seat in range(3)), {"seat": 0, "event": event}]
    record = {"format": "pbem-game/1", "game": "mamba", "options": {}, "players": [f"r{event}{x}" for x in "abc"]}
    people = [shared.player(userid) for userid in record["players"]]
    number = imported(shared, {**record, "turns": turns}).split()[-1]
    people[0].says(f"show {number}")
    assert marks(people[0].hears().text) == {"B", "C"}
    people[1].says(f"move {number} r{event}b secret pass")
    assert [person.hears().subject for person in people] == [f"mamba Board {number} r{event}c"] * 3
    people[0].says(f"move {number} r{event}a secret pass")
    assert "You are out of the game" in people[0].hears().words
    before = played(shared)
    people[0].says(f"forfeit {number} r{event}a secret")
    assert "I could not find a command" in people[0].hears().words
    assert played(shared) == before
