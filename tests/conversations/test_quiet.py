"""Less mail of a board: by the link in its mails, and by command."""

from __future__ import annotations

import re

import pytest

from tests.conversations.mamba import OPENINGS, Round
from tests.conversations.playing import begin, played
from tests.support.mail import Mail
from tests.support.server import GameServer


def link(mail: Mail) -> str:
    """The address that a mail unsubscribes by."""
    found = re.fullmatch(r"<mailto:(.*)\?subject=unsubscribe>", str(mail.parsed["List-Unsubscribe"]))
    assert found
    return found[1]


@pytest.mark.parametrize("number", range(4))
def test_the_link_only_quietens_the_board_whatever_the_letter_says(shared: GameServer, number: int) -> None:
    subject, body = [
        ("unsubscribe", ""),
        ("resign", "resign"),
        ("Re: superbo Board 101", "b3"),
        ("multiple", "resign 101\nsignup eve secret"),
    ][number]
    table = begin(shared, f"ann-link{number}", f"bob-link{number}")
    moves, seats = (played(shared)[each] for each in ("events", "seats"))
    table.one.says(subject.replace("101", table.number), body.replace("101", table.number), to=link(table.one_mail))
    told = table.one.hears()
    assert "You now get less mail about this board" in told.words
    assert f"subscribe {table.number}" in told.text
    assert told.parsed["List-Unsubscribe"]
    after = played(shared)
    assert after["events"] == moves
    changed = [row for row in after["seats"] if row not in seats]
    assert len(changed) == 1
    assert table.other.hears_nothing()


def test_a_quiet_board_is_heard_of_when_it_is_for_the_player_to_act_and_at_the_end(shared: GameServer) -> None:
    table = begin(shared, "ann-quiet", "bob-quiet")
    table.one.says("unsubscribe", to=link(table.one_mail))
    table.one.hears()
    table.one.answers(table.one_mail, "b3")
    table.hear()  # who has written is answered
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()  # the other is to act
    table.one.answers(table.one_mail, "g2,h7")
    table.hear()
    table.other.says(f"resign {table.number} bob-quiet secret")
    table.hear()
    assert "You won! bob-quiet resigned." in table.one_mail.text


def test_of_three_who_play_only_those_hear_who_want_to(shared: GameServer) -> None:
    ann, ben, cat = (shared.player(f"{name}-three") for name in ("ann", "ben", "cat"))
    ann.says("mamba challenge -inorder ann-three ben-three cat-three")
    table = Round([ann, ben, cat], [person.hears() for person in (ann, ben, cat)])
    cat.says(f"unsubscribe cat-three secret {table.number}")
    cat.hears()
    ann.answers(table.mails[0], OPENINGS[3][0])
    ann.hears()
    turn = ben.hears()
    assert turn.subject == f"mamba Board {table.number} ben-three"
    assert cat.hears_nothing()
    ben.answers(turn, OPENINGS[3][1])
    assert cat.hears().subject == f"mamba Board {table.number} cat-three"
    ann.hears(), ben.hears()
    cat.says(f"sub {table.number} cat-three secret")
    assert f"unsubscribe {table.number}" in cat.hears().text


def test_the_link_works_only_from_an_address_of_its_player(shared: GameServer) -> None:
    table = begin(shared, "ann-from", "bob-from")
    before = played(shared)
    table.other.says("unsubscribe", to=link(table.one_mail))
    refused = table.other.hears()
    assert "This link came in a mail to another address" in refused.words
    assert table.one.address not in refused.text
    assert played(shared) == before


def test_by_command_it_needs_proof_or_an_answer(shared: GameServer) -> None:
    table = begin(shared, "ann-proof", "bob-proof")
    table.one.says(f"unsubscribe {table.number}")
    question = table.one.hears()
    assert question.subject == f"Please confirm, ann-proof: unsubscribe on board {table.number}"
    table.one.answers(question, "yes")
    assert "less mail about this board" in table.one.hears().words
    table.one.answers(table.one_mail, "subscribe")
    assert "You get all mails about this board again." in table.one.hears().words
    table.one.answers(table.one_mail, "subscribe")
    assert "You already get all mails about this board; nothing has changed." in table.one.hears().words


def test_nobody_quietens_a_board_where_he_does_not_play_or_that_is_over(shared: GameServer) -> None:
    table = begin(shared, "ann-over", "bob-over")
    eve = shared.player("eve-over")
    eve.says(f"unsubscribe {table.number} eve-over secret")
    assert f"You do not get the mails of board {table.number}." in eve.hears().words
    table.one.answers(table.one_mail, "resign")
    table.hear()
    table.other.says("unsubscribe", to=link(table.other_mail))
    assert f"Board {table.number} is over" in table.other.hears().words


def test_mails_to_others_than_players_have_no_link(shared: GameServer) -> None:
    table = begin(shared, "ann-show", "bob-show")
    eve = shared.person("eve-show")
    eve.says(f"show {table.number}")
    shown = eve.hears()
    assert shown.parsed["List-Id"]
    assert shown.parsed["List-Unsubscribe"] is None
