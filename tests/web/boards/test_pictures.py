"""Pictures of boards and of sample games, and the drawings that play by themselves."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from lxml import etree
from PIL import Image, ImageChops

from pbem.diagrams.replay import STEP
from pbem.web.boards import pictures
from pbem.web.boards.pictures import MOST_ANIMATED, SHARED, positions_of
from pbem.web.boards.samples import SAMPLES
from tests.storage.stock import WON
from tests.support.web_site import URL, WebPage, WebSite
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


def test_a_picture_of_a_game_for_cards_has_no_paper_of_its_own_as_cards_can_be_dark(site: WebSite) -> None:
    for sheet in ("pictures", "replays"):
        classes = {each.get("class") for each in drawn(site, f"/games/{sheet}.svg").iter()}
        assert "frame" in classes
        assert not {"paper", "coordinate"} & classes


def test_a_picture_of_one_tile_is_higher_than_the_tile(site: WebSite) -> None:
    site.joins("ann", "ben")
    number = site.begins("superbo", "ann", "ben")
    _, top, _, height = map(float, drawn(site, f"/boards/{number}/picture.svg").attrib["viewBox"].split())
    assert height > 200
    assert top + height / 2 == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("sheet", ["pictures", "replays"])
def test_one_sheet_has_a_view_of_each_game(site: WebSite, sheet: str) -> None:
    drawing = drawn(site, f"/games/{sheet}.svg")
    views = [each.get("id") for each in drawing.findall(f"{SVG}view")]
    assert views == ["lambo", "mamba", "mambo", "palago", "superbo"]
    assert [each.get("y") for each in drawing.findall(f"{SVG}svg")] == ["0", "240", "480", "720", "960"]


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_each_sample_is_played_to_its_end_by_the_rules(name: str) -> None:
    game = GAMES[name]
    assert name == "mamba" or positions_of(game)[-1].outcome is not None


def test_the_picture_of_a_board_without_tiles_shows_its_first_space(site: WebSite) -> None:
    site.joins("ann", "ben")
    number = site.begins("mambo", "ann", "ben")
    for address in (f"/boards/{number}/picture.svg", f"/boards/pictures.svg?of={number}.1"):
        assert [each.get("class") for each in drawn(site, address).iter(f"{SVG}path")] == ["outline"]
    assert len(opened(site, f"/boards/{number}/share.png").convert("RGB").getcolors()) > 1


def test_a_replay_begins_with_the_first_tile(site: WebSite) -> None:
    assert not positions_of(GAMES["mambo"])[0].layout.tiles
    tiles = drawn(site, "/games/mambo/replay.svg").findall(f"{SVG}g[@opacity]")
    assert any(each.find(f"{SVG}animate").get("values").split(";")[0] == "1" for each in tiles)
    site.joins("ann", "ben")
    number = site.begins("mambo", "ann", "ben")
    site.moves(number, *SAMPLES["mambo"][:2])
    assert opened(site, f"/boards/{number}/replay.png").n_frames == 2


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
    assert {each.get("begin") for each in animated} == {f"-{STEP * len(WON):g}s"}, "with the last position"


def test_boards_stand_on_one_sheet_which_is_kept_until_the_next_event(site: WebSite) -> None:
    site.joins("ann", "ben")
    first, second = site.begins("superbo", "ann", "ben"), site.begins("mamba", "ann", "ben")
    site.moves(first, *WON[:2])
    (sheet,) = {each.partition("#")[0] for each in site.guest().opens("/boards").all("//img/@data-src")}
    assert sheet == f"/boards/pictures.svg?of={first}.2,{second}.0"
    drawing = drawn(site, sheet)
    assert [each.get("id") for each in drawing.findall(f"{SVG}view")] == [f"b{first}", f"b{second}"]
    assert len(drawing.findall(f"{SVG}svg")[0].findall(f"{SVG}g[@class='tile']")) > 1
    assert site.guest().asks(sheet).headers["cache-control"] == "public, max-age=3600"
    assert site.guest().asks(sheet.replace(".2", ".3")).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("of", ["", "101", "101.1,", "x.1", ",".join(f"{each}.1" for each in range(101, 110)), "999.1"])
def test_what_is_no_list_of_boards_has_no_sheet(site: WebSite, of: str) -> None:
    assert site.guest().asks(f"/boards/pictures.svg?of={of}").status_code == 404


def test_the_picture_of_a_board_that_is_not_there_is_not_found(site: WebSite) -> None:
    assert site.guest().asks("/boards/999/picture.svg").status_code == 404
    assert site.guest().asks("/games/chess/replay.svg").status_code == 404


def opened(site: WebSite, address: str) -> Any:
    answer = site.guest().asks(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.content.startswith(b"\x89PNG\r\n\x1a\n")
    return Image.open(BytesIO(answer.content))


@pytest.mark.parametrize(("game", "played"), [("superbo", WON), ("mamba", ("move d1-b1", "move d7-c6"))])
def test_an_animation_has_a_frame_for_the_beginning_and_one_for_each_turn(
    site: WebSite, game: str, played: tuple[str, ...]
) -> None:
    site.joins("ann", "ben")
    number = site.begins(game, "ann", "ben", options="-inorder" if game == "mamba" else "")
    assert site.guest().asks(f"/boards/{number}/replay.png").status_code == 404
    site.moves(number, *played)
    animation = opened(site, f"/boards/{number}/replay.png")
    assert animation.n_frames == site.course(site.board(number)).ply + 1 > 2
    assert max(animation.size) <= MOST_ANIMATED
    assert animation.info["loop"] == 0
    animation.seek(animation.n_frames - 1)
    assert animation.info["duration"] > 2000


def test_no_animation_is_made_of_a_very_long_game(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    site.joins("ann", "ben")
    number = site.begins("superbo", "ann", "ben")
    site.moves(number, *WON)
    monkeypatch.setattr(pictures, "MOST_TURNS", len(WON) - 1)
    assert site.guest().asks(f"/boards/{number}/replay.png").status_code == 404
    assert site.guest().asks(f"/boards/{number}/replay.svg").status_code == 200


def test_a_picture_to_share_has_the_size_that_sites_expect_and_the_board_in_its_middle(site: WebSite) -> None:
    site.joins("ann", "ben")
    number = site.begins("superbo", "ann", "ben")
    site.moves(number, *WON)
    picture = opened(site, f"/boards/{number}/share.png").convert("RGB")
    assert picture.size == SHARED == (1200, 630)
    paper = Image.new("RGB", picture.size, picture.getpixel((0, 0)))
    left, top, right, bottom = ImageChops.difference(picture, paper).getbbox() or (0, 0, 0, 0)
    assert abs(left - (1200 - right)) <= 4
    assert abs(top - (630 - bottom)) <= 4
    assert bottom - top > 400


def test_a_browser_that_has_a_picture_already_is_told_so(site: WebSite) -> None:
    site.joins("ann", "ben")
    number = site.begins("superbo", "ann", "ben")
    site.moves(number, *WON[:1])
    for name in ("share.png", "replay.png"):
        address = f"/boards/{number}/{name}"
        tag = site.guest().asks(address).headers["etag"]
        assert site.guest().asks(address, headers={"if-none-match": tag}).status_code == 304
    before = site.guest().asks(f"/boards/{number}/share.png").content
    site.moves(number, WON[1])
    assert site.guest().asks(f"/boards/{number}/share.png").content != before
    assert site.guest().asks("/boards/999/share.png").status_code == 404


def test_the_head_of_a_board_tells_other_sites_what_it_is(site: WebSite) -> None:
    site.joins("ann", "ben")
    number = site.begins("superbo", "ann", "ben")
    address = f"/boards/{number}"

    def told(page: WebPage, name: str) -> str:
        (content,) = page.all(f"//meta[@property='{name}' or @name='{name}']/@content")
        return content

    assert told(site.guest().opens(address), "description") == "ann against ben."
    site.moves(number, WON[0])
    assert told(site.guest().opens(address), "og:description") == "ann against ben, after 1 move."
    site.moves(number, *WON[1:])
    page = site.guest().opens(address)
    result = site.course(site.board(number)).result
    assert result is not None
    (winner,) = [site.board(number).seats[seat].userid for seat in result.winners]
    loser = {"ann": "ben", "ben": "ann"}[winner]
    assert told(page, "og:description") == told(page, "description") == f"{winner} won against {loser}."
    assert told(page, "og:title") == f"Superbo board {number}"
    assert told(page, "og:type") == "website"
    assert told(page, "twitter:card") == "summary_large_image"
    assert told(page, "og:image") == f"{URL}{address}/share.png"
    then = site.guest().opens(f"{address}?move=1")
    assert told(then, "og:description") == "ann against ben, after 1 move."
    assert told(then, "og:url") == f"{URL}{address}?move=1"


def test_a_finished_game_can_be_passed_on_and_each_move_of_it(site: WebSite) -> None:
    site.joins("ann", "ben")
    number = site.begins("superbo", "ann", "ben")
    site.moves(number, *WON[:-1])
    address, shared = f"/boards/{number}", "//details[@class='share']"
    assert not site.guest().opens(address).find(shared)
    site.moves(number, WON[-1])
    page = site.guest().opens(address)
    assert page.all(f"{shared}//input/@value") == [URL + address]
    assert page.all(f"{shared}//a/@href") == [f"{address}/{each}" for each in ("replay.svg", "replay.png", "share.png")]
    then = site.guest().opens(f"{address}?move=1")
    assert then.all(f"{shared}//input/@value") == [URL + address, f"{URL}{address}?move=1"]
