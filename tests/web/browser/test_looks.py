"""The look of pages: nothing in the way of anybody, on any screen, on paper, light and dark."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from pbem.diagrams.mamba import inks as mamba_inks
from tests.storage.stock import WON
from tests.support.browser import DARK, NO_SCRIPT, PHONE, Visitor, barriers
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import fresh, seat
from tests.web.markup import named

PAGES = (
    "/",
    "/games",
    "/games/superbo",
    "/boards",
    "/players",
    "/players/{userid}",
    "/standings",
    "/history/superbo",
    "/tournaments",
    "/help",
    "/help/superbo",
    "/sign-in",
    "/sign-up",
    "/looks",
    "/settings",
    "/command",
    "/challenge",
)
BADGE = 4
"""Pixels that the number of boards at the sign of the house may lie above the other words."""
CONTRAST = {"runOnly": ["color-contrast"]}


@pytest.fixture(scope="module")
def userid() -> str:
    """Of a player who has boards."""
    return fresh("ada")[0]


@pytest.fixture(scope="module")
def boards(server: RunningServer, userid: str) -> list[str]:
    """A board of each family, with a move or two."""
    userids = (userid, *fresh("abe"))
    ada, abe = map(server.player, userids)
    paths = []
    for command, turns in (("superbo challenge", ["B3", "C4,K5"]), ("mamba challenge -inorder", [])):
        ada.says(f"{command} {' '.join(userids)}")
        mails = [ada.hears(), abe.hears()]
        paths.append(f"/boards/{mails[0].subject.split()[3]}")
        for ply, turn in enumerate(turns):
            (ada, abe)[ply % 2].answers(mails[ply % 2], turn)
            mails = [ada.hears(), abe.hears()]
    return paths


def drafted(paths: list[str]) -> list[str]:
    """Boards as they stand, and with a space chosen."""
    return [*paths, f"{paths[0]}?pick=A", f"{paths[0]}?large=yes"]


def test_no_page_has_a_serious_barrier(come: Come, boards: list[str], userid: str) -> None:
    visitor, found = come(), list[str]()
    visitor.signs_in(userid)
    for path in (*PAGES, *drafted(boards)):
        visitor.goes(path.format(userid=userid))
        found += barriers(visitor)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("looks", ["dark.printed", "contrast.grey"])
def test_all_words_can_be_read_in_other_colours(come: Come, boards: list[str], userid: str, looks: str) -> None:
    visitor, found = come(), list[str]()
    visitor.signs_in(userid)
    visitor.context.add_cookies([{"name": "looks", "value": looks, "url": visitor.url}])
    for path in (*PAGES[:3], "/sign-in", "/settings", *drafted(boards)):
        visitor.goes(path)
        found += barriers(visitor, **CONTRAST)
    assert not found, "\n".join(found)


def test_no_page_is_wider_than_a_narrow_phone(come: Come, boards: list[str], userid: str) -> None:
    visitor = come(**PHONE | {"viewport": {"width": 320, "height": 640}})
    visitor.signs_in(userid)
    wide = {}
    for path in (*PAGES, *drafted(boards)):
        visitor.goes(path.format(userid=userid))
        width = visitor.page.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide[path] = width
    assert not wide


def test_on_a_phone_what_to_do_next_is_seen_below_the_space_and_its_buttons_are_large(
    come: Come, boards: list[str], userid: str
) -> None:
    visitor = come(**PHONE)
    visitor.signs_in(userid)
    visitor.goes(boards[0])
    lowest = visitor.page.locator("svg a.place:not(.closed)").last
    visitor.clicks(lowest)
    space = visitor.page.locator("svg .turning a:visible").bounding_box()
    tray = visitor.page.locator(".draft").bounding_box()
    assert space is not None
    assert tray is not None
    assert space["y"] + space["height"] <= tray["y"]
    assert tray["y"] + tray["height"] <= PHONE["viewport"]["height"] + 1
    small = [
        (each.inner_text(), box)
        for each in visitor.page.locator("main button:visible, main .button:visible, main .choices a:visible").all()
        if (box := each.bounding_box()) and min(box["width"], box["height"]) < 44
    ]
    assert not small


def test_the_system_says_whether_pages_are_dark_and_the_visitor_may_choose_without_a_script(come: Come) -> None:
    visitor = come(**DARK | NO_SCRIPT)
    visitor.goes("/games")
    assert is_dark(visitor)
    visitor.follows("Appearance")
    visitor.page.get_by_label("Light", exact=True).check()
    visitor.page.get_by_label("Amber and blue").check()
    visitor.presses("Apply")
    visitor.is_at("/games")
    assert not is_dark(visitor)
    expect(visitor.page.locator("html")).to_have_attribute("data-palette", "amber")


def is_dark(visitor: Visitor) -> bool:
    """Return True if the paper of the page is dark, as it is painted."""
    with Image.open(BytesIO(visitor.page.screenshot())) as picture:
        return picture.convert("1", dither=Image.Dither.NONE).getpixel((2, 890)) == 0


def painted(visitor: Visitor, drawing: str = ".drawing svg") -> set[str]:
    """The colours that cover at least a little of the board's drawing, or of another one."""
    with Image.open(BytesIO(visitor.page.locator(drawing).first.screenshot())) as picture:
        found = picture.convert("RGB").getcolors(picture.width * picture.height) or []
    return {f"#{bytes(colour).hex()}" for count, colour in found if count > 50 and isinstance(colour, tuple)}


def test_boards_are_painted_in_the_colours_that_are_chosen(come: Come, boards: list[str]) -> None:
    visitor = come()
    for looks, expected in (
        ("light.printed", {"#e4623a", "#1b3a6e", named("light")["face"]}),
        ("dark.amber", {"#b56d00", "#0b3c8c", named("dark")["face"]}),
        ("contrast.grey", {"#8a8a8a", "#141414", "#ffffff", "#000000"}),
    ):
        visitor.context.add_cookies([{"name": "looks", "value": looks, "url": visitor.url}])
        visitor.goes(boards[0])
        assert expected <= painted(visitor)


def test_in_the_dark_a_board_of_mamba_is_as_light_as_the_tiles(come: Come, boards: list[str]) -> None:
    visitor, light = come(**DARK), named("light")
    visitor.goes(boards[1])
    visitor.clicks(visitor.page.locator("svg a.place:not(.closed)").first)
    expect(visitor.page.locator("svg a.target").first).to_be_attached()
    assert {mamba_inks.GROUND, light["reach"], light["chosen"], named("dark")["mat"]} <= painted(visitor, ".frame")


def test_the_space_that_has_the_keyboard_is_seen(come: Come, boards: list[str]) -> None:
    visitor = come()
    visitor.goes(boards[0])
    accent = named("light")["accent"]
    assert accent not in painted(visitor)
    visitor.page.locator("#board svg a").first.focus()
    assert accent in painted(visitor)


def test_in_forced_colours_a_board_is_drawn_in_the_inks_of_the_system(come: Come, boards: list[str]) -> None:
    visitor, ink, ground = come(**DARK, forced_colors="active"), "rgb(255, 255, 255)", "rgb(0, 0, 0)"
    visitor.goes(boards[0])
    expect(visitor.page.locator("#board .frame")).to_have_css("background-color", ground)
    expect(visitor.page.locator(".moves thead th").first).to_have_css("background-color", ground)
    expect(visitor.page.locator("#board svg .label").first).to_have_css("fill", ink)
    assert {"#ffffff", "#000000", named("dark")["face"]} <= painted(visitor)
    visitor.page.locator("#board svg a").first.focus()
    assert named("dark")["accent"] in painted(visitor)
    visitor.goes(f"{boards[0]}?pick=H")
    choices = visitor.page.locator(".choices a")
    outlined = choices.evaluate_all("all => all.map((each) => getComputedStyle(each).outlineStyle)")
    assert outlined == ["solid", *["none"] * (len(outlined) - 1)], "the tile that is seen on the board"


def test_signs_beside_a_dark_board_lie_on_a_tile_as_on_the_board(come: Come, boards: list[str]) -> None:
    visitor = come(**DARK)
    visitor.goes(boards[0])
    visitor.page.locator("details.about > summary").click()
    assert {named("dark")["face"], "#101010"} <= painted(visitor, "svg.sign:has([href='#last'])")


def test_a_userid_of_the_greatest_length_leaves_room_for_other_columns(server: RunningServer, come: Come) -> None:
    short, long = fresh("ada")[0], "w" * 32
    server.player(long)
    server.player(short).says(f"superbo challenge {long} {short}")
    assert server.person(long).hears()
    visitor = come(**PHONE)
    for path, last in (("/players", "th:has-text('Boards')"), (f"/boards?player={short}", "li.card")):
        visitor.goes(path)
        seen = visitor.page.locator(last).first.bounding_box()
        assert seen is not None
        assert seen["x"] + seen["width"] <= PHONE["viewport"]["width"], path
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.parametrize("profile", [{}, PHONE], ids=["mouse", "touch"])
@pytest.mark.parametrize("width", [360, 390, 600])
def test_all_words_of_a_narrow_header_are_at_one_height(
    come: Come, userid: str, boards: list[str], width: int, profile: dict[str, Any]
) -> None:
    assert boards, "somebody plays"
    visitor = come(**{**profile, "viewport": {"width": width, "height": 700}})
    for language in ("en", "de", "fr"):
        visitor.context.add_cookies([{"name": "language", "value": language, "url": visitor.url}])
        visitor.goes("/")
        in_one_row(visitor, language)
    visitor.context.clear_cookies()
    visitor.signs_in(userid)
    for language in ("de", "fr", "en"):
        visitor.page.locator(f".languages button[value={language}]").click()
        in_one_row(visitor, language)


def in_one_row(visitor: Visitor, language: str) -> None:
    """See that all words of the header are at one height."""
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)
    visitor.page.wait_for_load_state()
    middles = visitor.page.locator("header.site :is(a, summary > span)").evaluate_all(
        """all => all.filter((each) => each.checkVisibility() && !each.closest(".menu > div")).map((each) => {
          const words = document.createRange();
          words.selectNodeContents(each);
          const { y, height } = words.getBoundingClientRect();
          return Math.round(y + height / 2);
        })"""
    )
    assert max(middles) - min(middles) <= BADGE, f"one line in {language}: {middles}"


def test_a_board_is_printed_on_white_without_what_is_to_be_clicked(come: Come, boards: list[str]) -> None:
    visitor = come(**DARK)
    visitor.goes(boards[0])
    assert visitor.page.pdf(format="A4").startswith(b"%PDF")
    visitor.page.emulate_media(media="print")
    assert not is_dark(visitor)
    expect(visitor.page.locator(".drawing svg")).to_be_visible()
    expect(visitor.page.locator("header.site")).not_to_be_visible()
    expect(visitor.page.locator(".draft")).not_to_be_visible()


@pytest.mark.parametrize("profile", [{}, DARK])
def test_no_seam_is_seen_in_what_is_pale_at_the_end(server: RunningServer, come: Come, profile: dict[str, Any]) -> None:
    table = seat(server, come, "superbo", "sina", "silas", **profile)
    table.goes_on(*WON)
    page = table.visitors[0].page
    expect(page.locator("svg.decided")).to_be_visible()
    edges = page.locator("svg.decided > path.rim").evaluate("path => getComputedStyle(path).stroke")
    assert edges == "rgb(230, 223, 211)", "hardly darker than the tiles, through which it would be seen"
