"""The facts on the page of a board about the position of a hexagonal tile game."""

from __future__ import annotations

import pytest

from tests.storage.stock import OPENING, WON
from tests.support.web_site import WebPage, WebSite


def begun(site: WebSite, game: str, options: str = "") -> tuple[int, str, str]:
    """A board, who begins, and the other."""
    site.joins("alice", "bob")
    number = site.begins(game, "alice", "bob", options=options)
    board = site.board(number)
    first = site.course(board).to_act
    return number, board.seats[first].userid, board.seats[1 - first].userid


def groups(page: WebPage) -> list[str]:
    """The entries of the list of groups."""
    return page.all("//section[contains(@class, 'groups')]//li[@data-group]")


def described(page: WebPage) -> str:
    """The position in words, without what has been played."""
    (words,) = page.all("//details[@class='described']")
    return words


@pytest.mark.parametrize(("game", "opening"), [("superbo", "B3"), ("lambo", "A1")])
def test_a_swap_that_is_drafted_leaves_each_group_its_colour(site: WebSite, game: str, opening: str) -> None:
    number, _, second = begun(site, game, "-swap")
    site.moves(number, opening)
    browser = site.browser(second)
    before, drafted = browser.opens(f"/boards/{number}"), browser.opens(f"/boards/{number}?turn=swap")
    site.moves(number, "swap")
    after = browser.opens(f"/boards/{number}")
    assert groups(drafted) == groups(after) == groups(before)
    assert described(drafted) == described(after)


def signs(page: WebPage) -> list[str]:
    """The legend of the signs on the board, as far as there are any."""
    return page.all("//ul[@class='legend']/li")


def test_the_signs_that_are_on_the_board_are_explained(site: WebSite) -> None:
    number, _, _ = begun(site, "superbo")
    assert signs(site.guest().opens(f"/boards/{number}")) == []
    site.moves(number, OPENING[0])
    assert signs(site.guest().opens(f"/boards/{number}")) == ["laid in the last turn"]
    site.moves(number, *OPENING[1:])
    page = site.guest().opens(f"/boards/{number}")
    assert bool(page.find("//svg[contains(@class, 'hextile')]//use[@href='#automatic']")) == (len(signs(page)) == 2)


def test_the_drawing_keeps_its_scale_while_one_steps_through_the_game(site: WebSite) -> None:
    number, _, _ = begun(site, "superbo")
    site.moves(number, *WON)
    paths = (f"/boards/{number}", *(f"/boards/{number}?move={move}" for move in range(len(WON))))
    pages = [site.guest().opens(path) for path in paths]
    assert len({tuple(page.all("//svg[contains(@class, 'hextile')]/@viewbox")) for page in pages}) == 1


def test_in_the_past_of_a_game_nobody_is_to_act(site: WebSite) -> None:
    number, _, _ = begun(site, "superbo")
    site.moves(number, *WON[:-1])
    assert "to move" in site.guest().opens(f"/boards/{number}").text
    site.moves(number, WON[-1])
    past = site.guest().opens(f"/boards/{number}?move=2")
    assert "to move" not in past.text
    assert not past.find("//span[@class='turn']")


def test_the_past_knows_of_all_that_has_happened(site: WebSite) -> None:
    number, _, _ = begun(site, "superbo")
    site.moves(number, *OPENING)
    pages = [site.guest().opens(f"/boards/{number}{move}") for move in ("", "?move=1")]
    assert [page.all("//@data-event") for page in pages] == [[str(site.board(number).event_number)]] * 2


def test_the_group_that_has_won_is_marked_and_said_to_have(site: WebSite) -> None:
    number, _, _ = begun(site, "superbo")
    site.moves(number, *WON)
    page = site.guest().opens(f"/boards/{number}")
    (told,) = [each for each in groups(page) if "this has decided the game" in each]
    assert told.startswith("O: 4 bridges, 1 loop, 1 eye")
    marked = set(page.all("//svg//use[@class='decisive']/@data-group"))
    assert set(page.all("//li[contains(., 'this has decided the game')]/@data-group")) <= marked
    assert not site.guest().opens(f"/boards/{number}?move=2").find("//use[@class='decisive']")


@pytest.mark.parametrize("game", ["superbo", "mambo", "lambo", "palago"])
def test_every_group_of_the_list_is_on_the_board_and_the_other_way_round(site: WebSite, game: str) -> None:
    number, _, _ = begun(site, game)
    for _ in range(6):
        course = site.course(site.board(number))
        steps: list[str] = []
        position = course.position
        while position.ply == course.ply and position.outcome is None:
            step = position.legal()[-1]
            steps.append(f"{position.layout.labels[step.cell]}{step.state}")
            position = position.play(step)
        site.moves(number, ",".join(steps))
        page = site.guest().opens(f"/boards/{number}")
        listed = page.all("//li[@data-group]/@data-group")
        assert len(listed) == len(set(listed))
        assert set(listed) == set(page.all("//svg//use[@data-group]/@data-group"))
        assert not page.find("//use[@data-group and not(ancestor::svg[contains(@class, 'hextile')])]")
