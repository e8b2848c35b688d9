"""Decisions by mail: who is asked what and why, how they answer, and what the others hear of it."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from pbem.domain.events import EventKind
from pbem.domain.players import Player
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.usecases.follow_ups import LeftOverInput
from pbem.wording.layout import WIDTH
from pbem.wording.mails import RenderedMail
from tests.games.mamba.playing import after, placed
from tests.wording.mamba import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    mail,
    mail_about,
    position_of,
    seated,
    sentences,
    with_lines,
)
from tests.wording.sample_mails import AT, MailHtml, body_of, html_of

OWN = after(placed("A: b4 c4 d6 a8 a6 c8 B: e4 f4 h1 h7 i9 g9 e9"), "move d6-d4")
"""The player on turn has an alignment of five."""

OTHERS = after(
    placed("A: b6 b8 d8 f6 a2 B: c4 d4 f4 g4 h1 h8 e6 C: e3 e2 i3 i5 i7 g9", on_turn="C", players=3), "move e3-e4"
)
"""A move of carol's has made an alignment of five of bob's."""


def waiting(kind: str, players: int) -> Position:
    """A position of a game drawn by lot that waits for such a decision."""
    lot = random.Random(players)
    position = MAMBA.begin({}, players)
    while position.pending is None or position.pending.choice.kind != kind:
        position = MAMBA.begin({}, players) if position.outcome else position.play(lot.choice(position.legal()))
    return position


def test_who_must_decide_is_named_in_the_subject_and_the_status() -> None:
    for reader in (ALICE, BOB, CAROL, None):
        words = mail_about(OTHERS, reader)
        assert words.subject == "mamba Board 101 bob"
        begins = "You have" if reader is BOB else "bob has"
        goes_on = "Then your turn goes on." if reader is CAROL else "Then carol's turn goes on."
        assert words.body.partition("\n\n")[2].startswith(f"{begins} to decide.\n")
        has = "You have" if reader is BOB else "B (bob) has"
        assert (
            f"{has} 5 pieces in a row on row 4 (c4 d4 e4 f4 g4). At most 4 may stay, so one end is cut. {goes_on}"
        ) in sentences(words)
        assert ("\nThe answers:  cut c4, cut g4\n" in words.body) is (reader is not BOB), "bob finds them below"


@pytest.mark.parametrize(("position", "reader"), [(OWN, ALICE), (OTHERS, BOB)], ids=["own", "another's"])
def test_who_decides_hears_what_each_answer_does(position: Position, reader: Player) -> None:
    words = mail_about(position, reader)
    assert "\nYou have to decide.\n" in words.body
    assert ("Then carol's turn goes on." in words.body) is (position is OTHERS)
    assert "\nChoose which end is cut. You can answer:\n" in words.body
    first, last = ("b4", "f4") if position is OWN else ("c4", "g4")
    assert f"\n  - cut {first}   takes {first} off row 4\n  - cut {last}   takes {last} off row 4\n" in words.body
    assert f"\nAnswer this mail with one of them, for example:  cut {first}\n" in words.body
    assert f"\nTo move in a new mail:  mamba move 101 {reader.userid} <password> cut {first}\n" in words.body
    assert "can move to" not in words.body


def test_who_waits_is_asked_for_nothing() -> None:
    for reader in (ALICE, CAROL, None):
        words = mail_about(OTHERS, reader)
        assert "nswer this mail" not in words.body
        assert answer_links(words) == []


def answer_links(words: RenderedMail) -> list[str]:
    """All links but those to pages of the help."""
    return [each for each in MailHtml(html_of(words)).links if "subject=help%20" not in each]


@pytest.mark.parametrize("position", [OWN, OTHERS], ids=["own", "another's"])
def test_every_answer_is_a_link_that_is_accepted(position: Position) -> None:
    words = mail_about(position, ALICE if position is OWN else BOB)
    bodies = [body_of(link) for link in answer_links(words)]
    assert position.decision is not None
    assert tuple(bodies) == position.decision.options
    for body in bodies:
        assert MAMBA.read_input(position, body).position.pending is None


def test_without_a_reply_address_the_answers_are_words_alone() -> None:
    words = mail_about(OTHERS, BOB, reply_to=None)
    assert answer_links(words) == []
    assert "Send me one of them, for example:\n\n    mamba move 101 bob <password> cut c4\n" in words.body
    assert "<strong>cut c4</strong> takes c4 off row 4" in html_of(words)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_which_piece_is_treated_next_is_told_with_the_reasons(players: int) -> None:
    position = waiting("turn", players)
    reader = (ALICE, BOB, CAROL, DAVE)[position.on_turn]
    words, decision = mail_about(position, reader), position.decision
    assert decision is not None
    assert "\nYou have to decide.\n" in words.body
    assert "can turn; you choose which is treated next." in sentences(words)
    other = BOB if reader is ALICE else ALICE
    side = f"{'ABCD'[position.on_turn]} ({reader.userid})"
    for told in (mail_about(position, other), mail_about(position, None)):
        assert f"can turn; {side} chooses which is treated next." in sentences(told)
    assert "\nChoose which piece is treated next. You can answer:\n" in words.body
    assert "Then " not in words.body
    for option in decision.options:
        cell = option.removeprefix("turn ")
        owner = position.squares[position.rules.grid.by_name[cell]]
        reason = rf"- {option} {owner}'s {cell} can turn to [A-D] \(\d against \d on (row|column) \w+\)"
        assert re.search(reason, sentences(words))
    assert max(map(len, words.body.split("\n"))) <= WIDTH


def test_a_cut_of_two_pieces_names_both() -> None:
    longer = after(placed("A: b4 c4 d6 e4 f4 g4 a8 B: h1 h7 i9 g9 e9"), "move d6-d4")
    words = mail_about(longer)
    for reader, has in ((ALICE, "You have"), (BOB, "A (alice) has"), (None, "A (alice) has")):
        said = f"{has} 6 pieces in a row on row 4 (b4 c4 d4 e4 f4 g4)."
        assert said in sentences(mail_about(longer, reader))
    assert "\n  - cut b4-c4  takes b4 and c4 off row 4\n  - cut g4-f4  takes g4 and f4 off row 4\n" in words.body


def test_two_alignments_that_are_too_long_are_both_told() -> None:
    both = after(placed("A: a4 b4 c4 d4 e1 e2 e3 e5 f4 B: h1 h7 i9 g9 c9"), "move f4-e4")
    words = mail_about(both)
    for reader, has in ((ALICE, "You have"), (BOB, "A (alice) has"), (None, "A (alice) has")):
        assert (
            f"{has} 5 pieces in a row on column e (e1 e2 e3 e4 e5). {has} 5 pieces in a row on row 4"
            " (a4 b4 c4 d4 e4). At most 4 may stay in a row, so one end is cut; what is then still too long is cut"
            " after that."
        ) in sentences(mail_about(both, reader))
    cuts = re.findall(r"(?m)^  - (cut \w+) +takes \w+ off (\w+ \w)$", words.body)
    assert cuts == [("cut e1", "column e"), ("cut a4", "row 4"), ("cut e4", "row 4"), ("cut e5", "column e")]


def test_what_could_not_be_found_out_is_said() -> None:
    assert OTHERS.pending is not None
    uncertain = replace(OTHERS, pending=replace(OTHERS.pending, certain=False))
    assert "(The answers may all lead to the same result; there is too much to look through.)" in sentences(
        mail_about(uncertain, BOB)
    )
    assert "same result" not in mail_about(OTHERS, BOB).body


def test_what_was_left_over_is_told_to_who_has_sent_it() -> None:
    told = sentences(mail_about(OTHERS, CAROL, more={"left_over": LeftOverInput("move a1-a2 pass", 2, 1)}))
    assert (
        "Your line was played up to a decision of bob. The rest was not played: move a1-a2 pass"
        " Send the rest again when it's your turn, if you still want it."
    ) in told
    for more in ({}, {"left_over": None}):
        assert "Your line" not in mail_about(OTHERS, CAROL, more=more).body


def test_a_long_line_that_was_left_over_is_one_command() -> None:
    left_over = " ".join(f"lay b2>{column}{row}" for row in range(1, 4) for column in "abcde") + " move e5-e7"
    words = mail_about(OTHERS, CAROL, more={"left_over": LeftOverInput(left_over, 2, 1)})
    (said,) = re.findall(r"\n((?:    lay.*\n)+)", words.body)
    assert max(map(len, said.split("\n"))) <= WIDTH
    assert " ".join(said.split()) == left_over
    assert html_of(words).count("<pre") == 1


WAITS = ("move c4-e4", "move d8-c9", "move i6-i5", "lay e4>f4")
"""The first of three has laid, and may go on when the third has said which piece is cut off."""


def left(over: bool) -> str:
    """The mail to the mover when the third has resigned instead, and perhaps the second, who is next."""
    board = with_lines(seated(3, "inorder"), *WAITS)
    assert position_of(board).to_act == 2
    resigned = board.with_event(EventKind.RESIGNATION, 2, AT)
    if over:
        resigned = resigned.with_event(EventKind.RESIGNATION, 1, AT)
    return sentences(mail(resigned, ALICE, more={"left_over": LeftOverInput("pass", 0, 2)}))


def test_what_was_left_over_may_be_sent_again_at_once_if_who_had_to_decide_has_resigned() -> None:
    assert (
        "Your line was played up to a decision of carol, who has resigned instead. The rest was not played: pass"
        " It's your turn again: send the rest now if you still want it. Move 4, so far:"
    ) in left(over=False)


def test_what_was_left_over_is_not_to_be_sent_again_after_the_end() -> None:
    assert "carol, who has resigned instead. The rest was not played: pass Move 4:" in left(over=True)


def test_who_has_to_decide_for_another_seat_of_his_own_hears_for_which() -> None:
    board = with_lines(seated(3, "inorder"), *WAITS)
    own = replace(board, seats=(*board.seats[:2], board.seats[0]))
    words = sentences(mail(own, ALICE, more={"left_over": LeftOverInput("pass", 0, 2)}))
    assert "You have to decide. You sent: lay e4>f4. C (alice) has 5 pieces in a row" in words
    assert "Then your turn goes on." in words
    assert "For C, choose which end is cut. You can answer:" in words
    assert "For C, choose which end is cut. You can answer:" in words
    assert "Your line was played up to a decision that is yours. The rest was not played: pass" in words
    assert "Send the rest again when it's your turn for A, if you still want it." in words
    other = sentences(mail(own, BOB))
    assert "alice has to decide." in other
    assert "hoose" not in other


def test_whose_turn_it_was_is_not_named_when_he_has_left() -> None:
    gone = replace(OTHERS, playing=(0, 1))
    for reader, told in (
        (BOB, "You have to decide. You have 5 pieces"),
        (ALICE, "bob has to decide. B (bob) has 5 pieces"),
    ):
        words = sentences(mail_about(gone, reader))
        assert told in words
        assert "turn goes on" not in words
