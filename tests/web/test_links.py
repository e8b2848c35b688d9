"""All pages that the front page leads to: they are there, well made, and nobody's words are markup in them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from pbem.web.app import PAGES
from tests.storage.stock import OPENING, WON
from tests.support.web_site import URL, WebClient, WebPage, WebSite
from tests.web.markup import faults_of

HOSTILE = "<b>\"'&x"
"""A userid that no command would let anybody have."""
MOST_QUERIES = 4
"""Of one address that are followed: a board page has a link for each turn that could be played."""
MOST_OF_A_KIND = 16
"""Pages that are followed of those whose addresses differ by a number: there are hundreds of puzzles."""


@pytest.fixture
def site(database_url: str, tmp_path: Path) -> Iterator[WebSite]:
    """A server with nobody, once on each engine."""
    with WebSite(database_url, tmp_path) as site:
        yield site


@pytest.fixture
def busy(site: WebSite) -> WebSite:
    """A server with boards of all games, in play and over, a tournament in its second round, and a hostile userid."""
    site.joins("ann", "ben", "cat", HOSTILE)
    for winner, loser in (("ann", "ben"), ("ben", "cat")):
        site.moves(site.begins("superbo", winner, loser), *WON)
    site.moves(site.begins("superbo", "ann", "ben"), *OPENING)
    site.begins_with("superbo", "ann", HOSTILE)
    for game in ("lambo", "mamba", "mambo", "palago"):
        site.begins(game, "ann", "ben")
    site.says("ann", "mambo seek -kill -pace=3")
    site.says("ann", "superbo tournament create spring -swiss")
    for userid in ("ann", "ben", "cat"):
        site.says(userid, "superbo tournament join spring")
    site.says("ann", "superbo tournament start spring")
    number = max(site.numbers)
    site.moves(number, *WON)
    site.advances("superbo", "spring")
    site.says("ann", "mamba tournament create autumn")
    return site


def crawl(browser: WebClient) -> dict[str, WebPage]:
    """Every page that is linked from the front page or from one that is."""
    found: dict[str, WebPage] = {}
    waiting, queries, kinds = ["/"], Counter[str](), defaultdict[str, set[str]](set)
    while waiting:
        address = waiting.pop()
        path = urlsplit(address).path
        queries[path] += 1
        of_a_kind = kinds[re.sub(r"\d+", "0", path)]
        if address in found or path.startswith("/static/") or queries[path] > MOST_QUERIES:
            continue
        if path not in of_a_kind and len(of_a_kind) >= MOST_OF_A_KIND:
            continue
        of_a_kind.add(path)
        answer = browser.asks(address)
        if answer.status_code == 303:
            waiting.append(answer.headers["location"])
            continue
        assert answer.status_code == 200, address
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        found[address] = WebPage(answer)
        waiting.extend(found[address].links)
    return found


def test_every_link_leads_somewhere_and_every_page_is_well_made(busy: WebSite) -> None:
    pages = crawl(busy.guest())
    assert {"/games/mamba", "/boards/101", "/players/ann", "/history/superbo", "/standings/superbo"} <= set(pages)
    assert {"/tournaments/superbo/spring", "/help/tutorial", "/players", "/sign-up"} <= set(pages)
    faults = {address: wrong for address, page in pages.items() if (wrong := faults_of(page))}
    assert faults == {}
    assert [address for address, page in pages.items() if HOSTILE in page.text]
    assert [address for address, page in pages.items() if "<b>" in page.source] == []


def test_who_has_signed_in_finds_every_page_there_and_well_made(busy: WebSite) -> None:
    pages = crawl(busy.browser("ann"))
    assert {"/settings", "/challenge", "/players/ben", "/tournaments/mamba/autumn"} <= set(pages)
    faults = {address: wrong for address, page in pages.items() if (wrong := faults_of(page))}
    assert faults == {}
    assert [address for address, page in pages.items() if "<b>" in page.source] == []


def test_pages_are_asked_for_their_heads(busy: WebSite) -> None:
    guest = busy.guest()
    for address in ("/", "/games", "/games/superbo", "/boards", "/boards/101", "/players/ann", "/help/superbo"):
        answer = guest.asks(address, "HEAD")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert guest.asks("/games/chess", "HEAD").status_code == 404


def test_whatever_stands_in_an_address_is_no_markup(site: WebSite) -> None:
    guest, hostile = site.guest(), "%3Cscript%3E%22'&amp;%00%0d%0aSet-Cookie:x=1"
    for path in PAGES:
        address = re.sub(r"{\w+(:path)?}", hostile, path.replace("{number:number}", "999"))
        query = "&".join(f"{name}={hostile}" for name in ("game", "player", "which", "move", "turn", "then", "options"))
        answer = guest.asks(f"{address}?{query}")
        assert answer.status_code in (200, 303, 403, 404), address
        assert "<script>" not in answer.text, address
        assert "set-cookie" not in answer.headers, address


@pytest.mark.parametrize(
    "address", ["/games/" + "x" * 5000, "/help/" + "x/" * 3000, "/players/" + "%F0%9F%98%80" * 500]
)
def test_long_addresses_are_not_found(site: WebSite, address: str) -> None:
    page = site.guest().opens(address, status=404)
    assert len(page.source) < 20_000


def test_a_form_may_hold_anything(site: WebSite) -> None:
    guest = site.guest()
    for address, fields in (("/sign-in", ("who", "then")), ("/sign-in/password", ("userid", "password"))):
        for words in ("a\0b", "\ud800", "\u202e", "x" * 5000, "%00", "'; DROP TABLE players"):
            body = urlencode(dict.fromkeys(fields, words), errors="surrogatepass")
            kind = {"content-type": "application/x-www-form-urlencoded", "origin": URL}
            assert guest.asks(address, "POST", content=body, headers=kind).status_code < 500, words
