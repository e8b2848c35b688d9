"""Groups that light up on a board of tiles, from the drawing and from the list."""

from __future__ import annotations

import re
from io import BytesIO

from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat

LIT = "svg.hextile use.in"


def drawing(page: Page) -> Image.Image:
    """The board as it is painted."""
    return Image.open(BytesIO(page.locator(".drawing svg.hextile").screenshot())).convert("RGB")


def differ(one: Image.Image, other: Image.Image) -> int:
    """In how many pixels two pictures differ."""
    changed = ImageChops.difference(one, other).convert("L").point([0] + [255] * 255)
    return changed.histogram()[255]


def test_light_groups_light_up_from_the_board_and_from_the_list(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "lambo", "gerda", "gustav")
    page = table.visitors[0].page
    before = drawing(page)
    line = page.locator("section.groups li", has_text=re.compile("^Light")).first
    table.visitors[0].unfolds(line)
    page.mouse.move(0, 0)
    line.focus()
    expect(page.locator(LIT).first).to_be_attached()
    assert differ(before, drawing(page)) > 100
    page.locator("#title").hover()
    page.locator("svg.hextile use[href^='#v'][data-group]").first.hover()
    expect(page.locator(".of-group")).to_have_text(re.compile(r"^Light: 1 bridge"))
    assert differ(before, drawing(page)) > 100


def test_lone_tips_light_up_and_are_told_of(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "mambo", "halina", "heinz")
    table.goes_on("A1")
    page = table.visitors[0].page
    before = drawing(page)
    page.locator("svg.hextile use[href='#tx0']").hover()
    expect(page.locator(".of-group")).to_have_text(re.compile(r"^X: a lone tip, 2 ways out"))
    expect(page.locator(LIT)).to_have_count(1)
    assert differ(before, drawing(page)) > 100
    box = page.locator("svg.hextile use[href='#last']").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)  # on the bridge, under the mark
    expect(page.locator(".of-group")).to_have_text(re.compile(r"^O: 1 bridge"))
