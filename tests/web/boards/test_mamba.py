"""Boards of Mamba on pages: laid on, moved on, decided upon, from the reader's side."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.steps import PASS
from pbem.web.boards.mamba import MambaFace
from pbem.web.boards.views import View, face
from tests.conversations.mamba import ANSWERS, BOTH, OPENINGS, OWNERS, TO_A_TURN
from tests.support.web_site import WebSite


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
    assert set(re.findall(r'href="#([^"]+)"', drawn)) == {name for name in defined if not name.startswith("sign-")}
    assert len(defined) == len(set(defined))


def test_a_draft_tells_what_would_happen_and_who_must_decide(site: WebSite) -> None:
    site.joins("alice", "bob", "carol")
    number = site.begins("mamba", "alice", "bob", "carol", options="-inorder")
    browser = site.browser("alice")
    opening = OPENINGS[3]
    site.moves(number, *opening[:-1])
    page = browser.opens(f"/boards/{number}?turn={opening[-1]}")
    assert page.all("//div[@class='happens']//li") == [
        "You laid a piece: e4>f4.",
        "A's f4 turned to C: 3 against 2 on row 4.",
        "A's e4 turned to C: 4 against 1 on row 4.",
    ]
    assert "At most 4 may stay, so one end is cut." in page.text
    assert page.all("//div[@class='by-mail']/pre")[0] == f"move {number} {opening[-1]}#4"
    site.moves(number, opening[-1])
    decides = site.browser(("alice", "bob", "carol")[OWNERS[3]]).opens(f"/boards/{number}")
    assert decides.all("//*[@id='draft-title']") == ["Your move"]
    labels = decides.all("//svg//a[contains(@class, 'place')]/@aria-label")
    assert {f"Answer {answer.split()[1]}" for answer in ANSWERS[3]} <= set(labels)


def test_a_draft_that_leaves_the_turn_open_says_so(site: WebSite) -> None:
    site.joins("alice", "bob", "carol")
    number = site.begins("mamba", "alice", "bob", "carol", options="-inorder")
    site.moves(number, *OPENINGS[3][:-1])
    page = site.browser("alice").opens(f"/boards/{number}?turn=lay e4>d3")
    assert "The turn is not over yet." in page.text
    assert "Your turn stays open after you send this" in page.text
    assert page.all("//form//button[@class='main']") == ["Play lay e4>d3"]
    whole = site.browser("alice").opens(f"/boards/{number}?turn=lay e4>d3 pass")
    assert "Your turn stays open" not in whole.text
    assert whole.all("//p[@class='back']/a/@href")[0] == f"/boards/{number}?turn=lay+e4%3Ed3"


def test_others_answers_can_be_tried_out(site: WebSite) -> None:
    site.joins("alice", "bob", "carol")
    number = site.begins("mamba", "alice", "bob", "carol", options="-inorder")
    site.moves(number, *OPENINGS[3][:-1])
    browser = site.browser("alice")
    page = browser.opens(f"/boards/{number}?turn={OPENINGS[3][-1]}/")
    assert "What could carol play then? Nothing of this is sent." in page.text
    page = browser.opens(f"/boards/{number}?turn={OPENINGS[3][-1]}/{ANSWERS[3][0]}")
    assert f"carol: {ANSWERS[3][0]}" in page.text
    assert page.all("//form//button[@class='main']") == [f"Play {OPENINGS[3][-1]}"]


def classes(drawn: str) -> dict[str, str]:
    """By the names of their cells, the classes of the links of a drawing."""
    return {name: kind for kind, name in re.findall(r'class="(place[^"]*)"><g [^>]*data-cell="([^"]+)"', drawn)}


def signs(drawn: str, cell: str) -> list[str]:
    """The signs on a cell."""
    (found,) = re.findall(rf'data-cell="{cell}".*?</g>', drawn)
    return re.findall(r'href="#sign-([^"]+)"', found)


def test_signs_tell_what_can_be_chosen_and_what_the_chosen_piece_can_do_where() -> None:
    shown = seen(2, *BOTH)
    links = dict.fromkeys([*(choice.place for choice in shown.choices), "f6", "f7", "d5", "f3"], "/x")
    drawn = shown.draw(View(links=links, picked="f5", asked="f6"), "a board")
    assert {name: signs(drawn, name) for name in ("c2", "f5", "f6", "d5", "a1")} == {
        "c2": ["open"],
        "f5": ["open"],
        "f6": ["open", "lay", "move"],
        "d5": ["open", "move"],
        "a1": [],
    }
    kinds = classes(drawn)
    assert (kinds["f6"], kinds["d5"], kinds["c2"]) == ("place target asked", "place target", "place other")


@pytest.mark.parametrize("lines", [TO_A_TURN, OPENINGS[4]])
def test_the_answers_to_a_decision_are_marked_as_such(lines: tuple[str, ...]) -> None:
    shown = seen(4, *lines)
    answers = [choice.place for choice in shown.choices]
    drawn = shown.draw(View(links=dict.fromkeys(answers, "/x")), "a board")
    assert classes(drawn) == dict.fromkeys(answers, "place answer")
    assert all(signs(drawn, answer) == ["open"] for answer in answers)


def test_a_cell_to_move_to_and_to_lay_on_asks_which_is_meant(site: WebSite) -> None:
    site.joins("alice", "bob")
    number = site.begins("mamba", "alice", "bob", options="-inorder")
    site.moves(number, *BOTH)
    browser = site.browser("alice")
    path = f"/boards/{number}"
    page = browser.opens(f"{path}?pick=f5")
    to = {name: page.all(f"//svg//a[*[@data-cell='{name}']]/@href") for name in ("e4", "d5")}
    assert to == {"e4": [f"{path}?pick=f5&to=e4"], "d5": [f"{path}?turn=move+f5-d5"]}
    assert page.all("//svg//a[*[@data-cell='e4']]/@aria-label") == ["lay f5>e4 or move f5-e4"]
    assert not page.find("//p[@class='either']")
    page = browser.opens(to["e4"][0])
    assert page.all("//p[@class='either']/a") == ["Lay a piece on e4", "Move to e4"]
    assert page.all("//p[@class='either']/a/@href") == [f"{path}?turn=lay+f5%3Ee4", f"{path}?turn=move+f5-e4"]
    assert f"{path}?pick=f5" in page.links
    assert "So far: lay f5>e4" in browser.opens(f"{path}?turn=lay+f5%3Ee4").text
    assert "The whole turn: move f5-e4" in browser.opens(f"{path}?turn=move+f5-e4").text


@pytest.mark.parametrize("to", ["d5", "a1", "f5", "zz", "<b>"])
def test_only_where_both_can_be_done_it_is_asked(site: WebSite, to: str) -> None:
    site.joins("alice", "bob")
    number = site.begins("mamba", "alice", "bob", options="-inorder")
    site.moves(number, *BOTH)
    page = site.browser("alice").opens(f"/boards/{number}?pick=f5&to={to}")
    assert "You chose f5. Now choose a cell to move to (a dot) or to lay a new piece on (a circle)." in page.text
    assert not page.find("//p[@class='either']")


def test_a_draft_says_what_its_player_has_to_decide_within_it(site: WebSite) -> None:
    site.joins("alice", "bob", "carol", "dan")
    number = site.begins("mamba", "alice", "bob", "carol", "dan", options="-inorder")
    site.moves(number, *TO_A_TURN[:-1])
    browser = site.browser("alice")
    page = browser.opens(f"/boards/{number}?turn={TO_A_TURN[-1]}")
    assert "c2 and c4 can turn; you choose which is treated next." in page.text
    assert "Choose an answer on the board." in page.text
    page = browser.opens(f"/boards/{number}?turn={TO_A_TURN[-1]}&pick=c4")
    assert page.all("//svg//a[*[@data-cell='c4']]/@href") == [f"/boards/{number}?turn=move+e2-c2+turn+c4"]
    page = browser.opens(f"/boards/{number}?turn={TO_A_TURN[-1]} turn c4")
    assert "The whole turn: move e2-c2 turn c4" in page.text


def test_the_legend_tells_the_signs_that_are_drawn(site: WebSite) -> None:
    site.joins("alice", "bob")
    number = site.begins("mamba", "alice", "bob", options="-inorder")
    site.moves(number, *BOTH)
    page = site.guest().opens(f"/boards/{number}")
    used = {href.removeprefix("#") for href in page.all("//ul[@class='legend']//use/@href")}
    assert used == {"sign-open", "sign-move", "sign-lay"} <= set(page.all("//svg//defs/g/@id"))
    past = site.guest().opens(f"/boards/{number}?move=2")
    assert len(past.find("//ul[@class='legend']/li")) == len(page.find("//ul[@class='legend']/li")) - 1


def test_whoever_has_hardly_had_a_turn_is_told_no_time(site: WebSite) -> None:
    site.joins("alice", "bob")
    number = site.begins("mamba", "alice", "bob", options="-inorder")
    assert "has used" not in site.guest().opens(f"/boards/{number}").text
    site.waits(timedelta(hours=1))
    assert "alice, not rated yet, has used 1 hour" in site.guest().opens(f"/boards/{number}").text


def test_whoever_tries_a_variant_out_is_asked_as_well(site: WebSite) -> None:
    tried = site.guest().opens(f"/games/mamba/variant/try?turn={'/'.join(BOTH)}/&pick=f5&to=e4")
    assert tried.all("//p[@class='either']/a") == ["Lay a piece on e4", "Move to e4"]
    (address,) = tried.all("//svg//a[contains(@class, 'asked')]/@href")
    assert "to=e4" in address
    assert "<strong>lay f5&gt;e4</strong>" in site.guest().opens(tried.all("//p[@class='either']/a/@href")[0]).source
