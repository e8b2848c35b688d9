"""The mails of boards of Mamba: who sits where, what has happened, what stands where, what can be done."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.diagrams.mamba import Picture, png
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState, PlayedInput, follow
from pbem.domain.players import Player
from pbem.games.game import InputText
from pbem.games.mamba import events
from pbem.games.mamba.events import Event
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.squares import grid
from pbem.ids import BoardNumber
from pbem.wording.boards import Shown, example_turn, first_untold, show, viewer
from pbem.wording.layout import WIDTH
from pbem.wording.mamba import MambaShown
from tests.diagrams.mamba.boards import read
from tests.games.mamba.playing import after, placed
from tests.wording.mamba import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    PLAYERS,
    facts,
    mail,
    mail_about,
    played,
    position_of,
    seated,
    sentences,
    with_lines,
)
from tests.wording.sample_mails import AT, REPLY_TO, MailHtml, body_of, html_of

NAMES = grid(9).by_name
KINDS = [(2, ""), (2, "size=11"), (3, "must_move"), (4, "teams"), (4, "rounds=9")]


@pytest.mark.parametrize(("players", "options"), KINDS)
@pytest.mark.parametrize("turns", [0, 1, 9, 33])
def test_text_keeps_its_width_and_html_has_title_news_picture_and_the_last_moves(
    players: int, options: str, turns: int
) -> None:
    board = played(seated(players, options), turns, seed=turns)
    course = follow(board, MAMBA)
    for reader in (*PLAYERS[:players], None):
        words = mail(board, reader, describe="on")
        assert words.body.isascii()
        assert max(map(len, words.body.split("\n"))) <= WIDTH
        html = html_of(words)
        page = MailHtml(html)
        assert page.unstyled == []
        assert len(html) <= 12_288
        before, after = (
            " ".join(unescape(re.sub("<[^>]*>", " ", each)).split())
            for each in html.partition("<body")[2].split("<img ")
        )
        assert re.search(r" (Your move|It's \w+'s move|You won|\w+ won|The game is over)( |$)", before)
        drawn, said = show(course.position), words.body.partition("\n\n")[2]
        status, _, happened = said.partition(f"\n\n{drawn.board}")[0].partition("\n\n")
        status = re.sub(r"^(Your move, \w+\.|It's \w+'s move\.|You won!|\w+ won\.)", "", status)
        rated = "This game was not rated." if course.result else ""
        for told, place in ((status.removesuffix(rated), before), (f"{rated} {happened}", after)):
            assert [word for word in told.split() if re.search(r"\w", word) and word not in place.split()] == []
        listed = re.findall(r" (\d+)\. ", after.partition("Moves:")[2])
        assert listed == [str(each.moveno) for each in course.inputs[-3:]]
        assert drawn.board not in html


def test_a_new_board_says_who_begins_and_that_it_was_drawn() -> None:
    drawn = mail(seated(3, first=1), ALICE, "new_board")
    assert drawn.subject == "New mamba Board 101 bob"
    assert "\nIt's bob's move. bob begins: that was drawn at random.\n" in drawn.body
    assert "this only declines the challenge; the others then begin anew" in sentences(drawn)
    assert "\nYour move, bob. You begin: that was drawn at random.\n" in mail(seated(3, first=1), BOB, "new_board").body
    named = mail(seated(2, "inorder"), ALICE, "new_board")
    assert "\nYour move, alice.\n" in named.body
    assert "drawn" not in named.body
    assert "begin anew" not in named.body


def test_the_list_of_players_has_mark_userid_and_edge() -> None:
    body = mail(seated(3), BOB).body
    assert "\n  - A alice, on the left\n  - B bob (you), at the top\n  - C carol, on the right\n" in body
    teams = mail(seated(4, "teams"), None).body
    assert "\n  - A alice, at the bottom, with C (carol)\n  - B bob, on the left, with D (dave)\n" in teams


def test_the_list_of_players_says_who_is_out_and_why() -> None:
    board = played(seated(4), 9)
    leaving = position_of(board).on_turn
    left = board.with_event(EventKind.FORFEIT, leaving, AT)
    assert re.search(
        rf"\n  - {'ABCD'[leaving]} \w+, (?:at|on) the \w+, out: forfeited the game\n", mail(left, None).body
    )
    resigned = board.with_event(EventKind.RESIGNATION, leaving, AT)
    words = mail(resigned, None)
    assert ", out: resigned\n" in words.body
    assert re.search(rf"- {'ABCD'[leaving]} \(\w+\) has left the game; off the board: [a-i]\d", sentences(words))
    assert "'s move." in words.body
    few = placed("A: a1 a3 a5 a7 B: e5 e7 C: i1 i3 i5 i7", players=3, on_turn="C")
    for reader, who in ((ALICE, "B (bob) is"), (BOB, "You are")):
        out = mail_about(after(few, "move i1-h1"), reader).body
        assert ", out: too few pieces\n" in out
        assert f"\n  - {who} out with 2 pieces; off the board: e5 e7.\n" in out
        assert "B has" not in out


HAPPENED: list[tuple[Event, str]] = [
    (events.Laid(0, NAMES["b2"], NAMES["b3"]), "A (alice) laid a piece: b2>b3."),
    (events.Moved(1, NAMES["e5"], NAMES["e7"]), "B (bob) moved e5 to e7."),
    (events.Passed(2), "C (carol) passed."),
    (
        events.Suffocated(3, NAMES["a1"]),
        "D's a1 suffocated and is off the board: it had no empty cell beside it.",
    ),
    (events.Turned(NAMES["e4"], 1, 0, 3, 2, "4"), "B's e4 turned to A: 3 against 2 on row 4."),
    (events.Turned(NAMES["e4"], 1, 2, 4, 1, "e"), "B's e4 turned to C: 4 against 1 on column e."),
    (
        events.Cut(1, (NAMES["c8"], NAMES["c7"]), 6, "c"),
        "B had 6 in a row on column c, which is too many: c8 and c7 are cut off.",
    ),
    (events.Cut(0, (NAMES["a4"],), 5, "4"), "A had 5 in a row on row 4, which is too many: a4 is cut off."),
    (events.Blocked(NAMES["d4"], 2), "d4 would turn in a circle for ever, so it is blocked and stays C's."),
    (events.Out(1, (NAMES["c1"],)), "B (bob) is out with one piece; off the board: c1."),
    (events.Out(1, ()), "B (bob) is out with no piece left."),
    (events.Out(0, (NAMES["c1"], NAMES["d1"]), left=True), "A (alice) has left the game; off the board: c1 d1."),
    (events.Out(1, (), left=True), "B (bob) has left the game."),
]

HAPPENED_TO_READER: list[tuple[Event, Player, str]] = [
    (events.Laid(0, NAMES["b2"], NAMES["b3"]), ALICE, "You laid a piece: b2>b3."),
    (events.Moved(1, NAMES["e5"], NAMES["e7"]), BOB, "You moved e5 to e7."),
    (events.Passed(2), CAROL, "You passed."),
    (events.Out(1, (NAMES["c1"],)), BOB, "You are out with one piece; off the board: c1."),
    (events.Out(3, (NAMES["c1"], NAMES["d1"])), DAVE, "You are out with 2 pieces; off the board: c1 d1."),
    (events.Out(1, ()), BOB, "You are out with no piece left."),
    (
        events.Out(0, (NAMES["c1"], NAMES["d1"]), left=True),
        ALICE,
        "You have left the game; off the board: c1 d1.",
    ),
    (events.Out(1, (), left=True), BOB, "You have left the game."),
]


@pytest.mark.parametrize(("event", "sentence"), HAPPENED, ids=lambda each: type(each).__name__)
def test_there_is_a_sentence_for_each_event(event: Event, sentence: str) -> None:
    others = [each for each in (BOB, CAROL) if f"({each.userid})" not in sentence]
    for reader in (*others, None):
        assert_event_is_told(event, reader, sentence)


@pytest.mark.parametrize(("event", "reader", "sentence"), HAPPENED_TO_READER)
def test_what_the_reader_did_is_told_as_you(event: Event, reader: Player, sentence: str) -> None:
    assert_event_is_told(event, reader, sentence)


def assert_event_is_told(event: Event, reader: Player | None, sentence: str) -> None:
    told = mail_about(MAMBA.begin({}, 4).with_events(event), reader)
    assert f" Move 1, so far: - {sentence} a b c d e f g h i 9 " in sentences(told)
    assert f'<li style="margin:0 0 4px">{sentence.replace(chr(39), "&#39;").replace(">", "&gt;")}</li>' in html_of(told)


def test_there_is_an_example_of_every_event() -> None:
    assert {type(event) for event, _ in HAPPENED} == set(Event.__args__)


def test_events_are_told_in_the_order_in_which_they_happened() -> None:
    turned = after(placed("A: b4 c4 d6 a8 a6 c8 B: e4 f4 h1 h7 i9 g9 e9"), "move d6-d4", "cut b4")
    for reader, moved in ((ALICE, "You moved d6 to d4"), (BOB, "A (alice) moved d6 to d4")):
        said = re.findall(r"(?m)^  - (.*)\.$", mail_about(turned, reader).body.partition("Move 1:")[2])
        assert said == [
            moved,
            "B's e4 turned to A: 3 against 2 on row 4",
            "B's f4 turned to A: 4 against 1 on row 4",
            "A had 5 in a row on row 4, which is too many: b4 is cut off",
        ]


def test_a_reader_is_told_what_happened_since_his_own_last_input() -> None:
    board = with_lines(seated(3, "inorder"), "move c6-d6", "move d7-c7", "move g6-f6", "move c4-d4", "move c7-b7")
    course = follow(board, MAMBA)
    assert [first_untold(board, course, reader) for reader in (ALICE, BOB, CAROL, DAVE, None)] == [5, 5, 4, 5, 5]
    body = mail(board, CAROL).body
    assert re.findall(r"\nMove (.*):\n", body) == ["4", "5"]
    assert "move c6" not in body.partition("What you can do")[0].partition("Moves:")[0]


def test_who_has_just_moved_is_told_so_too_when_more_has_come_of_it() -> None:
    lines = ("move c4-e4", "move d8-c9", "move i6-i5", "lay e4>f4", "cut i4", "move b4-b3")
    moved = with_lines(seated(3, "inorder"), *lines)
    board = moved.with_event(EventKind.RESIGNATION, 1, AT)
    told = {reader.userid: mail(board, reader, more={"new_input": moved.event_number}) for reader in PLAYERS[:3]}
    for userid, words in told.items():
        mover = "You" if userid == "alice" else "A (alice)"
        assert f"\n  - {mover} moved b4 to b3.\n" in words.body
        left = "You have left" if userid == "bob" else "B (bob) has left"
        assert f"\n  - {left} the game; off the board: " in words.body
        assert re.findall(r"\nMove (.*):\n", words.body)[-2:] == ["4", "5"]
        assert read(words.body) == read(told["alice"].body)
    assert re.findall(r"\nMove (.*):\n", mail(board, ALICE).body) == ["5"]


def test_a_turn_that_goes_on_after_the_reader_s_answer_is_told_again() -> None:
    start = MAMBA.begin({}, 2)
    turns = [PlayedInput(5, 0, InputText("lay b2>b3"), 1), PlayedInput(5, 1, InputText("cut e3"), 2)]
    pending = GameState(replace(start.with_events(events.Laid(0, NAMES["b2"], NAMES["b3"])), ply=4), tuple(turns))
    assert [first_untold(seated(2), pending, reader) for reader in (ALICE, BOB, None)] == [5, 5, 5]
    turns.append(PlayedInput(5, 0, InputText("move a1-a2"), 3))
    ended = GameState(replace(start, ply=5), tuple(turns))
    assert [first_untold(seated(2), ended, reader) for reader in (ALICE, BOB)] == [5, 5]
    turns.append(PlayedInput(6, 1, InputText("pass"), 4))
    later = GameState(replace(start, ply=6), tuple(turns))
    assert [first_untold(seated(2), later, reader) for reader in (ALICE, BOB)] == [6, 6]


def test_a_turn_under_way_says_so() -> None:
    laid = mail_about(after(placed("A: b2 e4 f4 h1 h7 i9 B: a9 c9 a7 g5 i5 g7"), "lay b2>b3")).body
    assert "\nMove 1, so far:\n" in laid
    assert "\nYou have laid pieces; your turn goes on.\n" in laid
    other = mail_about(after(placed("A: b2 e4 f4 h1 h7 i9 B: a9 c9 a7 g5 i5 g7"), "lay b2>b3"), BOB).body
    assert "\nalice has laid pieces and goes on with the turn.\n" in other


def test_that_another_has_left_begins_no_turn() -> None:
    """alice is on turn and has not played when bob leaves."""
    board = with_lines(seated(3, "inorder"), "pass", "pass", "pass").with_event(EventKind.RESIGNATION, 1, AT)
    words = mail(board, ALICE)
    assert "has laid pieces" not in words.body
    assert (MailHtml(html_of(words)).pictures[0]["alt"] or "").startswith("Mamba board 101 after move 3.")
    assert [first_untold(board, follow(board, MAMBA), reader) for reader in (ALICE, None)] == [2, 3]
    begun = mail(seated(3, "inorder").with_event(EventKind.RESIGNATION, 1, AT), ALICE)
    assert "\nYour move, alice. bob resigned.\n" in begun.body


def test_what_has_changed_in_the_turn_is_marked() -> None:
    board = with_lines(seated(2, "inorder"), "move d3-d5", "move d7-c7")
    body = mail(board, ALICE).body
    drawn = read(body)
    assert {name for name, cell in NAMES.items() if cell in drawn.changed} == {"d7", "c7"}
    assert read(mail(seated(2), ALICE).body).changed == frozenset()


def test_the_cells_of_every_player_are_told_in_words() -> None:
    body = mail(seated(2), ALICE).body
    assert "\n  - A has 7: d1 d2 d3 e2 f1 f2 f3 (alice)\n  - B has 7: d7 d8 d9 e8 f7 f8 f9 (bob)\n" in body
    assert "\n26 of the 40 pieces are left in the supply.\nA player left with 4 pieces or fewer after" in body


def test_isolated_pieces_are_named_and_who_has_laid() -> None:
    position = placed("A: b2 e5 h8 a5 a6 B: g3 i1 i2 c9 a9")
    assert "- A has 5: a5 a6 b2 e5 h8 (alice); isolated: b2 e5 h8 - B" in sentences(mail_about(position))
    # the pieces of before stand beside the new one; what it was laid by is not isolated any more
    moved = after(position, "lay e5>e6")
    assert "(alice); isolated: b2 h8 - B" in sentences(mail_about(moved))


def test_an_empty_supply_is_told() -> None:
    full = "A: " + " ".join(f"{column}{row}" for row in (1, 3, 5, 7, 9) for column in "abcdfghi")
    assert "The supply is empty: nothing can be laid until pieces come back." in sentences(mail_about(placed(full)))


def test_a_draw_that_comes_near_is_told() -> None:
    start = MAMBA.begin({}, 3)
    assert "draw." not in mail_about(start).body
    quiet = replace(start, quiet=62)
    assert "For 20 rounds no piece has been laid, taken off or turned; after 30 rounds the game is a draw." in (
        sentences(mail_about(quiet))
    )
    assert "draw." not in mail_about(replace(start, quiet=59)).body
    again = replace(start, stood={(start.squares, 0): 2})
    for reader, who in ((ALICE, "you"), (BOB, "alice"), (None, "alice")):
        assert f"This position has come up twice with {who} to move; the third time the game is a draw." in (
            sentences(mail_about(again, reader))
        )
    rounds = replace(start, rules=replace(start.rules, rounds=20), round=7)
    assert "This is round 7 of 20; after the last one the most pieces win." in sentences(mail_about(rounds))


@pytest.mark.parametrize("size", [9, 11])
def test_the_picture_is_seen_from_the_reader_s_side(size: int) -> None:
    board = played(seated(3, f"size={size}"), 5)
    position = position_of(board)
    changed = read(mail(board, ALICE).body).changed
    assert changed
    for seat, reader in ((0, ALICE), (1, BOB), (2, CAROL), (None, DAVE), (None, None)):
        (picture,) = mail(board, reader).pictures
        shown = Picture(position.squares, size, ("left", "top", "right"), changed, seat)
        assert picture.content == png.draw(shown)


@pytest.mark.parametrize(
    ("reader", "said"),
    [(ALICE, False), (BOB, True), (CAROL, True), (DAVE, True), (None, False)],
    ids=["bottom", "left", "top", "right", "nobody"],
)
def test_a_turned_picture_says_so_in_html_alone(reader: Player | None, said: bool) -> None:
    sentence = "In this picture your side is at the bottom."
    words = mail(seated(4), reader)
    assert (sentence in html_of(words)) is said
    assert sentence not in words.body
    assert sentence not in html_of(mail(seated(4), reader, board="ascii"))


def test_the_picture_is_told_in_words() -> None:
    board = with_lines(seated(2, "inorder"), "move d3-d5")
    (picture,) = MailHtml(html_of(mail(board, ALICE))).pictures
    assert picture["alt"] == (
        "Mamba board 101 after move 1. Last move: move d3-d5. A has 7: d1 d2 d5 e2 f1 f2 f3."
        " B has 7: d7 d8 d9 e8 f7 f8 f9. It's bob's turn."
    )


@pytest.mark.parametrize(
    ("shown", "in_html", "pictures", "drawn"),
    [
        ("both", "both", 1, False),
        ("picture", "both", 1, False),
        ("ascii", "both", 0, True),
        ("both", "html", 1, True),
    ],
)
def test_the_board_is_shown_as_its_reader_wants_it(shown: str, in_html: str, pictures: int, drawn: bool) -> None:
    words = mail(seated(2), ALICE, board=shown, mail=in_html)
    assert len(words.pictures) == pictures
    assert ("7  .  .  .  B" in html_of(words)) is drawn
    assert "7  .  .  .  B" in words.body


def test_who_wants_text_gets_no_html() -> None:
    assert mail(seated(2), ALICE, mail="text").html is None


def test_the_example_is_a_link_that_plays_it() -> None:
    position = placed("A: b2 e5 h8 a5 a6 B: g3 i1 i2 c9 a9")
    words = mail_about(position)
    (link,) = [each for each in MailHtml(html_of(words)).links if "subject=help%20" not in each]
    parts = urlsplit(link)
    assert (parts.scheme, unquote(parts.path)) == ("mailto", REPLY_TO)
    assert parse_qs(parts.query)["subject"] == ["Re: mamba Board 101 alice"]
    assert f"for example:  {body_of(link)}\n" in words.body
    assert MAMBA.read_input(position, body_of(link)).position.ply == 1


@pytest.mark.parametrize("in_html", ["both", "html"])
def test_every_laying_and_move_is_listed_for_who_wants_it(in_html: str) -> None:
    position = placed("A: b2 e5 h8 a5 a6 B: g3 i1 i2 c9 a9")
    words = mail_about(position, legend="on", mail=in_html)
    listed = words.body.partition("What you can do:\n\n")[2].partition("\n\n")[0]
    found = set()
    for cell, way, others in re.findall(r"- (\w\d) can (lay on|move to) ([a-i1-9 \n]*)", listed + "\n"):
        sign = {"lay on": "lay {}>{}", "move to": "move {}-{}"}[way]
        found |= {sign.format(cell, other) for other in others.split()}
    assert found | {"pass"} == {MAMBA.input_text(position, (step,)).move for step in position.legal()}
    assert listed.endswith("\n  - or pass")
    assert ("<li>a5 can move to a3 a4 b4 b5 b6 c5</li>" in html_of(words)) is (in_html == "html")


def test_who_holds_two_seats_looks_from_the_one_that_is_to_act() -> None:
    board = with_lines(seated(3, "inorder"), "move c6-d6")
    both = replace(board, seats=(board.seats[0], board.seats[1], board.seats[1]))
    assert viewer(both, follow(both, MAMBA), BOB) == 1
    later = with_lines(both, "move d7-c7")
    for reader, side in ((BOB, "C"), (ALICE, "")):
        words = mail(later, reader)
        assert ("\nYour move, bob, for C." in words.body) == bool(side)
        assert ("\nIt's bob's move, for C." in words.body) != bool(side)
        assert ("Answer this mail with your move for C, for example:" in words.body) == bool(side)
        assert (MailHtml(html_of(words)).pictures[0]["alt"] or "").endswith("It's bob's turn, for C.")
    assert ", for B" not in mail(both.with_event(EventKind.FORFEIT, 1, AT), BOB).body
    assert viewer(later, follow(later, MAMBA), BOB) == 2
    assert viewer(later, follow(later, MAMBA), ALICE) == 0
    assert viewer(later, follow(later, MAMBA), None) is None


def test_a_reader_who_holds_two_seats_is_told_which_one_played() -> None:
    board = with_lines(seated(3, "inorder"), "move c6-d6", "move d7-c7")
    both = replace(board, seats=(board.seats[0], board.seats[1], board.seats[1]))
    assert "\n  - B (bob) moved d7 to c7.\n" in mail(both, BOB, more={"new_input": both.event_number}).body


def test_what_can_be_done_is_for_who_is_to_act_and_wants_it() -> None:
    board = seated(2, "inorder")
    beginner = {"is_beginner": True}
    assert "can move to" in mail(board, ALICE, legend="on").body
    assert "can move to" in mail(board, ALICE, more=beginner).body
    for words in (mail(board, ALICE), mail(board, ALICE, legend="off", more=beginner)):
        assert "can move to" not in words.body + html_of(words)
    for words in (mail(board, BOB, legend="on"), mail(board, None, more=beginner)):
        assert "can move to" not in words.body + html_of(words)
        assert all("subject=help%20" in each for each in MailHtml(html_of(words)).links)


def test_pass_is_offered_where_it_is_allowed() -> None:
    assert "pass\n" not in mail(seated(2, "must_move inorder"), ALICE, reply_to=REPLY_TO, legend="on").body
    assert "or pass\n" in mail(seated(2, "inorder"), ALICE, reply_to=REPLY_TO, legend="on").body
    laid = after(placed("A: b2 e5 h8 a5 a6 B: g3 i1 i2 c9 a9", must_move=True), "lay b2>b3")
    assert "(you may lay again, or end your turn with a move)" in mail_about(laid).body
    free = after(placed("A: b2 a8 a5 a6 B: g3 i1 i2 c9 a9", players=3), "lay b2>b3")
    assert "(end your turn with a move or pass)" in mail_about(free).body


def test_alignments_are_described_to_who_wants_it() -> None:
    position = placed("A: b2 c2 d2 e2 b3 b4 h9 B: i1 i2 i4 i5 a9 b9")
    words = mail_about(position, describe="on")
    assert "\nAlignments of three pieces or more:\n\n" in words.body
    assert "\n  - A (alice): row 2: b2 c2 d2 e2; column b: b2 b3 b4\n" in words.body
    assert "B (bob): " not in words.body
    assert "Alignments" not in mail_about(position).body


@pytest.mark.parametrize("seed", range(6))
def test_the_example_of_an_input_is_legal_and_ends_nothing_if_it_can(seed: int) -> None:
    lot = random.Random(seed)
    position = MAMBA.begin({}, 2 + seed % 3)
    for _ in range(120):
        if position.outcome is not None:
            break
        played = MAMBA.read_input(position, example_turn(position, MAMBA))
        assert played.left_over == ""
        if position.pending is None and len(position.pieces(position.on_turn)) > 6:
            assert played.position.outcome is None
        position = position.play(lot.choice(position.legal()))


def test_a_shown_board_has_all_its_moves_and_several_have_not_all_of_a_long_game() -> None:
    def shown(turns: int, boards: int = 1) -> str:
        board = played(seated(2), turns)
        each = [replace(board, number=BoardNumber(101 + count)) for count in range(boards)]
        drawn = [facts(one, follow(one, MAMBA), ALICE) | {"past": False} for one in each]
        return mail(board, ALICE, "boards", more={"boards": drawn, "more": False}).body

    for text in (shown(6), shown(100)):
        assert re.search(r"(?m)^Moves:  1\. ", text)
        assert "show 101" not in text
    assert " 100. " in " ".join(shown(100).split())
    assert "The last" not in shown(6, boards=2)
    several = shown(100, boards=2)
    assert len(re.findall(r"(?m)^The last moves:  ", several)) == 2
    assert " 100. " in " ".join(several.split())
    assert not re.search(r"(?<!\d)1\. ", several)
    assert "\nAll moves:  show 101\n" in several
    assert max(map(len, several.split("\n"))) <= WIDTH


def test_who_has_left_stands_in_the_list_where_he_left() -> None:
    start = with_lines(seated(3, "inorder"), "move c6-d6", "move d7-c7", "pass", "pass")
    on_turn = with_lines(start.with_event(EventKind.RESIGNATION, 1, AT), "pass", "pass")
    begun = "1. move c6-d6 2. move d7-c7 3. pass 4. pass"
    assert listed_moves(on_turn) == f"{begun} bob (resigned) 6. pass 7. pass"
    waiting = with_lines(start.with_event(EventKind.FORFEIT, 2, AT), "pass")
    assert listed_moves(waiting) == f"{begun} carol (forfeited) 5. pass"
    ends = start.with_event(EventKind.FORFEIT, 2, AT).with_event(EventKind.RESIGNATION, 1, AT)
    assert listed_moves(ends) == f"{begun} carol (forfeited) bob (resigned)"


def test_who_has_left_stands_in_the_columns_of_programs_where_he_left() -> None:
    start = with_lines(seated(3, "inorder"), "move c6-d6", "move d7-c7", "pass", "pass")
    on_turn = with_lines(start.with_event(EventKind.RESIGNATION, 1, AT), "pass", "pass")
    one = facts(on_turn, follow(on_turn, MAMBA), ALICE) | {"past": False}
    body = mail(on_turn, ALICE, "boards", more={"boards": [one], "more": False}, layout="classic").body
    assert re.findall(r"(?m)^(\d .*)$", body.partition("The moves:")[2].partition("Move ")[0]) == [
        "1 move c6-d6              2 move d7-c7              3 pass",
        "4 pass                    5 (resigned)              6 pass",
        "7 pass",
    ]


def listed_moves(board: Board) -> str:
    one = facts(board, follow(board, MAMBA), ALICE) | {"past": False}
    body = mail(board, ALICE, "boards", more={"boards": [one], "more": False}).body
    listed = re.findall(r"(?m)^Moves:  (.*(?:\n  .*)*)", body)
    return " ".join(listed[0].split())


def test_a_game_of_a_family_without_parts_of_its_own_is_told_plainly() -> None:
    assert show("a position").board == "a position"
    assert (Shown.family, MambaShown.family) == ("plain", "mamba")
    assert show("a position").picture(None) == b""
