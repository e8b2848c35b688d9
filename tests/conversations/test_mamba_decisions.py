"""Decisions of Mamba by mail: who is asked, who may answer, and what comes of it when things go wrong meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from tests.conversations.mamba import ANSWERS, MOVERS, OPENINGS, OWNERS, Round, begin, begin_with_decision
from tests.conversations.playing import played
from tests.diagrams.mamba.boards import read
from tests.support.mail import Person
from tests.support.server import GameServer, RunningServer

Say: TypeAlias = Callable[[Person, Round], None]


NAMES = ("ann", "ben", "cleo", "dora")


def names(mark: str, players: int) -> tuple[str, ...]:
    """Userids of a test's own."""
    return tuple(f"{name}{mark}" for name in NAMES[:players])


def after(*lines: str) -> Position:
    position = MAMBA.begin({}, 2)
    for line in lines:
        position = MAMBA.read_input(position, line).position
    return position


def by_reply(owner: Person, table: Round) -> None:
    owner.answers(table.mails[table.people.index(owner)], "cut e4.\n\nSorry!")


def by_reply_subject(owner: Person, table: Round) -> None:
    owner.says("Re: cut e4", "Sorry!", to=table.mails[table.people.index(owner)].reply_to)


def by_password(owner: Person, table: Round) -> None:
    userid = owner.address.partition("@")[0]
    owner.says(f"mamba move {table.number} {userid} secret cut e4", "Sorry!")


def by_confirmed_from(owner: Person, table: Round) -> None:
    owner.says("", f"move {table.number} cut e4\nSorry!")
    question = owner.hears()
    assert question.subject.startswith("Please confirm, ")
    assert f"    move {table.number} cut e4\n" in question.text
    owner.answers(question, "yes")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_owner_alone_is_asked_and_all_are_told_whose_decision_it_is(shared: GameServer, players: int) -> None:
    table = begin_with_decision(shared, *names(f"o{players}", players))
    owner, mover = OWNERS[players], MOVERS[players]
    answers = ANSWERS[players]
    for seat, mail in enumerate(table.mails):
        assert mail.subject == f"mamba Board {table.number} {table.userids[owner]}"
        decides = "You have" if seat == owner else f"{table.userids[owner]} has"
        assert f"\n\n{decides} to decide." in mail.text
        has = "You have" if seat == owner else f"{'ABCD'[owner]} ({table.userids[owner]}) has"
        assert f"{has} 5 pieces in a row on" in mail.words
        assert "At most 4 may stay, so one end is cut." in mail.words
        movers = "your" if seat == mover else f"{table.userids[mover]}'s"
        assert f"\nThen {movers} turn goes on.\n" in mail.text
        assert (f"\nThe answers:  {answers[0]}, {answers[1]}\n" in mail.text) == (seat != owner)
        assert ("\nChoose which end is cut. You can answer:\n" in mail.text) == (seat == owner)
        assert ", not yours." not in mail.words
        assert ("body=" + answers[0].replace(" ", "%20") in mail.html) == (seat == owner)
        decides = "You have to decide" if seat == owner else f"{table.userids[owner]} has to decide"
        assert f"{decides}</h1>" in mail.html
        assert f"{decides}." not in mail.html
    table.play(answers[1])
    cut = answers[1].split()[1]
    for mail in table.mails:
        assert f"{cut} is cut off." in mail.words
    goes_on = mover if players < 4 else 2
    assert table.to_act == goes_on
    for seat, mail in enumerate(table.mails):
        assert (f"{table.userids[seat]} <password> " in mail.text) == (seat == goes_on)


@pytest.mark.parametrize(
    ("mark", "say"), [("a", by_reply), ("b", by_reply_subject), ("c", by_password), ("d", by_confirmed_from)]
)
def test_the_answer_may_come_in_every_form_of_a_command_with_a_comment_for_all(
    shared: GameServer, mark: str, say: Say
) -> None:
    table = begin_with_decision(shared, *names(f"f{mark}", 4))
    say(table.people[3], table)
    table.hear()
    for seat, mail in enumerate(table.mails):
        assert mail.subject == f"mamba Board {table.number} {table.userids[2]} **"
        writer = "You wrote" if seat == 3 else f"{table.userids[3]} writes"
        assert f"\n{writer}:\n\n  Sorry!\n" in mail.text
        assert "e4 is cut off." in mail.words


@pytest.mark.parametrize("players", [2, 3])
def test_what_stood_behind_another_s_decision_is_told_back_to_the_mover_alone(shared: GameServer, players: int) -> None:
    table = begin(shared, *names(f"l{players}", players))
    *before, last = OPENINGS[players]
    table.play(*before, f"{last} Lay a1>a2, PASS\n\nHere we go.")
    mover = MOVERS[players]
    assert "    lay a1>a2 pass\n" in table.mails[mover].text
    left_over = f"Your line was played up to a decision of {table.userids[OWNERS[players]]}. The rest was not played:"
    assert left_over in table.mails[mover].words
    for mail in table.others(mover):
        assert "a1" not in mail.text.partition("\n   a  b  c")[0]
        assert "lay a1" not in mail.text
        assert "pass\n" not in mail.text
        assert "was not played" not in mail.words
    table.play(ANSWERS[players][0])
    assert table.to_act == mover
    for mail in table.mails:
        assert "lay a1>a2" not in mail.text
    table.play("pass")
    assert table.to_act == 1


def test_if_who_had_to_decide_resigns_instead_the_mover_is_told_to_go_on_now(shared: GameServer) -> None:
    table = begin(shared, *names("j", 3))
    *before, last = OPENINGS[3]
    table.play(*before)
    table.answer(2, "resign")
    table.people[2].hears()
    table.play(f"{last} pass")
    assert table.to_act == 0
    words = table.mails[0].words
    cleo = table.userids[2]
    left_over = f"Your line was played up to a decision of {cleo}, who has resigned instead. The rest was not played:"
    assert f"{left_over} pass It's your turn again: send the rest now if you still want it." in words
    assert "when it's your turn" not in words
    table.answer(1, "resign")
    table.people[1].hears()
    table.play("pass")
    assert "\n\nYou won!" in table.mails[0].text
    assert all(f"\n\n{table.userids[0]} won." in mail.text for mail in table.others(0))


def test_who_has_just_moved_reads_his_own_move_too_when_the_next_resigns_behind_it(shared: GameServer) -> None:
    table = begin(shared, *names("v", 3))
    *before, last = OPENINGS[3]
    table.play(*before)
    table.answer(1, "resign")
    table.people[1].hears()
    table.play(last, "cut i4", "move b4-b3")
    for seat, mail in enumerate(table.mails):
        mover = "You" if seat == 0 else f"A ({table.userids[0]})"
        assert f"{mover} moved b4 to b3." in mail.words
        left = "You have" if seat == 1 else f"B ({table.userids[1]}) has"
        assert f"{left} left the game; off the board: " in mail.words
    assert "\nMove 3:\n" not in table.mails[0].text


def test_lines_that_a_mail_program_has_broken_are_one_turn(shared: GameServer) -> None:
    table = begin(shared, *names("w", 2))
    table.play("move f3-f5", "move d9-c8", "lay f5>e4\nmove\nd3-c2\n\nHa!")
    assert table.to_act == 1
    for mail, writer in zip(table.mails, ("You wrote", f"{table.userids[0]} writes"), strict=True):
        assert f"\n{writer}:\n\n  Ha!\n" in mail.text
        assert read(mail.text).squares == after("move f3-f5", "move d9-c8", "lay f5>e4 move d3-c2").squares


def test_no_other_player_can_answer(shared: GameServer) -> None:
    """Neither the mover nor a third, by their own address, the owner's reply address, or another's password."""
    other = shared.player("otherx")
    table = begin_with_decision(shared, *names("x", 4))
    before, owner, sender = played(shared), table.people[3], table.userids
    waits = f"It's not your move on board {table.number} yet: {sender[3]} has to decide something first"
    for seat in (0, 1, 2):
        cheat = table.people[seat]
        for body in ("cut e4", "cut i4", "pass"):
            table.answer(seat, body)
            refusal = cheat.hears()
            assert refusal.subject == f"mamba Board {table.number} Error"
            assert f"{waits}, by cut e4 or cut i4." in refusal.words
            assert f"Summary of mamba Board {table.number}" in refusal.text
            assert "for example" not in refusal.words.lower()
        cheat.answers(table.mails[3], "cut i4")
        assert waits in cheat.hears().words
        cheat.says(f"move {table.number} {sender[seat]} secret cut i4")
        assert waits in cheat.hears().words
        cheat.says(f"move {table.number} {sender[3]} secrets cut i4")
        wrong = cheat.hears()
        assert "do not match" in wrong.words
        assert "for example" not in wrong.words.lower()
    stranger = shared.person("strangerx")
    stranger.answers(table.mails[3], "cut i4")
    assert "I do not know the address that you wrote from" in stranger.hears().words
    other.says(f"move {table.number} otherx secret cut i4")
    told = other.hears()
    assert "do not play on board" in told.words
    assert "The right form:" in told.text
    assert "for example" not in told.words.lower()
    assert played(shared) == before
    assert owner.hears_nothing()
    table.play("cut e4")


def test_with_a_stolen_address_the_owner_is_asked_before_anything_happens(shared: GameServer) -> None:
    """Whoever can write under the owner's address, but has none of their mails."""
    table = begin_with_decision(shared, *names("s", 4))
    before, owner = played(shared), table.people[3]
    for to in (None, table.mails[1].reply_to):
        owner.says("", f"move {table.number} cut i4", to=to)
        assert owner.hears().subject == f"Please confirm, {table.userids[3]}: move on board {table.number}"
    now = played(shared)
    assert {name: now[name] for name in now if name != "confirmations"} == {
        name: before[name] for name in before if name != "confirmations"
    }


def test_an_old_mail_answers_no_decision_and_none_is_answered_twice(shared: GameServer) -> None:
    table = begin(shared, *names("t", 4))
    first = table.mails[3]
    table.play(*OPENINGS[4])
    before, owner, asked = played(shared), table.people[3], table.mails[3]
    owner.answers(first, "cut e4")
    assert "Please look at the board below, and answer this mail." in owner.hears().words
    assert played(shared) == before
    table.play("cut i4")
    after = played(shared)
    for answer in ("cut i4", "cut e4", "pass"):
        owner.answers(asked, answer)
        refusal = owner.hears()
        assert "Your letter answers an older mail" in refusal.words
        assert "Please look at the board below." in refusal.words, "there is nothing to answer now"
        assert f"\n\nIt's {table.userids[2]}'s move." in refusal.text
    owner.says(f"move {table.number} {table.userids[3]} secret cut e4")
    assert f"It's {table.userids[2]}'s move on board" in owner.hears().words
    owner.says(f"move {table.number} {table.userids[3]} secret cut e4#2")
    assert "You wrote that this is move 2, but the next move" in owner.hears().words
    table.people[2].answers(table.mails[2], "cut e4")
    assert "cut e4: there is no question that this could answer." in table.people[2].hears().words
    assert played(shared) == after


def test_two_answers_at_once_are_one(shared: GameServer) -> None:
    table = begin_with_decision(shared, *names("m", 2))
    owner, asked = table.people[1], table.mails[1]
    owner.answers(asked, "cut f5")
    owner.answers(asked, "cut f9")
    table.hear()
    assert all("f5 is cut off." in mail.words for mail in table.mails)
    assert "Your letter answers an older mail" in owner.hears().words
    mover = table.people[0]
    mover.answers(table.mails[0], "move c2-c3")
    mover.answers(table.mails[0], "pass")
    table.hear()
    assert "Your letter answers an older mail" in mover.hears().words
    assert table.to_act == 1


def test_an_answer_plays_nothing_of_the_other_s_turn(shared: GameServer) -> None:
    table = begin_with_decision(shared, *names("n", 2))
    before = played(shared)
    for further in ("pass", "lay c2>c3", "cut f9", "\nmove c2-c3"):
        table.answer(1, f"cut f5 {further}")
        assert f"Step 2, {further.strip()}: the answer is complete before it" in table.people[1].hears().words
    assert played(shared) == before


NO_ANSWERS = {
    "pass": "pass: something has to be decided first, by cut f5 or cut f9.",
    "move b7-b6": "move b7-b6: something has to be decided first, by cut f5 or cut f9.",
    "cut f6": "cut f6: that does not answer the question. Please choose cut f5 or cut f9.",
    "turn f5": "turn f5: that does not answer the question. Please choose cut f5 or cut f9.",
    "cut": '"cut" needs a cell, as in cut e3.',
    "cut f5#4": "You wrote that this is move 4, but the next move",
}


def test_what_is_no_answer_is_refused_with_the_answers(shared: GameServer) -> None:
    table = begin_with_decision(shared, *names("r", 2))
    before = played(shared)
    for answer, words in NO_ANSWERS.items():
        table.answer(1, answer)
        refusal = table.people[1].hears()
        assert words in refusal.words
        assert "Nothing has changed." in refusal.text
        assert f"\nTo move in a new mail:  mamba move {table.number} benr <password> cut f5\n" in refusal.text
        assert read(refusal.text).squares == read(table.mails[1].text).squares
    assert played(shared) == before


def test_after_the_game_nothing_is_decided(shared: GameServer) -> None:
    table = begin_with_decision(shared, *names("g", 2))
    asked = table.mails[1]
    table.play("cut f5", "pass", "pass", "pass")
    table.play("resign")
    over = played(shared)
    for mail in (asked, table.mails[1]):
        table.people[1].answers(mail, "cut f9")
        assert f"Board {table.number} is over" in table.people[1].hears().words
    assert played(shared) == over


def test_all_mails_of_a_board_are_one_thread_for_each(shared: GameServer) -> None:
    table = begin(shared, *names("h", 3))
    roots = [str(mail.parsed["Message-ID"]) for mail in table.mails]
    assert len(set(roots)) == 3
    for line in (*OPENINGS[3], ANSWERS[3][0]):
        table.play(line)
        for root, mail in zip(roots, table.mails, strict=True):
            assert str(mail.parsed["References"]).split()[0] == root


@pytest.mark.parametrize("way", ["stop", "kill"])
def test_a_decision_survives_the_end_of_the_server(running: RunningServer, way: str) -> None:
    table = begin_with_decision(running, *names("k", 3))
    before = played(running)
    getattr(running, way)()
    running.start()
    assert played(running) == before
    table.people[0].says(f"show {table.number}")
    shown = table.people[0].hears()
    assert f"{table.userids[2]} has to decide" in shown.words
    table.answer(0, "pass")
    assert "has to decide something first" in table.people[0].hears().words
    table.play("cut i4")
    assert table.to_act == 0
    getattr(running, way)()
    running.start()
    table.play("pass")
    assert table.to_act == 1
