"""Files that browsers and search engines look for at the root, the page for times without the server, and titles."""

from __future__ import annotations

from urllib.robotparser import RobotFileParser

import pytest
from lxml import etree

from tests.storage.stock import WON
from tests.support.web_site import URL, WebSite

LOCATION = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def robots(site: WebSite) -> RobotFileParser:
    answer = site.guest().asks("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    found = RobotFileParser()
    found.parse(answer.text.splitlines())
    return found


def sitemap(site: WebSite) -> list[str]:
    answer = site.guest().asks("/sitemap.xml")
    assert answer.status_code == 200
    return [each.text or "" for each in etree.fromstring(answer.content).iter(LOCATION)]


def test_a_browser_can_install_the_site(site: WebSite) -> None:
    guest = site.guest()
    (address,) = guest.opens("/").all("//link[@rel='manifest']/@href")
    answer = guest.asks(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["name"]) == ("/", "/", "pbem")
    assert {each["sizes"] for each in manifest["icons"]} == {"192x192", "512x512"}
    for icon in manifest["icons"]:
        assert guest.asks(icon["src"]).headers["content-type"] == "image/png"
    assert "manifest-src 'self'" in answer.headers["content-security-policy"]


def test_every_page_has_icons_and_a_description(site: WebSite) -> None:
    guest = site.guest()
    for address in ("/", "/games", "/help", "/sign-in"):
        page = guest.opens(address)
        assert len(page.all("//meta[@name='description']/@content")[0]) > 50
        for icon in page.all("//link[@rel='icon' or @rel='apple-touch-icon']/@href"):
            assert guest.asks(icon).headers["content-type"].startswith("image/")
    assert guest.asks("/favicon.ico").headers["content-type"] == "image/x-icon"


def test_the_worker_is_served_from_the_root_and_never_outlives_the_server(site: WebSite) -> None:
    answer = site.guest().asks("/sw.js?1.0-de")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert "worker-src 'self'" in answer.headers["content-security-policy"]


def test_the_page_without_the_server_speaks_the_language_of_the_visitor_and_names_nobody(site: WebSite) -> None:
    site.joins("alice")
    page = site.guest().opens("/offline")
    assert "You are offline, or the server is" in page.text
    assert "Your drafts are kept." in page.text
    alice = site.browser("alice")
    alice.asks("/language", "POST", data={"language": "de", "then": "/"}, headers={"origin": URL})
    assert "alice" not in alice.opens("/offline").source
    german = site.guest().asks("/offline", headers={"accept-language": "de"})
    assert 'lang="de"' in german.text
    words = site.guest().asks("/offline/words", headers={"accept-language": "de"})
    assert words.headers["content-type"] == "application/json"
    assert words.json() == {"language": "de", "turn": "Dein Zug", "board": "{game}, Brett {board}"}


@pytest.mark.parametrize("path", ["/", "/games/superbo", "/boards/101", "/help/superbo", "/players/ann", "/history"])
def test_search_engines_may_read_pages(site: WebSite, path: str) -> None:
    assert robots(site).can_fetch("anybody", path)


@pytest.mark.parametrize("path", ["/command", "/settings", "/settings/tokens", "/sign-in?then=/", "/admin", "/offline"])
def test_they_stay_away_from_forms_and_pages_for_one_visitor(site: WebSite, path: str) -> None:
    assert not robots(site).can_fetch("anybody", path)


def test_they_stay_away_from_drafts_of_moves(site: WebSite) -> None:
    lines = site.guest().asks("/robots.txt").text.splitlines()
    assert {"Disallow: /boards/*?", "Disallow: /boards/*/move"} <= set(lines)
    assert robots(site).site_maps() == [f"{URL}/sitemap.xml"]


def test_the_site_map_has_the_pages_and_the_finished_boards(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.moves(site.begins("superbo", "ann", "ben"), *WON)
    site.begins("superbo", "ann", "ben")
    found = sitemap(site)
    assert {f"{URL}{path}" for path in ("/", "/games", "/games/mamba", "/help/superbo", "/boards/101")} <= set(found)
    assert f"{URL}/boards/102" not in found
    guest = site.guest()
    for address in found:
        assert guest.asks(address.removeprefix(URL)).status_code == 200, address


def test_titles_begin_with_the_number_of_boards_that_wait_for_the_player(site: WebSite) -> None:
    site.joins("ann", "ben")
    for _ in range(2):
        site.begins("superbo", "ann", "ben")
    waiting = dict.fromkeys(("ann", "ben"), 0)
    for number in (101, 102):
        board = site.board(number)
        waiting[board.seats[site.course(board).to_act].userid] += 1
    for userid, count in waiting.items():
        titles = [site.browser(userid).opens(address).all("//title")[0] for address in ("/games", "/boards/101")]
        assert [title.startswith(f"({count}) ") for title in titles] == [bool(count)] * 2
        assert [title.startswith("(") for title in titles] == [bool(count)] * 2
    assert not site.guest().opens("/games").all("//title")[0].startswith("(")
