"""Finished boards played again, and challenges made so."""

from __future__ import annotations

import pytest

from tests.conversations.playing import MailBoard, ask, begin, played
from tests.support.server import GameServer


def over(server: GameServer, one: str, other: str, options: str = "") -> MailBoard:
    """A board that was played and is over; ``one`` has moved first."""
    people = server.player(one), server.player(other)
    people[0].says(f"superbo challenge {options} {one} {other}")
    mails = people[0].hears(), people[1].hears()
    table = MailBoard(mails[0].subject.split()[3], *people, *mails)
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "resign")
    table.hear()
    return table


def test_the_word_answers_the_mail_about_the_end(shared: GameServer) -> None:
    table = over(shared, "ann-again", "bob-again", "-num_tiles=16 -unrated -nagtime=2 -forfeittime=5")
    assert "For a rematch, answer this mail with:  again" in table.other_mail.text
    table.other.answers(table.other_mail, "Again!\n\nThat was fun.")
    new = table.other.hears(), table.one.hears()
    assert new[0].subject.startswith("New superbo Board ")
    assert new[1].subject.split()[3] != table.number
    assert "num_tiles" in new[1].text
    assert "That was fun." in new[1].words
    table.one.answers(new[1], "b3")  # whoever has moved first does so again
    assert table.one.hears().subject == f"superbo Board {new[1].subject.split()[3]} bob-again"


def test_the_new_board_has_the_same_options_clock_and_rating(shared: GameServer) -> None:
    table = over(shared, "ann-same", "bob-same", "-num_tiles=16 -unrated -nagtime=2 -forfeittime=5")
    ask(table.one, f"again {table.number}")
    table.other.hears()
    query = "SELECT game, options, rated, clock FROM boards ORDER BY number"
    *_, old, new = shared.database.all_rows({"boards": query})["boards"]
    assert old == new
    assert "432000" in str(new)


def test_a_pair_begins_a_pair(shared: GameServer) -> None:
    ann, bob = shared.player("ann-pair"), shared.player("bob-pair")
    ann.says("superbo challenge -pair ann-pair bob-pair")
    first = ann.hears()
    ann.hears(), bob.hears(), bob.hears()
    number = first.subject.split()[3]
    ann.answers(first, "resign")
    ann.hears(), bob.hears()
    ann.says(f"again {number}")
    assert {mail.subject.split()[0] for mail in (ann.hears(), ann.hears(), bob.hears(), bob.hears())} == {"New"}


def test_the_rules_of_challenges_apply(shared: GameServer) -> None:
    table = over(shared, "ann-rules", "bob-rules")
    ask(table.other, "superbo limit bob-rules secret reject")
    assert "bob-rules" in ask(table.one, f"again {table.number}").words
    ask(table.other, "superbo limit bob-rules secret accept")
    ask(table.one, "block ann-rules secret bob-rules")
    assert "You have blocked bob-rules" in ask(table.one, f"again {table.number}").words
    assert table.other.hears_nothing()


def test_only_its_players_begin_a_board_again_and_once_it_is_over(shared: GameServer) -> None:
    table = begin(shared, "ann-who", "bob-who")
    eve = shared.player("eve-who")
    before = len(played(shared)["boards"])
    table.one.answers(table.one_mail, "again")
    assert f"Board {table.number} is still in play" in table.one.hears().words
    table.one.answers(table.one_mail, "resign")
    table.hear()
    assert "You (eve-who) do not play" in ask(eve, f"again {table.number}").words
    assert len(played(shared)["boards"]) == before


@pytest.mark.parametrize("line", ["Again a good move of yours", "again and again"])
def test_sentences_begin_with_the_word_too(shared: GameServer, line: str) -> None:
    table = begin(shared, f"ann-{len(line)}", f"bob-{len(line)}")
    table.one.answers(table.one_mail, f"{line}\nB3")
    assert table.one.hears().subject.startswith(("superbo Board", "Please confirm"))


def test_a_board_of_a_tournament_is_not_played_again(shared: GameServer) -> None:
    people = {userid: shared.player(userid) for userid in ("ann-cup", "bob-cup")}
    ask(people["ann-cup"], "superbo tournament create ann-cup secret cup -roundrobin")
    for userid, person in people.items():
        ask(person, f"superbo tournament join {userid} secret cup")
    people["ann-cup"].says("superbo tournament start ann-cup secret cup")
    heard = people["ann-cup"].hears()
    while not heard.subject.startswith("New superbo Board"):
        heard = people["ann-cup"].hears()
    number = heard.subject.split()[3]
    people["ann-cup"].says(f"resign {number} ann-cup secret")
    heard = people["ann-cup"].hears()
    heard = ask(people["ann-cup"], f"again {number}")
    while "Error" not in heard.subject:
        heard = people["ann-cup"].hears()
    assert "belongs to the tournament cup" in heard.words


def test_the_second_to_answer_again_is_told_of_the_board_that_the_first_has_begun(shared: GameServer) -> None:
    table = begin(shared, "quin", "rosa")
    table.play("b3", "c4,k5")
    table.one.says(f"resign {table.number} quin secret")
    table.hear()
    table.one.answers(table.one_mail, "again")
    begun = table.one.hears().subject.split()[3]
    table.other.hears()
    table.other.answers(table.other_mail, "again")
    assert f"You are already playing board {table.number} again, on board {begun}." in table.other.hears().words
    assert table.one.hears_nothing()
