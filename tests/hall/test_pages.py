"""Boards of the hall on their pages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.hall.game import HallGame
from pbem.hall.positions import HallPosition, Step
from pbem.web.boards.views import PLACE, face
from tests.hall.openspiel import each_game
from tests.support.web_site import WebClient, WebSite


@pytest.fixture
def site(chosen_url: str, tmp_path: Path) -> Iterator[WebSite]:
    with WebSite(chosen_url, tmp_path) as site:
        site.joins("alice", "bob")
        yield site


def drafted(browser: WebClient, address: str, picks: list[str]) -> set[str]:
    """The drafts that clicks lead to, one after the other, on places or on what is offered for them."""
    for pick in picks[:-1]:
        address = next(each for each in browser.opens(address).all("//svg//a/@href") if picked(each) == pick)
    offered = browser.opens(address).all("//svg//a/@href | //a[contains(@class, 'choice')]/@href")
    return {parse_qs(urlsplit(each).query).get("turn", [""])[0] for each in offered}


def picked(address: str) -> str:
    return parse_qs(urlsplit(address).query).get("pick", [""])[0]


@each_game
def test_every_kind_of_step_can_be_clicked(site: WebSite, game: HallGame) -> None:
    number = site.begins(game.name, "alice", "bob")
    browsers = {0: site.browser("alice"), 1: site.browser("bob")}
    position, lot = game.begin({}, 2), random.Random(11)
    for _ in range(6):
        assert position.to_act is not None
        browser, steps = browsers[position.to_act], list[Step]()
        page = browser.opens(f"/boards/{number}")
        assert page.find("//svg[contains(@class, 'figure')]")
        before = position
        while position.ply == before.ply and position.outcome is None:
            step = lot.choice([each for each in position.legal() if each.places])
            turn = " ".join(each.text for each in steps)
            address = f"/boards/{number}" + (f"?turn={turn}" if turn else "")
            steps.append(step)
            assert reaches(browser, address, position, game, steps)
            position = position.play(step)
        # Without a password, two letters would be read as a userid and its password: "f c".
        texts = [each.also[0] if each.text.isalpha() and len(steps) > 1 else each.text for each in steps]
        site.moves(number, " ".join(texts))


def reaches(browser: WebClient, address: str, position: HallPosition, game: HallGame, steps: list[Step]) -> bool:
    """Clicks lead to the last of these steps: on its place, or on what is offered there."""
    step, wanted = steps[-1], " ".join(each.text for each in steps)
    return all(
        wanted in drafted(browser, address, [choice.place] if choice.kind == PLACE else [choice.place, ""])
        for choice in face(position, game).choices
        if choice.text == step.text
    )


def test_a_line_is_drawn_between_two_dots(site: WebSite) -> None:
    number = site.begins("dots", "alice", "bob")
    browser = site.browser("alice")
    page = browser.opens(f"/boards/{number}")
    assert "Choose a space on the board." in page.text
    assert "Choose a piece" not in page.text
    page = browser.opens(f"/boards/{number}?pick=a1")
    assert "You chose a1. Now choose the other end of the line." in page.text
    assert drafted(browser, f"/boards/{number}", ["a1", ""]) >= {"a1-b1", "a2-a1"}
    number = site.begins("loa", "alice", "bob")
    assert "Choose a piece on the board." in browser.opens(f"/boards/{number}").text
