"""Boards on small screens: spaces that a thumb can hit, however large the board is."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator, expect

from tests.support.browser import PHONE, Visitor
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat, waits_until

THUMB = 44
"""The breadth and height, in CSS pixels, that a thumb hits without aiming (WCAG 2.2, 2.5.5)."""


def least(visitor: Visitor) -> float:
    """The smallest breadth or height of what can be tapped on the board."""
    boxes = [place.bounding_box() for place in visitor.page.locator("#board svg a.place").all()]
    assert boxes
    return min(min(box["width"], box["height"]) for box in boxes if box is not None)


def test_a_large_board_is_played_with_a_thumb_in_a_frame_that_scrolls(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "mamba -size=11 -inorder", "wim", "wanda", **PHONE)
    wim = table.visitors[0]
    assert least(wim) < THUMB
    wim.page.get_by_role("link", name="Larger").tap()
    frame = wim.page.locator(".frame.large")
    expect(frame).to_be_visible()
    assert least(wim) >= THUMB
    assert frame.evaluate("frame => frame.scrollWidth > frame.clientWidth")
    assert wim.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    wim.page.locator("#board svg a.place").last.tap()
    expect(wim.page.locator("#board svg .picked")).to_be_visible()
    kept = frame.evaluate("frame => frame.scrollLeft + frame.scrollTop")
    wim.page.locator("#board svg a.target").last.tap()
    expect(wim.page.locator("#board svg .picked")).to_have_count(0)
    assert abs(frame.evaluate("frame => frame.scrollLeft + frame.scrollTop") - kept) < THUMB * 4
    wim.page.get_by_role("link", name="Smaller").tap()
    expect(frame).to_have_count(0)
    assert "turn=" in wim.page.url


def test_the_size_stays_when_a_move_is_sent_and_when_one_comes(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "xena", "xaver", **PHONE)
    xena, xaver = table.visitors
    for visitor in table.visitors:
        visitor.page.get_by_role("link", name="Larger").tap()
        expect(visitor.page.locator(".frame.large")).to_be_visible()
    xena.lays("B3")
    xena.page.locator("form[action*='/move'] button.main").tap()
    xaver.has_turn()
    for visitor in table.visitors:
        visitor.sees("1. B3")
        expect(visitor.page.locator(".frame.large")).to_be_visible()


def box_of(found: Locator) -> FloatRect:
    """The place of something on the screen."""
    box = found.bounding_box()
    assert box is not None
    return box


def test_a_phone_shows_what_is_chosen_and_signs_that_a_thumb_hits(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "pia", "pelle", **PHONE)
    table.goes_on("B3", "C4,K5", "G2,H7")
    pelle = table.visitors[1]
    page = pelle.page
    space = page.locator("svg a.place:not(.closed) [data-label]").last.get_attribute("data-label")
    pelle.goes(f"{table.path}?pick={space}")
    for _ in range(2):
        sheet = box_of(page.locator(".draft.sheet"))
        for sign in page.locator(".confirm a").all():
            box = box_of(sign)
            assert min(box["width"], box["height"]) >= THUMB
            assert box["y"] + box["height"] <= sheet["y"]
        completes = page.locator(".with-words")
        (completes if completes.is_visible() else page.locator(".confirm .lays")).tap()
        expect(page.locator(".turning")).to_have_count(0)
        if page.locator("#send").is_visible():
            break
        page.locator("svg a.place:not(.closed)").first.tap()
        expect(page.locator(".turning")).to_be_attached()
    comment, send = box_of(page.locator("#comment")), box_of(page.locator("#send"))
    expect(page.locator("#comment")).to_be_in_viewport(ratio=1)
    expect(page.locator("#send")).to_be_in_viewport(ratio=1)
    beside = comment["x"] + comment["width"] <= send["x"]
    assert beside or comment["y"] + comment["height"] <= send["y"]


def test_players_and_clock_are_read_without_opening_anything(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "paul", "petra")
    page = table.visitors[0].page
    expect(page.locator("ul.seats")).to_be_visible()
    expect(page.locator("section.groups")).to_be_hidden()
    page.get_by_text("Tiles and groups", exact=True).locator("visible=true").click()
    expect(page.locator("section.groups")).to_be_visible()


def test_pages_are_enlarged_by_two_fingers(come: Come) -> None:
    visitor = come(**PHONE)
    visitor.goes("/games/superbo")
    hand = visitor.context.new_cdp_session(visitor.page)

    def touch(kind: str, *apart: int) -> None:
        points = [{"x": 180 + side * each, "y": 300, "id": side} for each in apart for side in (-1, 1)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 20)
    for apart in range(25, 120, 5):
        touch("touchMove", apart)
    touch("touchEnd")
    waits_until(visitor.page, lambda: visitor.page.evaluate("visualViewport.scale") >= 2)


LISTS = (
    "/",
    "/games",
    "/games/superbo",
    "/boards",
    "/boards?which=inactive",
    "/standings",
    "/standings/superbo",
    "/players",
    "/players/{userid}",
    "/history",
    "/history?player={userid}",
    "/tournaments",
    "/tournaments/superbo/{tournament}",
    "/puzzles",
    "/settings",
    "/sign-in",
    "/help",
)
WIDER = """() => [document.scrollingElement, ...document.querySelectorAll("div.wide, li.card")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.ariaLabel ?? each.className)"""


def test_no_list_is_wider_than_a_phone_however_long_userids_are(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "wolfgangamadeusmoz", "wwwwwwwwwwwwwwwwww", **PHONE)
    table.goes_on("B3", "C4,K5", "G2,H7", "D8,R10")
    (one, other), (userid, second), name = table.people, table.userids, f"fruehjahrsmeisterschaft_{table.number}"
    one.answers(table.mails[0], "resign")
    other.hears()
    one.says(f"superbo challenge {userid} {second}")
    for person, who, deed in ((one, userid, "create"), (one, userid, "join"), (other, second, "join")):
        person.says(f"superbo tournament {deed} {who} secret {name}")
        person.hears()
    one.says(f"superbo tournament start {userid} secret {name}")
    other.hears()
    visitor, wider = table.visitors[0], {}
    for language in ("en", "de", "fr"):
        visitor.goes("/")
        visitor.page.locator(f".languages button[value={language}]").click()
        expect(visitor.page.locator("html")).to_have_attribute("lang", language)
        for path in LISTS:
            visitor.goes(path.format(userid=userid, tournament=name))
            if found := visitor.page.evaluate(WIDER):
                wider[language, path] = found
    assert not wider


def test_a_phone_shows_both_buttons_of_a_line_that_is_tried(server: RunningServer, come: Come) -> None:
    small = PHONE | {"viewport": {"width": 360, "height": 560}}
    table = seat(server, come, "superbo", "pim", "pola", **small)
    table.goes_on("B3", "C4,K5")
    pola = table.visitors[1]
    pola.goes(f"{table.path}?turn=G2 H7 / D8 R10")
    buttons = pola.page.locator(".draft .send button")
    expect(buttons).to_have_count(2)
    for button in buttons.all():
        button.tap(trial=True)
    pola.presses("Plan this line")
    expect(pola.page.locator("#plan")).to_have_value("if G2,H7 then D8,R10")
