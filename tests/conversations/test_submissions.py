"""Moves looked at by mail before they count."""

from __future__ import annotations

import pytest

from tests.conversations.mamba import OPENINGS
from tests.conversations.mamba import begin as mamba
from tests.conversations.playing import begin, form, played
from tests.support.server import GameServer


def test_a_move_is_shown_first_and_counts_once_confirmed(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    table.play("b3", "c4,k5")
    events = played(shared)["events"]
    table.one.answers(table.one_mail, "submit g2,h7\n\nHere I come.")
    shown = table.one.hears()
    assert shown.subject == f"superbo Board {table.number} ann1"
    assert shown.text.startswith(f"Summary of superbo Board {table.number}\n\nYour move, ann1. bob1 played C4,K5.\n")
    assert "Your move has not been made yet, and nobody else has seen it." in shown.words
    assert f"\nBoard {table.number} as it would be after your move G2,H7:\n" in shown.text
    assert "It would then be bob1's turn." in shown.text
    assert "3. G2,H7 (auto J1)" in shown.text
    assert "write it below confirm" in shown.words
    assert "<img" in shown.html
    assert shown.parsed["In-Reply-To"] is not None
    assert shared.postbox.unread_for(table.other.address) == []
    assert played(shared)["events"] == events
    table.one.answers(shown, "confirm\n\nHere I come.")
    table.hear()
    assert table.other_mail.subject == f"superbo Board {table.number} bob1 **"
    assert "   3. G2,H7 (auto J1)\n" in table.other_mail.text
    assert "Here I come." in table.other_mail.text
    table.one.answers(shown, "confirm")
    assert "Your letter answers an older mail" in table.one.hears().words


def test_in_the_classic_form_and_another_one_instead(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    table.one.says(f"superbo submit {table.number} ann2 secret b3#1")
    assert "after your move B3:" in table.one.hears().text
    table.one.says(f"submit {table.number} ann2 secret b4")
    assert "after your move B4:" in table.one.hears().text
    table.one.says(f"superbo confirm {table.number} ann2 secret")
    table.hear()
    assert "  1. B4" in table.other_mail.text


def test_a_winning_move_is_not_won_before_it_is_confirmed(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    table.play("b3", "c4,k5", "g2,h7", "d8,r10")
    table.one.answers(table.one_mail, "submit a7,v6")
    shown = table.one.hears()
    assert "The game would then be over, won by ann3." in shown.text
    assert "rated" not in shown.text
    assert "You won" not in shown.text
    assert "ann3 won" not in shown.text
    table.one.answers(shown, "confirm")
    table.hear()
    assert "\nann3 won. ann3 played A7,V6.\n" in table.other_mail.text


def test_a_decision_of_another_is_shown_beforehand_in_mamba(shared: GameServer) -> None:
    table = mamba(shared, "ann4", "bob4")
    table.play(*OPENINGS[2][:-1])
    table.answer(0, f"submit {OPENINGS[2][-1]} pass")
    shown = table.people[0].hears()
    assert "It would then be bob4's turn. B (bob4) has 5 pieces in a row on" in shown.words
    assert "Your line was played up to a decision of bob4. The rest was not played: pass" in shown.words
    assert "Send the rest again when it's your turn, if you still want it." in shown.words
    table.people[0].answers(shown, "confirm")
    table.hear()
    assert table.mails[1].subject == f"mamba Board {table.number} bob4"


def test_nobody_else_sees_what_was_submitted(shared: GameServer) -> None:
    table = begin(shared, "ann5", "bob5")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "submit g2,h7")
    table.one.hears()
    for line in ("show {n}", "show {n} bob5 secret", "showas bob5 secret {n}", "mailed {n}", "games ann5"):
        table.other.says(line.format(n=table.number))
        heard = table.other.hears()
        assert "H7" not in heard.text.upper()
        assert "submitted" not in heard.text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("submit {n} bob6 secret c4,k5", ", not yours."),
        ("submit {n} ann6 secret", "command is missing"),
        ("submit {n} ann6 secret zz", "zz"),
        ("submit {n} ann6 secret b3#2", "the next move on board {n} is number 1"),
        ("confirm {n} ann6 secret", "You have no submitted move to confirm"),
        ("confirm {n} ann6 secret b3", "complete before word"),
        ("confirm {n} ann6 wrong", "do not match"),
    ],
)
def test_refusals(shared: GameServer, line: str, why: str) -> None:
    if not _boards:
        _boards.append(begin(shared, "ann6", "bob6").number)
    person = shared.person("ann6" if "ann6" in line else "bob6")
    person.says(line.format(n=_boards[0]))
    refused = person.hears()
    assert why.format(n=_boards[0]) in refused.words
    assert "Nothing has changed." in refused.text
    assert (form(line.split()[0]) in refused.text) is ("#2" not in line)  # there the form was right
    assert "secret" not in refused.text


_boards: list[str] = []
