"""Permission to move: by password, reply address or a question that one reply answers, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mail import Mail, Person
from tests.support.server import GameServer, RunningServer, running_server


def begin(server: GameServer) -> tuple[Person, Person, Mail, Mail]:
    """Alice and bob, and the mails that show them their new board 101."""
    alice, bob = server.player("alice"), server.player("bob")
    alice.says("superbo challenge bob")
    return alice, bob, alice.hears(), bob.hears()


def test_a_move_without_proof_is_asked_back_and_played_after_one_reply(server: GameServer) -> None:
    alice, bob, *_ = begin(server)
    alice.says("move 101 b3", "Here we go.")
    question = alice.hears()
    assert question.subject == "Please confirm, alice: move on board 101"
    assert "    move 101 b3\n" in question.text
    assert "It comes with a text of one line" in question.text
    assert question.envelope_sender in ("", "<>")
    assert bob.hears_nothing()
    alice.answers(question, "yes")
    assert alice.hears().subject == "superbo Board 101 bob **"
    board = bob.hears()
    assert board.subject == "superbo Board 101 bob **"
    assert "alice writes:\n\n  Here we go.\n" in board.text


def test_an_answer_to_a_board_is_told_to_write_a_grave_word_alone(server: GameServer) -> None:
    alice, _, mail, _ = begin(server)
    for word, line in (("accept", "accept - kein Problem!"), ("resign", "resign, sorry"), ("reject", "Reject, danke")):
        alice.answers(mail, line)
        assert f'If you mean "{word}", write that word alone on the first line.' in alice.hears().words


def test_a_question_tells_of_a_text_only_where_it_is_kept_or_goes_on_to_somebody(server: GameServer) -> None:
    alice, *_ = begin(server)
    for line, text, told in (
        ("move 101 b3", "Good luck!", "The text goes to the others if you agree."),
        ("report bob", "He is rude.", "The text goes to the operator if you agree."),
        ("note 101", "Watch K7.", "The text is kept for you if you agree."),
        *((line, "Hello,\nI am away", None) for line in ("vacation 5", "set language=fr", "block bob", "queue 101 b3")),
        ("move 101 b3", "Viele Gr\u00fc\u00dfe\nAlice", None),
        ("chat 101", "LG Alice", None),
    ):
        alice.says(line, text)
        question = alice.hears()
        assert question.subject.startswith("Please confirm")
        assert ("a text of" in question.words) is (told is not None)
        assert told is None or told in question.words


@pytest.mark.parametrize(
    "answer",
    ["Ja\n\nAch nein, doch lieber B4.", "Yes, I was thinking about it.\nBut I have not decided.", "Oui, B4", "B4"],
)
def test_a_yes_with_a_denial_leaves_the_question_open(server: GameServer, answer: str) -> None:
    alice, *_ = begin(server)
    alice.says("move 101 b3")
    question = alice.hears()
    alice.answers(question, answer)
    told = alice.hears().words
    assert "the question is still open" in told
    assert "To make a move on board 101, answer the mail that shows that board" in told
    alice.answers(question, "Yes, B3 it is.")
    assert alice.hears().subject == "superbo Board 101 bob"


def test_another_move_in_place_of_an_answer_is_told_which_mail_to_answer(server: GameServer) -> None:
    alice, *_ = begin(server)
    alice.says("move 101 b3")
    question = alice.hears()
    alice.answers(question, "Nein, lieber B4.")
    assert "answer the mail that shows that board" in alice.hears().words
    alice.answers(question, "B4")
    told = alice.hears().words
    assert "your first answer counts. To make a move on board 101, answer the mail" in told


def test_the_answer_no_does_nothing(server: GameServer) -> None:
    alice, bob, *_ = begin(server)
    alice.says("resign 101")
    question = alice.hears()
    alice.answers(question, "No!")
    assert alice.hears().subject == "As you wish: nothing has happened"
    alice.answers(question, "yes")
    assert "You have already answered this question" in alice.hears().text
    assert bob.hears_nothing()


def test_an_unclear_answer_does_nothing_and_the_question_stays_open(server: GameServer) -> None:
    alice, bob, *_ = begin(server)
    alice.says("move 101 b3")
    question = alice.hears()
    for unclear in ("What do I have to do?", "b3"):
        alice.answers(question, unclear)
        assert "I cannot tell whether your answer means yes or no." in alice.hears().words
        assert bob.hears_nothing()
    alice.answers(question, "yes")
    assert alice.hears().subject == "superbo Board 101 bob"
    assert bob.hears().subject == "superbo Board 101 bob"


def test_a_question_answered_from_elsewhere_is_not_answered(server: GameServer) -> None:
    alice, bob, *_ = begin(server)
    alice.says("move 101 b3")
    question = alice.hears()
    bob.answers(question, "yes")
    assert "Please answer from the address that received it" in bob.hears().words
    alice.answers(question, "yes")
    assert alice.hears().subject == "superbo Board 101 bob"


def test_a_confirmed_move_is_not_played_into_a_newer_position(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    alice.says("move 101 b3")
    question = alice.hears()
    alice.answers(first, "a1")
    alice.hears()
    bob.hears()
    alice.answers(question, "yes")
    refusal = alice.hears()
    assert refusal.subject == "superbo Board 101 Error"
    assert "Your letter answers an older mail" in refusal.text


def test_an_illegal_move_without_proof_is_refused_at_once(server: GameServer) -> None:
    alice, *_ = begin(server)
    alice.says("move 101 zz9")
    assert "zz9: there is no space ZZ on the board." in alice.hears().text


def test_a_stolen_reply_address_does_not_move(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    bob.answers(first, "b3")
    refusal = bob.hears()
    assert refusal.subject == "superbo Board 101 Error"
    assert "It's alice's move on board 101, not yours." in refusal.text
    assert alice.hears_nothing()


def test_somebody_who_does_not_play_cannot_move(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    carol = server.player("carol")
    carol.answers(first, "b3")
    assert "You (carol) do not play on board 101." in carol.hears().text
    carol.says("move 101 carol secret b3")
    assert "You (carol) do not play on board 101." in carol.hears().text
    assert alice.hears_nothing()
    assert not server.postbox.unread_for(bob.address)


def test_a_tampered_reply_address_proves_nothing(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    token = first.reply_to.partition("+")[2].partition("@")[0]
    other = token[:-1] + ("a" if token[-1] != "a" else "b")
    alice.says("b3", to=first.reply_to.replace(token, other))
    answer = alice.hears()
    assert answer.subject == "pbem error"
    assert bob.hears_nothing()


def test_a_reply_address_is_good_for_its_board_only(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    alice.says("superbo challenge bob")
    alice.hears()
    bob.hears()
    alice.says("move 102 b3", to=first.reply_to)
    assert alice.hears().subject == "Please confirm, alice: move on board 102"


def test_an_answer_to_an_overtaken_mail_is_refused_with_the_present_board(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    alice.answers(first, "b3")
    alice.hears()
    second = bob.hears()
    bob.answers(second, "c4,k5")
    bob.hears()
    alice.hears()
    alice.answers(first, "g2,h7")
    refusal = alice.hears()
    assert "Your letter answers an older mail" in refusal.text
    assert "  1. B3   2. C4,K5\n" in refusal.text
    alice.answers(refusal, "g2,h7")
    assert alice.hears().subject == "superbo Board 101 bob"


def test_a_reply_whose_plus_address_was_lost_still_means_the_board(server: GameServer) -> None:
    alice, _, first, _ = begin(server)
    alice.says(f"Re: {first.subject}", "b3")
    assert "    move 101 b3\n" in alice.hears().text


def test_a_wrong_password_and_an_unknown_userid_get_the_same_answer(server: GameServer) -> None:
    alice, *_ = begin(server)
    answers = []
    for userid in ("bob", "nobody2"):
        alice.says(f"move 101 {userid} wrong b3")
        answers.append(alice.hears().words.replace(f'"{userid}"', "<userid>"))
    assert answers[0] == answers[1]
    assert "do not match" in answers[0]


def test_a_password_works_from_any_address_and_answers_go_to_the_one_on_record(server: GameServer) -> None:
    alice, *_ = begin(server)
    cafe = server.person("internet-cafe")
    cafe.says("superbo move 101 ALICE secret b3")
    assert alice.hears().subject == "superbo Board 101 bob"
    assert not server.postbox.unread_for(cafe.address)


def test_a_forged_from_line_is_asked_back_at_the_true_address(server: GameServer) -> None:
    alice, bob, *_ = begin(server)
    forger = server.person("forger")
    raw = b"From: alice@example.org\r\nReply-To: forger@example.org\r\nSubject: resign 101\r\n\r\n"
    forger.mails(raw, sender=forger.address)
    assert alice.hears().subject == "Please confirm, alice: resign on board 101"
    assert not server.postbox.unread_for(forger.address)
    assert not server.postbox.unread_for(bob.address)


def test_two_from_lines_are_no_evidence_at_all(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    raw = b"From: alice@example.org\r\nFrom: bob@example.org\r\nSubject: b3\r\n\r\n"
    alice.mails(raw, first.reply_to)
    assert alice.hears().subject == "pbem error"
    assert bob.hears_nothing()


@pytest.mark.system
def test_on_a_closed_network_the_from_line_is_proof(tmp_path: Path) -> None:
    with running_server(tmp_path, trust_from="true") as server:
        assert any("WARNING: PBEM_TRUST_FROM" in line for line in server.lines)
        alice, bob, *_ = begin(server)
        alice.says("move 101 b3")
        assert alice.hears().subject == "superbo Board 101 bob"
        bob.says("superbo resign 101")
        bob.hears()
        assert alice.hears().text.startswith("Summary of superbo Board 101\n\nbob has declined to play.")


def test_a_restart_keeps_reply_addresses_good(running: RunningServer) -> None:
    alice, bob, first, _ = begin(running)
    running.stop()
    running.start()
    alice.answers(first, "b3")
    assert bob.hears().subject == "superbo Board 101 bob"


def test_a_move_that_leaves_a_doubt_is_offered_and_one_yes_makes_it(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    alice.answers(first, "Maybe b3")
    question = alice.hears()
    assert 'Did you mean B3? If so, answer "yes".' in question.text
    assert bob.hears_nothing()
    alice.answers(question, "yes")
    assert alice.hears().subject == "superbo Board 101 bob"
    assert bob.hears().subject == "superbo Board 101 bob"


def test_an_offered_move_is_not_made_once_something_else_has_happened(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    alice.answers(first, "Maybe b3")
    question = alice.hears()
    alice.answers(first, "c4")
    assert (alice.hears().subject, bob.hears().subject) == ("superbo Board 101 bob",) * 2
    bob.says("resign 101 bob secret")
    alice.hears(), bob.hears()
    alice.answers(question, "yes")
    assert alice.hears().subject.endswith("Error")
    assert bob.hears_nothing()


def test_an_offered_move_needs_a_yes_from_where_it_was_asked(server: GameServer) -> None:
    alice, bob, first, _ = begin(server)
    alice.answers(first, "Maybe b3")
    bob.answers(alice.hears(), "yes")
    assert bob.hears().subject.endswith("error")
    assert alice.hears_nothing()
