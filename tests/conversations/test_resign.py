"""Resigning: a challenge declined, a game given up, a resignation announced and taken back."""

from __future__ import annotations

from tests.conversations.playing import begin, played, seat
from tests.support.server import GameServer


def test_before_the_first_move_it_declines_on_turn(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    table.one.answers(table.one_mail, "resign\n\nNo time, sorry.")
    table.hear()
    assert table.one_mail.subject == f"superbo Board {table.number} **"
    assert "You have declined to play." in table.one_mail.text
    assert "ann1 has declined to play." in table.other_mail.text
    assert "No time, sorry." in table.other_mail.text
    assert "no ratings change" in table.other_mail.words


def test_before_the_first_move_it_declines_out_of_turn(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    table.play("b3")
    table.one.answers(table.one_mail, "g2")
    table.one.hears()
    other = seat(shared, table.one, table.other)
    other.other.answers(other.other_mail, "resign")
    other.hear()
    assert "You have declined to play." in other.other_mail.text
    assert "bob2 has declined to play." in other.one_mail.text


def test_the_second_player_declines_after_the_first_move_of_the_other(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    table.play("b3")
    table.other.says(f"superbo resign {table.number} bob3 secret")
    table.hear()
    assert "bob3 has declined to play." in table.one_mail.text


def test_one_board_of_a_pair_can_be_declined_by_the_challenger_and_the_other_goes_on(shared: GameServer) -> None:
    dora, emma = shared.player("dora"), shared.player("emma")
    dora.says("superbo challenge -pair emma")
    mails = sorted((dora.hears() for _ in range(2)), key=lambda mail: int(mail.subject.split()[3]))
    first, second = (mail.subject.split()[3] for mail in mails)
    assert "(Before your first move, this only declines the challenge.)" in emma.hears().words + emma.hears().words
    dora.answers(mails[0], "resign")
    for mail, who in ((dora.hears(), "You have"), (emma.hears(), "dora has")):
        assert mail.subject == f"superbo Board {first}"
        assert f"{who} declined to play." in mail.words
        assert "challenge" not in mail.words
        assert f"Board {second}, the other board of this pair, is rated alone." in mail.words
    emma.says(f"show {first}")
    assert "dora declined to play." in emma.hears().words


def test_a_declined_board_is_over_and_gone_from_the_lists(shared: GameServer) -> None:
    table = begin(shared, "ann4", "bob4")
    table.other.answers(table.other_mail, "resign")
    table.hear()
    table.one.says(f"move {table.number} ann4 secret b3")
    assert f"Board {table.number} is over" in table.one.hears().words
    table.one.says("games ann4")
    assert "There are no active boards of ann4" in table.one.hears().words
    table.one.says(f"show {table.number}")
    shown = table.one.hears()
    assert shown.subject == f"superbo Board {table.number}"
    assert "declined to play." in shown.text


def test_on_turn_it_ends_the_game_at_once(shared: GameServer) -> None:
    table = begin(shared, "ann5", "bob5")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "resign\nWell played!")
    table.hear()
    assert table.one_mail.subject == table.other_mail.subject == f"superbo Board {table.number} **"
    assert "\nbob5 won. You resigned.\n" in table.one_mail.text
    assert "\nYour rating is 1400 (provisional). bob5's rating is 1800 (provisional).\n" in table.one_mail.text
    assert "\nYou won! ann5 resigned.\n" in table.other_mail.text
    assert "\nYour rating is 1800 (provisional). ann5's rating is 1400 (provisional).\n" in table.other_mail.text
    for mail in (table.one_mail, table.other_mail):
        assert "Time used:" in mail.text
    assert "Well played!" in table.other_mail.text
    table.one.answers(table.one_mail, "g2,h7")
    assert f"Board {table.number} is over" in table.one.hears().words


def test_out_of_turn_it_is_announced_to_nobody_and_carried_out_when_the_turn_comes(shared: GameServer) -> None:
    table = begin(shared, "ann6", "bob6")
    table.play("b3", "c4,k5", "g2,h7")
    table.one.answers(table.one_mail, "resign")
    announced = table.one.hears()
    assert announced.subject == f"superbo Board {table.number} bob6"
    assert "You will resign as soon as it's your turn." in announced.text
    assert not shared.postbox.unread_for(table.other.address)
    table.other.says(f"show {table.number}")
    assert "resign" not in table.other.hears().text.replace("resign\n", "")
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    for mail in (table.one_mail, table.other_mail):
        assert mail.subject == f"superbo Board {table.number}"
        assert "4. D8,R10" in mail.text
    assert "\nbob6 won. You resigned.\n" in table.one_mail.text
    assert "\nYou won! ann6 resigned.\n" in table.other_mail.text


def test_an_announced_resignation_is_taken_back_by_saying_it_again(shared: GameServer) -> None:
    table = begin(shared, "ann7", "bob7")
    table.play("b3", "c4,k5", "g2,h7")
    line = f"resign {table.number} ann7 secret"
    table.one.says(line)
    assert "You will resign" in table.one.hears().text
    table.one.says(line)
    assert "You have taken your resignation back" in table.one.hears().words
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert table.one_mail.subject == f"superbo Board {table.number} ann7"
    assert "\nYour move, ann7." in table.one_mail.text


def test_an_announced_resignation_goes_for_nothing_when_the_game_ends_first(shared: GameServer) -> None:
    table = begin(shared, "ann8", "bob8")
    table.play("b3", "c4,k5", "g2,h7", "d8,r10")
    table.other.answers(table.other_mail, "resign")
    assert "You will resign" in table.other.hears().text
    table.one.answers(table.one_mail, "a7,v6")
    table.hear()
    assert "\nYou won!" in table.one_mail.text
    assert "resigned" not in table.one_mail.text


def test_without_proof_nothing_happens_before_the_answer(shared: GameServer) -> None:
    table = begin(shared, "ann9", "bob9")
    table.play("b3", "c4,k5")
    before = played(shared)["events"]
    table.one.says(f"resign {table.number}")
    question = table.one.hears()
    assert question.subject == f"Please confirm, ann9: resign on board {table.number}"
    assert played(shared)["events"] == before
    table.one.answers(question, "No, certainly not!")
    assert table.one.hears().subject == "As you wish: nothing has happened"
    assert played(shared)["events"] == before


def test_in_a_game_against_oneself_it_ends_the_game(shared: GameServer) -> None:
    solo = shared.player("solo")
    solo.says("superbo challenge solo solo")
    board = solo.hears()
    solo.answers(board, "b3")
    board = solo.hears()
    solo.answers(board, "resign")
    after = solo.hears()
    assert "The game is over: O won. You resigned." in after.text
    assert not shared.postbox.unread_for(solo.address)


def test_a_late_answer_that_would_mean_something_else_by_now_is_refused(shared: GameServer) -> None:
    """Before the first move ``resign`` declines; it must not cost a game because it came late."""
    mia, max_ = shared.player("mia"), shared.player("maxi")
    mia.says("superbo challenge maxi")
    first = mia.hears()
    max_.hears()
    mia.answers(first, "b3")
    mia.hears()
    max_.hears()
    mia.answers(first, "resign")
    refusal = mia.hears()
    assert "Your letter answers an older mail" in refusal.words
    mia.answers(refusal, "resign.")
    assert "You will resign as soon as it's your turn." in mia.hears().words
