"""Plans by mail: replies that are made by themselves, told to their owner alone, and never guessed."""

from __future__ import annotations

import re

import pytest

from tests.conversations.mamba import ANSWERS, OPENINGS
from tests.conversations.mamba import begin as mamba
from tests.conversations.playing import MailBoard, ask, begin, form, userid
from tests.support.server import GameServer

PLAN = "if c4,k5 then g2,h7 (if d8,r10 then a1,f4; else k7,m2)\nif d8,* then a7,v6\nelse k7,m2"
DRAWN = """
    if c4,k5 then g2,h7 (
     if d8,r10 then a1,f4
     else k7,m2)
    if d8,* then a7,v6
    else k7,m2
"""


def planned(server: GameServer, one: str, other: str, plan: str = PLAN) -> MailBoard:
    """A board after its first move, and a plan of its first player."""
    table = begin(server, one, other)
    table.play("b3")
    table.one.answers(table.one_mail, f"plan\n{plan}")
    return table


def test_a_plan_of_three_levels_is_drawn_and_carried_out(by_either_way: GameServer) -> None:
    table = begin(by_either_way, "ann1", "bob1")
    table.play("b3")
    plan = (
        "if c4,k5 then g2,h7 (if d8,r10 then a1,f4 (if e2,aa1 then p2,q1; else k7,m2)\n"
        "else k7,m2)\nelse k7,m2\n\nHello!"
    )
    table.one.answers(table.one_mail, f"plan #2\n{plan}")
    kept = table.one.hears()
    assert kept.subject == f"superbo Board {table.number} bob1"
    assert (
        "I'll make your reply:\n\n    if c4,k5 then g2,h7 (\n     if d8,r10 then a1,f4 (\n      if e2,aa1" in kept.text
    )
    assert "was not passed on" in kept.words
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert table.one_mail.subject == table.other_mail.subject == f"superbo Board {table.number} bob1"
    assert "Your plan has replied with G2,H7. What is left of it:\n\n    if D8,R10 then A1,F4" in table.one_mail.text
    assert "The board before your reply G2,H7:" in table.one_mail.text
    assert "plan" not in table.other_mail.text.replace(f"{table.number}", "")
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert "5. A1,F4" in table.other_mail.text
    assert "What is left of it:\n\n    if E2,AA1 then P2,Q1\n    else k7,m2\n" in table.one_mail.text
    table.other.answers(table.other_mail, "e2,aa1")
    table.hear()
    assert "7. P2,Q1" in table.other_mail.text
    assert "Your plan has replied with P2,Q1, and that was its last move." in table.one_mail.words


def test_a_drawn_plan_can_be_sent_back(shared: GameServer) -> None:
    table = planned(shared, "ann20", "bob20", "else k7,m2")
    table.one.hears()
    drawn = (
        "    if c4,k5 then g2,h7 (\n     if d8,r10 then a1,f4 (\n      if e2,aa1 then p2,q1\n"
        "      else k7,m2)\n"
        "     else k7,m2)\n    if d8,* then a7,v6\n    else k7,m2\n"
    )
    for subject in (f"plan {table.number} ann20 secret", f"superbo plan {table.number} ann20 secret #2"):
        kept = ask(table.one, subject, f"{drawn}\nBye!")
        assert f"I'll make your reply:\n\n{drawn}" in kept.text
    table.one.answers(table.one_mail, drawn)
    assert drawn in table.one.hears().text
    below = "    if g2,h7 then d8,r10 (\n     if a1,f4 then e2,aa1\n     else k7,m2)\n"
    table.other.answers(table.other_mail, f"c4,k5\n{below}\nHi!")
    table.hear()
    assert "Your plan has replied with D8,R10." in table.other_mail.words
    assert "Your plan has replied with E2,AA1, and that was its last move." in table.other_mail.words
    assert "if g2" not in table.one_mail.raw.decode().lower()


def test_the_number_of_the_move_may_stand_before_the_password(shared: GameServer) -> None:
    table = planned(shared, "ann21", "bob21", "else k7,m2")
    table.one.hears()
    head, stranger = f"plan {table.number} #2 ann21 secret", shared.person("eve21")
    for who, line, body in (
        (table.one, f"{head} if c4,k5 then g2,h7", ""),
        (table.one, head, "if c4,k5 then g2,h7\nelse k7,m2"),
        (stranger, f"superbo {head}", "\nif c4,k5 then g2,h7\n"),
        (table.one, f"{head} add if c4,k5 then g2,h7", ""),
    ):
        who.says(line, body)
        told = table.one.hears()
        assert "I'll make your reply:\n\n    if c4,k5 then g2,h7\n" in told.text
        assert "secret" not in told.raw.decode().lower()
    for line, why in (
        (head.replace("#2", "#4"), "the next move on board"),
        (head.replace("secret", "hush"), "do not match"),
        (f"{head} secret", 'A branch begins with "if" or "else".'),
        (head.replace("#2", "#2 #2"), "A branch begins"),
    ):
        refused = ask(table.one, line, "if c4,k5 then g2,h7")
        assert why in refused.words
        assert not {"secret", "hush"} & set(refused.words.lower().replace(",", " ").split())


def test_what_fits_no_branch_ends_the_plan_and_nothing_is_guessed(shared: GameServer) -> None:
    table = planned(shared, "ann2", "bob2", "if c4,k5 then g2,h7")
    table.one.hears()
    table.other.answers(table.other_mail, "d1,c2")
    table.hear()
    assert table.one_mail.subject.endswith(" ann2")
    assert "No branch of your plan fits what was played, so the plan has been dropped:" in table.one_mail.words
    assert "\n    if c4,k5 then g2,h7\n" in table.one_mail.text
    assert "if c4" not in table.other_mail.text
    refused = ask(table.one, f"plan {table.number} ann2 secret")
    assert "You have no plan on board" in refused.words


def test_a_star_is_any_tile_and_else_anything_that_leaves_the_reply_legal(shared: GameServer) -> None:
    table = planned(shared, "ann3", "bob3", "if c4,* then g2,h7; else d1,k7")
    assert "\n    if c4,* then g2,h7\n    else d1,k7\n" in table.one.hears().text
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert "Your plan has replied with g2,h7, and that was its last move." in table.one_mail.words


def test_a_plan_is_shown_replaced_and_dropped(shared: GameServer) -> None:
    table = planned(shared, "ann4", "bob4")
    assert DRAWN in table.one.hears().text
    table.one.says(f"superbo plan {table.number} ann4 secret if c4,k5 then g2,h7 ; else k7,m2")
    assert "It replaces the one that you had before." in table.one.hears().words
    assert (
        "Your plan:\n\n    if c4,k5 then g2,h7\n    else k7,m2\n"
        in ask(table.one, f"plan {table.number} ann4 secret").text
    )
    assert "if c4,k5 then g2,h7\n    else k7,m2\n" in ask(table.one, f"showas ann4 secret {table.number}").text
    table.one.says(f"queue {table.number} ann4 secret k7,m2")
    assert "It replaces your plan." in table.one.hears().words
    table.one.answers(table.one_mail, "if c4,k5 then g2,h7")  # without the word
    assert "    if c4,k5 then g2,h7\n" in table.one.hears().text
    table.one.answers(table.one_mail, "plan add if d1,c2 then a1,f4\nif C4,K5 then g2,h7 (else k7,m2)")
    added = table.one.hears()
    assert "\n    if C4,K5 then g2,h7 (\n     else k7,m2)\n    if d1,c2 then a1,f4\n" in added.text
    assert "replaces" not in added.words
    table.one.answers(table.one_mail, "plan\nif c4,k5 then g2,h7")
    table.one.hears()
    table.one.answers(table.one_mail, "plan cancel")
    assert "Your plan has been dropped; nobody has seen it:\n\n    if c4,k5 then g2,h7\n" in table.one.hears().text
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert table.one_mail.subject.endswith(" ann4")


def test_an_undo_within_a_plan_drops_the_rest(by_either_way: GameServer) -> None:
    table = planned(by_either_way, "ann5", "bob5")
    table.one.hears()
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert "What is left of it:" in table.one_mail.text
    table.other.answers(table.other_mail, "undo")
    table.hear()
    table.one.answers(table.one_mail, "accept")
    table.hear()
    assert "The game has changed, so your plan has been dropped:" in table.one_mail.words
    assert "dropped" not in table.other_mail.words
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert table.one_mail.subject.endswith(" ann5")


def test_a_plan_overtaken_by_the_move_is_refused(by_either_way: GameServer) -> None:
    table = begin(by_either_way, "ann6", "bob6")
    table.play("b3")
    old = table.one_mail
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    table.one.answers(old, f"plan\n{PLAN}")
    assert table.one.hears().subject == f"superbo Board {table.number} Error"
    for line, why in (("#2 else k7,m2", "the next move on board"), ("else k7,m2", "It's your move on board")):
        refused = ask(table.one, f"plan {table.number} ann6 secret {line}")
        assert why in refused.words
        assert "Nothing has changed." in refused.text


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ("if c4,k5 then g2", 'In the branch "if c4,k5 then g2", g2 cannot be played: '),
        ("if c4,c5 then g2,h7", 'In the branch "if c4,c5 then g2,h7", c4,c5 cannot be played: '),
        ("else g2,h7,d8", 'In the branch "else g2,h7,d8", g2,h7,d8 cannot be played: '),
        ("else g2,h7 (if c4,e then d8,r10)", 'In the branch "if c4,e then d8,r10", c4,e cannot be played: '),
        ("if c4,*,* then g2,h7", "c4,*,* cannot be played: No turn can have so many parts there. Put a"),
        ("if c4,k5,d1 then g2,h7", "c4,k5,d1 cannot be played: d1 is one tile too many: a turn of this game"),
        ("if c4,k5 then resign", 'In the branch "if c4,k5 then resign", "resign" is a command and no move. A plan'),
        ("if c4,k5 then g2,h7\nelse Resign.", 'In the branch "else Resign", "resign" is a command and no move.'),
        ("if c4,k5\nthen resign", '"resign" is a command and no move.'),
        ("if resign then c4,k5", 'In the branch "if resign then c4,k5", "resign" is a command and no move.'),
        ("if c4,k5 then g2,h7; else undo!", '"undo" is a command and no move.'),
        ("if c4,k5 g2,h7", 'The plan ends behind a condition: "then" and your reply are missing.'),
        ("if c4,k5 then g2,h7 (else a1", 'A ")" is missing at the end of the plan.'),
        ("else k7,m2; if c4,k5 then g2,h7", 'Behind "else k7,m2" no other branch can count.'),
        ("if c4,k5 then g2,h7 (if z99 then a1,b2)", '"if z99 then a1,b2", z99 cannot be played: there is no space Z'),
        ("else " + "; if c4,k5 then g2,h7" * 3, "A move is missing in front of "),
        ("; ".join(["if c4,k5 then g2,h7"] * 201), "A plan has at most 200 branches"),
    ],
)
def test_what_is_wrong_is_said_with_its_branch_and_nothing_changes(shared: GameServer, plan: str, why: str) -> None:
    if "ann7" not in _boards:
        table = begin(shared, "ann7", "bob7")
        table.play("b3")
        _boards["ann7"] = table.number
    person = shared.person("ann7")
    refused = ask(person, f"superbo plan {_boards['ann7']} ann7 secret", plan)
    assert why in refused.words
    assert "Did you mean" not in refused.words
    assert "Nothing has changed." in refused.text
    assert form("plan", "superbo") in refused.text
    assert "secret" not in refused.text


_boards: dict[str, str] = {}


def test_a_last_branch_added_to_one_with_a_star_stays_last(shared: GameServer) -> None:
    table = planned(shared, "ann41", "bob41", "if c4,* then d1,e4")
    table.one.hears()
    kept = ask(table.one, f"plan {table.number} ann41 secret add", "else d8,r10").text
    assert "\n    if c4,* then d1,e4\n    else d8,r10\n" in kept
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert "Your plan has replied with d1,e4" in table.one_mail.words


def test_a_plan_for_whatever_is_played_is_no_queued_move(shared: GameServer) -> None:
    table = planned(shared, "any1", "any2", "if * then g2,h7")
    assert "Your plan is kept." in table.one.hears().words
    table.one.answers(table.one_mail, "plan add else k7,m2")
    assert "g2,h7" not in table.one.hears().text
    table.one.answers(table.one_mail, "plan\nif * then c5,c5")
    table.one.hears()
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert "The reply of your plan cannot be played here, so the plan has been dropped:" in table.one_mail.words
    table.play("g2,h7")
    table.one.answers(table.one_mail, "if * then a1,f4 (else p2,q1)")
    assert "Your plan is kept." in table.one.hears().words
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert "Your plan has replied with a1,f4. What is left of it: if * then p2,q1" in table.one_mail.words
    table.other.answers(table.other_mail, "e2,aa1")
    table.hear()
    assert "Your plan has replied with p2,q1, and that was its last move." in table.one_mail.words


def test_two_hundred_branches_are_kept_and_carried_out(shared: GameServer) -> None:
    branches = [f"if d8,* then a7,v{state}" for state in range(1, 7)] * 33
    table = planned(shared, "ann8", "bob8", "\n".join(["if c4,k5 then g2,h7", *branches[:198], "else k7,m2"]))
    assert table.one.hears().text.count("\n    if ") == 199
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert "3. G2,H7" in table.other_mail.text


def test_nobody_else_sees_a_plan_and_it_can_be_shared_only_after_the_end(shared: GameServer) -> None:
    table = begin(shared, "ann9", "bob9")
    table.play("b3", "c4,k5", "g2,h7")
    table.one.answers(table.one_mail, "plan\nif d8,r10 then a1,f4 (if e2,aa1 then p2,q1)\nelse k7,m2")
    table.one.hears()
    refused = ask(table.one, f"plan {table.number} ann9 secret share")
    assert "is still on" in refused.words
    assert "The right form" not in refused.words, "it was right"
    watcher = shared.player("eve9")
    for line in (f"show {table.number}", f"export {table.number}", f"mailed {table.number} eve9 secret"):
        assert "p2,q1" not in ask(watcher, line).raw.decode().lower()
    assert "p2,q1" not in ask(table.other, f"showas bob9 secret {table.number}").raw.decode().lower()
    table.other.says(f"resign {table.number} bob9 secret")
    table.hear()
    assert "if d8" not in table.other_mail.text + table.one_mail.text
    assert (
        "    if d8,r10 then a1,f4 (\n     if e2,aa1 then p2,q1)\n    else k7,m2\n"
        in ask(table.one, f"plan {table.number} ann9 secret").text
    )
    assert "You have no plan" in ask(table.other, f"plan {table.number} bob9 secret").words
    table.one.says(f"plan {table.number} ann9 secret share", "Did you see that coming?")
    for person in (table.one, table.other):
        shared_ = person.hears()
        assert shared_.subject == f"superbo chat {table.number} {userid(table.one)}"
        assert "What was left of the plan after move 3:" in shared_.text
        assert " if e2,aa1 then p2,q1)\nelse k7,m2\n\nDid you see that coming?\n" in shared_.text
    none = ask(table.one, f"plan {table.number} ann9 secret share").words
    assert none.startswith("You have no plan"), "all have it"
    assert "The right form" not in none


def test_what_is_left_of_a_plan_at_the_end_can_be_deleted(shared: GameServer) -> None:
    table = begin(shared, "ann42", "bob42")
    table.play("b3", "c4,k5", "g2,h7")
    table.one.answers(table.one_mail, "plan\nif d8,r10 then a1,f4")
    table.one.hears()
    table.other.says(f"resign {table.number} bob42 secret")
    table.hear()
    table.one.says(f"plan {table.number} ann42 secret cancel")
    deleted = table.one.hears()
    assert "What was left of your plan has been dropped:\n\n    if d8,r10 then a1,f4" in deleted.text
    assert "nobody has seen it" not in deleted.words
    assert "You have no plan" in ask(table.one, f"plan {table.number} ann42 secret").words


def test_lines_that_a_mail_program_has_broken_are_joined(shared: GameServer) -> None:
    table = planned(
        shared, "pam1", "pat1", "if c4,k5 then\ng2,h7 (if d8,r10\nthen a1,f4; else\nk7,m2)\nelse\nk7,m2\n\nHello"
    )
    drawn = "    if c4,k5 then g2,h7 (\n     if d8,r10 then a1,f4\n     else k7,m2)\n    else k7,m2\n"
    assert drawn in table.one.hears().text
    table.one.answers(table.one_mail, "if c4,k5 then\ng2,h7\nelse k7,m2\nbye")
    assert "    if c4,k5 then g2,h7\n    else k7,m2\n" in table.one.hears().text


def test_nothing_is_left_of_a_plan_if_no_game_was_played(shared: GameServer) -> None:
    table = planned(shared, "ann19", "bob19")
    table.one.hears()
    table.other.answers(table.other_mail, "resign")
    table.hear()
    assert "You have no plan" in ask(table.one, f"plan {table.number} ann19 secret").words


def test_words_of_other_languages_mean_the_same(shared: GameServer) -> None:
    table = planned(shared, "ann10", "bob10", "wenn c4,k5 dann g2,h7\nsonst k7,m2")
    assert "    if c4,k5 then g2,h7\n    else k7,m2\n" in table.one.hears().text
    table.one.answers(table.one_mail, "plan\nsi c4,k5 alors g2,h7\nsinon k7,m2")
    assert "    if c4,k5 then g2,h7\n    else k7,m2\n" in table.one.hears().text


def test_plans_of_both_players_answer_each_other(shared: GameServer) -> None:
    table = planned(shared, "ann11", "bob11")
    table.one.hears()
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert "3. G2,H7" in table.other_mail.text
    table.one.answers(table.one_mail, "plan\nif d8,r10 then a1,f4")
    table.one.hears()
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert re.search(r"5\. A1,F4", table.other_mail.text)


def test_a_decision_is_answered_by_a_plan_and_the_turn_behind_it_too(shared: GameServer) -> None:
    table = mamba(shared, "ann12", "bob12")
    table.play(*OPENINGS[2][:-1])
    for condition, why in (("pass", ""), (f"{OPENINGS[2][-1]} / {ANSWERS[2][1]}", "it would not be your turn yet")):
        table.answer(1, f"plan\nif {condition} then pass")
        assert why in table.people[1].hears().words
    table.answer(1, f"plan\nif {OPENINGS[2][-1]} then {ANSWERS[2][1]} (if pass then pass)")
    table.people[1].hears()
    table.play(OPENINGS[2][-1])
    assert table.to_act == 0
    assert "What is left of it:\n\n    if pass then pass\n" in table.mails[1].text
    table.play("pass")
    assert table.to_act == 0
    assert "Your plan has replied with pass, and that was its last move." in table.mails[1].words


@pytest.mark.parametrize(
    "line",
    [
        *("cancel plan", "delete my plan", "plan stop", "plan cancle", "drop the plan for board {board}, please"),
        *("remove plan {board}", "delete plan {board} {who} secret", "Plan löschen", "lösche meinen Plan"),
        *("annuler le plan", "supprimer plan {board}", "plan {board} delete", "cancel, please, my plan"),
        *("lösche doch bitte den Plan", "den Plan {board} bitte löschen", "annule s'il te plaît mon plan"),
    ],
)
def test_a_plan_is_cancelled_in_everyday_words(shared: GameServer, line: str) -> None:
    name = f"{re.sub('[^a-z]', '', line)}"[:18]
    table = planned(shared, f"can{name}", f"bob{name}")
    table.one.hears()
    table.one.answers(table.one_mail, line.format(board=table.number, who=userid(table.one)))
    assert "plan" in table.one.hears().words
    assert "You have no plan on board" in ask(table.one, f"plan {table.number} {userid(table.one)} secret").words


def test_a_plan_that_is_cancelled_in_a_new_letter_needs_its_board(shared: GameServer) -> None:
    table = planned(shared, "newcan", "newbob")
    table.one.hears()
    refused = ask(table.one, "delete plan").words
    assert "cancel" not in refused.partition("plan <board>")[0]
    assert "not a board number" not in refused
    assert "if c4,k5" in ask(table.one, f"plan {table.number} newcan secret").text.lower()


def test_an_empty_plan_is_refused_in_words_that_fit_every_game(shared: GameServer) -> None:
    table = begin(shared, "emptya", "emptyb")
    refused = ask(table.other, f"plan {table.number} emptyb secret #2").words
    assert 'A plan needs at least one branch: "if", a move, "then" and your reply.' in refused


@pytest.mark.parametrize(
    "text",
    [
        "Hi Bob,\n\nif c4,k5 then g2,h7\nAnn",
        "Thanks!\nif c4,k5 then g2,h7",
        "Hi Bob, hope you are well.\nplan\nif c4,k5 then g2,h7",
        "Hi,\n\nMy plan:\n\n- if c4,k5 then g2,h7",
        "Hallo Bob,\nwenn c4,k5 dann g2,h7",
        "Plan:\n\n1. if c4,k5 then g2,h7",
        "Bonjour,\nsi c4,k5 alors g2,h7\nMerci !",
    ],
)
def test_a_plan_below_a_greeting_is_kept(shared: GameServer, text: str) -> None:
    name = re.sub("[^a-z]", "", text.lower())[:14]
    table = begin(shared, f"hi{name}", f"ho{name}")
    table.play("b3")
    table.one.answers(table.one_mail, text)
    told = table.one.hears()
    assert "I'll make your reply:\n\n    if c4,k5 then g2,h7\n" in told.text
    assert "nothing has been done" not in told.words


def test_kind_words_behind_the_last_branch_are_no_part_of_the_plan(shared: GameServer) -> None:
    table = begin(shared, "kind1", "kind2")
    table.play("b3")
    for text in (
        *("if c4,k5 then g2,h7. Good luck!", "if c4,k5 then g2,h7, good luck!", "if c4,k5 then g2,h7! See you"),
        *("wenn c4,k5 dann g2,h7. Viel Glück!", "si c4,k5 alors g2,h7 ! Bonne chance !"),
        *("plan if c4,k5 then g2,h7. Thanks!", "Hi Bob,\nif c4,k5 then g2,h7. Cheers"),
    ):
        table.one.answers(table.one_mail, text)
        told = table.one.hears()
        assert "I'll make your reply:\n\n    if c4,k5 then g2,h7\n" in told.text, text
        assert "was not passed on" in told.words


def test_kind_words_between_the_branches_do_not_break_a_plan_in_two(shared: GameServer) -> None:
    table = begin(shared, "kind5", "kind6")
    table.play("b3")
    for text in (
        "if c4,k5 then g2,h7\nGood luck!\nelse k7,m2",
        "if c4,k5 then g2,h7\n\nGood luck!\n\nelse k7,m2\n\nThanks!\nAnn",
        "plan\nHi!\nif c4,k5 then g2,h7\nThanks!\nHave fun!\n- else k7,m2",
        f"plan {table.number} kind5 secret\nif c4,k5 then g2,h7\nGood luck!\nelse k7,m2\nBye",
        "wenn c4,k5 dann g2,h7\nViel Glück!\nsonst k7,m2",
        "si c4,k5 alors g2,h7\nBonne chance !\nsinon k7,m2",
    ):
        table.one.answers(table.one_mail, text)
        told = table.one.hears()
        assert "I'll make your reply:\n\n    if c4,k5 then g2,h7\n    else k7,m2\n" in told.text, text
        assert "was not passed on" in told.words
    table.other.hears_nothing()


def test_of_branches_behind_other_words_that_are_not_clear_no_half_is_kept(shared: GameServer) -> None:
    table = begin(shared, "kind7", "kind8")
    table.play("b3")
    for words in (
        *("I hope that helps.\nelse k7,m2", "Good luck!\nMaybe it is better so:\nif a7,d8 then k7,m2"),
        *("Good luck!\nif they try d8 I want k7,m2", "Good luck!\nelse k7,m2\nThanks!\nif a7,d8 then k7,m2"),
    ):
        table.one.answers(table.one_mail, f"if c4,k5 then g2,h7\n{words}")
        assert "I'll make your reply" not in table.one.hears().words, words
    assert "You have no plan on board" in ask(table.one, f"plan {table.number} kind7 secret").words
    table.other.hears_nothing()


def test_words_behind_the_last_branch_that_may_be_more_of_it_are_not_taken_off(shared: GameServer) -> None:
    table = begin(shared, "kind3", "kind4")
    table.play("b3")
    for words in (
        *(". D8,R10 is good, too", ". Never mind", ". Or pass", ". Then d8", ". Good luck!\nelse k7,m2", ". Swap"),
        *(", a1", ". Unless you play d8"),
    ):
        table.one.answers(table.one_mail, f"if c4,k5 then g2,h7{words}")
        assert "I'll make your reply" not in table.one.hears().words, words
    assert "You have no plan on board" in ask(table.one, f"plan {table.number} kind3 secret").words


def test_a_refused_move_never_claims_that_a_command_was_carried_out(shared: GameServer) -> None:
    table = begin(shared, "ref1", "ref2")
    table.play("b3")
    table.one.answers(table.one_mail, "d8,r10\n\nif a7 then x1\n")
    told = table.one.hears().words
    assert "Nothing has changed." in told
    assert "carried out" not in told


@pytest.mark.parametrize(
    "line",
    [
        *("show plan", "show my plan {board}", "zeige Plan", "montre-moi mon plan", "show me please the plan"),
        *("zeig mir bitte den Plan", "zeig mir den Plan bitte", "montre-moi, s\u2019il vous plaît, le plan !"),
    ],
)
def test_a_plan_is_shown_in_everyday_words(shared: GameServer, line: str) -> None:
    name = re.sub("[^a-z]", "", line)[:20]
    table = planned(shared, f"sho{name}", f"bub{name}")
    table.one.hears()
    table.one.answers(table.one_mail, line.format(board=table.number))
    assert DRAWN.strip("\n") in table.one.hears().text


@pytest.mark.parametrize(
    "line", ["share my plan", "teile meinen Plan", "partage mon plan", "please share the plan for board {board}"]
)
def test_a_plan_is_shared_in_everyday_words(shared: GameServer, line: str) -> None:
    name = re.sub("[^a-z]", "", line.removesuffix("for board {board}"))
    table = begin(shared, f"shr{name}"[:20], f"shb{name}"[:20])
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "g2,h7\nif d8,r10 then a1,f4")
    table.hear()
    table.other.answers(table.other_mail, "resign")
    table.hear()
    table.one.answers(table.one_mail, line.format(board=table.number))
    assert "was left of the plan after move 3:\n\nif d8,r10 then a1,f4" in table.other.hears().text


@pytest.mark.parametrize(
    "line", ["delete plan {board}", "cancel plan {board}", "delete plan", "delete plan for board {board} right now"]
)
def test_who_ends_a_plan_in_a_letter_of_its_own_is_never_offered_to_leave(shared: GameServer, line: str) -> None:
    name = re.sub("[^a-z]", "", line)
    table = planned(shared, f"del{name}"[:20], f"dob{name}"[:20])
    table.one.hears()
    told = ask(table.one, line.format(board=table.number)).words
    assert "signoff" not in told
    assert "plan" in told


def test_the_piece_of_a_condition_is_told_to_be_of_a_side_and_not_of_the_reader(shared: GameServer) -> None:
    table = mamba(shared, "pim4", "pit4")
    table.answer(1, "if move d7-d5 then pass")
    assert "the piece on d7 belongs to B, but it is A's turn." in table.people[1].hears().words


def test_a_plan_in_a_game_of_three_names_the_moves_of_both_others(shared: GameServer) -> None:
    table = mamba(shared, "ann14", "bob14", "cat14")
    table.answer(2, "plan\nif pass / pass then move i6-i5\nelse pass")
    table.people[2].hears()
    table.play("pass")
    assert table.to_act == 1
    table.play("pass")
    assert "Your plan has replied with move i6-i5" in table.mails[2].words
    assert table.to_act == 0


def test_branches_are_added_after_one_of_the_others_has_moved(shared: GameServer) -> None:
    table = mamba(shared, "pam2", "pat2", "pip2")
    table.answer(2, "plan\nif pass / move d8-c9 then pass")
    table.people[2].hears()
    table.play("pass")
    table.answer(2, "plan add if pass then move i6-i5")
    kept = table.people[2].hears()
    assert "    if pass / move d8-c9 then pass\n    if pass / pass then move i6-i5\n" in kept.text
    assert "replaces" not in kept.words
    table.play("pass")
    assert "Your plan has replied with move i6-i5" in table.mails[2].words


def test_a_reply_may_go_on_below_its_branch(shared: GameServer) -> None:
    table = mamba(shared, "pam3", "pat3")
    table.play("move f3-f5")
    table.answer(0, "plan\nif move d9-c8 then\nlay f5>e4\nmove d3-c2\nelse pass")
    assert "\n    if move d9-c8 then lay f5>e4 move d3-c2\n    else pass\n" in table.people[0].hears().text
    table.play("move d9-c8")
    assert "Your plan has replied with lay f5>e4 move d3-c2" in table.mails[0].words


def test_branches_below_a_move_are_planned_and_never_passed_on(shared: GameServer) -> None:
    table = begin(shared, "ann15", "bob15")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "g2,h7\n\nGood luck!\nif d8,r10 then a1,f4\nelse k7,m2\n\nann")
    table.hear()
    assert "Good luck!" in table.other_mail.text
    assert "if d8" not in table.other_mail.raw.decode().lower()
    assert "I'll make your reply:\n\n    if d8,r10 then a1,f4\n    else k7,m2\n" in table.one_mail.text
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert "5. A1,F4" in table.other_mail.text


def test_plans_of_both_players_go_on_from_a_move_and_one_mail_says_all(shared: GameServer) -> None:
    table = begin(shared, "pam7", "pat7")
    table.play("b3", "c4,k5")
    table.other.answers(table.other_mail, "plan\nif g2,h7 then d8,r10 (if a1,f4 then e2,aa1; else k7,m2)")
    table.other.hears()
    table.one.answers(table.one_mail, "g2,h7\nif d8,r10 then a1,f4 (if e2,aa1 then p2,q1)")
    table.hear()
    for mail in (table.one_mail, table.other_mail):
        assert "4. D8,R10" in mail.text
        assert "7. P2,Q1" in mail.text
    assert "Your plan has replied with A1,F4.\n\nYour plan has replied with P2,Q1, and that" in table.one_mail.text
    assert "The board before your reply A1,F4:" in table.one_mail.text
    assert "Your plan has replied with D8,R10.\n\nYour plan has replied with E2,AA1, and that" in table.other_mail.text
    assert "The board before your reply D8,R10:" in table.other_mail.text


@pytest.mark.parametrize(
    ("userid", "plan"),
    [
        ("ida1", "plan if d8,r10 then a1,f4"),
        ("ida2", "plan\nif d8,r10 then a1,f4"),
        ("ida3", "Plan:\n\n- if d8,r10 then a1,f4"),
        ("ida4", "plan #5\nif d8,r10 then a1,f4"),
        ("ida5", "* if d8,r10 then a1,f4"),
        ("ida7", "; if d8,r10 then a1,f4\nElse nothing new."),
        ("ida8", "1. if d8,r10 then a1,f4\nElse I am lost."),
        ("ida6", "plan #5: if d8,r10 then\na1,f4"),
        ("ida12", "plan {board} if d8,r10 then a1,f4"),
        ("ida13", "plan {board} #4 add if d8,r10 then a1,f4"),
        ("ida14", "plan add\nif d8,r10 then a1,f4"),
        ("ida15", "if d8,r10\nthen a1,f4"),
        ("ida16", "plan\nif d8,r10\nthen a1,f4"),
        ("ida17", "(if d8,r10 then a1,f4)"),
        ("ida18", "Here is my plan: if d8,r10 then a1,f4"),
        ("ida20", "plan {board} ida20 secret if d8,r10 then a1,f4"),
        ("ida23", "plan {board} #5 ida23 secret\nif d8,r10 then a1,f4"),
        ("ida24", "plan {board} #5 ida24 secret if d8,r10 then a1,f4"),
        ("ida21", "if d8,r10 then: a1,f4\nelse: k7,m2"),
        ("ida22", "plan {board} ida22 secret\nif d8,r10 then a1,f4\nelse -> k7,m2"),
        ("ida19", "if d8,r10 then a1,f4\nelif d8,* then k7,m2\nelse if *,* then k7,m2"),
    ],
)
def test_however_the_branches_are_announced_below_a_move(shared: GameServer, userid: str, plan: str) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, f"g2,h7\nHi!\n{plan.format(board=table.number)}\n- see you")
    table.hear()
    said = table.other_mail.text.partition("Answer this mail")[0].lower()
    assert "hi!" in said
    assert "- see you" in said
    assert "plan" not in said
    assert "d8" not in said
    assert "    if d8,r10 then a1,f4\n" in table.one_mail.text


@pytest.mark.parametrize(
    ("userid", "plan"),
    [
        ("ivo1", "plan else a1,f4"),
        ("ivo2", "Plan: else a1,f4"),
        ("ivo3", "else a1,f4"),
        ("ivo4", "if *,* then a1,f4"),
        ("ivo5", "if * then a1,f4"),
        ("ivo6", "queue a1,f4#5"),
        ("ivo7", "else: a1,f4"),
        ("ivo8", "else -> a1,f4"),
        ("ivo9", "queue: a1,f4"),
        ("ivo10", "else then a1,f4"),
    ],
)
def test_a_reply_to_any_move_is_made_from_below_a_move_and_not_passed_on(
    shared: GameServer, userid: str, plan: str
) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, f"g2,h7\n{plan}")
    table.hear()
    assert "a1,f4" not in table.other_mail.text.partition("Answer this mail")[0].lower()
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert "5. A1,F4" in table.other_mail.text


@pytest.mark.parametrize(
    ("userid", "plan"),
    [
        ("uli1", "plan if you dare then I win"),
        ("uli2", "queue a1,f4#3"),
        ("uli3", "(if d8,r10 then a1,f4\nelse k7,m2"),
        ("uli4", "plan a1,f4"),
        ("uli7", "plan #9 if d8,r10 then a1,f4"),
        ("uli8", "else resign"),
    ],
)
def test_a_plan_below_a_move_that_cannot_be_kept_is_not_passed_on(shared: GameServer, userid: str, plan: str) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, f"g2,h7\n{plan}")
    table.hear()
    said = table.other_mail.text.partition("Answer this mail")[0].lower()
    assert not {"plan", "dare", "a1,f4"} & set(said.split())
    assert "Your move is made, but I couldn't keep the plan below it." in table.one_mail.words


@pytest.mark.parametrize(
    ("userid", "letter"),
    [
        ("yes1", "I play g2,h7. Not sure though.\nif d8,r10 then a1,f4"),
        ("yes2", "Hi there,\ng2,h7\nif d8,r10 then a1,f4\nOr is it too early?"),
        ("yes3", "g2,h7\nActually, is that wise?\nif d8,r10 then a1,f4"),
        ("yes5", "g2,h7\nActually, is that wise?\nif d8,r10 then a1,f4\nHm.\nif a1,* then k7,m2"),
    ],
)
def test_a_plan_below_a_move_that_is_asked_about_is_kept_with_it(shared: GameServer, userid: str, letter: str) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, letter)
    asked = table.one.hears()
    assert "It comes with a plan. I keep that for you if you agree" in asked.words
    assert "nothing has been done about" not in asked.words
    table.one.answers(asked, "yes")
    table.hear()
    assert "a1,f4" not in table.other_mail.text.partition("Answer this mail")[0].lower()
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert "5. A1,F4" in table.other_mail.text


@pytest.mark.parametrize(
    ("userid", "letter"),
    [
        ("yes8", "I play g2,h7.\nif d8,r10 then a1,f4\nelse k7,m2"),
        ("yes9", "Hi there,\ng2,h7\nif d8,r10 then a1,f4\nBye"),
        ("yes10", "g2,h7, if d8,r10 then a1,f4, else k7,m2"),
        ("yes13", "g2,h7 if d8,r10 then a1,f4; else k7,m2"),
        ("yes18", "g2,h7\nIf they play d8,r10 then a1,f4, otherwise k7,m2."),
        ("yes19", "g2,h7. Wenn sie d8,r10 spielen, dann a1,f4, sonst k7,m2."),
        ("yes20", "g2,h7\nS'ils jouent d8,r10 alors je joue a1,f4, sinon je joue k7,m2."),
        ("yes21", "g2,h7. S'ils jouent d8,r10 alors a1,f4, sinon k7,m2."),
        ("yes22", "g2,h7\nsi d8,r10 alors a1,f4\nBonne chance !\nS'ils jouent d8,* alors je joue k7,m2"),
        ("yes14", "g2,h7. if d8,r10 then a1,f4. Good luck!"),
        ("yes15", "g2,h7\nif d8,r10 then a1,f4. Have fun!\nelse k7,m2. Thanks!"),
    ],
)
def test_a_move_is_not_sought_among_the_branches_below_it(shared: GameServer, userid: str, letter: str) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, letter)
    table.hear()
    assert "3. G2,H7" in table.other_mail.text
    assert "if d8,r10 then a1,f4" in table.one_mail.text
    assert "k7,m2" not in table.other_mail.text.lower()
    assert "a1,f4" not in table.other_mail.text.partition("Answer this mail")[0].lower()


def test_a_question_about_a_move_tells_that_its_text_may_hold_a_plan(shared: GameServer) -> None:
    table = begin(shared, "yes11", "yes11x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "g2,h7\nIf d8,r10, a1,f4")
    assert "It may hold a plan or a private note. If the others are not to read that, answer" in table.one.hears().words
    table.other.hears_nothing()


def test_a_question_about_a_move_tells_that_words_beside_it_may_be_a_plan_that_is_not_kept(shared: GameServer) -> None:
    table = begin(shared, "yes16", "yes16x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "g2,h7. If d8 then z1,z4. Good luck Bob!")
    asked = table.one.hears().words
    assert "Did you mean G2,H7?" in asked
    assert "Your letter may hold a plan, too. I can't read it, so I would not keep it." in asked
    table.one.answers(table.one_mail, "I move g2,h7 and am not so sure about that.")
    assert "may hold a plan" not in table.one.hears().words


def test_of_a_move_and_a_plan_in_one_sentence_neither_is_guessed(shared: GameServer) -> None:
    table = begin(shared, "yes17", "yes17x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "I move g2,h7 and if they try d8,r10 then I might a1,f4.")
    assert "Write the move alone on the first line, and anything else below it." in table.one.hears().words
    table.other.hears_nothing()


def test_what_may_be_a_plan_is_led_to_its_form_while_others_are_to_move(shared: GameServer) -> None:
    table = planned(shared, "yes12", "yes12x", "else k7,m2")
    table.one.hears()
    for words in ("if c4,k5, g2,h7", "S'il joue C4,K5, G2,H7", "G2,H7 if C4,K5", "else resign", "if c4,k5 resign"):
        table.one.answers(table.one_mail, words)
        told = table.one.hears().words
        assert 'To plan a reply, write "if", their move, "then" and yours, with no other words' in told
        assert "alone on the first line" not in told
        assert not {'"queue"', '"chat".'} & set(told.split())


def test_a_move_below_a_plan_to_forget_is_offered_where_there_is_none(shared: GameServer) -> None:
    table = begin(shared, "yes7", "yes7x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "Forget the plan!\ng2,h7")
    assert "Did you mean G2,H7?" in table.one.hears().words


def test_a_note_below_a_move_that_is_asked_about_reaches_nobody_else(shared: GameServer) -> None:
    table = begin(shared, "yes6", "yes6x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "I play g2,h7.\nHello!\nif d8,r10 then a1,f4\nnote\nTheir corner is weak.")
    asked = table.one.hears()
    assert "nothing has been done about: note" in asked.words
    table.one.answers(asked, "yes")
    table.hear()
    said = table.other_mail.text.partition("Answer this mail")[0]
    assert "G2,H7" in said
    assert not {"corner", "note", "d8,r10"} & set(said.split())


def test_a_plan_below_a_move_in_a_new_letter_is_kept_when_that_is_confirmed(shared: GameServer) -> None:
    table = begin(shared, "yes4", "yes4x")
    table.play("b3", "c4,k5")
    table.one.says(f"move {table.number} g2,h7", "if d8,r10 then a1,f4\nelse k7,m2")
    asked = table.one.hears()
    assert "It comes with a plan." in asked.words
    assert "comes with a text" not in asked.words
    table.one.answers(asked, "yes")
    table.hear()
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    assert "5. A1,F4" in table.other_mail.text


@pytest.mark.parametrize(
    ("userid", "words"),
    [
        ("eva1", "If you attack, then I am lost."),
        ("eva2", "Si a4 alors tu gagnes"),
        ("eva3", "My plan was good"),
        ("eva5", "Else I am lost"),
        ("eva6", "Note 1: the corner is weak"),
        ("eva7", "No plan survives if you attack"),
    ],
)
def test_words_about_plans_are_passed_on(shared: GameServer, userid: str, words: str) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, f"g2,h7\nHello!\n{words}")
    table.hear()
    assert words in table.other_mail.words


@pytest.mark.parametrize(("userid", "between"), [("uli5", " "), ("uli6", "\n")])
def test_a_plan_for_another_board_below_a_move_is_neither_kept_nor_passed_on(
    shared: GameServer, userid: str, between: str
) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, f"g2,h7\nplan 999999{between}if d8,r10 then a1,f4")
    table.hear()
    assert "d8,r10" not in table.other_mail.text.partition("Answer this mail")[0].lower()
    assert "about: plan 999999" in table.one_mail.words
    assert "You have no plan" in ask(table.one, f"plan {table.number} {userid} secret").words


@pytest.mark.parametrize(
    ("userid", "command", "said"),
    [("una4", "propose", "offer of a draw"), ("una5", "undo", "request to take a move back")],
)
def test_an_offer_that_lapses_with_a_move_is_told_though_a_plan_replies(
    shared: GameServer, userid: str, command: str, said: str
) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3", "c4,k5", "g2,h7")
    table.one.answers(table.one_mail, "plan\nif d8,r10 then a1,f4")
    table.one.hears()
    table.one.says(f"{command} {table.number} {userid} secret")
    table.hear()
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    for mail, whose in ((table.one_mail, "your"), (table.other_mail, f"{userid}'s")):
        assert "5. A1,F4" in mail.text
        assert f"With this move {whose} {said} has lapsed." in mail.words


def test_a_queued_move_below_a_move_is_not_passed_on_either(shared: GameServer) -> None:
    table = begin(shared, "ida9", "ida9x")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "g2,h7\nqueue e2,f3\nBye")
    table.hear()
    assert "e2,f3" not in table.other_mail.text.partition("Answer this mail")[0].lower()
    assert "Your move is queued." in table.one_mail.words


def test_bullets_of_a_plan_are_no_part_of_it(shared: GameServer) -> None:
    table = planned(shared, "ida10", "ida10x", "- if c4,k5 then g2,h7\n- else k7,m2")
    assert "    if c4,k5 then g2,h7\n    else k7,m2\n" in table.one.hears().text


def test_branches_below_a_classic_move_are_planned_too_and_told_if_wrong(shared: GameServer) -> None:
    table = begin(shared, "ann16", "bob16")
    table.play("b3", "c4,k5")
    table.one.says(f"superbo move {table.number} ann16 secret g2,h7", "if d8,r10 then a1")
    table.hear()
    assert "3. G2,H7" in table.other_mail.text
    assert "Your move is made, but I couldn't keep the plan below it. In the branch" in table.one_mail.words
    assert "The right form:" not in table.one_mail.text
    assert "answer this mail with the lines of the plan alone. More about plans: help plan" in table.one_mail.words
    assert 'In the branch "if d8,r10 then a1", a1 cannot be played:' in table.one_mail.words
    assert "In the branch" not in table.other_mail.words
    assert "a1 " not in table.other_mail.text.partition("-----")[0]


def test_a_plan_below_a_resignation_is_not_kept_and_it_is_said(shared: GameServer) -> None:
    table = begin(shared, "ann17c", "bob17c")
    table.play("b3")
    table.one.answers(table.one_mail, "resign\nif c4,k5 then g2,h7")
    told = table.one.hears()
    assert told.words.startswith("I have not kept the plan in your letter. If you still want it, send it again,")
    assert "You will resign as soon as it's your turn." in told.words
    assert "\n\n    if c4,k5 then g2,h7\n\n" in told.text
    assert "multiple" not in told.words


def test_a_plan_that_cannot_be_played_is_told_before_the_board_and_its_form_below_it(shared: GameServer) -> None:
    table = begin(shared, "ann17d", "bob17d")
    table.play("b3")
    table.one.answers(table.one_mail, "if c4,k5 then g1,h1")
    told = table.one.hears().text
    assert told.index("cannot be played") < told.index("Summary of") < told.index("The right form:")


def test_branches_below_a_move_that_is_refused_are_not_planned_and_it_is_said(shared: GameServer) -> None:
    table = begin(shared, "ann17", "bob17")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "z9,h7\nif d8,r10 then a1,f4")
    refused = table.one.hears()
    assert refused.subject == f"superbo Board {table.number} Error"
    assert refused.words.startswith("z9: there is no space Z on the board.")
    assert "I have not kept the plan in your letter, either.\n\n    if d8,r10 then a1,f4\n\n" in refused.text
    assert "multiple" not in refused.words
    assert "You have no plan" in ask(table.one, f"plan {table.number} ann17 secret").words


def test_a_plan_in_a_letter_that_is_refused_is_told_with_a_line_for_each_branch(shared: GameServer) -> None:
    table = begin(shared, "ann17e", "bob17e")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "z9,h7\nwenn d8,r10 dann a1,f4 (wenn j1 dann k2)\nsonst a1,f4")
    told = table.one.hears().text
    assert "\n\n    if d8,r10 then a1,f4 (\n     if j1 then k2)\n    else a1,f4\n\n" in told
    table.one.answers(table.one_mail, "z9,h7\n" + "\n".join(["if d8,r10 then a1,f4", "else k7,m2"] * 9))
    assert max(map(len, table.one.hears().text.partition("Summary of")[0].split("\n"))) <= 78, (
        "though it cannot be read"
    )


@pytest.mark.parametrize(
    ("userid", "line"), [("els1", "else k7,m2"), ("els2", "Sonst k7,m2"), ("els3", "sinon: k7,m2")]
)
def test_an_answer_of_only_a_last_branch_is_a_plan(shared: GameServer, userid: str, line: str) -> None:
    table = begin(shared, userid, f"{userid}x")
    table.play("b3")
    table.one.answers(table.one_mail, line)
    assert "Your move is queued. I'll make it when your turn comes:\n\n    k7,m2\n" in table.one.hears().text
    table.other.answers(table.other_mail, line)
    assert "It's your move on board" in table.other.hears().words, "they have to move before they plan"


def test_a_plan_that_is_sent_with_its_move_once_more_is_led_to_its_lines_alone(shared: GameServer) -> None:
    table = begin(shared, "ann17f", "bob17f")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "g2,h7\nif d8,r10 then a1")
    table.hear()
    assert "I couldn't keep the plan below it." in table.one_mail.words
    table.one.answers(table.one_mail, "g2,h7\nif d8,r10 then a1,f4")
    told = table.one.hears().words
    assert "If this move has been made already, send only the lines of your plan." in told
    assert "To plan a reply" not in told


def test_a_plan_for_a_board_without_opponents_is_refused_as_pointless(shared: GameServer) -> None:
    ann = shared.player("ann17g")
    number = ask(ann, "mambo challenge ann17g ann17g").subject.split()[3]
    refused = ask(ann, f"plan {number} ann17g secret if a1 then b1")
    assert f"You play all sides on board {number}, so there is nobody to whom a plan could reply." in refused.words
    ann.answers(refused, "a1\nif b2 then c4")
    told = ann.hears().words
    assert "I couldn't keep the plan below it. You play all sides" in told
    assert "To send it again" not in told


def test_a_player_who_leaves_leaves_no_plan(shared: GameServer) -> None:
    table = begin(shared, "ida11", "ida11x")
    table.play("b3", "c4,k5", "g2,h7")
    table.one.answers(table.one_mail, "plan\nif d8,r10 then a1,f4")
    table.one.hears()
    table.other.says(f"resign {table.number} ida11x secret")
    table.hear()
    assert "a1,f4" in ask(table.one, f"plan {table.number} ida11 secret").text
    table.one.answers(ask(table.one, "signoff ida11 secret"), "yes")
    table.one.hears()
    plans = f"SELECT plan FROM seats WHERE board_number = {table.number}"  # noqa: S608
    assert set(shared.database.all_rows({"seats": plans})["seats"]) == {(None,)}


def test_a_player_who_leaves_ends_the_plans_of_those_who_play_on(shared: GameServer) -> None:
    table = mamba(shared, "ann85", "bob85", "cat85")
    table.play("pass", "pass", "pass", "pass")
    table.answer(0, "plan\nif * / pass then pass\nelse pass")
    assert "Your plan is kept." in table.people[0].hears().words
    table.play("resign")
    assert table.mails[2].text.startswith(
        f"Summary of mamba Board {table.number}\n\nYour move, cat85. ann85 passed. bob85 resigned.\n"
    )
    assert "It's cat85's move. bob85 resigned." in table.mails[0].words
    assert "It's cat85's move. You resigned." in table.mails[1].words
    assert "The game has changed, so your plan has been dropped: if * / pass then pass" in table.mails[0].words
    assert "your plan" not in table.mails[1].words
    table.play("pass")
    assert "Your move, ann85. cat85 passed." in table.mails[0].words.replace("bob85 resigned. ", "")
    assert "plan" not in table.mails[0].words


def test_a_resignation_that_was_announced_ends_plans_too_and_is_told_behind_the_move(shared: GameServer) -> None:
    table = mamba(shared, "ann86", "bob86", "cat86")
    table.play("pass", "pass", "pass")
    table.answer(1, "resign")
    table.people[1].hears()
    table.answer(2, "plan\nif pass / pass then move i6-i5")
    table.people[2].hears()
    table.play("pass")
    assert "It's cat86's move. You passed. bob86 resigned." in table.mails[0].words
    assert "It's cat86's move. ann86 passed. You resigned." in table.mails[1].words
    assert "Your move, cat86. ann86 passed. bob86 resigned." in table.mails[2].words
    assert "The game has changed, so your plan has been dropped: if pass / pass then move i6-i5" in table.mails[2].words
    none = ask(table.people[2], f"plan {table.number} cat86 secret")
    assert f"You have no plan on board {table.number}" in none.words


def test_a_plan_that_cannot_be_read_is_refused_to_its_writer_who_may_answer_that(shared: GameServer) -> None:
    table = begin(shared, "nea1", "nea2")
    table.play("b3")
    table.one.says(f"plan {table.number} nea1 secret", "if * then b1,c1\nelse t4,u1")
    refused = table.one.hears()
    assert "no other branch can count" in refused.words
    table.one.answers(refused, "plan\nif c4,k5 then g2,h7")
    assert "Your plan is kept." in table.one.hears().words


def test_a_plan_that_cannot_be_read_proves_nothing_without_the_right_password(shared: GameServer) -> None:
    table = begin(shared, "nea3", "nea4")
    table.play("b3")
    table.one.says(f"plan {table.number} nea3 guessed", "if * then b1,c1\nelse t4,u1")
    table.one.answers(table.one.hears(), "plan\nelse t4,u1")
    assert table.one.hears().subject.startswith("Please confirm")


def test_a_branch_with_too_many_stars_is_named(shared: GameServer) -> None:
    table = begin(shared, "nea5", "nea6")
    table.play("b3")
    refused = ask(table.one, f"plan {table.number} nea5 secret if *,*,* then d2,e2")
    assert 'In the branch "if *,*,* then d2,e2", *,*,* cannot be played' in refused.words


def test_the_reason_is_told_why_the_last_branch_could_not_reply(shared: GameServer) -> None:
    table = planned(shared, "nea7", "nea8", "if c4,k5 then g2,h7\nelse a1")
    table.one.hears()
    table.other.answers(table.other_mail, "d1,c2")
    table.hear()
    assert "The reply of your plan cannot be played here, so the plan has been dropped:" in table.one_mail.words
    assert "A1 is only part of a turn" in table.one_mail.words


def test_a_plan_of_more_lines_than_one_may_have_is_refused_as_that(shared: GameServer) -> None:
    table = begin(shared, "nea9", "neb1")
    table.play("b3")
    lines = [
        f"if c4,k5 then g2,h7 (if d8,r10 then a1,f4 (if e2,aa1 then p2,q1; else k7,m{each}))" for each in range(400)
    ]
    table.one.answers(table.one_mail, "\n".join(["plan", *lines]))
    assert "A plan has at most 200 branches" in table.one.hears().words


@pytest.mark.parametrize("plan", ["if d8,r10 then a7,v6", "if * then a1"])
def test_a_plan_below_the_last_move_of_a_game_is_not_said_to_be_kept(shared: GameServer, plan: str) -> None:
    one, other = (f"neb{len(plan)}{each}" for each in "ab")
    table = begin(shared, one, other)
    table.play("b3")
    table.one.answers(table.one_mail, "resign")
    table.one.hears()
    table.other.answers(table.other_mail, f"c4,k5\n{plan}")
    table.hear()
    assert "You won!" in table.other_mail.words
    assert "plan is kept" not in table.other_mail.words
    assert "To send it again" not in table.other_mail.words


def test_half_a_turn_for_all_other_cases_is_kept_and_its_player_told(shared: GameServer) -> None:
    table = planned(shared, "neb3", "neb4", "if c4,k5 then g2,h7\nelse a1")
    assert (
        "a1 is one tile, and a turn has two. It can be made alone only if it ends the game" in table.one.hears().words
    )


def test_a_star_in_a_reply_or_for_part_of_a_tile_is_explained(shared: GameServer) -> None:
    table = begin(shared, "neb5", "neb6")
    table.play("b3")
    for branch in ("if g*,c4 then g2,h7", "if c4,k5 then *,h7"):
        refused = ask(table.one, f"plan {table.number} neb5 secret {branch}")
        assert 'A "*" stands for a whole tile, or alone for any move' in refused.words


def test_who_is_proven_and_asked_sees_their_words_and_their_plan(shared: GameServer) -> None:
    table = begin(shared, "neb7", "neb8")
    table.one.answers(table.one_mail, "b3\nif c4,k5 then g2,h7\nI am not sure yet.")
    asked = table.one.hears()
    assert "\n    if c4,k5 then g2,h7\n" in asked.text
    assert "If you agree, the others get this text:\n\n    I am not sure yet.\n" in asked.text
