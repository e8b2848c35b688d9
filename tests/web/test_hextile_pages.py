"""What the page of a board tells of the position of a hexagonal tile game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.web.club import Club, Page


def begun(club: Club, game: str, options: str = "") -> tuple[int, str, str]:
    """A board, who begins, and the other."""
    club.joins("alice", "bob")
    number = club.begins(game, "alice", "bob", options=options)
    board = club.board(number)
    first = club.course(board).to_act
    return number, board.seats[first].userid, board.seats[1 - first].userid


def groups(page: Page) -> list[str]:
    """What the list of groups says."""
    return page.all("//section[contains(@class, 'groups')]//li[@data-group]")


def described(page: Page) -> str:
    """The position in words, without what has been played."""
    (words,) = page.all("//details[@class='described']")
    return words


@pytest.mark.parametrize(("game", "opening"), [("superbo", "B3"), ("lambo", "A1")])
def test_a_swap_that_is_drafted_leaves_each_group_its_colour(club: Club, game: str, opening: str) -> None:
    number, _, second = begun(club, game, "-swap")
    club.moves(number, opening)
    browser = club.browser(second)
    before, drafted = browser.opens(f"/boards/{number}"), browser.opens(f"/boards/{number}?turn=swap")
    club.moves(number, "swap")
    after = browser.opens(f"/boards/{number}")
    assert groups(drafted) == groups(after) == groups(before)
    assert described(drafted) == described(after)
