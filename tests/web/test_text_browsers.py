"""Pages as text browsers show them, which draw no pictures, run no scripts and know nothing of what is hidden."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.tools import require_tool
from tests.support.web_site import WebSite

BROWSERS = {
    "w3m": ["w3m", "-dump", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", "-cols", "200"],
    "lynx": ["lynx", "-dump", "-stdin", "-nolist", "-force_html", "-width=200", "-assume_charset=UTF-8"],
}
SHAPES = {"superbo": "  xxx  oo", "mamba": "9  .  .  .  B  .  B"}
"""A line of the board in letters."""
UNTRUE = ("has gone on", "is over", "no live updates", "What was said", "arrow keys", "Tap the tile", "Lay A")
"""Words that are true or of use only once a script says so."""


@pytest.fixture(params=BROWSERS)
def browser(request: pytest.FixtureRequest) -> list[str]:
    program, *options = BROWSERS[request.param]
    return [require_tool(program), *options]


def seen(browser: list[str], page: str) -> str:
    """The text that a text browser shows of a page."""
    done = subprocess.run(browser, input=page.encode(), capture_output=True, timeout=60, check=True)
    return done.stdout.decode()


@pytest.mark.parametrize("game", ["superbo", "mamba"])
def test_a_board_is_seen_in_letters_and_nothing_is_told_that_is_not_so(
    site: WebSite, browser: list[str], game: str
) -> None:
    site.joins("alice", "bob")
    number = site.begins_with(game, "alice", "bob")
    alice, guest = site.browser("alice"), site.guest()
    asked = {"superbo": "?pick=A", "mamba": "?pick=d3"}[game]
    for visitor in (alice, guest):
        for address in (f"/boards/{number}", f"/boards/{number}{asked}", f"/games/{game}/variant/try{asked}"):
            shown = seen(browser, visitor.opens(address).source)
            assert SHAPES[game] in shown, (address, shown)
            assert not [each for each in UNTRUE if each in shown], address


@pytest.mark.parametrize("address", ["/puzzles/1", "/games/superbo/variant", "/games/mamba/variant"])
def test_pages_with_a_drawing_have_it_in_letters(site: WebSite, browser: list[str], address: str) -> None:
    page = site.guest().opens(address)
    drawings, letters = (
        page.find("//figure[contains(@class, 'drawing')]"),
        page.find("//details[@class='letters']//pre"),
    )
    assert len(drawings) == len(letters) > 0
    shown = seen(browser, page.source)
    for each in letters:
        assert max(each.text_content().splitlines(), key=len).strip() in shown
