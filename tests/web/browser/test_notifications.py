"""Notifications: what a push makes the browser show, in place of the one before about the same board."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import CDPSession

from tests.support.browser import Visitor
from tests.web.browser.conftest import Come

SHOWN = """async () => {
  const shown = await (await navigator.serviceWorker.ready).getNotifications();
  return shown.map(({ title, body, tag }) => ({ title, body, tag }));
}"""
CLICK = """async () => {
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent("notificationclick", { notification }));
}"""


class Pushes:
    """Delivers pushes to the service worker of a visitor's browser, as a push service would."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._devtools: CDPSession = visitor.context.new_cdp_session(visitor.page)
        self._registrations: list[dict[str, Any]] = []
        self._devtools.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._devtools.send("ServiceWorker.enable")

    def _note(self, event: dict[str, Any]) -> None:
        self._registrations += event["registrations"]

    def delivers(self, **data: object) -> None:
        """Deliver something, as JSON."""
        while not self._visitor.page.evaluate("navigator.serviceWorker.controller !== null"):
            self._visitor.page.wait_for_timeout(50)
        which = {"origin": self._visitor.url, "registrationId": self._registrations[0]["registrationId"]}
        self._devtools.send("ServiceWorker.deliverPushMessage", which | {"data": json.dumps(data)})


def shown(visitor: Visitor, many: int) -> list[dict[str, str]]:
    """The notifications that are shown, once there are so many."""
    while len(found := visitor.page.evaluate(SHOWN)) != many:
        visitor.page.wait_for_timeout(50)
    return list(found)


def test_a_push_shows_whose_turn_it_is_at_which_board_and_a_later_one_replaces_it(come: Come) -> None:
    visitor = come()
    visitor.context.grant_permissions(["notifications"], origin=visitor.url)
    visitor.goes("/")
    service = Pushes(visitor)
    service.delivers(game="superbo", board=101)
    first = {"title": "Your move", "body": "Superbo, board 101", "tag": "board-101"}
    assert shown(visitor, 1) == [first]
    service.delivers(game="mamba", board=102)
    second = {"title": "Your move", "body": "Mamba, board 102", "tag": "board-102"}
    assert shown(visitor, 2) == [first, second]
    service.delivers(game="superbo", board=101)
    assert sorted(shown(visitor, 2), key=lambda each: each["tag"]) == [first, second]


def test_a_click_closes_a_notification(come: Come) -> None:
    """That it then opens the board cannot be seen: browsers allow that after real clicks alone."""
    visitor = come()
    visitor.expected += ["Not allowed"]
    visitor.context.grant_permissions(["notifications"], origin=visitor.url)
    visitor.goes("/")
    Pushes(visitor).delivers(game="superbo", board=101)
    assert len(shown(visitor, 1)) == 1
    visitor.context.service_workers[0].evaluate(CLICK)
    assert shown(visitor, 0) == []
