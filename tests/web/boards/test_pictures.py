"""Pictures of boards and of sample games, and the drawings that play by themselves."""

from __future__ import annotations

import pytest
from lxml import etree

from pbem.web.boards.pictures import positions_of
from pbem.web.boards.samples import SAMPLES
from tests.storage.stock import WON
from tests.support.web_site import WebSite
from tests.wording.sample_mails import GAMES

SVG = "{http://www.w3.org/2000/svg}"


def drawn(site: WebSite, address: str) -> etree._Element:
    answer = site.guest().asks(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    return etree.fromstring(answer.content)


@pytest.mark.parametrize("name", ["lambo", "mamba", "mambo", "palago", "superbo"])
def test_each_game_has_a_still_picture_and_a_replay(site: WebSite, name: str) -> None:
    assert drawn(site, f"/games/{name}/picture.svg").tag == f"{SVG}svg"
    replay = drawn(site, f"/games/{name}/replay.svg")
    times = {each.get("dur") for each in replay.iter(f"{SVG}animate")}
    assert len(times) == 1


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_each_sample_is_played_to_its_end_by_the_rules(name: str) -> None:
    game = GAMES[name]
    assert name == "mamba" or positions_of(game)[-1].outcome is not None


def test_a_replay_of_a_board_shows_each_tile_from_the_turn_in_which_it_was_laid(site: WebSite) -> None:
    site.joins("ann", "ben")
    number = site.begins("superbo", "ann", "ben")
    site.moves(number, *WON)
    still = drawn(site, f"/boards/{number}/picture.svg")
    replay = drawn(site, f"/boards/{number}/replay.svg")
    tiles = still.findall(f"{SVG}g[@class='tile']")
    animated = list(replay.iter(f"{SVG}animate"))
    assert 0 < len(animated) <= len(tiles)
    begins = [float(each.get("keyTimes").split(";")[1]) for each in animated]
    assert begins == sorted(begins)
    assert len(set(begins)) >= len(WON) - 1


def test_the_picture_of_a_board_that_is_not_there_is_not_found(site: WebSite) -> None:
    assert site.guest().asks("/boards/999/picture.svg").status_code == 404
    assert site.guest().asks("/games/chess/replay.svg").status_code == 404
