"""Boards of Mamba on pages: laid on, moved on, decided upon, from the reader's side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.steps import PASS
from pbem.web.faces import View, face
from pbem.web.mamba import MambaFace
from tests.conversations.mamba import ANSWERS, OPENINGS, OWNERS

if TYPE_CHECKING:
    from pbem.games.mamba.position import Position
    from tests.web.club import Club


def seen(players: int, *lines: str) -> MambaFace:
    position: Position = MAMBA.begin({}, players)
    for line in lines:
        position = MAMBA.read_part(position, line).position
    found = face(position, MAMBA)
    assert isinstance(found, MambaFace)
    return found


def test_every_step_is_a_choice_by_the_piece_that_makes_it() -> None:
    shown = seen(3)
    steps = [step for step in shown.position.legal() if step != PASS]
    assert [choice.text for choice in shown.choices] == [MAMBA.step_text(shown.position, step) for step in steps]
    assert all(choice.text == f"move {choice.place}-{choice.to}" for choice in shown.choices)
    assert shown.spare == ("pass",)


def test_pieces_that_can_do_nothing_are_closed() -> None:
    shown = seen(2)
    names = shown.position.rules.grid.names
    own = {names[cell] for cell in shown.position.pieces(shown.position.to_act or 0)}
    acting = {choice.place for choice in shown.choices}
    assert acting | set(shown.closed) == own
    assert not acting & set(shown.closed)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_answers_to_a_decision_are_choices(players: int) -> None:
    shown = seen(players, *OPENINGS[players])
    assert {choice.kind for choice in shown.choices} == {"cut"}
    assert {choice.text for choice in shown.choices} == set(ANSWERS[players])
    assert shown.spare == ()


def test_the_viewers_edge_is_below() -> None:
    shown = seen(4)
    places = [re.findall(r'data-cell="a1"[^>]*translate\(([^)]+)\)', shown.draw(View(seat), "")) for seat in range(4)]
    assert len({place[0] for place in places}) == 4


def test_where_a_chosen_piece_can_go_is_marked() -> None:
    shown = seen(3)
    choice = shown.choices[0]
    view = View(links={choice.place: "/x", choice.to: "/y"}, picked=choice.place)
    drawn = shown.draw(view, "a board")
    assert drawn.count('class="place target"') == 1
    assert re.search(rf'href="/y"[^>]*class="place target"><g class="cell" data-cell="{choice.to}"', drawn)
    assert re.search(rf'class="cell picked" data-cell="{choice.place}"', drawn)


def test_what_is_used_is_defined_once() -> None:
    drawn = seen(4, *OPENINGS[4]).draw(View(), "a board")
    defined = re.findall(r'id="([^"]+)"', drawn)
    assert set(re.findall(r'href="#([^"]+)"', drawn)) == set(defined)
    assert len(defined) == len(set(defined))


def test_a_draft_tells_what_would_happen_and_who_must_decide(club: Club) -> None:
    club.joins("alice", "bob", "carol")
    number = club.begins("mamba", "alice", "bob", "carol", options="-inorder")
    browser = club.browser("alice")
    opening = OPENINGS[3]
    club.moves(number, *opening[:-1])
    page = browser.opens(f"/boards/{number}?turn={opening[-1]}")
    assert page.all("//div[@class='happens']//li") == [
        "A (alice) laid a piece: e4>f4.",
        "A's f4 turned to C: 3 against 2 on row 4.",
        "A's e4 turned to C: 4 against 1 on row 4.",
    ]
    assert "carol has to decide which end of an alignment is cut" in page.text
    assert page.all("//div[@class='by-mail']/pre")[0] == f"move {number} {opening[-1]}#4"
    club.moves(number, opening[-1])
    decides = club.browser(("alice", "bob", "carol")[OWNERS[3]]).opens(f"/boards/{number}")
    assert decides.all("//*[@id='draft-title']") == ["Your move"]
    labels = decides.all("//svg//a[contains(@class, 'place')]/@aria-label")
    assert {f"Answer {answer.split()[1]}" for answer in ANSWERS[3]} <= set(labels)


def test_a_draft_that_leaves_the_turn_open_says_so(club: Club) -> None:
    club.joins("alice", "bob", "carol")
    number = club.begins("mamba", "alice", "bob", "carol", options="-inorder")
    club.moves(number, *OPENINGS[3][:-1])
    page = club.browser("alice").opens(f"/boards/{number}?turn=lay e4>d3")
    assert "The turn is not over with that." in page.text
    assert "The turn stays open when you send that" in page.text
    assert page.all("//form//button[@class='main']") == ["Play lay e4>d3"]
    whole = club.browser("alice").opens(f"/boards/{number}?turn=lay e4>d3 pass")
    assert "The turn stays open" not in whole.text
    assert whole.all("//p[@class='back']/a/@href")[0] == f"/boards/{number}?turn=lay+e4%3Ed3"


def test_others_answers_can_be_tried_out(club: Club) -> None:
    club.joins("alice", "bob", "carol")
    number = club.begins("mamba", "alice", "bob", "carol", options="-inorder")
    club.moves(number, *OPENINGS[3][:-1])
    browser = club.browser("alice")
    page = browser.opens(f"/boards/{number}?turn={OPENINGS[3][-1]}/")
    assert "What could carol play then? Nothing of it is sent." in page.text
    page = browser.opens(f"/boards/{number}?turn={OPENINGS[3][-1]}/{ANSWERS[3][0]}")
    assert f"carol: {ANSWERS[3][0]}" in page.text
    assert page.all("//form//button[@class='main']") == [f"Play {OPENINGS[3][-1]}"]
