"""Whole games between two browsers, each move seen at once in the other."""

from __future__ import annotations

from random import Random

from playwright.sync_api import expect

from tests.support.browser import Visitor
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat


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
