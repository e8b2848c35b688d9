"""Faults while somebody plays in a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat


def test_a_turn_that_the_rules_forbid_is_told_why_and_nothing_can_be_sent(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "ivy", "ian")
    ivy = table.visitors[0]
    ivy.goes(f"{table.path}?turn=b99")
    expect(ivy.page.get_by_role("alert")).to_be_visible()
    expect(ivy.page.locator("form[action$='/move']")).to_have_count(0)


def test_a_move_that_was_overtaken_is_refused_with_its_reason(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "oda", "otto")
    oda = table.visitors[0]
    oda.expected += ["ERR_FAILED", "409"]
    oda.page.route("**/live", lambda route: route.abort())  # as a page that has slept, it hears of nothing
    oda.page.reload()
    oda.lays("B3")
    table.people[0].answers(table.mails[0], "C3")
    table.people[1].hears()
    oda.page.locator("form[action$='/move'] button.main").click()
    expect(oda.page.get_by_role("alert")).to_be_visible()
    oda.sees("1. C3")


def test_who_is_signed_out_meanwhile_signs_in_and_plays_what_was_drafted(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "sue", "sam")
    sue = table.visitors[0]
    sue.lays("B3")
    sue.context.clear_cookies()
    sue.writes(comment="Have fun")
    sue.page.locator("form[action$='/move'] button.main").click()
    sue.is_at("/sign-in")
    sue.sees("not been sent yet")
    sue.writes(userid=table.userids[0], password="secret")
    sue.page.locator("#password").press("Enter")
    sue.is_at(table.path)
    expect(sue.page.locator("#comment")).to_have_value("Have fun")
    sue.plays()
    sue.sees("1. B3")
    sue.sees("Have fun")


def test_a_board_follows_again_once_the_server_is_back(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "rob", "ria")
    ria = table.visitors[1]
    for visitor in table.visitors:
        visitor.expected += ["ERR_CONNECTION_", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED_ENCODING"]
    port = server.port
    server.stop()
    server.start()
    assert server.port == port
    table.people[0].answers(table.mails[0], "B3")
    ria.has_turn()
    ria.sees("1. B3")
