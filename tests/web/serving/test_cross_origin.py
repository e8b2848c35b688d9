"""Answers that pages of other sites may read."""

from __future__ import annotations

import pytest

from tests.support.web_site import WebSite

ASKING = {
    "origin": "https://elsewhere.example",
    "access-control-request-method": "GET",
    "access-control-request-headers": "if-none-match",
}


@pytest.mark.parametrize("address", ["/boards/{}.json", "/boards.json", "/openapi.json", "/boards/{}/live"])
def test_a_page_elsewhere_may_ask_whether_it_has_the_newest(site: WebSite, address: str) -> None:
    site.joins("alice", "bob")
    number = site.begins("superbo", "alice", "bob")
    answer = site.guest().asks(address.format(number), "OPTIONS", headers=ASKING)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "if-none-match" in answer.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("address", ["/boards/999.json", "/boards/999/live", "/nothing.json"])
def test_it_may_read_why_it_is_refused(site: WebSite, address: str) -> None:
    answer = site.guest().asks(address)
    assert answer.status_code == 404
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("address", ["/", "/commands", "/boards/101", "/settings", "/tournaments/superbo/live"])
def test_nothing_else_is_for_it(site: WebSite, address: str) -> None:
    for method in ("GET", "OPTIONS"):
        assert "access-control-allow-origin" not in site.guest().asks(address, method, headers=ASKING).headers
