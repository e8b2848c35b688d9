"""Browsers that people use the pages with: Debian's Chromium, driven by Playwright, which brings none of its own.

One browser serves all tests of a process; each visitor has a profile of their own in it. What a browser complains of
fails the test: an error of a script, a file that is not there, a breach of the content policy, a word to another host.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urljoin

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, expect, sync_playwright

from tests.support.mail import PATIENCE, Mail, Person
from tests.support.tools import require_tool

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)
"""Nothing but what a test asks for."""

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DARK: dict[str, Any] = {"color_scheme": "dark"}
NO_SCRIPT: dict[str, Any] = {"java_script_enabled": False}

_LINK = re.compile(r"https?://\S+")


def link_in(mail: Mail, path: str) -> str:
    """The first link of a mail that leads below a path of the site."""
    found = next((link for link in _LINK.findall(mail.text) if re.match(r"https?://[^/]+" + re.escape(path), link)), "")
    assert found, f"no link to {path} in:\n{mail.text}"
    return found


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """The browser; skips the test where there is none."""
    program = require_tool("chromium")
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            args=list(FLAGS),
            chromium_sandbox=os.geteuid() != 0,  # Chromium's sandbox refuses to run as root
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visitor:
    """Somebody at a browser."""

    context: BrowserContext
    page: Page
    url: str
    """Of the site."""
    faults: list[str] = field(default_factory=list)
    """The browser's complaints."""
    expected: list[str] = field(default_factory=list)
    """The complaints that are allowed, as regular expressions."""

    @classmethod
    def come(cls, browser: Browser, url: str, **profile: Any) -> Self:
        """Open a browser of their own; the profile is Playwright's (``color_scheme``, ``viewport`` ...)."""
        given: dict[str, Any] = {"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce", **profile}
        context = browser.new_context(locale="en-GB", **given)
        context.set_default_timeout(PATIENCE * 1000)
        visitor = cls(context, context.new_page(), url)
        visitor._listen()
        return visitor

    def _listen(self) -> None:
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.page.on("request", self._asked)
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.url + "/", "data:", "about:")):
            self.faults.append(f"asks {request.url}")

    def leave(self) -> None:
        """Close the browser; whatever it complained of, and was not expected to, fails the test."""
        self.context.close()
        unexpected = [fault for fault in self.faults if not any(re.search(each, fault) for each in self.expected)]
        assert not unexpected, f"the browser complained: {unexpected}"

    def goes(self, address: str) -> None:
        """Open a page by its path or by a whole address."""
        self.page.goto(urljoin(self.url, address))

    def follows(self, name: str) -> None:
        """Click a link, by its name."""
        self.unfolds(self.page.get_by_role("link", name=name, exact=True, include_hidden=True).first).click()

    def presses(self, name: str) -> None:
        """Press a button, by its name."""
        self.unfolds(self.page.get_by_role("button", name=name, exact=True, include_hidden=True).first).click()

    def unfolds(self, found: Locator) -> Locator:
        """Open what is folded around something; return it."""
        found.wait_for(state="attached")
        folded = found.locator("xpath=ancestor::details[not(@open)]")
        for each in folded.all():
            each.locator("> summary").click()
        return found

    def writes(self, **fields: str) -> None:
        """Fill in fields of a form, by their ids."""
        for name, value in fields.items():
            self.unfolds(self.page.locator(f"#{name}")).fill(value)

    def sees(self, text: str | re.Pattern[str]) -> None:
        """Wait until the page says something."""
        expect(self.page.locator("main")).to_contain_text(text)

    def is_at(self, path: str) -> None:
        """Wait until the browser is on a page, and its script runs: before, a click leads to a new page."""
        self.page.wait_for_url(re.compile(re.escape(self.url + path) + r"([?#].*)?$"), wait_until="load")

    def signs_in(self, userid: str, password: str = "secret", then: str = "/") -> None:
        """Sign in with a password."""
        self.goes(f"/sign-in?then={then}")
        self.writes(userid=userid, password=password)
        self.page.locator("#password").press("Enter")
        self.is_at(then)
        expect(self.page.locator("header")).to_contain_text(userid)

    def signs_in_by_mail(self, person: Person, userid: str) -> None:
        """Ask for a link, and follow it out of the mail that comes."""
        self.goes("/sign-in")
        self.writes(who=userid)
        self.presses("Mail me a link")
        self.sees("a link is on its way")
        self.goes(link_in(person.hears(), "/sign-in/"))
        self.presses(f"Sign in as {userid}")
        expect(self.page.locator("header")).to_contain_text(userid)

    # The board

    def place(self, label: str) -> Locator:
        """A space of a hexagonal board or a cell of a board of Mamba, where it can be clicked."""
        return self.page.locator(f'#board svg a:has([data-label="{label}"]), #board svg a:has([data-cell="{label}"])')

    def clicks(self, link: Locator) -> None:
        """Click something on the board, and wait until its page has followed."""
        before = self.page.url
        link.click()
        self.page.wait_for_url(lambda url: url != before)

    def lays(self, placement: str) -> None:
        """Lay a tile: click its space, then its picture beside the board."""
        self.place(placement.rstrip("0123456789")).click()
        self.page.locator(f'.choices a[data-step="{placement}"]').click()
        expect(self.page.locator(f'.choices a[data-step="{placement}"]')).to_have_count(0)

    def can_play(self) -> bool:
        """Return True if the turn on the board can be sent."""
        return self.page.locator('form[action$="/move"] button.main').is_visible()

    def plays(self, comment: str = "") -> None:
        """Send the turn that is on the board."""
        if comment:
            self.writes(comment=comment)
        self.page.locator('form[action$="/move"] button.main').click()
        self.page.wait_for_url(re.compile(r"/boards/\d+$"))

    def has_turn(self) -> None:
        """Wait until the page says that it is their turn."""
        expect(self.page.locator("#draft-title")).to_have_text("Your move")


SERIOUS = ("serious", "critical")


def barriers(visitor: Visitor, **options: Any) -> list[str]:
    """The serious faults that axe finds on the page."""
    found = Axe().run(visitor.page, options=options or None).response["violations"]
    return [
        f"{visitor.page.url}: {each['id']}: {each['help']}: {[node['html'][:150] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in SERIOUS
    ]
