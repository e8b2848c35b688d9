"""The front page: from there to a first move, and boards that are kept up to date."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.browser import PHONE
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat

RENEW = "document.dispatchEvent(new Event('visibilitychange'))"
"""The event of a page that is seen again."""


def test_a_visitor_without_an_account_makes_a_move_in_two_clicks(server: RunningServer, come: Come) -> None:
    guest = come()
    guest.goes("/")
    guest.page.get_by_role("button", name="Play the computer now").click()
    expect(guest.page.locator("#draft-title")).to_have_text("Your move")
    guest.page.get_by_role("link", name="Play this move").click()
    expect(guest.page.locator(".moves")).to_contain_text("1. A1")
    assert guest.page.get_by_role("link", name="Keep this game").is_visible()


def test_a_visitor_makes_the_first_move_with_keys_alone(server: RunningServer, come: Come) -> None:
    guest = come()
    guest.goes("/")
    guest.page.get_by_role("button", name="Play the computer now").focus()
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator(".turning.scripted")).to_have_count(1)
    assert "Close a group of your colour around an eye." in guest.page.locator(".draft").inner_text()
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator(".turning")).to_have_count(0)
    held = "document.activeElement.querySelector('[data-label]')?.dataset.label"
    guest.page.wait_for_function(f"{held} === 'A'")
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator(".turning.scripted")).to_have_count(1)
    guest.page.keyboard.press("ArrowRight")
    turned = guest.page.locator(".turning a:not(.hidden)").get_attribute("data-step")
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator("#send")).to_be_focused()
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator(".moves")).to_contain_text(f"1. {turned}")


def test_a_tile_is_played_by_touch_on_a_phone_and_taken_back_on_the_tile_itself(
    server: RunningServer, come: Come
) -> None:
    guest = come(**PHONE)
    guest.goes("/")
    guest.page.get_by_role("button", name="Play the computer now").tap()
    guest.page.locator(".confirm .leaves").tap()
    expect(guest.page.locator(".confirm")).to_have_count(0)
    guest.page.locator("svg a.place").first.tap()
    guest.page.locator(".turning a:not(.hidden)").tap()
    turned = guest.page.locator(".turning a:not(.hidden)").get_attribute("data-step")
    assert turned != "A1"
    guest.page.locator(".confirm .lays").tap()
    expect(guest.page.locator(".moves")).to_contain_text(f"1. {turned}")


def test_the_boards_of_the_front_page_and_its_title_follow_the_game(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "hanna", "henri")
    henri = table.visitors[1]
    henri.goes("/")
    assert henri.page.get_by_role("heading", name="Your move").count() == 0
    table.people[0].answers(table.mails[0], "B3")
    table.people[1].hears()
    henri.page.evaluate(RENEW)
    expect(henri.page.get_by_role("heading", name="Your move")).to_be_visible()
    expect(henri.page).to_have_title("(1) Board games at the pace of letters - pbem")


def test_the_first_view_needs_few_requests_and_bytes(server: RunningServer, come: Come) -> None:
    guest = come()
    sizes: list[int] = []
    guest.page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    guest.goes("/")
    expect(guest.page.locator("img.later[src]").first).to_be_visible()
    guest.page.wait_for_load_state("networkidle")
    assert len(sizes) <= 8
    assert sum(sizes) <= 60_000
