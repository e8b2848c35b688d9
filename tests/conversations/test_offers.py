"""Draws and undos by mail: offered, answered, refused, withdrawn, and answered too late."""

from __future__ import annotations

import re
from functools import partial
from threading import Thread

import pytest

from tests.conversations.mamba import begin as mamba
from tests.conversations.playing import begin, form
from tests.support.mail import Mail
from tests.support.server import GameServer, RunningServer

BOARD_MAIL = re.compile(r"(New\s+)?(\S+)\s+Board\s+(\S+)")
"""The pattern by which programs find game and board in a Subject."""


def test_a_draw_is_offered_and_agreed_upon(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "propose\n\nShall we?")
    table.hear()
    assert table.one_mail.subject == table.other_mail.subject == f"superbo Board {table.number} bob1 **"
    assert table.other_mail.text.startswith(
        f"Summary of superbo Board {table.number}\n\nann1 offers a draw. Please answer. "
    )
    assert "\n    accept\n    reject\n\nIt's ann1's move. You played C4,K5.\n" in table.other_mail.text
    assert re.search(r"No answer by [^.;]* UTC counts as a yes: the game then ends as a draw\.", table.other_mail.words)
    assert "ann1 is waiting for your answer</h1>" in table.other_mail.html
    order = ("ann1 is waiting", "ann1 offers a draw", ">accept</a>", "It&#39;s ann1&#39;s move. You played C4,K5.")
    assert sorted(order, key=table.other_mail.html.index) == list(order)
    assert "still have to answer" not in table.other_mail.html
    assert [each for each in ("accept", "reject") if f">{each}</a>" in table.other_mail.html] == ["accept", "reject"]
    assert ">reject</a>" in table.one_mail.html
    assert ">accept</a>" not in table.one_mail.html
    assert "Shall we?" in table.other_mail.text
    assert "You offer a draw. bob1 still has to answer." in table.one_mail.words
    assert "\n    reject\n" in table.one_mail.text
    table.other.answers(table.other_mail, "accept")
    table.hear()
    for mail in (table.one_mail, table.other_mail):
        assert mail.subject == f"superbo Board {table.number}"
        assert "\nThe game is a draw: the players agreed on it.\n" in mail.text
        assert "still has to answer" not in mail.words


def test_while_an_offer_is_open_every_mail_says_so(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    table.play("b3", "c4,k5")
    table.other.says(f"superbo propose {table.number} bob2 secret")
    table.hear()
    table.one.answers(table.one_mail, "zz")
    assert "bob2 offers a draw. Please answer." in table.one.hears().words
    bystander = shared.person("bystander")
    bystander.says(f"show {table.number}")
    shown = bystander.hears()
    assert "bob2 offers a draw. ann2 still has to answer." in shown.words
    assert "accept" not in shown.text
    table.other.says(f"resend {table.number} bob2 secret")
    assert "ann2 still has to answer" in table.other.hears().words
    bystander.says(f"show {table.number}#1")
    assert "draw" not in bystander.hears().words


@pytest.mark.parametrize(
    "words",
    [
        "Oui, d'accord, pas de souci :)",
        "Sure, go ahead",
        "Ja gerne",
        "Yes",
        "No, I want to play on",
        "Einverstanden, Ann!",
    ],
)
def test_an_answer_in_other_words_is_told_the_two_that_count(shared: GameServer, words: str) -> None:
    userids = (f"amy{len(words)}", f"ben{len(words)}")
    table = begin(shared, *userids)
    table.play("b3", "c4,k5")
    table.other.answers(table.other_mail, "propose")
    table.hear()
    table.one.answers(table.one_mail, words)
    refused = table.one.hears().words
    assert f"{userids[1]} offers you a draw and is waiting for your answer." in refused
    assert 'To agree, write the word "accept" alone on the first line; to decline, the word "reject".' in refused
    assert "as the first tile" not in refused
    assert table.other.hears_nothing()


@pytest.mark.parametrize(
    "words",
    ["No problem!", "No worries, happens to me too.", "Kein Problem!", "Pas de souci !", "Sure! Fair enough"],
)
def test_kind_words_below_an_answer_raise_no_doubt(shared: GameServer, words: str) -> None:
    name = "".join(filter(str.isalpha, words.lower()))[:12]
    table = begin(shared, f"kin{name}", f"kon{name}")
    table.play("b3", "c4,k5")
    table.other.answers(table.other_mail, "undo")
    table.hear()
    table.one.answers(table.one_mail, f"accept\n\n{words}")
    table.hear()
    assert "Did you mean" not in table.one_mail.words
    assert words in table.other_mail.words


def test_other_words_below_an_answer_are_said_to_be_below_it(shared: GameServer) -> None:
    table = begin(shared, "low1", "low2")
    table.play("b3", "c4,k5")
    table.other.answers(table.other_mail, "undo")
    table.hear()
    table.one.answers(table.one_mail, "accept\n\nOf course not")
    asked = table.one.hears().words
    assert "You also wrote something below it, which makes me doubt" in asked
    for untrue in ("beside it", "another move", "above the move"):
        assert untrue not in asked
    table.one.answers(table.one_mail, "g2,h7\nI'd rather wait, or not?")
    assert "beside it" not in table.one.hears().words


def test_a_refusal_is_told_and_the_same_cannot_be_asked_again_at_once(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    table.play("b3", "c4,k5")
    table.other.says(f"move {table.number} bob3 secret propose")
    table.hear()
    table.one.says(f"move {table.number} ann3 secret reject")
    table.hear()
    assert "ann3 refused your offer of a draw. The game goes on." in table.other_mail.words
    table.other.answers(table.other_mail, "propose")
    refused = table.other.hears()
    assert refused.subject == f"superbo Board {table.number} Error"
    assert "Nothing has changed." in refused.text
    assert form("propose") in refused.text
    assert "was not accepted, and nobody has moved since" in refused.words
    table.one.answers(table.one_mail, "g2,h7")
    table.hear()
    table.other.answers(table.other_mail, "propose")
    table.hear()
    assert "bob3 offers a draw" in table.one_mail.words


def test_an_undo_brings_labels_and_automatic_moves_back_and_late_answers_are_refused(shared: GameServer) -> None:
    table = begin(shared, "ann4", "bob4")
    table.play("b3", "c4,k5")
    before = table.one_mail
    table.play("g2,h7")
    undone = table.other_mail
    assert "3. G2,H7 (auto J1)" in undone.text
    table.one.answers(table.one_mail, "undo\n\nMy mouse slipped.")
    table.hear()
    assert "ann4 asks to take back G2,H7 (move 3). Please answer." in table.other_mail.words
    assert re.search(r"No answer by [^.;]* UTC counts as a no\.", table.other_mail.words)
    assert "To withdraw the request, answer this mail with" in table.one_mail.words
    table.other.answers(table.other_mail, "accept")
    table.hear()
    assert table.one_mail.subject == table.other_mail.subject == f"superbo Board {table.number} ann4"
    assert "bob4 agreed. The move has been taken back: it's move 3 again." in table.one_mail.words
    told = table.one_mail.text.partition("move 3.\n")[2]
    assert before.text.endswith(told)
    table.other.answers(undone, "d8,r10")
    assert "Your letter answers an older mail" in table.other.hears().words
    table.one.answers(before, "a7,v6")
    assert "Your letter answers an older mail" in table.one.hears().words
    table.play("g2,h7")
    assert table.other_mail.text == undone.text


def test_a_move_withdraws_an_offer_and_says_so(shared: GameServer) -> None:
    table = begin(shared, "ann5", "bob5")
    table.play("b3", "c4,k5")
    mail = table.one_mail
    table.other.answers(table.other_mail, "propose")
    table.hear()
    table.one.answers(mail, "g2,h7")  # an answer to the mail from before the offer: the board is still the same
    table.hear()
    assert "With this move your offer of a draw has lapsed." in table.other_mail.words
    assert "With this move bob5's offer of a draw has lapsed." in table.one_mail.words
    assert "still has to answer" not in table.other_mail.words
    table.one.answers(table.one_mail, "accept")
    assert "There is no offer on board" in table.one.hears().words


def test_an_answer_to_a_mail_from_before_the_offer_does_not_accept_it(shared: GameServer) -> None:
    table = begin(shared, "ann6", "bob6")
    table.play("b3", "c4,k5")
    mail = table.one_mail
    table.other.answers(table.other_mail, "undo")
    table.hear()
    table.one.answers(mail, "accept")
    refused = table.one.hears()
    assert "Your letter answers an older mail" in refused.words
    table.one.answers(refused, "accept")
    table.hear()
    assert table.one_mail.subject == f"superbo Board {table.number} bob6"


def test_three_players_answer_one_by_one(shared: GameServer) -> None:
    table = mamba(shared, "ann7", "bob7", "cat7")
    table.play("pass", "pass", "pass")
    table.answer(1, "propose")
    table.hear()
    assert "bob7 offers a draw. You and cat7 still have to answer." in table.mails[0].words
    assert {mail.subject for mail in table.mails} == {f"mamba Board {table.number} ann7"}
    table.answer(0, "accept")
    table.hear()
    assert {mail.subject for mail in table.mails} == {f"mamba Board {table.number} cat7"}
    assert "Your move, ann7." in table.mails[0].text
    assert "bob7 offers a draw. You have agreed. cat7 still has to answer." in table.mails[0].words
    assert "You offer a draw. ann7 has agreed. cat7 still has to answer." in table.mails[1].words
    assert "bob7 offers a draw. ann7 has agreed. Please answer." in table.mails[2].words
    table.answer(2, "reject")
    table.hear()
    refused = ("cat7 refused the draw that bob7 offered.", "cat7 refused your offer of a draw.", "You refused the draw")
    for mail, told in zip(table.mails, refused, strict=True):
        assert told in mail.words
    table.answer(2, "undo")
    table.hear()
    table.answer(0, "accept")
    table.hear()
    table.answer(1, "accept")
    table.hear()
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number} cat7"
        agreed = "You" if mail is table.mails[1] else "bob7"
        assert f"{agreed} agreed. The move has been taken back: it's move 3 again." in mail.words


def test_who_wants_few_mails_is_asked_and_answered_all_the_same(shared: GameServer) -> None:
    table = begin(shared, "ann8", "bob8")
    table.play("b3", "c4,k5", "g2,h7")
    table.one.says(f"unsubscribe {table.number} ann8 secret")
    table.one.hears()
    table.other.answers(table.other_mail, "propose")
    table.hear()
    assert "Please answer." in table.one_mail.words
    table.one.answers(table.one_mail, "reject")
    table.hear()
    table.one.answers(table.one_mail, "undo")
    table.hear()
    table.other.answers(table.other_mail, "reject")
    table.hear()
    assert "bob8 refused your request to take a move back." in table.one_mail.words


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("propose {n} ann9 secret", "once everybody has made a move, and bob9 has not."),
        ("undo {n} bob9 secret", "You have made no move"),
        ("accept {n} ann9 secret", "There is no offer on board"),
        ("reject {n} ann9 secret", "There is no offer on board"),
        ("undo {n} ann9 secret #9", "the next move on board {n} is number 2"),
        ("undo {n} ann9 secret now", "complete before word"),
        ("undo 9999 ann9 secret", "9999"),
        ("mambo undo {n} ann9 secret", "superbo"),
        ("undo {n} ann9 wrong", "do not match"),
    ],
)
def test_refusals_change_nothing_and_show_the_right_form(shared: GameServer, line: str, why: str) -> None:
    if "ann9" not in _boards:
        table = begin(shared, "ann9", "bob9")
        table.play("b3")
        _boards["ann9"] = table.number
    number = _boards["ann9"]
    person = shared.person("ann9" if "ann9" in line else "bob9")
    person.says(line.format(n=number))
    refused = person.hears()
    assert why.format(n=number) in refused.words
    assert "Nothing has changed." in refused.text
    game = "mambo" if line.startswith("mambo ") else ""
    assert (form(line.removeprefix("mambo ").split()[0], game) in refused.text) == ("#9" not in line)
    assert "secret" not in refused.text


_boards: dict[str, str] = {}


def _has_come(subject: str, mails: list[Mail]) -> bool:
    return any(mail.subject == subject for mail in mails)


def test_an_accept_and_a_move_at_the_same_time_do_not_both_count(running: RunningServer) -> None:
    """Whichever comes first, the other is refused or answers what is there by then."""
    for turn in range(3):
        ann, bob = f"ann1{turn}", f"bob1{turn}"
        table = begin(running, ann, bob)
        table.play("b3", "c4,k5")
        table.one.answers(table.one_mail, "propose")
        table.hear()
        letters = [
            Thread(target=table.other.answers, args=(table.other_mail, "accept")),
            Thread(target=table.one.answers, args=(table.one_mail, "g2,h7")),
        ]
        for letter in letters[:: -1 if turn % 2 else 1]:
            letter.start()
        for letter in letters:
            letter.join()
        error = f"superbo Board {table.number} Error"
        running.postbox.wait_until(partial(_has_come, error))
        running.postbox.settle(table.one.port)
        mails = [mail for mail in running.postbox.mails if mail.recipient in (table.one.address, table.other.address)]
        ended = [
            mail
            for mail in mails
            if "The game is a draw: the players agreed on it." in mail.text and "has started" not in mail.text
        ]
        moved = [mail for mail in mails if "3. G2,H7" in mail.text]
        refused = [mail for mail in mails if mail.subject == error]
        assert len(refused) == 1
        assert bool(ended) != bool(moved)
        for mail in mails:
            found = BOARD_MAIL.search(mail.subject)
            assert found is None or found[2] == "superbo"
