"""Whole games between two browsers, each move seen at once in the other."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.support.browser import PHONE, Visitor
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat

TALL_PHONE: dict[str, Any] = PHONE | {"viewport": {"width": 390, "height": 844}}

MOST_TURNS = 12
"""More than any of the short games has."""


def test_a_game_of_superbo_is_played_to_the_win_between_two_browsers(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "sally", "steve")
    for ply, turn in enumerate(["B3", "C4,K5", "G2,H7", "D8,R10", "A7,V6"]):
        mover = table.visitors[ply % 2]
        mover.has_turn()
        for placement in turn.split(","):
            mover.lays(placement)
        mover.plays("Here you go!" if ply == 1 else "")
    for visitor, told in zip(table.visitors, ("You won!", f"{table.userids[0]} won."), strict=True):
        visitor.sees(told)
        expect(visitor.page.locator("#board .tiles > g:not(.ghost)")).to_have_count(12)  # three came by themselves
        expect(visitor.page.locator("form[action$='/move']")).to_have_count(0)


def test_a_game_of_mamba_is_played_to_its_end_between_two_browsers(server: RunningServer, come: Come) -> None:
    players = seat(server, come, "mamba -rounds=2 -inorder", "mann", "mike").visitors
    chance = Random(7)
    for ply in range(4):
        mover = players[ply % 2]
        mover.has_turn()
        while not mover.can_play():
            chooses_anything(mover, chance)
        mover.plays()
    for visitor in players:
        visitor.sees("The game is a tie.")
        expect(visitor.page.locator("#draft-title")).to_have_count(0)


def chooses_anything(visitor: Visitor, chance: Random) -> None:
    """Choose a piece that can act, and what it does, among all that can be seen."""
    choices = visitor.page.locator(".choices a")
    if not choices.count():
        pieces = visitor.page.locator("#board svg a")
        visitor.clicks(pieces.nth(chance.randrange(pieces.count())))
        return
    visitor.clicks(choices.nth(chance.randrange(choices.count())))


@pytest.mark.parametrize(
    "challenge",
    ["superbo -num_tiles=4", "mambo -size=7", "lambo -size=8", "palago -size=8", "mamba -rounds=1 -inorder"],
    ids=lambda challenge: challenge.split()[0],
)
def test_a_whole_game_is_played_with_a_thumb(server: RunningServer, come: Come, challenge: str) -> None:
    table = seat(server, come, challenge, "thora", "thumb", **TALL_PHONE)
    chance = Random(27)
    rematch = [visitor.page.get_by_role("button", name="Rematch") for visitor in table.visitors]
    for ply in range(MOST_TURNS):
        mover = table.visitors[ply % 2]
        turn = mover.page.locator("#draft-title", has_text="Your move")
        expect(turn.or_(rematch[ply % 2])).to_be_attached()
        if rematch[ply % 2].is_visible():
            break
        taps_a_turn(mover, chance)
    for visitor, button in zip(table.visitors, rematch, strict=True):
        expect(button).to_be_in_viewport(ratio=1)
        visitor.sees(re.compile("won|tie"))


def taps_a_turn(visitor: Visitor, chance: Random) -> None:
    """Tap what can be chosen, as it comes, until the turn can be sent; then send it."""
    visitor.has_turn()
    while not visitor.can_play():
        asked = visitor.page.locator(".confirm .lays, .either a")
        if asked.count():
            completes = "sends" in (asked.first.get_attribute("class") or "")
            taps(visitor, asked.first)
            if completes:
                visitor.page.wait_for_url(re.compile(r"/boards/\d+$"))
                return
            continue
        found = visitor.page.locator("#board svg a.place:not(.closed)")
        taps(visitor, found.nth(chance.randrange(found.count())))
    visitor.page.locator("#send").tap()
    visitor.page.wait_for_url(re.compile(r"/boards/\d+$"))


def taps(visitor: Visitor, link: Locator) -> None:
    """Tap something on the board, and wait until its page has followed."""
    before = visitor.page.url
    link.tap()
    visitor.page.wait_for_url(lambda url: url != before)
